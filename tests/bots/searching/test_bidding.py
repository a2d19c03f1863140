"""Bids at Differenzler: the top of a parabola fitted to the results of tried bids."""

import random
from dataclasses import replace

import numpy as np
import pytest

import jasstisch as jt
from jasstisch.bots.searching import evaluate_actions
from jasstisch.bots.searching.bidding import _candidate_bids, _fit_parabola
from jasstisch.bots.searching.budget import CLUB
from jasstisch.search import flat_monte_carlo
from tests.rules import match_builders

CALM = replace(CLUB, time_limit_s=60.0)
"""The effort of club, with time enough on the busiest machine."""


def tried_out(bids: list[int], utilities: list[float]) -> flat_monte_carlo.Sums:
    """Sums of ten trials of each bid, each with this utility."""
    sums = flat_monte_carlo.new_sums(len(bids))
    sums[:, flat_monte_carlo.TRIALS] = 10
    sums[:, flat_monte_carlo.UTILITY] = 10 * np.array(utilities)
    sums[:, flat_monte_carlo.METRIC] = -10 * np.array(utilities)
    return sums


def test_fitted_parabola_may_peak_between_the_tried_bids() -> None:
    bids = [20, 25, 30, 35, 40]
    sums = tried_out(bids, [-float((bid - 32) ** 2) for bid in bids])
    between, fitted = _fit_parabola(np.array(bids), sums)
    assert list(between) == list(range(20, 41))
    assert between[fitted[:, flat_monte_carlo.UTILITY].argmax()] == 32
    assert fitted[12, flat_monte_carlo.METRIC] == pytest.approx(0, abs=1e-6)


def test_parabola_without_a_maximum_leaves_the_tried_bids_unchanged() -> None:
    bids = [20, 25, 30, 35, 40]
    sums = tried_out(bids, [float((bid - 32) ** 2) for bid in bids])
    kept, same = _fit_parabola(np.array(bids), sums)
    assert list(kept) == bids
    assert same is sums


def test_candidate_bids_are_between_0_and_157() -> None:
    assert _candidate_bids(3.2)[0] == 0
    assert _candidate_bids(150.0)[-1] == 157
    assert len(_candidate_bids(40.0)) == 9


def test_hand_of_all_trumps_bids_high_and_a_worthless_hand_low() -> None:
    hands = match_builders.deal({0: "6789TJQKAH", 1: "678S 678D 678C"})
    match = match_builders.start("differenzler", hands)
    match.deal(match_builders.ordered("AH"))
    bids = [
        int(
            evaluate_actions(match.view(seat), match.legal(seat), random.Random(1), CALM)[0].action[
                4:
            ]
        )
        for seat in (0, 1)
    ]
    assert bids[0] > 110
    assert bids[1] < 10


def test_evaluating_given_bids_returns_exactly_these_bids() -> None:
    match = jt.Match(jt.game("differenzler", dealer=0))
    rng = random.Random(2)
    while match.needs_pack:
        match.deal(match_builders.shuffled(match, rng))
    found = evaluate_actions(match.view(1), ["bid 0", "bid 40", "bid 157"], rng, CALM)
    assert {one.action for one in found} == {"bid 0", "bid 40", "bid 157"}
    assert found[-1].action == "bid 157"

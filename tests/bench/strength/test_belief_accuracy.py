"""Belief accuracy: the gain in likelihood of the true hands from observed plays."""

from math import log

import numpy as np
import pytest

import jasstisch as jt
from bench.strength import belief_accuracy
from bench.strength.belief_accuracy import (
    MAX_CARDS_PLAYED,
    MIN_CARDS_PLAYED,
    TRUE_COPIES,
    WEIGHT_EXPONENTS,
    decision_point,
    log_gains,
)
from jasstisch.bots import bot


def test_equally_likely_deals_gain_nothing() -> None:
    assert log_gains(np.full(TRUE_COPIES + 500, 0.01)) == pytest.approx(
        [0.0] * len(WEIGHT_EXPONENTS)
    )


def test_a_true_deal_likelier_than_all_others_gains_by_the_trust_in_it() -> None:
    """Among 100 others that are a sixteenth as likely; the true one counts among them once."""
    found = np.full(TRUE_COPIES + 100, 1 / 16)
    found[-TRUE_COPIES:] = 1.0
    shares = [16.0**-trust for trust in WEIGHT_EXPONENTS]
    assert log_gains(found) == pytest.approx([-log((1 + 100 * share) / 101) for share in shares])


@pytest.mark.parametrize("game", belief_accuracy.GAMES)
def test_decisions_are_about_cards_in_the_middle_of_a_round(game: str) -> None:
    for number in range(20):
        match = decision_point(jt.game(game, players=4), number, bot("greedy"))
        view = match.view(match.to_act[0])
        played = 4 * len(view["tricks"]) + len(view["trick"])
        assert view["phase"] == "play"
        assert MIN_CARDS_PLAYED <= played <= MAX_CARDS_PLAYED
        assert not match.rounds


@pytest.mark.parametrize("game", belief_accuracy.GAMES)
def test_observed_plays_make_the_true_hands_likelier(game: str) -> None:
    found = belief_accuracy.log_gains_of_deals(game, "greedy", 40)
    by_trust = np.mean(found, axis=0)
    assert by_trust[WEIGHT_EXPONENTS.index(0.5)] > 0.3

"""Search budgets: the cost of a deal, and the number of deals in which actions are tried."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as some

import jasstisch as jt
from jasstisch.bots.searching.budget import MASTER
from tests.bots.searching.fast_searchers import evaluate
from tests.rules import match_builders

PLAIN = replace(MASTER, max_deals=10_000, max_cards_played=6000, time_limit_s=60.0)


@given(some.integers(1, 12), some.integers(1, 48), some.integers(1, 3))
def test_deal_count_is_the_largest_that_fits_the_budget(
    actions: int, to_come: int, sifting: int
) -> None:
    effort = replace(PLAIN, resample_ratio=sifting)
    resampling = effort.resample_cost(48 - to_come)
    deals = effort.deal_count(actions, to_come, resampling)
    for_one = actions * to_come + resampling
    assert deals * for_one <= effort.max_cards_played < (deals + 1) * for_one


def test_resampling_costs_as_much_as_cards_played_out() -> None:
    """12 cards to come and 2 actions cost 24 cards for each deal, and 24 cards seen 3 times 24."""
    assert PLAIN.resample_ratio == 3
    assert PLAIN.deal_count(2, 12, PLAIN.resample_cost(0)) == 6000 // 24
    assert PLAIN.deal_count(2, 12, PLAIN.resample_cost(24)) == 6000 // (24 + 3 * 24)
    assert replace(PLAIN, resample_ratio=1).resample_cost(24) == 0, "no resampling"


def test_every_card_is_tried_in_every_deal() -> None:
    match, rng = jt.Match(jt.game("molotov")), random.Random(1)
    while match.needs_pack:
        match.deal(match_builders.shuffled(match, rng))
    assert [one.trials for one in evaluate(match, PLAIN)] == [6000 // (9 * 36)] * 9


def test_sides_factor_reduces_the_trials_in_games_with_partners() -> None:
    match, rng = jt.Match(jt.game("schieber")), random.Random(2)
    while match.needs_pack or match.view(match.to_act[0])["phase"] != "play":
        match_builders.step(match, rng)
    efforts = (
        replace(PLAIN, partner_game_cards_factor=1.0),
        replace(PLAIN, partner_game_cards_factor=0.5),
    )
    whole, half = (sum(one.trials for one in evaluate(match, effort)) for effort in efforts)
    assert half < 0.6 * whole

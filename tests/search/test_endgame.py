"""Solved endings: what every card leads to when all know all."""

import random

import numpy as np
import pytest

from jasstisch import melds
from jasstisch.games import scoring
from jasstisch.search import endgame, flat, rounds, worth
from tests.rules import tables
from tests.search import positions
from tests.search.positions import card

NOTHING_AT_STAKE = np.zeros(worth.PARAM_COUNT)


def solved(*states: rounds.Round, stakes: worth.UtilityParams = NOTHING_AT_STAKE) -> flat.Sums:
    """What solving these deals says of each card."""
    sums = flat.zero_sums()
    ending = endgame.new_stack(rounds.SIZE)
    endgame.solve_cards(
        positions.sample_deals(*states), rounds.legal_moves(states[0]), ending, stakes, sums
    )
    return sums


def brute_force(state: rounds.Round) -> list[float]:
    """The differences all end with, said as plainly as can be."""
    if state[rounds.TURN] < 0:
        return [
            abs(float(state[rounds.TARGET + seat]) - rounds.points(state, seat))
            for seat in range(4)
        ]
    outcomes = []
    for one in positions.legal_cards(state):
        after = state.copy()
        rounds.play_card(after, one)
        outcomes.append(brute_force(after))
    return min(outcomes, key=lambda missed: missed[state[rounds.TURN]])


@pytest.mark.parametrize("seed", range(6))
def test_every_card_leads_where_trying_everything_leads(seed: int) -> None:
    rng = random.Random(seed)
    hands = [" ".join(hand[:3]) for hand in tables.random_hands(4, rng)]
    state = positions.differenzler_ending(
        hands, [rng.randrange(60) for _ in range(4)], rng.choice("CDHS")
    )
    sums = solved(state)
    for one in positions.legal_cards(state):
        after = state.copy()
        rounds.play_card(after, one)
        missed = brute_force(after)[0]
        assert list(sums[one]) == [1, -missed, missed]


def test_each_deal_counts_once() -> None:
    """In one deal the ace takes the trick, in the other it is trumped."""
    takes = positions.differenzler_ending(["AH 6C", "7H 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S")
    trumped = positions.differenzler_ending(
        ["AH 6C", "7S 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S"
    )
    sums = solved(takes, trumped)
    assert list(sums[:, flat.TRIALS].nonzero()[0]) == sorted([card("AH"), card("6C")])
    assert sums[card("AH"), flat.TRIALS] == 2


def test_endings_of_molotov_are_solved_for_what_is_at_stake() -> None:
    """The six led first leaves the ace with the last trick; led last it leaves it with the first.

    Either takes a run of three with it.
    """
    state = positions.differenzler_ending(["6H AC", "7H 7C", "8H 8C", "9H 9C"], [0] * 4, "S")
    state[rounds.SCORING] = scoring.BY_PLACE
    state[rounds.BOMBS] = melds.BOMBS_FIFTY
    stakes = np.zeros(worth.PARAM_COUNT)
    stakes[worth.POINT_VALUE], stakes[worth.TALLY_ODDS], stakes[worth.WIN_VALUE] = 1.0, 0.5, 1.0
    sums = solved(state, stakes=stakes)
    assert sums[card("6H"), flat.METRIC] == 11 + 20 + 5
    assert sums[card("AC"), flat.METRIC] == 11 + 20

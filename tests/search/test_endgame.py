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

NOTHING_AT_STAKE = np.zeros(worth.STAKES)


def solved(*states: rounds.Round, stakes: worth.Stakes = NOTHING_AT_STAKE) -> flat.Sums:
    """What solving these deals says of each card."""
    sums = flat.no_sums()
    ending = endgame.new_ending(rounds.SIZE)
    endgame.solve_cards(positions.deals(*states), rounds.legal(states[0]), ending, stakes, sums)
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
        rounds.play(after, one)
        outcomes.append(brute_force(after))
    return min(outcomes, key=lambda missed: missed[state[rounds.TURN]])


@pytest.mark.parametrize("seed", range(6))
def test_every_card_leads_where_trying_everything_leads(seed: int) -> None:
    rng = random.Random(seed)
    hands = [" ".join(hand[:3]) for hand in tables.random_hands(4, rng)]
    state = positions.differences(hands, [rng.randrange(60) for _ in range(4)], rng.choice("CDHS"))
    sums = solved(state)
    for one in positions.legal_cards(state):
        after = state.copy()
        rounds.play(after, one)
        missed = brute_force(after)[0]
        assert list(sums[one]) == [1, -missed, missed]


def test_each_deal_counts_once() -> None:
    """In one deal the ace takes the trick, in the other it is trumped."""
    takes = positions.differences(["AH 6C", "7H 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S")
    trumped = positions.differences(["AH 6C", "7S 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S")
    sums = solved(takes, trumped)
    assert list(sums[:, flat.TRIALS].nonzero()[0]) == sorted([card("AH"), card("6C")])
    assert sums[card("AH"), flat.TRIALS] == 2


def test_endings_of_molotov_are_solved_for_what_is_at_stake() -> None:
    """The six led first leaves the ace with the last trick; led last it leaves it with the first.

    Either takes a run of three with it.
    """
    state = positions.differences(["6H AC", "7H 7C", "8H 8C", "9H 9C"], [0] * 4, "S")
    state[rounds.GAME] = scoring.BY_PLACE
    state[rounds.BOMBS] = melds.BOMBS_FIFTY
    stakes = np.zeros(worth.STAKES)
    stakes[worth.POINT], stakes[worth.ODDS], stakes[worth.WIN] = 1.0, 0.5, 1.0
    sums = solved(state, stakes=stakes)
    assert sums[card("6H"), flat.FIGURE] == 11 + 20 + 5
    assert sums[card("AC"), flat.FIGURE] == 11 + 20

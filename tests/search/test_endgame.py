"""Solved endings: what every card leads to when all know all."""

import random

import numpy as np
import pytest

from jasstisch.search import endgame, flat, rounds, worth
from tests.rules import tables
from tests.search import positions
from tests.search.positions import card

NOTHING_AT_STAKE = np.zeros(worth.STAKES)


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
    sums = flat.no_sums()
    endgame.solve_cards(positions.deals(state), rounds.legal(state), NOTHING_AT_STAKE, sums)
    for one in positions.legal_cards(state):
        after = state.copy()
        rounds.play(after, one)
        missed = brute_force(after)[0]
        assert list(sums[one]) == [1, -missed, missed]


def test_each_deal_counts_once() -> None:
    """In one deal the ace takes the trick, in the other it is trumped."""
    takes = positions.differences(["AH 6C", "7H 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S")
    trumped = positions.differences(["AH 6C", "7S 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S")
    sums = flat.no_sums()
    both = positions.deals(takes, trumped)
    endgame.solve_cards(both, rounds.legal(takes), NOTHING_AT_STAKE, sums)
    assert list(sums[:, flat.TRIALS].nonzero()[0]) == sorted([card("AH"), card("6C")])
    assert sums[card("AH"), flat.TRIALS] == 2

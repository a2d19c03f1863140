"""The endgame solver: the outcome of every card if all hands are open."""

import random

import numpy as np
import pytest

from jasstisch.engine import melds
from jasstisch.games import scoring_kinds
from jasstisch.search import endgame, flat_monte_carlo, round_utility
from jasstisch.search.rounds import round_state
from tests.rules import match_builders
from tests.search import kernel_positions
from tests.search.kernel_positions import card

NOTHING_AT_STAKE = np.zeros(round_utility.PARAM_COUNT)


def solved(
    *states: round_state.Round, stakes: round_utility.UtilityParams = NOTHING_AT_STAKE
) -> flat_monte_carlo.Sums:
    """The sums of the solver for each card of these deals."""
    sums = flat_monte_carlo.new_sums()
    ending = endgame.new_stack(round_state.SIZE)
    endgame.solve_cards(
        kernel_positions.sample_deals(*states),
        round_state.legal_moves(states[0]),
        ending,
        stakes,
        sums,
    )
    return sums


def brute_force(state: round_state.Round) -> list[float]:
    """The final differences of all seats, by trying all cards."""
    if state[round_state.TURN] < 0:
        return [
            abs(float(state[round_state.TARGET + seat]) - round_state.points(state, seat))
            for seat in range(4)
        ]
    outcomes = []
    for one in kernel_positions.legal_cards(state):
        after = state.copy()
        round_state.play_card(after, one)
        outcomes.append(brute_force(after))
    return min(outcomes, key=lambda missed: missed[state[round_state.TURN]])


@pytest.mark.parametrize("seed", range(6))
def test_solver_agrees_with_brute_force_on_every_card(seed: int) -> None:
    rng = random.Random(seed)
    hands = [" ".join(hand[:3]) for hand in match_builders.random_hands(4, rng)]
    state = kernel_positions.differenzler_ending(
        hands, [rng.randrange(60) for _ in range(4)], rng.choice("CDHS")
    )
    sums = solved(state)
    for one in kernel_positions.legal_cards(state):
        after = state.copy()
        round_state.play_card(after, one)
        missed = brute_force(after)[0]
        assert list(sums[one]) == [1, -missed, missed]


def test_each_deal_counts_as_one_trial() -> None:
    """In one deal the ace takes the trick, in the other it is trumped."""
    takes = kernel_positions.differenzler_ending(
        ["AH 6C", "7H 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S"
    )
    trumped = kernel_positions.differenzler_ending(
        ["AH 6C", "7S 7C", "8H 8C", "9H 9C"], [11, 0, 0, 0], "S"
    )
    sums = solved(takes, trumped)
    assert list(sums[:, flat_monte_carlo.TRIALS].nonzero()[0]) == sorted([card("AH"), card("6C")])
    assert sums[card("AH"), flat_monte_carlo.TRIALS] == 2


def test_molotov_endings_are_solved_for_the_given_utility() -> None:
    """The six led first leaves the ace with the last trick; led last it leaves it with the first.

    Either takes a run of three with it.
    """
    state = kernel_positions.differenzler_ending(["6H AC", "7H 7C", "8H 8C", "9H 9C"], [0] * 4, "S")
    state[round_state.SCORING] = scoring_kinds.BY_PLACE
    state[round_state.BOMBS] = melds.BOMBS_FIFTY
    stakes = np.zeros(round_utility.PARAM_COUNT)
    (
        stakes[round_utility.POINT_VALUE],
        stakes[round_utility.TALLY_ODDS],
        stakes[round_utility.WIN_VALUE],
    ) = (
        1.0,
        0.5,
        1.0,
    )
    sums = solved(state, stakes=stakes)
    assert sums[card("6H"), flat_monte_carlo.METRIC] == 11 + 20 + 5
    assert sums[card("AC"), flat_monte_carlo.METRIC] == 11 + 20

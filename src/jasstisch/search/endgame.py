"""Exact solution of the last tricks of a deal by exhaustive search (max^n).

With all hands known, every seat plays the card with the highest utility for itself and assumes the
same of all other seats. Over the deals that are still possible this gives the exact value of a
card, where playouts would only give an estimate.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.flat_monte_carlo import METRIC, TRIALS, UTILITY, Sums
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.round_utility import UtilityParams, metric_value, round_utility
from jasstisch.search.rounds.round_state import SEATS, TURN, copy_into, legal_moves, play_card
from jasstisch.search.sampling.determinization import Deals

_MAX_DEPTH = 37
"""The maximum number of plays in a round, plus one row for its end."""


class SearchStack(NamedTuple):
    """The stack of a depth-first search, with one row for each play.

    Attributes:
        states: the rounds.
        untried: the cards that are still to be tried.
        has_value: whether at least one card has been tried.
        values: the best result for the seat to play so far: the utility of each seat, and last the
            metric of the observing seat.
    """

    states: NDArray[np.int64]
    untried: NDArray[np.int64]
    has_value: NDArray[np.bool_]
    values: NDArray[np.float64]


def new_stack(words: int) -> SearchStack:
    """Allocates a stack for rounds of this many words."""
    return SearchStack(
        np.zeros((_MAX_DEPTH, words), dtype=np.int64),
        np.zeros(_MAX_DEPTH, dtype=np.int64),
        np.zeros(_MAX_DEPTH, dtype=np.bool_),
        np.zeros((_MAX_DEPTH, SEATS + 1)),
    )


@kernel
def _enter_node(ending: SearchStack, depth: int, params: UtilityParams, observer: int) -> None:
    """Enters the round in this row: values it if it is finished, or marks all cards as untried."""
    state = ending.states[depth]
    ending.has_value[depth] = False
    ending.untried[depth] = 0
    if state[TURN] >= 0:
        ending.untried[depth] = legal_moves(state)
    else:
        round_utility(state, params, ending.values[depth])
        ending.values[depth, SEATS] = metric_value(state, params, observer)


@kernel
def solve(ending: SearchStack, params: UtilityParams, observer: int) -> None:
    """Solves the round in the first row: the utility of each seat when all play their best.

    The values are left in the first row. Of cards with equal utility for their player, the lowest
    is played. (The function loops over rows instead of calling itself: recursion in Numba fails if
    the functions called allocate arrays.)
    """
    depth = 0
    _enter_node(ending, depth, params, observer)
    while True:
        cards = ending.untried[depth]
        if cards:
            ending.untried[depth] = cards & (cards - 1)
            copy_into(ending.states[depth], ending.states[depth + 1])
            depth += 1
            play_card(ending.states[depth], (cards & -cards).bit_length() - 1)
            _enter_node(ending, depth, params, observer)
            continue
        if depth == 0:
            return
        above = depth - 1
        seat = ending.states[above, TURN]
        if not ending.has_value[above] or ending.values[depth, seat] > ending.values[above, seat]:
            for value in range(SEATS + 1):
                ending.values[above, value] = ending.values[depth, value]
            ending.has_value[above] = True
        depth = above


@kernel
def solve_cards(
    deals: Deals, cards: int, ending: SearchStack, params: UtilityParams, sums: Sums
) -> None:
    """Adds the value of every card of a set in every deal, for the seat to play."""
    seat = deals[0, TURN]
    for row in range(len(deals)):
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            copy_into(deals[row], ending.states[0])
            play_card(ending.states[0], card)
            solve(ending, params, seat)
            sums[card, TRIALS] += 1
            sums[card, UTILITY] += ending.values[0, seat]
            sums[card, METRIC] += ending.values[0, SEATS]

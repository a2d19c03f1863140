"""The last tricks of a deal played out in every possible way: exact, not guessed.

With all hands known, every seat plays what is worth most to itself, and all know that of each other
(max^n). Over the deals that are still possible this says what a card is worth where playouts would
only guess.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import kernel
from jasstisch.search.deals import Deals
from jasstisch.search.flat import FIGURE, TRIALS, WORTH, Sums
from jasstisch.search.rounds import SEATS, TURN, legal, play
from jasstisch.search.worth import Stakes, figure, worth

__all__ = ["solve", "solve_cards"]

LONGEST = 37
"""The most plays in a round, and its end."""


@kernel
def solve(
    stack: NDArray[np.int64], depth: int, stakes: Stakes, values: NDArray[np.float64]
) -> None:
    """What a round is worth to each seat and what figures they reach, all playing their best.

    Of cards worth the same to its player the lowest is played.

    Args:
        stack: the round in row `depth`; the rows below are overwritten.
        depth: where to begin.
        stakes: what marks are worth.
        values: row `depth` is set: the worth to each seat, then the figure of each.
    """
    state = stack[depth]
    own = values[depth]
    if state[TURN] < 0:
        worth(state, stakes, own)
        for seat in range(SEATS):
            own[SEATS + seat] = figure(state, stakes, seat)
        return
    seat = state[TURN]
    cards = legal(state)
    first = True
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        stack[depth + 1] = state
        play(stack[depth + 1], card)
        solve(stack, depth + 1, stakes, values)
        if first or values[depth + 1, seat] > own[seat]:
            own[:] = values[depth + 1]
        first = False


@kernel
def solve_cards(deals: Deals, cards: int, stakes: Stakes, sums: Sums) -> None:
    """Adds up what every card of a set leads to in every deal, for the seat whose turn it is."""
    seat = deals[0, TURN]
    stack = np.zeros((LONGEST, deals.shape[1]), dtype=np.int64)
    values = np.zeros((LONGEST, 2 * SEATS))
    for row in range(len(deals)):
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            stack[0] = deals[row]
            play(stack[0], card)
            solve(stack, 0, stakes, values)
            sums[card, TRIALS] += 1
            sums[card, WORTH] += values[0, seat]
            sums[card, FIGURE] += values[0, SEATS + seat]

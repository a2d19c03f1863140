"""The last tricks of a deal played out in every possible way: exact, not guessed.

With all hands known, every seat plays what is worth most to itself, and all know that of each other
(max^n). Over the deals that are still possible this says what a card is worth where playouts would
only guess.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import kernel
from jasstisch.search.deals import Deals
from jasstisch.search.flat import FIGURE, TRIALS, WORTH, Sums
from jasstisch.search.rounds import SEATS, TURN, copy, legal, play
from jasstisch.search.worth import Stakes, figure, worth

__all__ = ["Ending", "new_ending", "solve", "solve_cards"]

LONGEST = 37
"""The most plays in a round, and its end."""


class Ending(NamedTuple):
    """How far the play of an ending has been followed, a row for each play.

    Attributes:
        states: the rounds.
        left: the cards that are still to be tried.
        tried: whether one has been tried.
        values: the best for the seat to play so far: what it is worth to each seat, and last the
            figure of the seat that looks.
    """

    states: NDArray[np.int64]
    left: NDArray[np.int64]
    tried: NDArray[np.bool_]
    values: NDArray[np.float64]


def new_ending(words: int) -> Ending:
    """Room for an ending of rounds of so many words."""
    return Ending(
        np.zeros((LONGEST, words), dtype=np.int64),
        np.zeros(LONGEST, dtype=np.int64),
        np.zeros(LONGEST, dtype=np.bool_),
        np.zeros((LONGEST, SEATS + 1)),
    )


@kernel
def enter(ending: Ending, depth: int, stakes: Stakes, looker: int) -> None:
    """Begins with the round in this row: all its cards are to be tried, or it is valued."""
    state = ending.states[depth]
    ending.tried[depth] = False
    ending.left[depth] = 0
    if state[TURN] >= 0:
        ending.left[depth] = legal(state)
    else:
        worth(state, stakes, ending.values[depth])
        ending.values[depth, SEATS] = figure(state, stakes, looker)


@kernel
def solve(ending: Ending, stakes: Stakes, looker: int) -> None:
    """What the round in the first row is worth to each seat, all playing their best.

    The values are left in the first row. Of cards worth the same to its player the lowest is
    played. (A loop over rows instead of a function that calls itself: Numba's own recursion breaks
    where what is called makes arrays.)
    """
    depth = 0
    enter(ending, depth, stakes, looker)
    while True:
        cards = ending.left[depth]
        if cards:
            ending.left[depth] = cards & (cards - 1)
            copy(ending.states[depth], ending.states[depth + 1])
            depth += 1
            play(ending.states[depth], (cards & -cards).bit_length() - 1)
            enter(ending, depth, stakes, looker)
            continue
        if depth == 0:
            return
        above = depth - 1
        seat = ending.states[above, TURN]
        if not ending.tried[above] or ending.values[depth, seat] > ending.values[above, seat]:
            for value in range(SEATS + 1):
                ending.values[above, value] = ending.values[depth, value]
            ending.tried[above] = True
        depth = above


@kernel
def solve_cards(deals: Deals, cards: int, ending: Ending, stakes: Stakes, sums: Sums) -> None:
    """Adds up what every card of a set leads to in every deal, for the seat whose turn it is."""
    seat = deals[0, TURN]
    for row in range(len(deals)):
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            copy(deals[row], ending.states[0])
            play(ending.states[0], card)
            solve(ending, stakes, seat)
            sums[card, TRIALS] += 1
            sums[card, WORTH] += ending.values[0, seat]
            sums[card, FIGURE] += ending.values[0, SEATS]

"""Every card tried in every imagined deal: the search of `club`.

Each card that may be played is played in each deal, and the round finished by the playing policy,
with the same chance for all cards of one deal: what luck does to one it does to the others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search import playouts, policy
from jasstisch.search.chance import Stream, bits
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.deals import Deals
from jasstisch.search.features import Work
from jasstisch.search.policy import Nets
from jasstisch.search.rounds import SEATS, TARGET, TURN, Round, copy, play
from jasstisch.search.worth import Stakes, figure, worth

__all__ = [
    "FIGURE", "TRIALS", "WORTH", "Sums", "Ways", "finish", "no_sums", "try_bids", "try_cards",
]  # fmt: skip

Sums = NDArray[np.float64]
"""For each card or bid its trials and the sums of what they brought, at the places below."""

TRIALS, WORTH, FIGURE = range(3)


class Ways(NamedTuple):
    """How a round is finished, and what it is then worth.

    Attributes:
        nets: the nets of all manners of play; without any all play by chance.
        paper: scratch paper for them.
        stakes: what marks are worth.
    """

    nets: Nets
    paper: Work
    stakes: Stakes


def no_sums(choices: int = 36) -> Sums:
    """Sums of no trials, for so many choices."""
    return np.zeros((choices, 3))


@kernel
def finish(state: Round, ways: Ways, chance: Stream) -> None:
    """Plays a round to its end."""
    if len(ways.nets):
        policy.finish(state, ways.nets, ways.paper, chance)
    else:
        playouts.finish(state, chance)


@allocating_kernel
def try_cards(deals: Deals, cards: int, ways: Ways, chance: Stream, sums: Sums) -> None:
    """Tries every card of a set in every deal, for the seat whose turn it is, and adds up."""
    seat = deals[0, TURN]
    state = deals[0].copy()
    worths = np.zeros(SEATS)
    luck = chance.copy()
    for row in range(len(deals)):
        seed = bits(chance)
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            copy(deals[row], state)
            luck[0] = seed
            play(state, card)
            finish(state, ways, luck)
            worth(state, ways.stakes, worths)
            sums[card, TRIALS] += 1
            sums[card, WORTH] += worths[seat]
            sums[card, FIGURE] += figure(state, ways.stakes, seat)


@allocating_kernel
def try_bids(
    deals: Deals, seat: int, bids: NDArray[np.int64], ways: Ways, chance: Stream, sums: Sums
) -> None:
    """Plays every deal from the first card on for each bid that a seat might make, and adds up."""
    state = deals[0].copy()
    worths = np.zeros(SEATS)
    luck = chance.copy()
    for row in range(len(deals)):
        seed = bits(chance)
        for number in range(len(bids)):
            copy(deals[row], state)
            luck[0] = seed
            state[TARGET + seat] = bids[number]
            finish(state, ways, luck)
            worth(state, ways.stakes, worths)
            sums[number, TRIALS] += 1
            sums[number, WORTH] += worths[seat]
            sums[number, FIGURE] += figure(state, ways.stakes, seat)

"""In which manner the others play: by rules of thumb, by searching, or as a learned net does.

A search that takes everybody for a master is surprised by a beginner, and the other way round. So
every seat of an imagined deal plays in a manner of its own, the likelier ones more often: each seat
is thought to play in any of them until its plays tell.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.searching.situation import Situation
from jasstisch.search import bids, flat, policy, rounds
from jasstisch.search.chance import Stream
from jasstisch.search.deals import Deals, all_alike, foretold, give_manners, guess_bids

__all__ = ["give", "give_bids", "likely"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SAMPLE = 24
"""In how many deals a manner is tried."""

SPREAD = {"learned": 12.0, "thumb": 2.0, "search": 18.0}
"""How far secret bids lie from the glance at a hand, at most, in each manner."""


def give(deals: Deals, situation: Situation, ways: flat.Ways, chance: Stream) -> None:
    """Gives every other seat of each deal a manner, and those with a secret bid a bid to match.

    Where there are no nets there are no manners: all play by chance.

    Args:
        deals: rounds before their first card.
        situation: what is known.
        ways: the nets of all manners.
        chance: where chance comes from.
    """
    if len(ways.nets):
        chances = likely(deals, situation, ways, chance)
        give_manners(deals, situation.seat, chances, chance)
    give_bids(deals, situation.secret, chance)


def give_bids(deals: Deals, secret: Ints, chance: Stream) -> None:
    """Gives these seats bids that suit their hands and manners."""
    if len(secret):
        spreads = np.array([SPREAD[one] for one in policy.MANNERS])
        guess_bids(deals, secret, bids.weights(), spreads, chance)


def likely(deals: Deals, situation: Situation, ways: flat.Ways, chance: Stream) -> Floats:
    """For each seat how likely it plays in each manner; one row for each seat.

    Every manner is held against the plays seen, in some of the deals.
    """
    manners = len(ways.nets)
    told = np.zeros((manners, rounds.SEATS))
    if len(situation.plays):
        for manner in range(manners):
            same = deals[:SAMPLE].copy()
            all_alike(same, manner)
            give_bids(same, situation.secret, chance)
            foretold(same, situation.seat, situation.plays, ways.nets, ways.paper, told[manner])
    shares = np.exp(told - told.max(axis=0))
    return np.ascontiguousarray((shares / shares.sum(axis=0)).T)

"""Differenzler: what to bid, found by playing rounds to their end with one bid and another.

A bid is worth what its difference costs on average. That is a smooth function of the bid, and what
playouts say of it is not: so a parabola is laid through the bids tried, and its top is the bid.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.searching.effort import Candidate, Watch
from jasstisch.bots.searching.passes import CHUNK, best_first, go_through
from jasstisch.bots.searching.situation import Situation
from jasstisch.search import bids, flat, policy
from jasstisch.search.chance import Stream
from jasstisch.search.deals import Deals
from jasstisch.search.rounds import HANDS, RANKING

__all__ = ["STEPS", "weigh_bids"]

STEPS = (-16, -11, -7, -3, 0, 3, 7, 11, 16)
"""The bids tried, as seen from the glance at one's hand."""

MOST_MOVES = 8
"""How often they are moved to where the best of them lies, each time tried in half the deals: the
glance knows no odd hands."""

ENOUGH_FOR_A_PARABOLA = 5
"""How many bids it takes; there are fewer at the ends, near 0 and 157."""


def weigh_bids(
    situation: Situation,
    legal: Sequence[str],
    deals: Deals,
    ways: flat.Ways,
    chance: Stream,
    watch: Watch,
) -> list[Candidate]:
    """What the bids around the glance at one's hand lead to, or the few that are asked for."""
    asked = [int(bid.split()[1]) for bid in legal]
    few = len(asked) <= len(STEPS)

    def try_out(tried: NDArray[np.int64], deals: Deals) -> flat.Sums:
        sums = flat.no_sums(len(tried))
        go_through(
            deals,
            lambda part: flat.try_bids(part, situation.seat, tried, ways, chance, sums),
            watch,
        )
        return sums

    tried = np.array(sorted(asked) if few else around(glance(situation)))
    sums = try_out(tried, deals)
    if not few:
        for _ in range(MOST_MOVES):
            best = tried[sums[:, flat.WORTH].argmax()]
            if best not in {tried[0], tried[-1]} or best in {0, bids.MOST} or watch.is_over():
                break
            tried = np.array(around(best))
            sums = try_out(tried, deals[: max(CHUNK, len(deals) // 2)])
        tried, sums = smoothed(tried, sums)
    return best_first([(f"bid {bid}", row) for bid, row in zip(tried, sums, strict=True)])


def glance(situation: Situation) -> float:
    """The bid for one's hand that is learned by heart."""
    hand, trump = int(situation.opening[HANDS + situation.seat]), int(situation.opening[RANKING])
    return bids.glance(hand, trump, bids.weights()[policy.LEARNED], np.zeros(bids.FEATURES))


def around(middle: float) -> list[int]:
    """The bids to try around this one."""
    return sorted({min(max(round(middle) + step, 0), bids.MOST) for step in STEPS})


def smoothed(tried: NDArray[np.int64], sums: flat.Sums) -> tuple[NDArray[np.int64], flat.Sums]:
    """All bids between those tried, each by the parabola through what these brought.

    Where the parabola has no top the bids tried are left as they are.
    """
    if len(tried) < ENOUGH_FOR_A_PARABOLA:
        return tried, sums
    trials = sums[0, flat.TRIALS]
    worth = np.polynomial.Polynomial.fit(tried, sums[:, flat.WORTH], 2)
    if worth.convert().coef[-1] >= 0:
        return tried, sums
    figure = np.polynomial.Polynomial.fit(tried, sums[:, flat.FIGURE], 2)
    between = np.arange(tried[0], tried[-1] + 1)
    fitted = np.empty((len(between), 3))
    fitted[:, flat.TRIALS] = trials
    fitted[:, flat.WORTH] = worth(between)
    fitted[:, flat.FIGURE] = figure(between)
    return between, fitted

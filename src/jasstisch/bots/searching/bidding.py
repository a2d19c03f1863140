"""Differenzler: what to bid, found by playing rounds to their end with one bid and another.

A bid is worth what its difference costs on average. That is a smooth function of the bid, and what
playouts say of it is not: so a parabola is laid through the bids tried, and its top is the bid.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.searching.effort import Candidate, Deadline
from jasstisch.bots.searching.passes import CHUNK_SIZE, rank_candidates, run_batches
from jasstisch.bots.searching.situation import RootState
from jasstisch.search import bids, flat, policy
from jasstisch.search.chance import Stream
from jasstisch.search.deals import Deals
from jasstisch.search.rounds import HANDS, RANKING

__all__ = ["BID_OFFSETS", "search_bids"]

BID_OFFSETS = (-16, -11, -7, -3, 0, 3, 7, 11, 16)
"""The bids tried, as seen from the glance at one's hand."""

MAX_RECENTERINGS = 8
"""How often they are moved to where the best of them lies, each time tried in half the deals: the
glance knows no odd hands."""

MIN_BIDS_FOR_FIT = 5
"""How many bids it takes; there are fewer at the ends, near 0 and 157."""


def search_bids(
    situation: RootState,
    legal: Sequence[str],
    deals: Deals,
    ways: flat.RolloutConfig,
    chance: Stream,
    watch: Deadline,
) -> list[Candidate]:
    """What the bids around the glance at one's hand lead to, or the few that are asked for."""
    asked = [int(bid.split()[1]) for bid in legal]
    few = len(asked) <= len(BID_OFFSETS)

    def try_out(tried: NDArray[np.int64], deals: Deals) -> flat.Sums:
        sums = flat.zero_sums(len(tried))
        run_batches(
            deals,
            lambda part: flat.evaluate_bids(part, situation.seat, tried, ways, chance, sums),
            watch,
        )
        return sums

    tried = np.array(sorted(asked) if few else candidate_bids(estimate_bid(situation)))
    sums = try_out(tried, deals)
    if not few:
        for _ in range(MAX_RECENTERINGS):
            best = tried[sums[:, flat.UTILITY].argmax()]
            if best not in {tried[0], tried[-1]} or best in {0, bids.MAX_BID} or watch.has_passed():
                break
            tried = np.array(candidate_bids(best))
            sums = try_out(tried, deals[: max(CHUNK_SIZE, len(deals) // 2)])
        tried, sums = fit_parabola(tried, sums)
    return rank_candidates([(f"bid {bid}", row) for bid, row in zip(tried, sums, strict=True)])


def estimate_bid(situation: RootState) -> float:
    """The bid for one's hand that is learned by heart."""
    hand, trump = (
        int(situation.initial_state[HANDS + situation.seat]),
        int(situation.initial_state[RANKING]),
    )
    return bids.predict_bid(
        hand, trump, bids.load_weights()[policy.LEARNED], np.zeros(bids.FEATURE_COUNT)
    )


def candidate_bids(middle: float) -> list[int]:
    """The bids to try around this one."""
    return sorted({min(max(round(middle) + step, 0), bids.MAX_BID) for step in BID_OFFSETS})


def fit_parabola(tried: NDArray[np.int64], sums: flat.Sums) -> tuple[NDArray[np.int64], flat.Sums]:
    """All bids between those tried, each by the parabola through what these brought.

    Where the parabola has no top the bids tried are left as they are.
    """
    if len(tried) < MIN_BIDS_FOR_FIT:
        return tried, sums
    trials = sums[0, flat.TRIALS]
    worth = np.polynomial.Polynomial.fit(tried, sums[:, flat.UTILITY], 2)
    if worth.convert().coef[-1] >= 0:
        return tried, sums
    figure = np.polynomial.Polynomial.fit(tried, sums[:, flat.METRIC], 2)
    between = np.arange(tried[0], tried[-1] + 1)
    fitted = np.empty((len(between), 3))
    fitted[:, flat.TRIALS] = trials
    fitted[:, flat.UTILITY] = worth(between)
    fitted[:, flat.METRIC] = figure(between)
    return between, fitted

"""Search for the bid at Differenzler: rounds are played out with several bids.

The value of a bid is the average cost of its difference. That is a smooth function of the bid, but
the estimates from playouts are noisy: so a parabola is fitted to the bids tried, and its maximum is
the bid.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.searching.batching import CHUNK_SIZE, rank_candidates, run_batches
from jasstisch.bots.searching.budget import Candidate, Deadline
from jasstisch.bots.searching.root_state import RootState
from jasstisch.search import flat_monte_carlo
from jasstisch.search.jit.prng import Stream
from jasstisch.search.nets import bid_model, policy
from jasstisch.search.rounds.round_state import HANDS, RANKING
from jasstisch.search.sampling.determinization import Deals

BID_OFFSETS = (-16, -11, -7, -3, 0, 3, 7, 11, 16)
"""The bids tried, relative to the estimate from the hand."""

_MAX_RECENTERINGS = 8
"""How often the bids are recentred on the best one; each time uses half the deals.

The estimate from the hand is poor for unusual hands.
"""

_MIN_BIDS_FOR_FIT = 5
"""The number of bids that a fit needs; near 0 and 157 fewer may be available."""


def search_bids(
    root: RootState,
    legal: Sequence[str],
    deals: Deals,
    rollout: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    deadline: Deadline,
) -> list[Candidate]:
    """Evaluates the bids around the estimate, or all legal bids if they are few."""
    asked = [int(bid.split()[1]) for bid in legal]
    few = len(asked) <= len(BID_OFFSETS)

    def try_out(tried: NDArray[np.int64], deals: Deals) -> flat_monte_carlo.Sums:
        sums = flat_monte_carlo.new_sums(len(tried))
        run_batches(
            deals,
            lambda part: flat_monte_carlo.evaluate_bids(
                part, root.seat, tried, rollout, chance, sums
            ),
            deadline,
        )
        return sums

    tried = np.array(sorted(asked) if few else _candidate_bids(_estimate_bid(root)))
    sums = try_out(tried, deals)
    if not few:
        for _ in range(_MAX_RECENTERINGS):
            best = tried[sums[:, flat_monte_carlo.UTILITY].argmax()]
            if (
                best not in {tried[0], tried[-1]}
                or best in {0, bid_model.MAX_BID}
                or deadline.has_passed()
            ):
                break
            tried = np.array(_candidate_bids(best))
            sums = try_out(tried, deals[: max(CHUNK_SIZE, len(deals) // 2)])
        tried, sums = _fit_parabola(tried, sums)
    return rank_candidates([(f"bid {bid}", row) for bid, row in zip(tried, sums, strict=True)])


def _estimate_bid(root: RootState) -> float:
    """The estimated bid for the seat's hand, from the trained bid model."""
    hand, trump = (
        int(root.initial_state[HANDS + root.seat]),
        int(root.initial_state[RANKING]),
    )
    return bid_model.predict_bid(
        hand, trump, bid_model.load_weights()[policy.LEARNED], np.zeros(bid_model.FEATURE_COUNT)
    )


def _candidate_bids(middle: float) -> list[int]:
    """The bids to try around an estimate."""
    return sorted({min(max(round(middle) + step, 0), bid_model.MAX_BID) for step in BID_OFFSETS})


def _fit_parabola(
    tried: NDArray[np.int64], sums: flat_monte_carlo.Sums
) -> tuple[NDArray[np.int64], flat_monte_carlo.Sums]:
    """All bids between the lowest and highest tried, with values from the fitted parabola.

    If the parabola has no maximum, the bids tried are returned unchanged.
    """
    if len(tried) < _MIN_BIDS_FOR_FIT:
        return tried, sums
    trials = sums[0, flat_monte_carlo.TRIALS]
    worth = np.polynomial.Polynomial.fit(tried, sums[:, flat_monte_carlo.UTILITY], 2)
    if worth.convert().coef[-1] >= 0:
        return tried, sums
    figure = np.polynomial.Polynomial.fit(tried, sums[:, flat_monte_carlo.METRIC], 2)
    between = np.arange(tried[0], tried[-1] + 1)
    fitted = np.empty((len(between), 3))
    fitted[:, flat_monte_carlo.TRIALS] = trials
    fitted[:, flat_monte_carlo.UTILITY] = worth(between)
    fitted[:, flat_monte_carlo.METRIC] = figure(between)
    return between, fitted

"""In which manner the others play: by rules of thumb, by searching, or as a learned net does.

A search that takes everybody for a master is surprised by a beginner, and the other way round. So
every seat of an imagined deal plays in a manner of its own, the likelier ones more often: each seat
is thought to play in any of them until its plays tell.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.searching.root_state import RootState
from jasstisch.search import flat_monte_carlo
from jasstisch.search.jit.prng import Stream
from jasstisch.search.nets import bid_model, policy
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import (
    Deals,
    play_log_likelihoods,
    sample_bids,
    sample_policies,
    set_policy,
)

__all__ = ["assign_bids", "assign_models", "model_posterior"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

POSTERIOR_DEALS = 24
"""In how many deals a manner is tried."""

BID_SPREADS = {"learned": 12.0, "thumb": 2.0, "search": 18.0}
"""How far secret bids lie from the glance at a hand, at most, in each manner."""


def assign_models(
    deals: Deals, situation: RootState, ways: flat_monte_carlo.RolloutConfig, chance: Stream
) -> None:
    """Gives every other seat of each deal a manner, and those with a secret bid a bid to match.

    Where there are no nets there are no manners: all play by chance.

    Args:
        deals: rounds before their first card.
        situation: what is known.
        ways: the nets of all manners.
        chance: where chance comes from.
    """
    if len(ways.nets):
        chances = model_posterior(deals, situation, ways, chance)
        sample_policies(deals, situation.seat, chances, chance)
    assign_bids(deals, situation.secret_bid_seats, chance)


def assign_bids(deals: Deals, secret: Ints, chance: Stream) -> None:
    """Gives these seats bids that suit their hands and manners."""
    if len(secret):
        spreads = np.array([BID_SPREADS[one] for one in policy.POLICY_NAMES])
        sample_bids(deals, secret, bid_model.load_weights(), spreads, chance)


def model_posterior(
    deals: Deals, situation: RootState, ways: flat_monte_carlo.RolloutConfig, chance: Stream
) -> Floats:
    """For each seat how likely it plays in each manner; one row for each seat.

    Every manner is held against the plays seen, in some of the deals.
    """
    manners = len(ways.nets)
    told = np.zeros((manners, round_state.SEATS))
    if len(situation.plays):
        for manner in range(manners):
            same = deals[:POSTERIOR_DEALS].copy()
            set_policy(same, manner)
            assign_bids(same, situation.secret_bid_seats, chance)
            play_log_likelihoods(
                same, situation.seat, situation.plays, ways.nets, ways.scratch, told[manner]
            )
    shares = np.exp(told - told.max(axis=0))
    return np.ascontiguousarray((shares / shares.sum(axis=0)).T)

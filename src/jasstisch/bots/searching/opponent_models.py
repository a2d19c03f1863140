"""Opponent modelling: seats play by heuristics, by search, or as a trained net does.

A search that assumes expert opponents is surprised by beginners, and the other way round. So every
seat of a sampled deal has a model of its own, drawn by its posterior probability. The prior is
uniform; the plays of a seat update it.
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

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]

_POSTERIOR_DEALS = 24
"""The number of deals in which the likelihood of a model is measured."""

_BID_SPREADS = {"learned": 12.0, "thumb": 2.0, "search": 18.0}
"""The maximum deviation of a secret bid from the estimate for the hand, for each model."""


def assign_models(
    deals: Deals, root: RootState, rollout: flat_monte_carlo.RolloutConfig, chance: Stream
) -> None:
    """Assigns a model to every other seat of each deal, and a matching bid to secret bidders.

    Without nets there are no models: all seats play at random.

    Args:
        deals: rounds before their first card.
        root: the information of the seat.
        rollout: the rollout configuration, with the nets of all models.
        chance: the random stream.
    """
    if len(rollout.nets):
        chances = model_posterior(deals, root, rollout, chance)
        sample_policies(deals, root.seat, chances, chance)
    assign_bids(deals, root.secret_bid_seats, chance)


def assign_bids(deals: Deals, secret: _Ints, chance: Stream) -> None:
    """Assigns bids to these seats that fit their hands and models."""
    if len(secret):
        spreads = np.array([_BID_SPREADS[one] for one in policy.POLICY_NAMES])
        sample_bids(deals, secret, bid_model.load_weights(), spreads, chance)


def model_posterior(
    deals: Deals, root: RootState, rollout: flat_monte_carlo.RolloutConfig, chance: Stream
) -> _Floats:
    """The posterior probability of each model (column) for each seat (row).

    The likelihood of the plays under every model is averaged over some of the deals.
    """
    models = len(rollout.nets)
    log_likelihoods = np.zeros((models, round_state.SEATS))
    if len(root.plays):
        for model in range(models):
            same = deals[:_POSTERIOR_DEALS].copy()
            set_policy(same, model)
            assign_bids(same, root.secret_bid_seats, chance)
            play_log_likelihoods(
                same, root.seat, root.plays, rollout.nets, rollout.scratch, log_likelihoods[model]
            )
    shares = np.exp(log_likelihoods - log_likelihoods.max(axis=0))
    return np.ascontiguousarray((shares / shares.sum(axis=0)).T)

"""Players of a batch whose cards and bids come from the trained nets of the playouts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.env.kernels.batch_state import BatchState
from jasstisch.env.kernels.compiled_rules import IntArray
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream
from jasstisch.search.nets import bid_model, policy
from jasstisch.search.nets.policy import Nets, Scratch
from jasstisch.search.rounds.round_state import HANDS, RANKING


@kernel
def write_cards(
    batch: BatchState,
    acting: NDArray[np.bool_],
    nets: Nets,
    scratch: Scratch,
    streams: Stream,
    actions: IntArray,
) -> None:
    """Draws a card for the seat to act in each of these rounds, from the stream of the round.

    Args:
        batch: the rounds.
        acting: the rounds (n,) in which a card is due.
        nets: the folded nets, of which each round uses the one of its policy.
        scratch: scratch memory.
        streams: a random stream for each round (n,).
        actions: receives the cards (n,).
    """
    for one in range(len(acting)):
        if acting[one]:
            actions[one] = policy.choose_card(
                batch.round_states[one], nets, scratch, streams[one : one + 1]
            )


@allocating_kernel
def write_bids(
    batch: BatchState,
    acting: NDArray[np.bool_],
    seat: int,
    weights: NDArray[np.float64],
    bids: IntArray,
) -> None:
    """Writes the bid of the linear model for a seat of these rounds (n, p)."""
    features: Any = np.empty(bid_model.FEATURE_COUNT)
    for one in range(len(acting)):
        if acting[one]:
            state = batch.round_states[one]
            bid = bid_model.predict_bid(state[HANDS + seat], state[RANKING], weights, features)
            bids[one, seat] = int(bid + 0.5)

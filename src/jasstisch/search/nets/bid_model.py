"""The bid model of Differenzler: a linear model that estimates a bid from a hand.

The weights of the learned policy are trained together with its net, from the costs of slightly
higher and lower bids; the weights of the heuristic policy are fitted to the bids of the heuristics.
The model stands in for secret bids of other seats; a bot's own bid is chosen by search.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import tricks
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.nets.policy import POLICY_NAMES

FEATURE_COUNT = 26
"""The number of features of a hand, including the constant 1."""

MAX_BID = tricks.ALL_POINTS


@cache
def load_weights() -> NDArray[np.float64]:
    """The weights of the model, a row for each of `policy.POLICY_NAMES`."""
    folder = files("jasstisch.search").joinpath("weights")
    data = [
        folder.joinpath(f"differenzler-{manner}-bids.npy").read_bytes() for manner in POLICY_NAMES
    ]
    found = np.stack([np.load(BytesIO(one), allow_pickle=False) for one in data])
    assert found.shape == (len(POLICY_NAMES), FEATURE_COUNT)
    return found


@kernel
def write_hand_features(hand: int, trump: int, features: NDArray[np.float64]) -> None:
    """Writes the features of a hand: its trumps and side cards by rank, lengths and pairs."""
    for place in range(FEATURE_COUNT):
        features[place] = 0.0
    trumps = hand & tricks.TRUMP_CARDS[trump]
    length = trumps.bit_count()
    features[0] = 1.0
    for suit in range(4):
        held = hand >> suit * tricks.RANKS & 511
        for rank in range(tricks.RANKS):
            if held >> rank & 1:
                features[1 + rank + (0 if suit == trump else tricks.RANKS)] += 1.0
        if suit != trump:
            if held == 0:
                features[21] += length / 4
            if held >> 7 == 3:  # ace and king
                features[22] += 1.0
            if held >> 8 == 1:
                features[23] += held.bit_count() / 4
            if held.bit_count() == 1:
                features[24] += length / 4
    features[19] = length * length / 9
    features[20] = (trumps & tricks.BURS[trump]) != 0 and (trumps & tricks.BURS[trump] >> 2) != 0
    features[25] = length == 0


@kernel
def predict_bid(
    hand: int, trump: int, weights: NDArray[np.float64], features: NDArray[np.float64]
) -> float:
    """The bid for a hand, 0 to 157; its features are left in `features`."""
    write_hand_features(hand, trump, features)
    bid = 0.0
    for place in range(FEATURE_COUNT):
        bid += weights[place] * features[place]
    return max(0.0, min(float(MAX_BID), bid))

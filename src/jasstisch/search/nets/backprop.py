"""Backpropagation: the gradient of the scores of cards with respect to the weights of a net."""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import allocating_kernel
from jasstisch.search.nets.feature_index import (
    CARD_FEATURES,
    PARTNER_CARD_FEATURES,
    PARTNER_STATE_FEATURES,
    STATE_FEATURES,
)
from jasstisch.search.nets.features import (
    AT_CARD,
    AT_HIDDEN,
    AT_PARTNER_CARD,
    AT_PARTNER_STATE,
    AT_STATE,
    CARD_WEIGHTS,
    HIDDEN,
    NET_SIZE,
    OUT_WEIGHTS,
    PARTNER_CARD_WEIGHTS,
    Net,
    Scratch,
    score_card,
    write_card_features,
    write_state_features,
)
from jasstisch.search.rounds.round_state import Round

__all__ = ["add_score_gradient"]

Floats = NDArray[np.float64]


@allocating_kernel
def add_score_gradient(
    state: Round, cards: int, pushes: Floats, weights: Net, change: Net, paper: Scratch
) -> None:
    """Adds to `change` the gradient of the sum of pushes times scores.

    Args:
        state: the round.
        cards: the cards that may be played.
        pushes: for each card, the weight of its score.
        weights: the net.
        change: the gradient to add to.
        paper: scratch memory.
    """
    lessons = np.zeros(HIDDEN)
    unseen = write_state_features(state, weights, paper)
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        push = pushes[card]
        write_card_features(state, card, unseen, paper)
        score_card(weights, paper)
        for hidden in range(HIDDEN):
            active = paper[AT_HIDDEN + hidden]
            if active <= 0:
                continue
            change[OUT_WEIGHTS + hidden] += push * active
            lesson = push * weights[OUT_WEIGHTS + hidden]
            lessons[hidden] += lesson
            for feature in range(CARD_FEATURES):
                row = CARD_WEIGHTS + feature * HIDDEN
                change[row + hidden] += lesson * paper[AT_CARD + feature]
            if len(weights) > NET_SIZE:
                for feature in range(PARTNER_CARD_FEATURES):
                    row = PARTNER_CARD_WEIGHTS + feature * HIDDEN
                    change[row + hidden] += lesson * paper[AT_PARTNER_CARD + feature]
    for feature in range(STATE_FEATURES):
        for hidden in range(HIDDEN):
            change[feature * HIDDEN + hidden] += lessons[hidden] * paper[AT_STATE + feature]
    if len(weights) > NET_SIZE:
        for feature in range(PARTNER_STATE_FEATURES):
            for hidden in range(HIDDEN):
                row = NET_SIZE + feature * HIDDEN
                change[row + hidden] += lessons[hidden] * paper[AT_PARTNER_STATE + feature]

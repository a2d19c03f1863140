"""Which way the weights of a net should go for the scores of its cards to rise or fall."""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import allocating_kernel
from jasstisch.search.features import (
    AT_CARD,
    AT_HIDDEN,
    AT_PARTNER_CARD,
    AT_PARTNER_PLACES,
    AT_PLACES,
    CARD_WEIGHTS,
    HIDDEN,
    NET,
    OUT_WEIGHTS,
    PARTNER_CARD_WEIGHTS,
    Net,
    Work,
    describe,
    score,
    situation,
)
from jasstisch.search.rounds import Round
from jasstisch.search.slots import CARD_FEATURES, PARTNER_FEATURES, PARTNER_PLACES, PLACES

__all__ = ["push"]

Floats = NDArray[np.float64]


@allocating_kernel
def push(state: Round, cards: int, pushes: Floats, weights: Net, change: Net, paper: Work) -> None:
    """Adds to `change` what raises the score of each card by its push.

    Args:
        state: the round.
        cards: the cards that may be played.
        pushes: for each card how much its score should rise.
        weights: the net.
        change: is added to.
        paper: scratch paper.
    """
    lessons = np.zeros(HIDDEN)
    unseen = situation(state, weights, paper)
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        push = pushes[card]
        describe(state, card, unseen, paper)
        score(weights, paper)
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
            if len(weights) > NET:
                for feature in range(PARTNER_FEATURES):
                    row = PARTNER_CARD_WEIGHTS + feature * HIDDEN
                    change[row + hidden] += lesson * paper[AT_PARTNER_CARD + feature]
    for feature in range(PLACES):
        for hidden in range(HIDDEN):
            change[feature * HIDDEN + hidden] += lessons[hidden] * paper[AT_PLACES + feature]
    if len(weights) > NET:
        for feature in range(PARTNER_PLACES):
            for hidden in range(HIDDEN):
                row = NET + feature * HIDDEN
                change[row + hidden] += lessons[hidden] * paper[AT_PARTNER_PLACES + feature]

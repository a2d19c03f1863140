"""Backpropagation: the gradient of the scores of cards with respect to the rows of a folded net.

`policy` records on a tape what the scores were computed from.
`weight_folding.unfold_gradient` carries the gradient on to the features.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import allocating_kernel
from jasstisch.search.nets.features import HIDDEN
from jasstisch.search.nets.policy import TAPE_SIZE, FoldedNet, Tape
from jasstisch.search.nets.weight_folding import OUTPUT

_Floats = NDArray[np.float64]


@allocating_kernel
def backpropagate(tape: Tape, cards: int, pushes: _Floats, net: FoldedNet, change: _Floats) -> None:
    """Adds to `change` the gradient of the sum of pushes times scores.

    Args:
        tape: the inputs of the scores.
        cards: the cards that were scored.
        pushes: for each card, the weight of its score.
        net: the net that scored them, folded.
        change: the gradient to add to, as large as the folded net.
    """
    layers = np.zeros((36, HIDDEN))
    for place in range(tape.header[TAPE_SIZE]):
        row, left = tape.rows[place] * HIDDEN, tape.cards[place]
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            for hidden in range(HIDDEN):
                layers[card, hidden] += tape.factors[place] * net[row + hidden]
    output = OUTPUT * HIDDEN
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        for hidden in range(HIDDEN):
            active = layers[card, hidden]
            change[output + hidden] += pushes[card] * max(0.0, active)
            layers[card, hidden] = pushes[card] * net[output + hidden] if active > 0 else 0.0
    for place in range(tape.header[TAPE_SIZE]):
        row, left = tape.rows[place] * HIDDEN, tape.cards[place]
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            for hidden in range(HIDDEN):
                change[row + hidden] += tape.factors[place] * layers[card, hidden]

"""Imitation learning: trains a net to predict the plays of demonstrated games.

A game is an initial state, with all hands, and the cards that were played. The net follows the
gradient of the log-likelihood of the cards of the seats to imitate.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import allocating_kernel
from jasstisch.search.nets.backprop import backpropagate
from jasstisch.search.nets.policy import AT_WEIGHTS, FoldedNet, Scratch, Tape, write_softmax_weights
from jasstisch.search.rounds.round_state import TURN, copy_into, legal_moves, play_card

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]


class Demonstrations(NamedTuple):
    """Demonstrated games.

    Attributes:
        initial_states: the rounds before their first card, one in each row.
        plays: the cards played in each, in order, -1 after the last.
        imitated_seats: for each game, the set of the seats to imitate.
    """

    initial_states: _Ints
    plays: _Ints
    imitated_seats: _Ints


class ImitationStats(NamedTuple):
    """The accuracy of a net's predictions, over decisions with a choice.

    Attributes:
        plays: the number of plays.
        hits: the number of plays to which the net gave the highest probability.
        cross_entropy: the mean negative log-likelihood of the plays, in nats.
    """

    plays: int
    hits: int
    cross_entropy: float


@allocating_kernel
def imitation_gradient(
    games: Demonstrations, net: FoldedNet, change: _Floats, scratch: Scratch, tape: Tape
) -> ImitationStats:
    """Adds the gradient of the log-likelihood of the imitated seats' plays to `change`.

    Args:
        games: the demonstrated games.
        net: the net, folded.
        change: the gradient of its rows, to be added to.
        scratch: scratch memory.
        tape: scratch memory, too.
    """
    pushes = np.zeros(36)
    plays = hits = 0
    surprise = 0.0
    state = games.initial_states[0].copy()
    for row in range(len(games.initial_states)):
        copy_into(games.initial_states[row], state)
        for played in games.plays[row]:
            if played < 0:
                break
            cards = legal_moves(state)
            if games.imitated_seats[row] >> state[TURN] & 1 and cards & cards - 1:
                total = write_softmax_weights(state, cards, net, scratch, tape)
                best = likely = 0.0
                left, place = cards, AT_WEIGHTS
                while left:
                    card = (left & -left).bit_length() - 1
                    left &= left - 1
                    share = scratch[place] / total
                    place += 1
                    best = max(best, share)
                    pushes[card] = (card == played) - share
                    if card == played:
                        likely = share
                plays += 1
                hits += likely >= best
                surprise -= np.log(likely + 1e-9)
                backpropagate(tape, cards, pushes, net, change)
            play_card(state, played)
    return ImitationStats(plays, hits, surprise / max(1, plays))

"""How a net learns to play like somebody whose games it is shown.

A game is an opening, with all hands, and the cards that were then played. The net is moved towards
the cards of the seats it shall imitate: the gradient of the logarithm of their likelihood.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import allocating_kernel
from jasstisch.search.features import AT_SCORES, Net, Work, weigh
from jasstisch.search.gradients import push
from jasstisch.search.rounds import TURN, copy, legal, play

__all__ = ["Found", "Games", "imitate"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Games(NamedTuple):
    """Games that were played.

    Attributes:
        openings: the rounds before their first card, one in each row.
        plays: the cards played in each, in order, -1 after the last.
        shown: for each game the set of the seats to be imitated.
    """

    openings: Ints
    plays: Ints
    shown: Ints


class Found(NamedTuple):
    """How well a net foretold what was played, where there was a choice.

    Attributes:
        plays: how many plays.
        hits: how many of them were the card it finds likeliest.
        surprise: the mean of what the others had against them, in nats.
    """

    plays: int
    hits: int
    surprise: float


@allocating_kernel
def imitate(games: Games, weights: Net, change: Net, paper: Work) -> Found:
    """Adds up how a net should change to play more like the seats it is shown."""
    pushes = np.zeros(36)
    plays = hits = 0
    surprise = 0.0
    state = games.openings[0].copy()
    for row in range(len(games.openings)):
        copy(games.openings[row], state)
        for played in games.plays[row]:
            if played < 0:
                break
            cards = legal(state)
            if games.shown[row] >> state[TURN] & 1 and cards & cards - 1:
                total = weigh(state, cards, weights, paper)
                best = 0.0
                left = cards
                while left:
                    card = (left & -left).bit_length() - 1
                    left &= left - 1
                    share = paper[AT_SCORES + card] / total
                    best = max(best, share)
                    pushes[card] = (card == played) - share
                share = paper[AT_SCORES + played] / total
                plays += 1
                hits += share >= best
                surprise -= np.log(share + 1e-9)
                push(state, cards, pushes, weights, change, paper)
            play(state, played)
    return Found(plays, hits, surprise / max(1, plays))

"""What an action at I Doubt It is worth: the deal played on from it in many worlds."""

import math

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.chance import bits
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.doubt.deal import (
    FEES,
    MOST_PLAYERS,
    OPEN,
    OVER,
    PLAYERS,
    SIZES,
    THREE,
    VIEWER,
    WIDTH,
    Deal,
    doubt,
    lay,
)
from jasstisch.search.doubt.play import Ways, answer_out, play_out
from jasstisch.search.doubt.worlds import Worlds

__all__ = ["CHIPS", "DOUBT", "OUTCOME", "PASS", "SHARE", "try_out"]

DOUBT = -1
PASS = -2
"""What stands in place of the rank claimed where the action is an answer."""

SHARE = 0
"""Where in an outcome the share of the match stands,"""

CHIPS = 1
"""and where the chips of this deal."""

OUTCOME = 2

PACE = 2.0
"""How much sooner a smaller hand goes out: so many times its lays squared."""

ODD = 0xD1342543DE82EF95
"""Keeps the chances of different worlds apart."""


@kernel
def foresee(deal: Deal, chips: NDArray[np.float64]) -> None:
    """The chips that each seat may expect of a deal that is not over."""
    players = deal[PLAYERS]
    speeds = 0.0
    cards = 0
    for seat in range(players):
        chips[seat] = math.pow((deal[SIZES + seat] + THREE - 1) // THREE, -PACE)
        speeds += chips[seat]
        cards += deal[SIZES + seat]
    for seat in range(players):
        chips[seat] = deal[FEES + seat] + cards * chips[seat] / speeds - deal[SIZES + seat]


@kernel
def share(chips: NDArray[np.float64], seat: int, players: int, spread: float) -> float:
    """The part of a match that is a seat's with these chips, if so many more are chance."""
    whole = 0.0
    for other in range(players):
        whole += math.exp((chips[other] - chips[seat]) / spread)
    return 1.0 / whole


@allocating_kernel
def try_out(
    worlds: Worlds,
    span: tuple[int, int, int, int],
    action: NDArray[np.int64],
    ways: Ways,
    standing: NDArray[np.float64],
    outcomes: NDArray[np.float64],
) -> None:
    """Plays an action of the viewer and what follows in some of the worlds.

    Args:
        worlds: deals in which the viewer is to act.
        span: number of the first trial, of the one after the last; after how many claims a deal is
            foreseen instead of played; and a seed, which gives every action the same chances.
        action: the rank claimed, `DOUBT` or `PASS`; how many cards are laid, and their ranks.
        ways: ways of playing.
        standing: the chips of each seat before this deal, and last how many are chance.
        outcomes: what comes of it, a row for each trial.
    """
    first, last, horizon, seed = span
    deal = np.empty(WIDTH, np.int64)
    chips = np.empty(MOST_PLAYERS)
    chance = np.empty(1, np.uint64)
    players = worlds[0, PLAYERS]
    seat = worlds[0, VIEWER]
    for trial in range(first, last):
        deal[:] = worlds[trial % worlds.shape[0]]
        chance[0] = np.uint64(seed) + np.uint64(trial) * np.uint64(ODD)
        bits(chance)
        if action[0] == DOUBT:
            doubt(deal, seat)
        else:
            if action[0] != PASS:
                for place in range(action[1]):
                    deal[OPEN + place] = action[2 + place]
                lay(deal, action[0], action[1])
            answer_out(deal, (seat + 1) % players, ways, chance)
        # Two actions that come to the same go on the same way.
        chance[0] = np.uint64(seed) - np.uint64(trial + 1) * np.uint64(ODD)
        play_out(deal, ways, horizon, chance)
        if deal[OVER]:
            for other in range(players):
                chips[other] = deal[FEES + other]
        else:
            foresee(deal, chips)
        outcomes[trial, CHIPS] = chips[seat]
        for other in range(players):
            chips[other] += standing[other]
        outcomes[trial, SHARE] = share(chips, seat, players, standing[players])

"""What an action at I Doubt It is worth: the deal played on from it in many worlds."""

import math

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.games.i_doubt_it.deal_state import (
    CLAIM_SIZE,
    HAND_SIZES,
    MAX_PLAYERS,
    NET_CHIPS,
    OBSERVER,
    OPEN_CARDS,
    OVER,
    PLAYERS,
    STATE_SIZE,
    Deal,
    doubt,
    lay,
)
from jasstisch.search.games.i_doubt_it.particle_filter import Worlds
from jasstisch.search.games.i_doubt_it.policy import PolicyTable, choose_answers, play_out
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import next_u64

__all__ = ["CHIPS", "DOUBT", "MATCH_SHARE", "OUTCOME_SIZE", "PASS", "evaluate_action"]

DOUBT = -1
PASS = -2
"""What stands in place of the rank claimed where the action is an answer."""

MATCH_SHARE = 0
"""Where in an outcome the share of the match stands,"""

CHIPS = 1
"""and where the chips of this deal."""

OUTCOME_SIZE = 2

PACE_FACTOR = 2.0
"""How much sooner a smaller hand goes out: so many times its lays squared."""

SEED_MULTIPLIER = 0xD1342543DE82EF95
"""Keeps the chances of different worlds apart."""


@kernel
def expected_chips(deal: Deal, chips: NDArray[np.float64]) -> None:
    """The chips that each seat may expect of a deal that is not over."""
    players = deal[PLAYERS]
    speeds = 0.0
    cards = 0
    for seat in range(players):
        chips[seat] = math.pow(
            (deal[HAND_SIZES + seat] + CLAIM_SIZE - 1) // CLAIM_SIZE, -PACE_FACTOR
        )
        speeds += chips[seat]
        cards += deal[HAND_SIZES + seat]
    for seat in range(players):
        chips[seat] = (
            deal[NET_CHIPS + seat] + cards * chips[seat] / speeds - deal[HAND_SIZES + seat]
        )


@kernel
def match_share(chips: NDArray[np.float64], seat: int, players: int, spread: float) -> float:
    """The part of a match that is a seat's with these chips, if so many more are chance."""
    whole = 0.0
    for other in range(players):
        whole += math.exp((chips[other] - chips[seat]) / spread)
    return 1.0 / whole


@allocating_kernel
def evaluate_action(
    worlds: Worlds,
    span: tuple[int, int, int, int],
    action: NDArray[np.int64],
    ways: PolicyTable,
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
    deal = np.empty(STATE_SIZE, np.int64)
    chips = np.empty(MAX_PLAYERS)
    chance = np.empty(1, np.uint64)
    players = worlds[0, PLAYERS]
    seat = worlds[0, OBSERVER]
    for trial in range(first, last):
        deal[:] = worlds[trial % worlds.shape[0]]
        chance[0] = np.uint64(seed) + np.uint64(trial) * np.uint64(SEED_MULTIPLIER)
        next_u64(chance)
        if action[0] == DOUBT:
            doubt(deal, seat)
        else:
            if action[0] != PASS:
                for place in range(action[1]):
                    deal[OPEN_CARDS + place] = action[2 + place]
                lay(deal, action[0], action[1])
            choose_answers(deal, (seat + 1) % players, ways, chance)
        # Two actions that come to the same go on the same way.
        chance[0] = np.uint64(seed) - np.uint64(trial + 1) * np.uint64(SEED_MULTIPLIER)
        play_out(deal, ways, horizon, chance)
        if deal[OVER]:
            for other in range(players):
                chips[other] = deal[NET_CHIPS + other]
        else:
            expected_chips(deal, chips)
        outcomes[trial, CHIPS] = chips[seat]
        for other in range(players):
            chips[other] += standing[other]
        outcomes[trial, MATCH_SHARE] = match_share(chips, seat, players, standing[players])

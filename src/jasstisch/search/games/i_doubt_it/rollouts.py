"""Rollouts of an action at I Doubt It: the deal is played on from it in many worlds."""

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

DOUBT = -1
PASS = -2
"""The code of a pass, in place of the rank claimed."""

MATCH_SHARE = 0
"""The column of the share of the match in an outcome."""

CHIPS = 1
"""The column of the chips of this deal in an outcome."""

OUTCOME_SIZE = 2

_PACE_FACTOR = 2.0
"""The exponent that makes smaller hands go out sooner: the square of the number of lays."""

_SEED_MULTIPLIER = 0xD1342543DE82EF95
"""Separates the random streams of different worlds."""


@kernel
def _expected_chips(deal: Deal, chips: NDArray[np.float64]) -> None:
    """The expected chips of each seat in a deal that is not over."""
    players = deal[PLAYERS]
    speeds = 0.0
    cards = 0
    for seat in range(players):
        chips[seat] = math.pow(
            (deal[HAND_SIZES + seat] + CLAIM_SIZE - 1) // CLAIM_SIZE, -_PACE_FACTOR
        )
        speeds += chips[seat]
        cards += deal[HAND_SIZES + seat]
    for seat in range(players):
        chips[seat] = (
            deal[NET_CHIPS + seat] + cards * chips[seat] / speeds - deal[HAND_SIZES + seat]
        )


@kernel
def _match_share(chips: NDArray[np.float64], seat: int, players: int, spread: float) -> float:
    """The expected share of a match with these chips, given the spread of the rest."""
    whole = 0.0
    for other in range(players):
        whole += math.exp((chips[other] - chips[seat]) / spread)
    return 1.0 / whole


@allocating_kernel
def evaluate_action(
    worlds: Worlds,
    span: tuple[int, int, int, int],
    action: NDArray[np.int64],
    config: PolicyTable,
    standing: NDArray[np.float64],
    outcomes: NDArray[np.float64],
) -> None:
    """Plays an action of the observer and its continuation in some of the worlds.

    Args:
        worlds: deals in which the observer has to act.
        span: the number of the first trial, that after the last trial, the number of claims after
            which the outcome of a deal is estimated, and a seed that gives all actions common
            random numbers.
        action: the rank claimed, `DOUBT` or `PASS`; how many cards are laid, and their ranks.
        config: the policy table.
        standing: the chips of each seat before this deal, and last the spread of the rest.
        outcomes: the outcomes, a row for each trial.
    """
    first, last, horizon, seed = span
    deal = np.empty(STATE_SIZE, np.int64)
    chips = np.empty(MAX_PLAYERS)
    chance = np.empty(1, np.uint64)
    players = worlds[0, PLAYERS]
    seat = worlds[0, OBSERVER]
    for trial in range(first, last):
        deal[:] = worlds[trial % worlds.shape[0]]
        chance[0] = np.uint64(seed) + np.uint64(trial) * np.uint64(_SEED_MULTIPLIER)
        next_u64(chance)
        if action[0] == DOUBT:
            doubt(deal, seat)
        else:
            if action[0] != PASS:
                for place in range(action[1]):
                    deal[OPEN_CARDS + place] = action[2 + place]
                lay(deal, action[0], action[1])
            choose_answers(deal, (seat + 1) % players, config, chance)
        # Two actions with equal effect have equal continuations.
        chance[0] = np.uint64(seed) - np.uint64(trial + 1) * np.uint64(_SEED_MULTIPLIER)
        play_out(deal, config, horizon, chance)
        if deal[OVER]:
            for other in range(players):
                chips[other] = deal[NET_CHIPS + other]
        else:
            _expected_chips(deal, chips)
        outcomes[trial, CHIPS] = chips[seat]
        for other in range(players):
            chips[other] += standing[other]
        outcomes[trial, MATCH_SHARE] = _match_share(chips, seat, players, standing[players])

"""Flat Monte Carlo search over sampled deals: the search of `club`.

Each legal card is played in each deal, and the round is finished by the playout policy. All cards
of one deal use common random numbers, so that luck affects them equally.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, next_u64
from jasstisch.search.nets import policy
from jasstisch.search.nets.policy import Nets, Scratch
from jasstisch.search.round_utility import UtilityParams, metric_value, round_utility
from jasstisch.search.rounds import random_playouts
from jasstisch.search.rounds.round_state import SEATS, TARGET, TURN, Round, copy_into, play_card
from jasstisch.search.sampling.determinization import Deals

Sums = NDArray[np.float64]
"""For each card or bid the number of trials and the sums of the results, in the columns below."""

TRIALS, UTILITY, METRIC = range(3)


class RolloutConfig(NamedTuple):
    """How a round is played out and valued.

    Attributes:
        nets: the nets of all playout policies; without nets all seats play at random.
        scratch: scratch memory of the nets.
        utility_params: the parameters of the utility.
    """

    nets: Nets
    scratch: Scratch
    utility_params: UtilityParams


def new_sums(choices: int = 36) -> Sums:
    """Zero sums for this number of choices."""
    return np.zeros((choices, 3))


@kernel
def finish_round(state: Round, config: RolloutConfig, chance: Stream) -> None:
    """Plays a round to its end."""
    if len(config.nets):
        policy.finish_round(state, config.nets, config.scratch, chance)
    else:
        random_playouts.finish_round(state, chance)


@allocating_kernel
def evaluate_cards(
    deals: Deals, cards: int, config: RolloutConfig, chance: Stream, sums: Sums
) -> None:
    """Tries every card of a set in every deal, for the seat to play, and adds up the results."""
    seat = deals[0, TURN]
    state = deals[0].copy()
    worths = np.zeros(SEATS)
    luck = chance.copy()
    for row in range(len(deals)):
        seed = next_u64(chance)
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            copy_into(deals[row], state)
            luck[0] = seed
            play_card(state, card)
            finish_round(state, config, luck)
            round_utility(state, config.utility_params, worths)
            sums[card, TRIALS] += 1
            sums[card, UTILITY] += worths[seat]
            sums[card, METRIC] += metric_value(state, config.utility_params, seat)


@allocating_kernel
def evaluate_bids(
    deals: Deals,
    seat: int,
    bids: NDArray[np.int64],
    config: RolloutConfig,
    chance: Stream,
    sums: Sums,
) -> None:
    """Plays every deal from the first card on for each bid of a seat, and adds up the results."""
    state = deals[0].copy()
    worths = np.zeros(SEATS)
    luck = chance.copy()
    for row in range(len(deals)):
        seed = next_u64(chance)
        for number in range(len(bids)):
            copy_into(deals[row], state)
            luck[0] = seed
            state[TARGET + seat] = bids[number]
            finish_round(state, config, luck)
            round_utility(state, config.utility_params, worths)
            sums[number, TRIALS] += 1
            sums[number, UTILITY] += worths[seat]
            sums[number, METRIC] += metric_value(state, config.utility_params, seat)

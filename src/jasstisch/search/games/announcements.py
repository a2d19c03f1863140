"""Announcements: their values in sampled deals, and the inference from them to hands (CT2).

A contract is a number here, its index in the order of CT2, as in `jasstisch.games.evaluation`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import melds, tricks
from jasstisch.games.evaluation import hand_evaluation
from jasstisch.search.flat_monte_carlo import RolloutConfig, Sums, finish_round
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, next_u64
from jasstisch.search.rounds.contracts import (
    PUSH_THRESHOLD,
    score_melds,
    side_points,
    start_contract,
)
from jasstisch.search.rounds.round_state import (
    ANNOUNCER,
    HANDS,
    PUSHED,
    VALUE_RANKING,
    Round,
    copy_into,
)
from jasstisch.search.sampling.determinization import Deals

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

_ESTIMATE_NOISE = 12.0
"""The spread, in points, of other players' evaluations of their hands around the estimate here."""

_IRRATIONAL_RATE = 0.05
"""The probability of an announcement that no evaluation explains."""


class AnnouncementContext(NamedTuple):
    """The setting of an announcement: all that does not depend on the contract.

    Attributes:
        seat: the seat that would announce.
        pushed: 1 if the partner has pushed to it.
        leader: the seat that leads the first trick; -1 for the announcer.
        match_bonus: the bonus for a match.
        counts_weis: whether Weis and Stöck count.
    """

    seat: int
    pushed: int
    leader: int
    match_bonus: int
    counts_weis: int


@kernel
def _play_contract(
    state: Round,
    contract: int,
    announcer: int,
    pushed: int,
    trial: AnnouncementContext,
    config: RolloutConfig,
    luck: Stream,
) -> None:
    """Sets a contract announced by a seat in a deal and plays the round to its end."""
    leader = announcer if trial.leader < 0 else trial.leader
    start_contract(state, contract, announcer, pushed, leader)
    if trial.counts_weis:
        score_melds(state, leader)
    finish_round(state, config, luck)


@allocating_kernel
def evaluate_contracts(
    deals: Deals,
    contracts: int,
    trial: AnnouncementContext,
    config: RolloutConfig,
    chance: Stream,
    sums: Sums,
) -> None:
    """Plays every deal in every contract of a set and adds up the results.

    `sums` has a row for each contract: the number of trials, the point difference in favour of the
    own side, and the points of the own side.
    """
    state, luck = deals[0].copy(), chance.copy()
    for row in range(len(deals)):
        seed = next_u64(chance)
        for contract in range(hand_evaluation.CONTRACT_COUNT):
            if contracts >> contract & 1:
                luck[0] = seed
                copy_into(deals[row], state)
                _play_contract(state, contract, trial.seat, trial.pushed, trial, config, luck)
                ours = side_points(state, trial.seat, trial.match_bonus)
                theirs = side_points(state, (trial.seat + 1) % 4, trial.match_bonus)
                sums[contract, 0] += 1
                sums[contract, 1] += ours - theirs
                sums[contract, 2] += ours


@allocating_kernel
def evaluate_push(
    deals: Deals,
    factors: _Floats,
    trial: AnnouncementContext,
    config: RolloutConfig,
    chance: Stream,
    sums: Sums,
) -> None:
    """Plays every deal as the partner would announce it by estimate; adds up in the first row.

    Args:
        deals: rounds before the announcement, all hands known.
        factors: the multiplier of each contract; 0 if it is not available.
        trial: the setting, with the seat that pushes.
        config: the rollout configuration.
        chance: the random stream.
        sums: the number of trials, and the lead and the points of the own side, times the factor.
    """
    state, luck = deals[0].copy(), chance.copy()
    partner = (trial.seat + 2) % 4
    for row in range(len(deals)):
        luck[0] = next_u64(chance)
        copy_into(deals[row], state)
        contract = _best_by_factor(state[HANDS + partner], factors)
        _play_contract(state, contract, partner, 1, trial, config, luck)
        ours = side_points(state, trial.seat, trial.match_bonus)
        theirs = side_points(state, (trial.seat + 1) % 4, trial.match_bonus)
        sums[0, 0] += 1
        sums[0, 1] += factors[contract] * (ours - theirs)
        sums[0, 2] += factors[contract] * ours


@kernel
def _best_by_factor(hand: int, factors: _Floats) -> int:
    """The available contract with the largest estimated lead of a hand, times its factor."""
    best, most = -1, -1e9
    for contract in range(hand_evaluation.CONTRACT_COUNT):
        if factors[contract] > 0:
            lead = factors[contract] * (
                2 * hand_evaluation.estimate_points(hand, contract) - tricks.ALL_POINTS
            )
            if lead > most:
                best, most = contract, lead
    return best


@kernel
def reweight_by_announcements(
    deals: Deals, observer: int, forehand: int, contracts: int, contract: int, found: _Floats
) -> None:
    """Multiplies the weight of each deal by the likelihood of the announcement and the pushes.

    Args:
        deals: rounds before their first card, all hands known, announced and pushed as happened.
        observer: the observing seat; its own actions give it no information.
        forehand: the seat that could push.
        contracts: the set of the available contracts.
        contract: the announced contract.
        found: the weights.
    """
    for row in range(len(deals)):
        deal = deals[row]
        announcer = deal[ANNOUNCER]
        if announcer != observer:
            found[row] *= _announcement_probability(deal[HANDS + announcer], contracts, contract)
        if deal[PUSHED] and forehand != observer and forehand != announcer:
            most = -1e9
            for other in range(hand_evaluation.CONTRACT_COUNT):
                if contracts >> other & 1:
                    most = max(most, hand_evaluation.estimate_points(deal[HANDS + forehand], other))
            found[row] *= _IRRATIONAL_RATE + (1 - _IRRATIONAL_RATE) / (
                1 + np.exp((most - PUSH_THRESHOLD) / _ESTIMATE_NOISE)
            )


@kernel
def _announcement_probability(hand: int, contracts: int, contract: int) -> float:
    """The probability that a hand announces this contract among those available."""
    own = hand_evaluation.estimate_points(hand, contract)
    total = 0.0
    for other in range(hand_evaluation.CONTRACT_COUNT):
        if contracts >> other & 1:
            total += np.exp((hand_evaluation.estimate_points(hand, other) - own) / _ESTIMATE_NOISE)
    return _IRRATIONAL_RATE + (1 - _IRRATIONAL_RATE) / max(1.0, total)


@kernel
def reweight_by_weis(
    deals: Deals, observer: int, opened: int, announced: _Ints, found: _Floats
) -> None:
    """Multiplies the weight of each deal by the likelihood of the Weis announced or not (SC3).

    Args:
        deals: rounds before their first card, all hands known.
        observer: the observing seat.
        opened: the seats that have played a card, as a bit set.
        announced: the points of the best meld that each seat has announced, 0 without any.
        found: the weights.
    """
    for row in range(len(deals)):
        deal = deals[row]
        for seat in range(4):
            if seat != observer and opened >> seat & 1:
                hand, ranking = deal[HANDS + seat], deal[VALUE_RANKING]
                _, strength = melds.split_value(hand, melds.best_fours(hand, ranking), ranking)
                if strength // melds.STRENGTH_PER_POINT != announced[seat]:
                    found[row] *= _IRRATIONAL_RATE

"""What to announce, tried in imagined deals, and what an announcement tells of a hand (CT2).

A contract is a number here, its place in the order of CT2, as in `bots.promise`.
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
    count_melds,
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

__all__ = [
    "AnnouncementSetting",
    "evaluate_contracts",
    "evaluate_push",
    "reweight_by_announcements",
    "reweight_by_weis",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ESTIMATE_NOISE = 12.0
"""How far what others find in their hands lies from what is promised here."""

IRRATIONAL_RATE = 0.05
"""How often somebody announces what nobody would."""


class AnnouncementSetting(NamedTuple):
    """What is the same whatever is announced.

    Attributes:
        seat: who would announce.
        pushed: 1 if it has been pushed to him.
        leader: who leads the first trick; -1 for whoever announces.
        bonus: what a match brings.
        melds: whether Weis and Stöck count.
    """

    seat: int
    pushed: int
    leader: int
    bonus: int
    melds: int


@kernel
def play_contract(
    state: Round,
    contract: int,
    announcer: int,
    pushed: int,
    trial: AnnouncementSetting,
    ways: RolloutConfig,
    luck: Stream,
) -> None:
    """Has a seat announce a contract in a deal and plays the round to its end."""
    leader = announcer if trial.leader < 0 else trial.leader
    start_contract(state, contract, announcer, pushed, leader)
    if trial.melds:
        count_melds(state, leader)
    finish_round(state, ways, luck)


@allocating_kernel
def evaluate_contracts(
    deals: Deals,
    contracts: int,
    trial: AnnouncementSetting,
    ways: RolloutConfig,
    chance: Stream,
    sums: Sums,
) -> None:
    """Plays every deal in every contract of a set, and adds up.

    `sums` has a row for each contract: trials, the own side's points less the other's, the own
    side's points.
    """
    state, luck = deals[0].copy(), chance.copy()
    for row in range(len(deals)):
        seed = next_u64(chance)
        for contract in range(hand_evaluation.CONTRACT_COUNT):
            if contracts >> contract & 1:
                luck[0] = seed
                copy_into(deals[row], state)
                play_contract(state, contract, trial.seat, trial.pushed, trial, ways, luck)
                ours = side_points(state, trial.seat, trial.bonus)
                theirs = side_points(state, (trial.seat + 1) % 4, trial.bonus)
                sums[contract, 0] += 1
                sums[contract, 1] += ours - theirs
                sums[contract, 2] += ours


@allocating_kernel
def evaluate_push(
    deals: Deals,
    factors: Floats,
    trial: AnnouncementSetting,
    ways: RolloutConfig,
    chance: Stream,
    sums: Sums,
) -> None:
    """Plays every deal as the partner would announce it by heart, and adds up in the first row.

    Args:
        deals: rounds before the announcement, all hands known.
        factors: what each contract multiplies by; 0 where it is not open.
        trial: who pushes.
        ways: how rounds are finished.
        chance: where chance comes from.
        sums: trials, the own side's lead and its points, both times the factor.
    """
    state, luck = deals[0].copy(), chance.copy()
    partner = (trial.seat + 2) % 4
    for row in range(len(deals)):
        luck[0] = next_u64(chance)
        copy_into(deals[row], state)
        contract = best_by_factor(state[HANDS + partner], factors)
        play_contract(state, contract, partner, 1, trial, ways, luck)
        ours = side_points(state, trial.seat, trial.bonus)
        theirs = side_points(state, (trial.seat + 1) % 4, trial.bonus)
        sums[0, 0] += 1
        sums[0, 1] += factors[contract] * (ours - theirs)
        sums[0, 2] += factors[contract] * ours


@kernel
def best_by_factor(hand: int, factors: Floats) -> int:
    """The contract that a hand promises the highest lead in, by the factors; one of those open."""
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
    deals: Deals, looker: int, forehand: int, contracts: int, contract: int, found: Floats
) -> None:
    """Multiplies the likelihood of each deal by that of what was announced and pushed.

    Args:
        deals: rounds before their first card, all hands known, announced and pushed as they were.
        looker: the seat that looks; what it did itself tells it nothing.
        forehand: who could push.
        contracts: the set of those that were open.
        contract: the one that was announced.
        found: the likelihoods.
    """
    for row in range(len(deals)):
        deal = deals[row]
        announcer = deal[ANNOUNCER]
        if announcer != looker:
            found[row] *= announcement_probability(deal[HANDS + announcer], contracts, contract)
        if deal[PUSHED] and forehand != looker and forehand != announcer:
            most = -1e9
            for other in range(hand_evaluation.CONTRACT_COUNT):
                if contracts >> other & 1:
                    most = max(most, hand_evaluation.estimate_points(deal[HANDS + forehand], other))
            found[row] *= IRRATIONAL_RATE + (1 - IRRATIONAL_RATE) / (
                1 + np.exp((most - PUSH_THRESHOLD) / ESTIMATE_NOISE)
            )


@kernel
def announcement_probability(hand: int, contracts: int, contract: int) -> float:
    """How likely a hand announces this contract among those that were open."""
    own = hand_evaluation.estimate_points(hand, contract)
    total = 0.0
    for other in range(hand_evaluation.CONTRACT_COUNT):
        if contracts >> other & 1:
            total += np.exp((hand_evaluation.estimate_points(hand, other) - own) / ESTIMATE_NOISE)
    return IRRATIONAL_RATE + (1 - IRRATIONAL_RATE) / max(1.0, total)


@kernel
def reweight_by_weis(deals: Deals, looker: int, opened: int, told: Ints, found: Floats) -> None:
    """Multiplies the likelihood of each deal by that of the Weis announced and kept (SC3).

    Args:
        deals: rounds before their first card, all hands known.
        looker: the seat that looks.
        opened: the seats that have played a card, as a set with a bit for each.
        told: the points of the best meld that each has announced, 0 without any.
        found: the likelihoods.
    """
    for row in range(len(deals)):
        deal = deals[row]
        for seat in range(4):
            if seat != looker and opened >> seat & 1:
                hand, ranking = deal[HANDS + seat], deal[VALUE_RANKING]
                _, strength = melds.weis_worth(hand, melds.best_fours(hand, ranking), ranking)
                if strength // melds.STRENGTH_PER_POINT != told[seat]:
                    found[row] *= IRRATIONAL_RATE

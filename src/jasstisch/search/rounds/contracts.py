"""Contracts and partners in a round of tricks: its start, and the points of a side.

A contract is a number here, its index in the order of CT2, as in `jasstisch.games.evaluation`.
"""

from jasstisch.engine import melds, tricks
from jasstisch.games.contracts import CONTRACTS, Contract
from jasstisch.games.evaluation import hand_evaluation
from jasstisch.games.weis import KING_AND_QUEEN, STOECK
from jasstisch.search.jit.compiler import kernel, register_jitable_functions
from jasstisch.search.jit.prng import Stream, uniform
from jasstisch.search.rounds.round_state import (
    ANNOUNCER,
    CAPTURED_CARDS,
    EXTRA_POINTS,
    HANDS,
    HAS_SIDES,
    NEXT_RANKINGS,
    PUSHED,
    RANKING,
    VALUE_RANKING,
    Round,
    start_trick,
)
from jasstisch.search.rounds.round_state import points as points_of

DEFAULT_MATCH_BONUS = 100
"""The default bonus of a side that takes all tricks (CT6)."""

PUSH_THRESHOLD = 98.0
"""The estimated points below which forehand pushes instead of announcing."""


def _encode_rankings(contract: Contract) -> int:
    """The rankings of all nine tricks, encoded as in `NEXT_RANKINGS`; 0 if all are equal."""
    alike = len(set(contract.rankings)) == 1
    return 0 if alike else sum(one << 3 * at for at, one in enumerate(contract.rankings))


VALUE_RANKINGS = tuple(contract.value_ranking for contract in CONTRACTS.values())
_RANKING_SEQUENCES = tuple(_encode_rankings(contract) for contract in CONTRACTS.values())

register_jitable_functions(
    hand_evaluation.hand_features,
    hand_evaluation.contract_kind,
    hand_evaluation.rank_features,
    hand_evaluation.trump_features,
    hand_evaluation.estimate_points,
    hand_evaluation.reversed_ranks,
)


@kernel
def start_contract(state: Round, contract: int, announcer: int, pushed: int, leader: int) -> None:
    """Sets an announced contract and the seat that leads the first trick (CT2, SC1, CO3)."""
    state[HAS_SIDES] = 1
    state[RANKING] = state[VALUE_RANKING] = VALUE_RANKINGS[contract]
    state[NEXT_RANKINGS] = _RANKING_SEQUENCES[contract]
    state[ANNOUNCER] = announcer
    state[PUSHED] = pushed
    start_trick(state, leader)


@kernel
def side_points(state: Round, seat: int, bonus: int) -> int:
    """The points of a seat's side in a round, with the bonus for a match (CT1, CT6)."""
    partner = (seat + 2) % 4
    total = points_of(state, seat) + points_of(state, partner)
    everything = state[CAPTURED_CARDS + seat] | state[CAPTURED_CARDS + partner]
    return total + (bonus if everything == tricks.WHOLE_PACK else 0)


@kernel
def best_contract(hand: int, contracts: int, noise: float, chance: Stream) -> tuple[int, float]:
    """The contract with the highest estimated points of a hand, and that estimate.

    Args:
        hand: the cards.
        contracts: the bit set of the available contracts.
        noise: the maximum noise on each estimate, so that unusual contracts are chosen too.
        chance: the random stream.
    """
    best, most = -1, -1e9
    for contract in range(hand_evaluation.CONTRACT_COUNT):
        if contracts >> contract & 1:
            worth = hand_evaluation.estimate_points(hand, contract) + noise * (
                uniform(chance) - uniform(chance)
            )
            if worth > most:
                best, most = contract, worth
    return best, most


@kernel
def simulate_announcing(
    state: Round, forehand: int, contracts: int, noise: float, chance: Stream
) -> None:
    """Announces by estimate for forehand, or pushes and announces for the partner (SC1)."""
    announcer = forehand
    contract, worth = best_contract(state[HANDS + forehand], contracts, noise, chance)
    pushed = 0
    if worth < PUSH_THRESHOLD:
        announcer, pushed = (forehand + 2) % 4, 1
        contract, _ = best_contract(state[HANDS + announcer], contracts, noise, chance)
    start_contract(state, contract, announcer, pushed, forehand)


@kernel
def score_melds(state: Round, leader: int) -> None:
    """Counts the Weis of the side with the best one, all announced, and every Stöck (SC3, SC4).

    Args:
        state: a round before its first card, all hands known and the contract announced.
        leader: the seat that leads.
    """
    ranking = state[VALUE_RANKING]
    best, holder = 0, -1
    totals = (0, 0)
    for step in range(4):
        seat = (leader + step) % 4
        hand = state[HANDS + seat]
        pair = KING_AND_QUEEN[ranking]
        if pair and hand & pair == pair:
            state[EXTRA_POINTS + seat] += STOECK
        total, strength = melds.split_value(hand, melds.best_fours(hand, ranking), ranking)
        even, odd = (total, 0) if seat % 2 == 0 else (0, total)
        totals = (totals[0] + even, totals[1] + odd)
        if strength > best:
            best, holder = strength, seat
    if holder >= 0:
        state[EXTRA_POINTS + holder] += totals[holder % 2]

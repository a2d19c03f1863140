"""Who plays at Jass each for himself: what the answers tell, and what an answer leads to.

A deal is kept as in `rounds`, with every hand at its seat, dropped ones too, and two more where no
seat has its own: the blind on the table, and the hand that somebody laid away for it. How others
answer is judged from the points that a hand promises at a glance (`bids.glance`), its melds added.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import melds
from jasstisch.games.jass import SIXES
from jasstisch.search.flat_monte_carlo import (
    METRIC,
    TRIALS,
    UTILITY,
    RolloutConfig,
    Sums,
    finish_round,
)
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, next_u64, uniform
from jasstisch.search.nets import bid_model
from jasstisch.search.rounds import jass
from jasstisch.search.rounds.jass import MAX_PLAYERS
from jasstisch.search.rounds.round_state import (
    EXTRA_POINTS,
    HANDS,
    NEXT_SEAT,
    PLAYER_COUNT,
    RANKING,
    SEATS,
    SEATS_IN_PLAY,
    TURN,
    Round,
    copy_into,
)
from jasstisch.search.sampling.determinization import Deals
from jasstisch.search.utility import metric_value, round_utility

__all__ = [
    "BLIND",
    "BLIND_HAND",
    "DROP",
    "LAID_AWAY",
    "NOT_ASKED",
    "STAY",
    "PublicState",
    "count_melds",
    "evaluate_answers",
    "remove_unheld",
    "reweight_by_answers",
    "reweight_by_melds",
]  # fmt: skip

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOT_ASKED, STAY, DROP, BLIND = range(-1, 3)
"""The answers (JS4)."""

LAID_AWAY, BLIND_HAND = MAX_PLAYERS, MAX_PLAYERS + 1
"""The places of the hand laid away for the blind, and of the blind, as if they were seats."""

PLAY_THRESHOLDS = (0.0, 0.0, 8.0, 13.0)
"""The points that a hand should promise to be played, by the number of others not dropped."""

PLAY_NOISE = 6.0
"""How far around these a hand may be played or dropped."""

BLIND_NOISE = 7.0
"""How far hands laid away for the blind lie around what it promises."""

SKILL_BONUS_POINTS = 8
"""The points by which a player who thinks does better than the playouts say."""

IRRATIONAL_RATE = 0.03
"""How often anybody answers or announces in some way that nobody can foresee."""

HIDDEN_MELD_RATE = 0.1
"""How often somebody who has a meld does not announce it, or does not rob though he could."""


class PublicState(NamedTuple):
    """What a seat sees besides the cards.

    Attributes:
        looker: the seat that looks.
        forehand: the seat that is asked first.
        members: the set of the seats still in the match.
        said: for each seat its answer.
        turned: the turned card on the table, -1 without any.
        shown: the card that made trump.
        robber: who has robbed it, -1 if nobody has.
        hope: what the blind promised before anybody took it; 0 where there is none.
        opened: the set of the seats that have played their first card.
        told: for each seat the points of the Weis it has announced, 0 without any.
        scored: for each seat the Weis scored after the first trick; -1 before.
        weights: those of `bids.glance`.
    """

    observer: int
    forehand: int
    members: int
    answers: Ints
    turned: int
    shown: int
    robber: int
    blind_estimate: float
    seats_played: int
    announced_weis: Ints
    scored_weis: Ints
    bid_weights: Floats


@kernel
def estimate_points(hand: int, trump: int, weights: Floats, features: Floats) -> float:
    """The points that a hand promises at a glance, Weis and Stöck among them."""
    points, _ = jass.weis_value(hand, trump)
    return (
        bid_model.predict_bid(hand, trump, weights, features)
        + points
        + jass.stoeck_points(hand, trump)
    )


@kernel
def sigmoid(number: float) -> float:
    """A chance: one half at 0."""
    return 1 / (1 + np.exp(-number))


@kernel
def answer_probability(said: int, promised: float, others: int, hope: float) -> float:
    """How likely an answer is from a hand that promises so much.

    Args:
        said: the answer.
        promised: the points that the hand promises.
        others: how many others have not dropped.
        hope: what the blind promises; 0 if it may not be taken.
    """
    takes = sigmoid((hope - promised) / BLIND_NOISE) if hope > 0 else 0.0
    stays = sigmoid((promised - PLAY_THRESHOLDS[others]) / PLAY_NOISE)
    if said == BLIND:
        return IRRATIONAL_RATE + (1 - IRRATIONAL_RATE) * takes
    return IRRATIONAL_RATE + (1 - IRRATIONAL_RATE) * (1 - takes) * (
        stays if said == STAY else 1 - stays
    )


@allocating_kernel
def reweight_by_answers(deals: Deals, table: PublicState, found: Floats) -> None:
    """Multiplies the likelihood of each deal by that of the answers of the others.

    Who has robbed held the six instead of the card that lay on the table.
    """
    features = np.zeros(bid_model.FEATURE_COUNT)
    for row in range(len(deals)):
        deal = deals[row]
        trump = deal[RANKING]
        others = table.members.bit_count() - 1
        hope = table.blind_estimate
        for step in range(MAX_PLAYERS):
            seat = (table.forehand + step) % MAX_PLAYERS
            said = table.answers[seat]
            if not table.members >> seat & 1 or said == NOT_ASKED:
                continue
            if seat != table.observer:
                hand = deal[HANDS + (LAID_AWAY if said == BLIND else seat)]
                if seat == table.robber and said != BLIND:
                    hand ^= 1 << SIXES[trump] | 1 << table.shown
                promised = estimate_points(hand, trump, table.bid_weights, features)
                found[row] *= answer_probability(said, promised, others, hope)
            if said == DROP:
                others -= 1
            elif said == BLIND:
                hope = 0.0


@kernel
def reweight_by_melds(deals: Deals, table: PublicState, found: Floats) -> None:
    """Multiplies the likelihood of each deal by that of what the others announced and robbed."""
    for row in range(len(deals)):
        deal = deals[row]
        six = SIXES[deal[RANKING]]
        free = table.turned >= 0 and table.turned != six
        for seat in range(MAX_PLAYERS):
            if not table.seats_played >> seat & 1 or seat == table.observer:
                continue
            hand = deal[HANDS + seat]
            _, strength = jass.weis_value(hand, deal[RANKING])
            if strength // melds.STRENGTH_PER_POINT != table.announced_weis[seat]:
                found[row] *= IRRATIONAL_RATE if table.announced_weis[seat] else HIDDEN_MELD_RATE
            if free and hand >> six & 1:
                found[row] *= HIDDEN_MELD_RATE


@kernel
def remove_unheld(deals: Deals) -> None:
    """Takes away all cards that are in no hand of this round."""
    for deal in deals:
        for place in range(SEATS):
            if not deal[SEATS_IN_PLAY] >> place & 1:
                deal[HANDS + place] = 0


@kernel
def count_melds(deals: Deals, table: PublicState) -> None:
    """Counts Weis and Stöck in every deal, before its first card is played.

    Who has not yet played a card robs what there is to rob and announces what he has.
    """
    for deal in deals:
        rob(deal, table.turned, table.seats_played | 1 << table.observer)
        best, holder, total = 0, -1, 0
        seat = deal[TURN]
        for _ in range(deal[PLAYER_COUNT]):
            hand, told = deal[HANDS + seat], table.announced_weis[seat]
            points, strength = jass.weis_value(hand, deal[RANKING])
            if table.seats_played >> seat & 1 and strength // melds.STRENGTH_PER_POINT != told:
                points, strength = told, told * melds.STRENGTH_PER_POINT
            if strength > best:
                best, holder, total = strength, seat, points
            deal[EXTRA_POINTS + seat] += jass.stoeck_points(hand, deal[RANKING])
            if table.scored_weis[seat] > 0:
                deal[EXTRA_POINTS + seat] += table.scored_weis[seat]
            seat = deal[NEXT_SEAT + seat]
        if holder >= 0 and table.scored_weis[0] < 0:
            deal[EXTRA_POINTS + holder] += total


@kernel
def rob(deal: Round, turned: int, but: int) -> None:
    """Gives whoever holds the six of trumps the turned card, unless he is one of `but` (JS5)."""
    six = SIXES[deal[RANKING]]
    if turned < 0 or turned == six:
        return
    for seat in range(MAX_PLAYERS):
        if (
            deal[SEATS_IN_PLAY] >> seat & 1
            and not but >> seat & 1
            and deal[HANDS + seat] >> six & 1
        ):
            jass.rob(deal, seat, turned)


@allocating_kernel
def evaluate_answers(
    deals: Deals, table: PublicState, answers: int, ways: RolloutConfig, chance: Stream, sums: Sums
) -> None:
    """Gives every answer of a set in every deal, has the others answer and play, and adds up."""
    state = deals[0].copy()
    worths = np.zeros(SEATS)
    features = np.zeros(bid_model.FEATURE_COUNT)
    luck = chance.copy()
    for row in range(len(deals)):
        seed = next_u64(chance)
        for said in (STAY, DROP, BLIND):
            if not answers >> said & 1:
                continue
            copy_into(deals[row], state)
            luck[0] = seed
            start_play(state, table, said, features, luck)
            finish_round(state, ways, luck)
            state[EXTRA_POINTS + table.observer] += SKILL_BONUS_POINTS
            round_utility(state, ways.utility_params, worths)
            sums[said, TRIALS] += 1
            sums[said, UTILITY] += worths[table.observer]
            sums[said, METRIC] += metric_value(state, ways.utility_params, table.observer)


@kernel
def start_play(
    state: Round, table: PublicState, own: int, features: Floats, chance: Stream
) -> None:
    """Takes the round to its first card: the own answer, then those of the seats still to come.

    Where all but one have dropped, nothing is left to play (JS6).
    """
    seats, hope, turned = table.members, table.blind_estimate, table.turned
    for seat in range(MAX_PLAYERS):
        if table.answers[seat] == DROP:
            seats &= ~(1 << seat)
        elif table.answers[seat] == BLIND:
            hope = 0.0
    for step in range(MAX_PLAYERS):
        seat = (table.forehand + step) % MAX_PLAYERS
        others = seats.bit_count() - 1
        if not seats >> seat & 1 or table.answers[seat] != NOT_ASKED or others == 0:
            continue
        said = own
        if seat != table.observer:
            hand = state[HANDS + seat]
            promised = estimate_points(hand, state[RANKING], table.bid_weights, features)
            said = sample_answer(promised, others, hope, chance)
        if said == DROP:
            seats ^= 1 << seat
        elif said == BLIND:
            state[HANDS + seat] = state[HANDS + BLIND_HAND]
            hope = 0.0
            if turned >= 0 and state[HANDS + seat] >> turned & 1:
                turned = -1
    if seats & seats - 1 == 0:
        state[SEATS_IN_PLAY] = seats
        state[TURN] = -1
        return
    jass.set_players(state, seats, table.forehand)
    rob(state, turned, 0)
    jass.count_melds(state, state[TURN])


@kernel
def sample_answer(promised: float, others: int, hope: float, chance: Stream) -> int:
    """An answer of somebody whose hand promises so much."""
    drawn = uniform(chance)
    if hope > 0:
        drawn -= sigmoid((hope - promised) / BLIND_NOISE)
        if drawn < 0:
            return BLIND
        drawn = uniform(chance)
    return STAY if drawn < sigmoid((promised - PLAY_THRESHOLDS[others]) / PLAY_NOISE) else DROP

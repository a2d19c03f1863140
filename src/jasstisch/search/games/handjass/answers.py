"""Answers at Jass as individuals: their likelihood given a hand, and their value in playouts.

A deal is kept as in `search.rounds`, with every hand at its seat, dropped ones too. Two more hands
follow: the blind on the table, and the hand that was laid away for it. The answers of other seats
are judged by the estimated points of their hands (`nets.bid_model.predict_bid`), plus their melds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import melds
from jasstisch.games.handjass import SIXES
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
from jasstisch.search.round_utility import metric_value, round_utility
from jasstisch.search.rounds import handjass
from jasstisch.search.rounds.handjass import MAX_PLAYERS
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

_Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOT_ASKED, STAY, DROP, BLIND = range(-1, 3)
"""The answers (JS4)."""

LAID_AWAY, BLIND_HAND = MAX_PLAYERS, MAX_PLAYERS + 1
"""The indices of the hand laid away for the blind, and of the blind, as if they were seats."""

_PLAY_THRESHOLDS = (0.0, 0.0, 8.0, 13.0)
"""The estimated points from which a hand is played, by the number of others not dropped."""

_PLAY_NOISE = 6.0
"""The spread around these thresholds within which a hand may be played or dropped."""

_BLIND_NOISE = 7.0
"""The spread of hands laid away for the blind around its estimated points."""

_SKILL_BONUS_POINTS = 8
"""The points by which a searching player exceeds the result of the playouts."""

_IRRATIONAL_RATE = 0.03
"""The probability of an answer or announcement that no evaluation explains."""

_HIDDEN_MELD_RATE = 0.1
"""The probability that a player does not announce a meld, or does not rob though they could."""


class PublicState(NamedTuple):
    """The public information of a seat besides the cards.

    Attributes:
        observer: the observing seat.
        forehand: the seat that answers first.
        seats_in_match: the set of the seats still in the match.
        answers: the answer of each seat.
        turned_card: the turned card on the table, -1 without any.
        trump_card: the card that made trump.
        robber: the seat that has robbed it, -1 for none.
        blind_estimate: the expected points of the blind before it was taken; 0 if there is none.
        seats_played: the set of the seats that have played their first card.
        announced_weis: for each seat, the points of the Weis it has announced, 0 without any.
        scored_weis: for each seat, the Weis scored after the first trick; -1 before.
        bid_weights: the weights of the learned bid model.
    """

    observer: int
    forehand: int
    seats_in_match: int
    answers: _Ints
    turned_card: int
    trump_card: int
    robber: int
    blind_estimate: float
    seats_played: int
    announced_weis: _Ints
    scored_weis: _Ints
    bid_weights: Floats


@kernel
def _estimate_points(hand: int, trump: int, weights: Floats, features: Floats) -> float:
    """The estimated points of a hand, including Weis and Stöck."""
    points, _ = handjass.weis_value(hand, trump)
    return (
        bid_model.predict_bid(hand, trump, weights, features)
        + points
        + handjass.stoeck_points(hand, trump)
    )


@kernel
def _sigmoid(number: float) -> float:
    """The logistic function: a probability, one half at 0."""
    return 1 / (1 + np.exp(-number))


@kernel
def _answer_probability(said: int, promised: float, others: int, blind_points: float) -> float:
    """The probability of an answer, given the estimated points of the hand.

    Args:
        said: the answer.
        promised: the estimated points of the hand.
        others: the number of others who have not dropped.
        blind_points: the estimated points of the blind; 0 if it may not be taken.
    """
    takes = _sigmoid((blind_points - promised) / _BLIND_NOISE) if blind_points > 0 else 0.0
    stays = _sigmoid((promised - _PLAY_THRESHOLDS[others]) / _PLAY_NOISE)
    if said == BLIND:
        return _IRRATIONAL_RATE + (1 - _IRRATIONAL_RATE) * takes
    return _IRRATIONAL_RATE + (1 - _IRRATIONAL_RATE) * (1 - takes) * (
        stays if said == STAY else 1 - stays
    )


@allocating_kernel
def reweight_by_answers(deals: Deals, table: PublicState, found: Floats) -> None:
    """Multiplies the weight of each deal by the likelihood of the other seats' answers.

    A seat that has robbed held the six of trumps instead of the turned card.
    """
    features = np.zeros(bid_model.FEATURE_COUNT)
    for row in range(len(deals)):
        deal = deals[row]
        trump = deal[RANKING]
        others = table.seats_in_match.bit_count() - 1
        hope = table.blind_estimate
        for step in range(MAX_PLAYERS):
            seat = (table.forehand + step) % MAX_PLAYERS
            said = table.answers[seat]
            if not table.seats_in_match >> seat & 1 or said == NOT_ASKED:
                continue
            if seat != table.observer:
                hand = deal[HANDS + (LAID_AWAY if said == BLIND else seat)]
                if seat == table.robber and said != BLIND:
                    hand ^= 1 << SIXES[trump] | 1 << table.trump_card
                promised = _estimate_points(hand, trump, table.bid_weights, features)
                found[row] *= _answer_probability(said, promised, others, hope)
            if said == DROP:
                others -= 1
            elif said == BLIND:
                hope = 0.0


@kernel
def reweight_by_melds(deals: Deals, table: PublicState, found: Floats) -> None:
    """Multiplies the weight of each deal by the likelihood of the other seats' Weis and robbing."""
    for row in range(len(deals)):
        deal = deals[row]
        six = SIXES[deal[RANKING]]
        free = table.turned_card >= 0 and table.turned_card != six
        for seat in range(MAX_PLAYERS):
            if not table.seats_played >> seat & 1 or seat == table.observer:
                continue
            hand = deal[HANDS + seat]
            _, strength = handjass.weis_value(hand, deal[RANKING])
            if strength // melds.STRENGTH_PER_POINT != table.announced_weis[seat]:
                found[row] *= _IRRATIONAL_RATE if table.announced_weis[seat] else _HIDDEN_MELD_RATE
            if free and hand >> six & 1:
                found[row] *= _HIDDEN_MELD_RATE


@kernel
def empty_dropped_hands(deals: Deals) -> None:
    """Removes all cards that are in no hand of this round."""
    for deal in deals:
        for place in range(SEATS):
            if not deal[SEATS_IN_PLAY] >> place & 1:
                deal[HANDS + place] = 0


@kernel
def score_melds(deals: Deals, table: PublicState) -> None:
    """Counts Weis and Stöck in every deal, before its first card is played.

    A seat that has not played a card yet robs if it can and announces all its melds.
    """
    for deal in deals:
        _rob(deal, table.turned_card, table.seats_played | 1 << table.observer)
        best, holder, total = 0, -1, 0
        seat = deal[TURN]
        for _ in range(deal[PLAYER_COUNT]):
            hand, told = deal[HANDS + seat], table.announced_weis[seat]
            points, strength = handjass.weis_value(hand, deal[RANKING])
            if table.seats_played >> seat & 1 and strength // melds.STRENGTH_PER_POINT != told:
                points, strength = told, told * melds.STRENGTH_PER_POINT
            if strength > best:
                best, holder, total = strength, seat, points
            deal[EXTRA_POINTS + seat] += handjass.stoeck_points(hand, deal[RANKING])
            if table.scored_weis[seat] > 0:
                deal[EXTRA_POINTS + seat] += table.scored_weis[seat]
            seat = deal[NEXT_SEAT + seat]
        if holder >= 0 and table.scored_weis[0] < 0:
            deal[EXTRA_POINTS + holder] += total


@kernel
def _rob(deal: Round, turned: int, excluded: int) -> None:
    """Exchanges the six of trumps for the turned card, unless its holder is in `excluded` (JS5)."""
    six = SIXES[deal[RANKING]]
    if turned < 0 or turned == six:
        return
    for seat in range(MAX_PLAYERS):
        if (
            deal[SEATS_IN_PLAY] >> seat & 1
            and not excluded >> seat & 1
            and deal[HANDS + seat] >> six & 1
        ):
            handjass.rob(deal, seat, turned)


@allocating_kernel
def evaluate_answers(
    deals: Deals,
    table: PublicState,
    answers: int,
    config: RolloutConfig,
    chance: Stream,
    sums: Sums,
) -> None:
    """Plays every answer of a set in every deal and adds up the results; other seats respond."""
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
            _simulate_answers(state, table, said, features, luck)
            finish_round(state, config, luck)
            state[EXTRA_POINTS + table.observer] += _SKILL_BONUS_POINTS
            round_utility(state, config.utility_params, worths)
            sums[said, TRIALS] += 1
            sums[said, UTILITY] += worths[table.observer]
            sums[said, METRIC] += metric_value(state, config.utility_params, table.observer)


@kernel
def _simulate_answers(
    state: Round, table: PublicState, own: int, features: Floats, chance: Stream
) -> None:
    """Advances the round to its first card: the own answer, then those of the later seats.

    If all but one have dropped, nothing is left to play (JS6).
    """
    seats, hope, turned = table.seats_in_match, table.blind_estimate, table.turned_card
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
            promised = _estimate_points(hand, state[RANKING], table.bid_weights, features)
            said = _sample_answer(promised, others, hope, chance)
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
    handjass.set_players(state, seats, table.forehand)
    _rob(state, turned, 0)
    handjass.score_melds(state, state[TURN])


@kernel
def _sample_answer(promised: float, others: int, blind_points: float, chance: Stream) -> int:
    """Draws an answer, given the estimated points of the hand."""
    drawn = uniform(chance)
    if blind_points > 0:
        drawn -= _sigmoid((blind_points - promised) / _BLIND_NOISE)
        if drawn < 0:
            return BLIND
        drawn = uniform(chance)
    return STAY if drawn < _sigmoid((promised - _PLAY_THRESHOLDS[others]) / _PLAY_NOISE) else DROP

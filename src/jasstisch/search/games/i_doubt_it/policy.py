"""Parametrized policies for I Doubt It, fast enough for rollouts.

A policy is a row of probabilities and weights. The same row defines what a player does and how
likely an observed action was. So it serves both for rollouts and for inference: from claims and
passes to the hands and policies of the other seats. A policy uses no information that is hidden
from its seat.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.games.i_doubt_it.deal_state import (
    BITS_PER_RANK,
    CLAIM_COUNT,
    CLAIM_LIMIT,
    CLAIM_NUMBER,
    CLAIM_RANK,
    CLAIM_SIZE,
    CLAIMANT,
    CLAIMS_CAUGHT,
    CLAIMS_MADE,
    HAND_SIZES,
    HANDS,
    MIDDLE_SIZE,
    ONE_OF_EACH,
    OPEN_CARDS,
    OVER,
    OWN_IN_MIDDLE,
    PLAYERS,
    POLICIES,
    RANKS,
    RANKS_CLAIMED,
    SUITS,
    Deal,
    accept,
    cards_due,
    count_of,
    doubt,
    lay,
    ranks_held,
    ranks_with_min_count,
)
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.jit.prng import Stream, pick_card, uniform

PolicyParams = NDArray[np.float64]
"""A policy: `PARAM_COUNT` parameters at the indices named below."""

PolicyTable = NDArray[np.float64]
"""Policies, one in each row."""

_TRUTH_RATE_LOW = 0
"""The rate of truthful claims, if possible, while few cards are at stake."""

_TRUTH_RATE_HIGH = 1
"""The same rate with many cards at stake."""

_TRUTH_STAKE = 2
"""The number of cards, the claim included, from which many are at stake."""

_LIE_WEIGHTS = 3
"""First index of the weights of a rank for a lie, by its cards that the liar knows, 0 to 4."""

_REPEAT_DISCOUNT = 8
"""The factor on the weight of a rank for each time it was claimed over the same middle."""

_DISCARD_WEIGHTS = 9
"""First index of the weights of a rank to discard in a lie, by the cards held of it, 1 to 4."""

_NOISE = 13
"""The rate of random answers."""

_LIE_DOUBT_RATE_LOW = 14
"""The rate of doubts of a sure lie while the middle is small."""

_LIE_DOUBT_RATE_HIGH = 15
"""The same rate when the middle is large."""

_DOUBT_STAKE = 16
"""The number of cards from which the middle is large."""

_SUSPECT_THRESHOLD = 17
"""The probability of truth below which a claim over a large middle is suspect."""

_SUSPECT_DOUBT_RATE = 18
"""The rate of doubts of a suspect claim."""

_LIAR_THRESHOLD = 19
"""The probability of truth below which claims of a known liar are doubted at once."""

_LAST_LIE_DOUBT_RATE = 20
"""The rate of doubts of last cards that are a sure lie."""

_LAST_SUSPECT_THRESHOLD = 21
"""The probability of truth below which other last cards are suspect."""

_LAST_SUSPECT_DOUBT_RATE = 22
"""The rate of doubts of suspect last cards."""

_REPEAT_TRUST = 23
"""The factor on the belief in a rank for each time it was claimed over the same middle."""

PRIOR = 24
"""The prior probability of the policy among unknown players."""

PARAM_COUNT = 25

_SHARE_STEPS = 32
_OWN_COUNT_PROBABILITIES = (0.304, 0.439, 0.213, 0.041, 0.003)
"""The probability to hold 0 to 4 cards of a rank among 13 cards."""


def _binomial_tail(count: int, cards: int, chance: float) -> float:
    """The probability that at least `count` of some cards are in a hand."""
    exactly = [1.0] + [0.0] * cards
    for number in range(1, cards + 1):
        for there in range(number, 0, -1):
            exactly[there] += chance * (exactly[there - 1] - exactly[there])
        exactly[0] *= 1 - chance
    return sum(exactly[count:])


def _truth_table() -> NDArray[np.float64]:
    """The probability that a claim is true, by count, known cards of its rank, and a share.

    The share is the fraction of the unknown cards that are in the claimant's hand. The claimant is
    assumed to tell the truth whenever possible, and otherwise to lie with any rank.
    """
    table = np.zeros((CLAIM_SIZE + 1, SUITS + 1, _SHARE_STEPS + 1))
    for count in range(1, CLAIM_SIZE + 1):
        for step in range(1, _SHARE_STEPS + 1):
            chances = [
                _binomial_tail(count, SUITS - own, step / _SHARE_STEPS) for own in range(SUITS + 1)
            ]
            mean = sum(
                part * one for part, one in zip(_OWN_COUNT_PROBABILITIES, chances, strict=True)
            )
            unable = (1 - mean) ** RANKS
            for own, chance in enumerate(chances):
                honest = (1 - unable) * chance / (RANKS * mean)
                table[count, own, step] = honest / (honest + unable / RANKS) if honest else 0.0
    return table


_TRUTH_TABLE = _truth_table()


@kernel
def truth_probability(deal: Deal, seat: int, policy: PolicyParams) -> float:
    """The probability, for a seat, that the open claim is true; 0 for a lie it can disprove."""
    layer, rank, count = deal[CLAIMANT], deal[CLAIM_RANK], deal[CLAIM_COUNT]
    known = min(SUITS, count_of(deal[HANDS + seat] + deal[OWN_IN_MIDDLE + seat], rank))
    unknown = RANKS * SUITS - deal[HAND_SIZES + seat]
    step = (deal[HAND_SIZES + layer] + count) * _SHARE_STEPS // unknown
    chance = _TRUTH_TABLE[count, known, max(1, min(_SHARE_STEPS, step))]
    for _ in range(count_of(deal[RANKS_CLAIMED], rank)):
        chance *= policy[_REPEAT_TRUST]
    return chance


@kernel
def doubt_probability(deal: Deal, seat: int, policy: PolicyParams) -> float:
    """The probability that a seat doubts the open claim."""
    truth = truth_probability(deal, seat, policy)
    layer = deal[CLAIMANT]
    often = 0.0
    if deal[HAND_SIZES + layer] == 0 or deal[CLAIM_NUMBER] >= deal[CLAIM_LIMIT]:
        if truth <= 0.0:
            often = policy[_LAST_LIE_DOUBT_RATE]
        elif truth < policy[_LAST_SUSPECT_THRESHOLD]:
            often = policy[_LAST_SUSPECT_DOUBT_RATE]
    else:
        much = deal[MIDDLE_SIZE] + deal[CLAIM_COUNT] >= policy[_DOUBT_STAKE]
        if truth <= 0.0:
            often = policy[_LIE_DOUBT_RATE_HIGH] if much else policy[_LIE_DOUBT_RATE_LOW]
        elif much:
            often = policy[_SUSPECT_DOUBT_RATE] * _soft_threshold(truth, policy[_SUSPECT_THRESHOLD])
        if 2 * deal[CLAIMS_CAUGHT + layer] > deal[CLAIMS_MADE + layer]:
            often = max(often, _soft_threshold(truth, policy[_LIAR_THRESHOLD]))
    return policy[_NOISE] + (1 - 2 * policy[_NOISE]) * often


@kernel
def _soft_threshold(truth: float, mark: float) -> float:
    """The probability that a noisy estimate of the truth falls below a threshold."""
    return min(1.0, max(0.0, 1.5 - truth / mark)) if mark > 0 else 0.0


@kernel
def truth_rate(deal: Deal, count: int, policy: PolicyParams) -> float:
    """The rate of truthful claims at the current stake."""
    return (
        policy[_TRUTH_RATE_HIGH]
        if deal[MIDDLE_SIZE] + count >= policy[_TRUTH_STAKE]
        else policy[_TRUTH_RATE_LOW]
    )


@kernel
def lie_rank_weight(deal: Deal, rank: int, policy: PolicyParams) -> float:
    """The weight of a rank for a lie of the seat to act."""
    layer = deal[CLAIMANT]
    known = count_of(deal[HANDS + layer] + deal[OWN_IN_MIDDLE + layer], rank)
    weight = policy[_LIE_WEIGHTS + min(SUITS, known)]
    for _ in range(count_of(deal[RANKS_CLAIMED], rank)):
        weight *= policy[_REPEAT_DISCOUNT]
    return weight


@kernel
def _ranks_exactly(hand: int, count: int) -> int:
    """The ranks of which a hand has exactly `count` cards, as one card of each."""
    if count == 0:
        return ONE_OF_EACH & ~ranks_held(hand)
    if count == 1:
        return hand & ~(hand >> 1) & ONE_OF_EACH
    if count == 2:
        return hand >> 1 & ~hand & ONE_OF_EACH
    if count == CLAIM_SIZE:
        return hand & hand >> 1 & ONE_OF_EACH
    return hand >> 2 & ONE_OF_EACH


@kernel
def lie_rank_weight_sum(deal: Deal, policy: PolicyParams) -> float:
    """The sum of the weights of all ranks."""
    layer = deal[CLAIMANT]
    known = deal[HANDS + layer] + deal[OWN_IN_MIDDLE + layer]
    fresh = ONE_OF_EACH & ~ranks_held(deal[RANKS_CLAIMED])
    weight = 0.0
    for count in range(SUITS + 1):
        weight += policy[_LIE_WEIGHTS + count] * (_ranks_exactly(known, count) & fresh).bit_count()
    tired = ONE_OF_EACH & ~fresh
    while tired:
        weight += lie_rank_weight(deal, (tired.bit_length() - 1) // BITS_PER_RANK, policy)
        tired ^= 1 << tired.bit_length() - 1
    return weight


@kernel
def _sample_lie_rank(deal: Deal, policy: PolicyParams, chance: Stream) -> int:
    """Draws a rank for a lie of the seat to act."""
    layer = deal[CLAIMANT]
    known = deal[HANDS + layer] + deal[OWN_IN_MIDDLE + layer]
    fresh = ONE_OF_EACH & ~ranks_held(deal[RANKS_CLAIMED])
    at = uniform(chance) * lie_rank_weight_sum(deal, policy)
    for count in range(SUITS + 1):
        ranks = _ranks_exactly(known, count) & fresh
        at -= policy[_LIE_WEIGHTS + count] * ranks.bit_count()
        if at < 0:
            return pick_card(chance, ranks) // BITS_PER_RANK
    tired = ONE_OF_EACH & ~fresh
    rank = 0
    while tired:
        rank = (tired.bit_length() - 1) // BITS_PER_RANK
        at -= lie_rank_weight(deal, rank, policy)
        if at < 0:
            break
        tired ^= 1 << BITS_PER_RANK * rank
    return rank


@kernel
def sample_discard_rank(hand: int, policy: PolicyParams, chance: Stream) -> int:
    """Draws the rank of a card to discard, from a hand that is not empty."""
    weight = 0.0
    for count in range(1, SUITS + 1):
        weight += policy[_DISCARD_WEIGHTS + count - 1] * _ranks_exactly(hand, count).bit_count()
    at = uniform(chance) * weight
    for count in range(1, SUITS + 1):
        ranks = _ranks_exactly(hand, count)
        at -= policy[_DISCARD_WEIGHTS + count - 1] * ranks.bit_count()
        if at < 0:
            return pick_card(chance, ranks) // BITS_PER_RANK
    return pick_card(chance, ranks_held(hand)) // BITS_PER_RANK


@kernel
def _choose_claim(deal: Deal, policy: PolicyParams, chance: Stream) -> None:
    """Lays and claims for the seat to act, by its policy."""
    layer = deal[CLAIMANT]
    hand = deal[HANDS + layer]
    count = cards_due(deal, layer)
    able = ranks_with_min_count(hand, count)
    if able and uniform(chance) < truth_rate(deal, count, policy):
        rank = pick_card(chance, able) // BITS_PER_RANK
        for place in range(count):
            deal[OPEN_CARDS + place] = rank
        lay(deal, rank, count)
        return
    claimed = _sample_lie_rank(deal, policy, chance)
    for place in range(count):
        rank = sample_discard_rank(hand, policy, chance)
        hand -= 1 << BITS_PER_RANK * rank
        deal[OPEN_CARDS + place] = rank
    lay(deal, claimed, count)


@kernel
def choose_answers(deal: Deal, seat: int, config: PolicyTable, chance: Stream) -> None:
    """Answers for this seat and those after it, by their policies."""
    while seat != deal[CLAIMANT]:
        if uniform(chance) < doubt_probability(deal, seat, config[deal[POLICIES + seat]]):
            doubt(deal, seat)
            return
        seat = (seat + 1) % deal[PLAYERS]
    accept(deal)


@kernel
def play_out(deal: Deal, config: PolicyTable, horizon: int, chance: Stream) -> None:
    """Plays on from a seat that has to lay, for `horizon` claims or to the end of the deal."""
    for _ in range(horizon):
        if deal[OVER]:
            return
        _choose_claim(deal, config[deal[POLICIES + deal[CLAIMANT]]], chance)
        choose_answers(deal, (deal[CLAIMANT] + 1) % deal[PLAYERS], config, chance)

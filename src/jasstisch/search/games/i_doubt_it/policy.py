"""Ways of playing I Doubt It, as figures: quick enough to play deals out by the thousand.

A way of playing is a row of chances and weights. The same row says what a player of that kind does
and how likely it was that he did what he did; so it serves both to play a deal out and to judge,
from what was claimed and who passed, what the others may hold and how they play. Nobody looks at
more than his own seat would let him.
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
    rank_mask,
    ranks_at_least,
)
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.jit.prng import Stream, pick_card, uniform

__all__ = [
    "PARAM_COUNT",
    "PRIOR",
    "PolicyParams",
    "PolicyTable",
    "choose_answers",
    "doubt_probability",
    "lie_weight",
    "lie_weight_sum",
    "play_out",
    "sample_discard_rank",
    "truth_probability",
    "truth_rate",
]

PolicyParams = NDArray[np.float64]
"""A way of playing: `FIGURES` figures at the places named below."""

PolicyTable = NDArray[np.float64]
"""Ways of playing, one a row."""

TRUTH_RATE_LOW = 0
"""How often who can tell the truth does so while there is little to lose,"""

TRUTH_RATE_HIGH = 1
"""how often when there is more,"""

TRUTH_STAKE = 2
"""and from how many cards on, those of the claim counted, there is more."""

LIE_WEIGHTS = 3
"""From here on: the weight of a rank for a lie, by the cards of it the liar knows, 0 to 4."""

REPEAT_DISCOUNT = 8
"""How much less weight a rank has each time it has been claimed over the same middle."""

DISCARD_WEIGHTS = 9
"""From here on: the weight of a rank to part with in a lie, by the cards held of it, 1 to 4."""

NOISE = 13
"""How often an answer is given for no reason."""

LIE_DOUBT_RATE_LOW = 14
"""How often a sure lie is doubted while there is little to take,"""

LIE_DOUBT_RATE_HIGH = 15
"""how often when there is more,"""

DOUBT_STAKE = 16
"""and from how many cards on there is more."""

SUSPECT_THRESHOLD = 17
"""A claim less likely true than this is doubted when there is enough to take,"""

SUSPECT_DOUBT_RATE = 18
"""so often."""

LIAR_THRESHOLD = 19
"""Below what chance to be true a claim of who was caught in most of his is doubted at once."""

LAST_LIE_DOUBT_RATE = 20
"""How often last cards that are a sure lie are doubted,"""

LAST_SUSPECT_THRESHOLD = 21
"""below what chance to be true others are,"""

LAST_SUSPECT_DOUBT_RATE = 22
"""and how often."""

REPEAT_TRUST = 23
"""How much less a rank is believed each time it has been claimed over the same middle."""

PRIOR = 24
"""How common the way is among players one does not know yet."""

PARAM_COUNT = 25

SHARE_STEPS = 32
OWN_COUNT_PROBABILITIES = (0.304, 0.439, 0.213, 0.041, 0.003)
"""How often one holds so many of a rank, 0 to 4, among 13 cards of one's own."""


def _binomial_tail(count: int, cards: int, chance: float) -> float:
    """The chance that at least so many of some cards are in a hand."""
    exactly = [1.0] + [0.0] * cards
    for number in range(1, cards + 1):
        for there in range(number, 0, -1):
            exactly[there] += chance * (exactly[there - 1] - exactly[there])
        exactly[0] *= 1 - chance
    return sum(exactly[count:])


def _truth_table() -> NDArray[np.float64]:
    """How likely a claim is true, by its count, the cards of its rank one knows, and a share.

    The share is that of the cards one does not know that are in the hand of who claims. He is
    taken to tell the truth whenever he can, and to lie with any rank.
    """
    table = np.zeros((CLAIM_SIZE + 1, SUITS + 1, SHARE_STEPS + 1))
    for count in range(1, CLAIM_SIZE + 1):
        for step in range(1, SHARE_STEPS + 1):
            chances = [
                _binomial_tail(count, SUITS - own, step / SHARE_STEPS) for own in range(SUITS + 1)
            ]
            mean = sum(
                part * one for part, one in zip(OWN_COUNT_PROBABILITIES, chances, strict=True)
            )
            unable = (1 - mean) ** RANKS
            for own, chance in enumerate(chances):
                honest = (1 - unable) * chance / (RANKS * mean)
                table[count, own, step] = honest / (honest + unable / RANKS) if honest else 0.0
    return table


TRUTH_TABLE = _truth_table()


@kernel
def truth_probability(deal: Deal, seat: int, way: PolicyParams) -> float:
    """How likely the open claim is true in the eyes of a seat; 0 for a lie it can disprove."""
    layer, rank, count = deal[CLAIMANT], deal[CLAIM_RANK], deal[CLAIM_COUNT]
    known = min(SUITS, count_of(deal[HANDS + seat] + deal[OWN_IN_MIDDLE + seat], rank))
    unknown = RANKS * SUITS - deal[HAND_SIZES + seat]
    step = (deal[HAND_SIZES + layer] + count) * SHARE_STEPS // unknown
    chance = TRUTH_TABLE[count, known, max(1, min(SHARE_STEPS, step))]
    for _ in range(count_of(deal[RANKS_CLAIMED], rank)):
        chance *= way[REPEAT_TRUST]
    return chance


@kernel
def doubt_probability(deal: Deal, seat: int, way: PolicyParams) -> float:
    """How likely a seat doubts the open claim."""
    truth = truth_probability(deal, seat, way)
    layer = deal[CLAIMANT]
    often = 0.0
    if deal[HAND_SIZES + layer] == 0 or deal[CLAIM_NUMBER] >= deal[CLAIM_LIMIT]:
        if truth <= 0.0:
            often = way[LAST_LIE_DOUBT_RATE]
        elif truth < way[LAST_SUSPECT_THRESHOLD]:
            often = way[LAST_SUSPECT_DOUBT_RATE]
    else:
        much = deal[MIDDLE_SIZE] + deal[CLAIM_COUNT] >= way[DOUBT_STAKE]
        if truth <= 0.0:
            often = way[LIE_DOUBT_RATE_HIGH] if much else way[LIE_DOUBT_RATE_LOW]
        elif much:
            often = way[SUSPECT_DOUBT_RATE] * soft_threshold(truth, way[SUSPECT_THRESHOLD])
        if 2 * deal[CLAIMS_CAUGHT + layer] > deal[CLAIMS_MADE + layer]:
            often = max(often, soft_threshold(truth, way[LIAR_THRESHOLD]))
    return way[NOISE] + (1 - 2 * way[NOISE]) * often


@kernel
def soft_threshold(truth: float, mark: float) -> float:
    """How likely who reckons a little otherwise finds this below his mark."""
    return min(1.0, max(0.0, 1.5 - truth / mark)) if mark > 0 else 0.0


@kernel
def truth_rate(deal: Deal, count: int, way: PolicyParams) -> float:
    """How often who can tell the truth does so now."""
    return (
        way[TRUTH_RATE_HIGH]
        if deal[MIDDLE_SIZE] + count >= way[TRUTH_STAKE]
        else way[TRUTH_RATE_LOW]
    )


@kernel
def lie_weight(deal: Deal, rank: int, way: PolicyParams) -> float:
    """The weight of a rank for a lie of whose turn it is."""
    layer = deal[CLAIMANT]
    known = count_of(deal[HANDS + layer] + deal[OWN_IN_MIDDLE + layer], rank)
    weight = way[LIE_WEIGHTS + min(SUITS, known)]
    for _ in range(count_of(deal[RANKS_CLAIMED], rank)):
        weight *= way[REPEAT_DISCOUNT]
    return weight


@kernel
def ranks_exactly(hand: int, count: int) -> int:
    """One card of each rank of which a hand has just so many."""
    if count == 0:
        return ONE_OF_EACH & ~rank_mask(hand)
    if count == 1:
        return hand & ~(hand >> 1) & ONE_OF_EACH
    if count == 2:
        return hand >> 1 & ~hand & ONE_OF_EACH
    if count == CLAIM_SIZE:
        return hand & hand >> 1 & ONE_OF_EACH
    return hand >> 2 & ONE_OF_EACH


@kernel
def lie_weight_sum(deal: Deal, way: PolicyParams) -> float:
    """The weights of all ranks together."""
    layer = deal[CLAIMANT]
    known = deal[HANDS + layer] + deal[OWN_IN_MIDDLE + layer]
    fresh = ONE_OF_EACH & ~rank_mask(deal[RANKS_CLAIMED])
    weight = 0.0
    for count in range(SUITS + 1):
        weight += way[LIE_WEIGHTS + count] * (ranks_exactly(known, count) & fresh).bit_count()
    tired = ONE_OF_EACH & ~fresh
    while tired:
        weight += lie_weight(deal, (tired.bit_length() - 1) // BITS_PER_RANK, way)
        tired ^= 1 << tired.bit_length() - 1
    return weight


@kernel
def sample_lie_rank(deal: Deal, way: PolicyParams, chance: Stream) -> int:
    """A rank for a lie of whose turn it is."""
    layer = deal[CLAIMANT]
    known = deal[HANDS + layer] + deal[OWN_IN_MIDDLE + layer]
    fresh = ONE_OF_EACH & ~rank_mask(deal[RANKS_CLAIMED])
    at = uniform(chance) * lie_weight_sum(deal, way)
    for count in range(SUITS + 1):
        ranks = ranks_exactly(known, count) & fresh
        at -= way[LIE_WEIGHTS + count] * ranks.bit_count()
        if at < 0:
            return pick_card(chance, ranks) // BITS_PER_RANK
    tired = ONE_OF_EACH & ~fresh
    rank = 0
    while tired:
        rank = (tired.bit_length() - 1) // BITS_PER_RANK
        at -= lie_weight(deal, rank, way)
        if at < 0:
            break
        tired ^= 1 << BITS_PER_RANK * rank
    return rank


@kernel
def sample_discard_rank(hand: int, way: PolicyParams, chance: Stream) -> int:
    """The rank of a card to be rid of, from a hand that is not empty."""
    weight = 0.0
    for count in range(1, SUITS + 1):
        weight += way[DISCARD_WEIGHTS + count - 1] * ranks_exactly(hand, count).bit_count()
    at = uniform(chance) * weight
    for count in range(1, SUITS + 1):
        ranks = ranks_exactly(hand, count)
        at -= way[DISCARD_WEIGHTS + count - 1] * ranks.bit_count()
        if at < 0:
            return pick_card(chance, ranks) // BITS_PER_RANK
    return pick_card(chance, rank_mask(hand)) // BITS_PER_RANK


@kernel
def choose_claim(deal: Deal, way: PolicyParams, chance: Stream) -> None:
    """Whose turn it is lays and claims in his way."""
    layer = deal[CLAIMANT]
    hand = deal[HANDS + layer]
    count = cards_due(deal, layer)
    able = ranks_at_least(hand, count)
    if able and uniform(chance) < truth_rate(deal, count, way):
        rank = pick_card(chance, able) // BITS_PER_RANK
        for place in range(count):
            deal[OPEN_CARDS + place] = rank
        lay(deal, rank, count)
        return
    claimed = sample_lie_rank(deal, way, chance)
    for place in range(count):
        rank = sample_discard_rank(hand, way, chance)
        hand -= 1 << BITS_PER_RANK * rank
        deal[OPEN_CARDS + place] = rank
    lay(deal, claimed, count)


@kernel
def choose_answers(deal: Deal, seat: int, ways: PolicyTable, chance: Stream) -> None:
    """The answers of this seat and of those after it."""
    while seat != deal[CLAIMANT]:
        if uniform(chance) < doubt_probability(deal, seat, ways[deal[POLICIES + seat]]):
            doubt(deal, seat)
            return
        seat = (seat + 1) % deal[PLAYERS]
    accept(deal)


@kernel
def play_out(deal: Deal, ways: PolicyTable, horizon: int, chance: Stream) -> None:
    """Plays on from where somebody has to lay, for so many claims or to the end."""
    for _ in range(horizon):
        if deal[OVER]:
            return
        choose_claim(deal, ways[deal[POLICIES + deal[CLAIMANT]]], chance)
        choose_answers(deal, (deal[CLAIMANT] + 1) % deal[PLAYERS], ways, chance)

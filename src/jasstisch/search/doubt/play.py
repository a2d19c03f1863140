"""Ways of playing I Doubt It, as figures: quick enough to play deals out by the thousand.

A way of playing is a row of chances and weights. The same row says what a player of that kind does
and how likely it was that he did what he did; so it serves both to play a deal out and to judge,
from what was claimed and who passed, what the others may hold and how they play. Nobody looks at
more than his own seat would let him.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.chance import Stream, member, part
from jasstisch.search.compiled import kernel
from jasstisch.search.doubt.deal import (
    BITS,
    BURIED,
    CAUGHT,
    CLAIMED,
    CLAIMS,
    COUNT,
    HANDS,
    LAYER,
    LIMIT,
    MADE,
    MIDDLE,
    ONES,
    OPEN,
    OVER,
    PLAYERS,
    RANK,
    RANKS,
    SIZES,
    SUITS,
    THREE,
    WAYS,
    Deal,
    accept,
    doubt,
    due,
    enough,
    held,
    lay,
    one_of,
)

__all__ = [
    "COMMON",
    "FIGURES",
    "Way",
    "Ways",
    "answer_out",
    "claim_weight",
    "claim_weights",
    "doubt_chance",
    "play_out",
    "rank_to_part_with",
    "truth_chance",
    "truth_told",
]

Way = NDArray[np.float64]
"""A way of playing: `FIGURES` figures at the places named below."""

Ways = NDArray[np.float64]
"""Ways of playing, one a row."""

TRUTH_LOW = 0
"""How often who can tell the truth does so while there is little to lose,"""

TRUTH_HIGH = 1
"""how often when there is more,"""

TRUTH_STAKE = 2
"""and from how many cards on, those of the claim counted, there is more."""

LIES = 3
"""From here on: the weight of a rank for a lie, by the cards of it the liar knows, 0 to 4."""

TIRED = 8
"""How much less weight a rank has each time it has been claimed over the same middle."""

PARTS = 9
"""From here on: the weight of a rank to part with in a lie, by the cards held of it, 1 to 4."""

FLOOR = 13
"""How often an answer is given for no reason."""

SURE_LOW = 14
"""How often a sure lie is doubted while there is little to take,"""

SURE_HIGH = 15
"""how often when there is more,"""

STAKE = 16
"""and from how many cards on there is more."""

SUSPECT = 17
"""A claim less likely true than this is doubted when there is enough to take,"""

SUSPECT_OFTEN = 18
"""so often."""

LIAR = 19
"""Below what chance to be true a claim of who was caught in most of his is doubted at once."""

LAST_SURE = 20
"""How often last cards that are a sure lie are doubted,"""

LAST_SUSPECT = 21
"""below what chance to be true others are,"""

LAST_OFTEN = 22
"""and how often."""

REPEATED = 23
"""How much less a rank is believed each time it has been claimed over the same middle."""

COMMON = 24
"""How common the way is among players one does not know yet."""

FIGURES = 25

STEPS = 32
OWN_SHARE = (0.304, 0.439, 0.213, 0.041, 0.003)
"""How often one holds so many of a rank, 0 to 4, among 13 cards of one's own."""


def _at_least(count: int, cards: int, chance: float) -> float:
    """The chance that at least so many of some cards are in a hand."""
    exactly = [1.0] + [0.0] * cards
    for number in range(1, cards + 1):
        for there in range(number, 0, -1):
            exactly[there] += chance * (exactly[there - 1] - exactly[there])
        exactly[0] *= 1 - chance
    return sum(exactly[count:])


def _believed() -> NDArray[np.float64]:
    """How likely a claim is true, by its count, the cards of its rank one knows, and a share.

    The share is that of the cards one does not know that are in the hand of who claims. He is
    taken to tell the truth whenever he can, and to lie with any rank.
    """
    table = np.zeros((THREE + 1, SUITS + 1, STEPS + 1))
    for count in range(1, THREE + 1):
        for step in range(1, STEPS + 1):
            chances = [_at_least(count, SUITS - own, step / STEPS) for own in range(SUITS + 1)]
            mean = sum(part * one for part, one in zip(OWN_SHARE, chances, strict=True))
            unable = (1 - mean) ** RANKS
            for own, chance in enumerate(chances):
                honest = (1 - unable) * chance / (RANKS * mean)
                table[count, own, step] = honest / (honest + unable / RANKS) if honest else 0.0
    return table


BELIEVED = _believed()


@kernel
def truth_chance(deal: Deal, seat: int, way: Way) -> float:
    """How likely the open claim is true in the eyes of a seat; 0 for a lie it can disprove."""
    layer, rank, count = deal[LAYER], deal[RANK], deal[COUNT]
    known = min(SUITS, held(deal[HANDS + seat] + deal[BURIED + seat], rank))
    unknown = RANKS * SUITS - deal[SIZES + seat]
    step = (deal[SIZES + layer] + count) * STEPS // unknown
    chance = BELIEVED[count, known, max(1, min(STEPS, step))]
    for _ in range(held(deal[CLAIMED], rank)):
        chance *= way[REPEATED]
    return chance


@kernel
def doubt_chance(deal: Deal, seat: int, way: Way) -> float:
    """How likely a seat doubts the open claim."""
    truth = truth_chance(deal, seat, way)
    layer = deal[LAYER]
    often = 0.0
    if deal[SIZES + layer] == 0 or deal[CLAIMS] >= deal[LIMIT]:
        if truth <= 0.0:
            often = way[LAST_SURE]
        elif truth < way[LAST_SUSPECT]:
            often = way[LAST_OFTEN]
    else:
        much = deal[MIDDLE] + deal[COUNT] >= way[STAKE]
        if truth <= 0.0:
            often = way[SURE_HIGH] if much else way[SURE_LOW]
        elif much:
            often = way[SUSPECT_OFTEN] * near(truth, way[SUSPECT])
        if 2 * deal[CAUGHT + layer] > deal[MADE + layer]:
            often = max(often, near(truth, way[LIAR]))
    return way[FLOOR] + (1 - 2 * way[FLOOR]) * often


@kernel
def near(truth: float, mark: float) -> float:
    """How likely who reckons a little otherwise finds this below his mark."""
    return min(1.0, max(0.0, 1.5 - truth / mark)) if mark > 0 else 0.0


@kernel
def truth_told(deal: Deal, count: int, way: Way) -> float:
    """How often who can tell the truth does so now."""
    return way[TRUTH_HIGH] if deal[MIDDLE] + count >= way[TRUTH_STAKE] else way[TRUTH_LOW]


@kernel
def claim_weight(deal: Deal, rank: int, way: Way) -> float:
    """The weight of a rank for a lie of whose turn it is."""
    layer = deal[LAYER]
    known = held(deal[HANDS + layer] + deal[BURIED + layer], rank)
    weight = way[LIES + min(SUITS, known)]
    for _ in range(held(deal[CLAIMED], rank)):
        weight *= way[TIRED]
    return weight


@kernel
def with_count(hand: int, count: int) -> int:
    """One card of each rank of which a hand has just so many."""
    if count == 0:
        return ONES & ~one_of(hand)
    if count == 1:
        return hand & ~(hand >> 1) & ONES
    if count == 2:
        return hand >> 1 & ~hand & ONES
    if count == THREE:
        return hand & hand >> 1 & ONES
    return hand >> 2 & ONES


@kernel
def claim_weights(deal: Deal, way: Way) -> float:
    """The weights of all ranks together."""
    layer = deal[LAYER]
    known = deal[HANDS + layer] + deal[BURIED + layer]
    fresh = ONES & ~one_of(deal[CLAIMED])
    weight = 0.0
    for count in range(SUITS + 1):
        weight += way[LIES + count] * (with_count(known, count) & fresh).bit_count()
    tired = ONES & ~fresh
    while tired:
        weight += claim_weight(deal, (tired.bit_length() - 1) // BITS, way)
        tired ^= 1 << tired.bit_length() - 1
    return weight


@kernel
def rank_to_claim(deal: Deal, way: Way, chance: Stream) -> int:
    """A rank for a lie of whose turn it is."""
    layer = deal[LAYER]
    known = deal[HANDS + layer] + deal[BURIED + layer]
    fresh = ONES & ~one_of(deal[CLAIMED])
    at = part(chance) * claim_weights(deal, way)
    for count in range(SUITS + 1):
        ranks = with_count(known, count) & fresh
        at -= way[LIES + count] * ranks.bit_count()
        if at < 0:
            return member(chance, ranks) // BITS
    tired = ONES & ~fresh
    rank = 0
    while tired:
        rank = (tired.bit_length() - 1) // BITS
        at -= claim_weight(deal, rank, way)
        if at < 0:
            break
        tired ^= 1 << BITS * rank
    return rank


@kernel
def rank_to_part_with(hand: int, way: Way, chance: Stream) -> int:
    """The rank of a card to be rid of, from a hand that is not empty."""
    weight = 0.0
    for count in range(1, SUITS + 1):
        weight += way[PARTS + count - 1] * with_count(hand, count).bit_count()
    at = part(chance) * weight
    for count in range(1, SUITS + 1):
        ranks = with_count(hand, count)
        at -= way[PARTS + count - 1] * ranks.bit_count()
        if at < 0:
            return member(chance, ranks) // BITS
    return member(chance, one_of(hand)) // BITS


@kernel
def lay_out(deal: Deal, way: Way, chance: Stream) -> None:
    """Whose turn it is lays and claims in his way."""
    layer = deal[LAYER]
    hand = deal[HANDS + layer]
    count = due(deal, layer)
    able = enough(hand, count)
    if able and part(chance) < truth_told(deal, count, way):
        rank = member(chance, able) // BITS
        for place in range(count):
            deal[OPEN + place] = rank
        lay(deal, rank, count)
        return
    claimed = rank_to_claim(deal, way, chance)
    for place in range(count):
        rank = rank_to_part_with(hand, way, chance)
        hand -= 1 << BITS * rank
        deal[OPEN + place] = rank
    lay(deal, claimed, count)


@kernel
def answer_out(deal: Deal, seat: int, ways: Ways, chance: Stream) -> None:
    """The answers of this seat and of those after it."""
    while seat != deal[LAYER]:
        if part(chance) < doubt_chance(deal, seat, ways[deal[WAYS + seat]]):
            doubt(deal, seat)
            return
        seat = (seat + 1) % deal[PLAYERS]
    accept(deal)


@kernel
def play_out(deal: Deal, ways: Ways, horizon: int, chance: Stream) -> None:
    """Plays on from where somebody has to lay, for so many claims or to the end."""
    for _ in range(horizon):
        if deal[OVER]:
            return
        lay_out(deal, ways[deal[WAYS + deal[LAYER]]], chance)
        answer_out(deal, (deal[LAYER] + 1) % deal[PLAYERS], ways, chance)

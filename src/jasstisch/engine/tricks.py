"""The rules of a trick: the legal cards, the winning card and card points (C2, C3, C7 - C9).

Pure functions on ints, for the 36 cards of Jass: a card is `9 * suit + rank`, a set of cards an int
with bit `card` set, a missing suit or card -1. They use only ints, bools, loops and tuples, so that
the same functions run as plain Python and compiled by Numba.

A *ranking* decides how cards rank and what they count. Rankings 0 - 3 make that suit trump. At
`TOPS` and `BOTTOMS` there is no trump, and the highest or the lowest card of the suit led wins
(CT4). `PLAIN` stands for a trump that is not known yet and ranks like tops. Tables with a row for
each ranking end with the row of `PLAIN`, so that index -1 finds it. A trick has one ranking, and
the cards of a round are counted by one. The two are the same in most contracts, but differ where
tops and bottoms alternate.
"""

RANKS = 9
CARDS = 36
WHOLE_PACK = (1 << CARDS) - 1
LAST_TRICK = 5
"""Points for the last trick (C3)."""

ALL_POINTS = 157
"""The points of a round with a trump, the last trick included (C3)."""

PLAIN, TOPS, BOTTOMS = -1, 4, 5
"""The rankings without a trump: the trump is not known yet, or there is none (CT4)."""

RANKINGS = (0, 1, 2, 3, TOPS, BOTTOMS, PLAIN)
"""All rankings, in the order of the rows of the tables."""

SUIT_CARDS = tuple(0b111111111 << RANKS * suit for suit in range(4))
"""The cards of each suit."""

TRUMP_CARDS = tuple(SUIT_CARDS[row] if 0 <= row < 4 else 0 for row in RANKINGS)
"""For each ranking the set of the trumps."""

BURS = tuple(1 << RANKS * row + 5 if 0 <= row < 4 else 0 for row in RANKINGS)
"""For each ranking the Bur, as a set of one card."""

EIGHTS = sum(1 << RANKS * suit + 2 for suit in range(4))

#                6  7  8  9   T   J  Q  K   A
PLAIN_POINTS = (0, 0, 0, 0, 10, 2, 3, 4, 11)
TRUMP_POINTS = (0, 0, 0, 14, 10, 20, 3, 4, 11)
TOPS_POINTS = (0, 0, 8, 0, 10, 2, 3, 4, 11)
BOTTOMS_POINTS = (11, 0, 8, 0, 10, 2, 3, 4, 0)
_PLAIN_ORDER = (0, 1, 2, 3, 4, 5, 6, 7, 8)
_TRUMP_ORDER = (0, 1, 2, 7, 3, 8, 4, 5, 6)
_BOTTOMS_ORDER = (8, 7, 6, 5, 4, 3, 2, 1, 0)


def _rows(
    plain: tuple[int, ...], trump: tuple[int, ...], tops: tuple[int, ...], bottoms: tuple[int, ...]
) -> tuple[int, ...]:
    """One row of 36 for each ranking, from `PLAIN` on: entry `36 * (ranking + 1) + card`."""
    without_trump = {TOPS: tops, BOTTOMS: bottoms}
    return tuple(
        (trump if suit == ranking else without_trump.get(ranking, plain))[rank]
        for ranking in range(PLAIN, BOTTOMS + 1)
        for suit in range(4)
        for rank in range(RANKS)
    )


POINTS = _rows(PLAIN_POINTS, TRUMP_POINTS, TOPS_POINTS, BOTTOMS_POINTS)
ORDER = _rows(_PLAIN_ORDER, _TRUMP_ORDER, _PLAIN_ORDER, _BOTTOMS_ORDER)

BEATERS = tuple(
    sum(
        1 << card
        for card in range(CARDS)
        if (
            ORDER[row + card] > ORDER[row + best]
            if card // RANKS == best // RANKS
            else card // RANKS == row // CARDS - 1
        )
    )
    for row in range(0, len(ORDER), CARDS)
    for best in range(CARDS)
)
"""For each ranking and card, as in `_rows`, the set of the cards that beat it (C7, CT4)."""

HIGHER_TRUMPS = tuple(
    sum(
        1 << RANKS * suit + other
        for other in range(RANKS)
        if _TRUMP_ORDER[other] > _TRUMP_ORDER[rank]
    )
    for suit in range(4)
    for rank in range(RANKS)
)
"""For each card, as a trump, the set of the higher trumps."""

FREE, IF_VOID, STRICT, FORCED, LITERAL = range(5)
"""The five readings of undertrumping (C9), as the argument `undertrump` of `legal_cards`."""


def legal_cards(hand: int, led: int, ranking: int, top: int, undertrump: int) -> int:
    """The cards of a hand that may be played to a trick (C8, C9, CT4).

    Args:
        hand: the cards held, not empty.
        led: suit led, -1 when leading.
        ranking: the ranking of the trick.
        top: highest trump in a trick led in a plain suit, -1 while it holds none.
        undertrump: one of `FREE`, `IF_VOID`, `STRICT`, `FORCED`, `LITERAL`.

    Returns:
        A set of cards, never empty and within the hand.
    """
    if led < 0:  # C8a
        return hand
    follow = hand & SUIT_CARDS[led]
    trumps = TRUMP_CARDS[ranking]
    if not trumps:  # C8b, CT4
        return follow or hand
    trumps &= hand
    higher = trumps if top < 0 or undertrump == FREE else trumps & HIGHER_TRUMPS[top]
    # A player who holds the suit led follows or trumps. Only the Bur may be held back (C8c, C8d).
    cards = follow | higher if follow & ~BURS[ranking] else hand
    if undertrump <= IF_VOID or follow or led == ranking or top < 0:  # C8e
        return cards
    if undertrump == LITERAL:  # C9 from here on
        if higher:
            return hand if higher == BURS[ranking] else higher
        return trumps or hand
    if trumps != hand:
        return hand & ~trumps | higher
    return higher if undertrump == FORCED and higher else hand


def trump_after(card: int, led: int, ranking: int) -> int:
    """The ranking once `card` is played, where the first discard makes trump (MV2).

    `led` is the suit led (-1: the card is the lead), `ranking` that before the card.
    """
    if ranking >= 0 or led < 0 or card // RANKS == led:
        return ranking
    return card // RANKS


def beats(card: int, best: int, ranking: int) -> bool:
    """Whether a card takes the trick from the best card so far (C7, CT4).

    `best` is of the suit led or a trump, as the best card of a trick always is.
    """
    return BEATERS[CARDS * (ranking + 1) + best] >> card & 1 != 0


def best_card_after(card: int, best: int, top: int, ranking: int) -> tuple[int, int]:
    """The best card and the highest trump of a trick after one more card (C7).

    Args:
        card: the card played.
        best: the best card before it, -1 when it is the lead.
        top: the highest trump before it where a plain suit was led, -1 without any.
        ranking: the ranking of the trick.
    """
    if best < 0:
        return card, -1
    if BEATERS[CARDS * (ranking + 1) + best] >> card & 1:
        return card, card if card // RANKS == ranking else -1
    return best, top


def card_points(card: int, ranking: int) -> int:
    """The points of one card by this ranking (C3, CT5)."""
    return POINTS[CARDS * (ranking + 1) + card]


def points(cards: int, ranking: int) -> int:
    """The points of a set of cards by this ranking, without the last trick (C3, CT5)."""
    row = CARDS * (ranking + 1) - 1
    total = 0
    while cards:
        lowest = cards & -cards
        total += POINTS[row + lowest.bit_length()]
        cards ^= lowest
    return total

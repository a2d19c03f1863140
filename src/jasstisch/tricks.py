"""What may be played to a trick, which card wins it, and what cards are worth (C2, C3, C7 - C9).

Pure functions on ints, for the 36 cards of Jass: a card is `9 * suit + rank`, a set of cards an int
with bit `card` set, a missing suit or card -1. They use only ints, bools, loops and tuples, so that
the very same functions run as plain Python and compiled by Numba.

How cards rank and what they count is looked up in tables with one row for each *trump*: -1 none,
0 - 3 a suit. A contract that ranks cards otherwise (tops down, bottoms up) is one more row, and
`SUIT_CARDS` then has an empty set as its trumps.
"""

__all__ = [
    "ALL_POINTS",
    "BURS",
    "EIGHTS",
    "FORCED",
    "FREE",
    "HIGHER_TRUMPS",
    "IF_VOID",
    "LAST_TRICK",
    "LITERAL",
    "RANKS",
    "STRICT",
    "SUIT_CARDS",
    "WHOLE_PACK",
    "beats",
    "card_points",
    "legal_cards",
    "points",
    "trump_after",
]

RANKS = 9
CARDS = 36
WHOLE_PACK = (1 << CARDS) - 1
LAST_TRICK = 5
"""Points for the last trick (C3)."""

ALL_POINTS = 157
"""The points of a round with a trump, the last trick included (C3)."""

SUIT_CARDS = tuple(0b111111111 << RANKS * suit for suit in range(4))
BURS = tuple(1 << RANKS * suit + 5 for suit in range(4))
"""The Bur of each suit, as a set of one card."""

EIGHTS = sum(1 << RANKS * suit + 2 for suit in range(4))

#                6  7  8   9   T   J  Q  K   A
PLAIN_POINTS = (0, 0, 0, 0, 10, 2, 3, 4, 11)
TRUMP_POINTS = (0, 0, 0, 14, 10, 20, 3, 4, 11)
PLAIN_ORDER = (0, 1, 2, 3, 4, 5, 6, 7, 8)
TRUMP_ORDER = (0, 1, 2, 7, 3, 8, 4, 5, 6)


def _rows(plain: tuple[int, ...], trump: tuple[int, ...]) -> tuple[int, ...]:
    """One row of 36 for each trump -1, 0 … 3, end to end: entry `36 * (trump + 1) + card`."""
    return tuple(
        (trump if suit == row else plain)[rank]
        for row in range(-1, 4)
        for suit in range(4)
        for rank in range(RANKS)
    )


POINTS = _rows(PLAIN_POINTS, TRUMP_POINTS)
ORDER = _rows(PLAIN_ORDER, TRUMP_ORDER)

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
    for row in range(0, 5 * CARDS, CARDS)
    for best in range(CARDS)
)
"""For each trump -1, 0 … 3 and each card, as `_rows`, the set of the cards that take it (C7)."""

HIGHER_TRUMPS = tuple(
    sum(
        1 << RANKS * suit + other
        for other in range(RANKS)
        if TRUMP_ORDER[other] > TRUMP_ORDER[rank]
    )
    for suit in range(4)
    for rank in range(RANKS)
)
"""For each card, taken as a trump, the set of the trumps above it."""

FREE, IF_VOID, STRICT, FORCED, LITERAL = range(5)
"""The five readings of undertrumping (C9), as the argument `undertrump` of `legal_cards`."""


def legal_cards(hand: int, led: int, trump: int, top: int, undertrump: int) -> int:
    """The cards of a hand that may be played to a trick (C8, C9).

    Args:
        hand: the cards held, not empty.
        led: suit led, -1 when leading.
        trump: trump suit, -1 while none is known.
        top: highest trump in a trick led in a plain suit, -1 while it holds none.
        undertrump: one of `FREE`, `IF_VOID`, `STRICT`, `FORCED`, `LITERAL`.

    Returns:
        A set of cards, never empty and within the hand.
    """
    if led < 0:  # C8a
        return hand
    follow = hand & SUIT_CARDS[led]
    if trump < 0:  # C8b
        return follow or hand
    trumps = hand & SUIT_CARDS[trump]
    higher = trumps if top < 0 or undertrump == FREE else trumps & HIGHER_TRUMPS[top]
    # Who holds the suit led follows or trumps; of trumps the Bur alone need not follow (C8c, C8d).
    cards = follow | higher if follow & ~BURS[trump] else hand
    if undertrump <= IF_VOID or follow or led == trump or top < 0:  # C8e
        return cards
    if undertrump == LITERAL:  # C9 from here on
        if higher:
            return hand if higher == BURS[trump] else higher
        return trumps or hand
    if trumps != hand:
        return hand & ~trumps | higher
    return higher if undertrump == FORCED and higher else hand


def trump_after(card: int, led: int, trump: int) -> int:
    """The trump suit once `card` is played, where the first discard makes trump (MV2).

    `led` is the suit led (-1: the card is the lead), `trump` the trump before the card.
    """
    if trump >= 0 or led < 0 or card // RANKS == led:
        return trump
    return card // RANKS


def beats(card: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the best card so far (C7).

    `best` is of the suit led or a trump, as the best card of a trick always is.
    """
    return BEATERS[CARDS * (trump + 1) + best] >> card & 1 != 0


def card_points(card: int, trump: int) -> int:
    """What one card counts under this trump (C3)."""
    return POINTS[CARDS * (trump + 1) + card]


def points(cards: int, trump: int) -> int:
    """What a set of cards counts under this trump, without the last trick (C3)."""
    row = CARDS * (trump + 1) - 1
    total = 0
    while cards:
        lowest = cards & -cards
        total += POINTS[row + lowest.bit_length()]
        cards ^= lowest
    return total

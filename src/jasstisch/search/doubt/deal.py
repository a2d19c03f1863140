"""A deal of I Doubt It as an array of whole numbers, to be played out by the thousand.

Suits matter to nobody in this game, so a hand is a count for each rank, packed into one number. The
rules are those of `games/i_doubt_it.py`, whose texts and sets of cards no kernel can use; a test
plays random deals by both and holds them equal after every action.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import kernel

__all__ = [
    "BITS",
    "BURIED",
    "CAUGHT",
    "CLAIMED",
    "CLAIMS",
    "COUNT",
    "FEE",
    "FEES",
    "HANDS",
    "LAST_ANY",
    "LAYER",
    "LIMIT",
    "MADE",
    "MIDDLE",
    "MOST_PLAYERS",
    "NOBODY",
    "ONES",
    "OPEN",
    "OVER",
    "OWNER",
    "PILE",
    "PLAYERS",
    "RANK",
    "RANKS",
    "SIZES",
    "SUITS",
    "THREE",
    "VIEWER",
    "WAYS",
    "WIDTH",
    "Deal",
    "accept",
    "begin",
    "doubt",
    "due",
    "enough",
    "held",
    "is_true",
    "lay",
    "one_of",
]

Deal = NDArray[np.int64]
"""One deal: `WIDTH` numbers, at the places named below."""

RANKS = 13
SUITS = 4
THREE = 3
MOST_PLAYERS = 8

BITS = 3
"""The bits of a hand that count the cards of one rank; the lowest rank has the lowest."""

MOST = (1 << BITS) - 1
"""The highest count they hold."""

ONES = sum(1 << BITS * rank for rank in range(RANKS))
"""A hand of one card of each rank."""

HANDS = 0
"""From here on: the hand of each seat."""

SIZES = 8
"""The number of cards in it."""

BURIED = 16
"""The cards now in the middle that each seat has laid there itself, as a hand."""

FEES = 24
"""The chips each seat has won less lost in this deal; all of them when it is over."""

WAYS = 32
"""How each seat plays: a row of the ways of playing."""

MADE = 40
"""The claims each seat has made,"""

CAUGHT = 48
"""and how many of them were turned up false."""

OPEN = 56
"""From here on: the ranks of the cards of the open claim, the last on top."""

COUNT = 59
"""How many these are."""

RANK = 60
"""The rank claimed."""

LAYER = 61
"""Whose turn it is."""

CLAIMS = 62
"""The claims made so far."""

LIMIT = 63
"""The claim after which the deal ends (ID8)."""

PLAYERS = 64

LAST_ANY = 65
"""1 with `last="any"` (ID5)."""

FEE = 66
"""What a caught liar pays (ID9)."""

VIEWER = 67
"""The seat in whose eyes the deal may be so."""

CLAIMED = 68
"""How often each rank has been claimed over the cards now in the middle, as a hand."""

OVER = 69
"""1 when the deal is over."""

MIDDLE = 70
"""The number of cards in the middle, those of the open claim not counted."""

PILE = 71
"""From here on: these cards, the top one last: `OWNER` times who laid it there, and its rank."""

OWNER = 16
NOBODY = MOST_PLAYERS
"""Who has laid the cards that were left over by the deal (ID1)."""

WIDTH = PILE + RANKS * SUITS


@kernel
def held(hand: int, rank: int) -> int:
    """How many cards of a rank are in a hand."""
    return hand >> BITS * rank & MOST


@kernel
def one_of(hand: int) -> int:
    """One card of each rank that is in a hand."""
    return (hand | hand >> 1 | hand >> 2) & ONES


@kernel
def enough(hand: int, count: int) -> int:
    """One card of each rank of which a hand has at least so many, 1 to 3."""
    if count == 1:
        return one_of(hand)
    if count == 2:
        return (hand >> 1 | hand >> 2) & ONES
    return (hand & hand >> 1 | hand >> 2) & ONES


@kernel
def due(deal: Deal, seat: int) -> int:
    """How many cards a seat has to lay (ID2, ID5)."""
    return min(THREE, deal[SIZES + seat]) if deal[LAST_ANY] else THREE


@kernel
def begin(deal: Deal, seat: int) -> None:
    """The turn of this seat, or of the next that has or can draw enough cards (ID5)."""
    while due(deal, seat) - deal[SIZES + seat] > deal[MIDDLE]:
        seat = (seat + 1) % deal[PLAYERS]
    deal[LAYER] = seat
    while deal[SIZES + seat] < due(deal, seat):
        deal[MIDDLE] -= 1
        card = deal[PILE + deal[MIDDLE]]
        one = 1 << BITS * (card % OWNER)
        if card // OWNER != NOBODY:
            deal[BURIED + card // OWNER] -= one
        deal[HANDS + seat] += one
        deal[SIZES + seat] += 1


@kernel
def lay(deal: Deal, rank: int, count: int) -> None:
    """Lays the cards written at `OPEN` and claims this rank (ID2)."""
    seat = deal[LAYER]
    for place in range(count):
        deal[HANDS + seat] -= 1 << BITS * deal[OPEN + place]
    deal[SIZES + seat] -= count
    deal[COUNT] = count
    deal[RANK] = rank
    deal[CLAIMS] += 1
    deal[MADE + seat] += 1


@kernel
def is_true(deal: Deal) -> bool:
    """Whether the open claim is true (ID3)."""
    others = 0
    for place in range(deal[COUNT]):
        others += deal[OPEN + place] != deal[RANK]
    return others == 0


@kernel
def accept(deal: Deal) -> None:
    """Nobody has doubted: the cards of the claim stay on the middle (ID4)."""
    layer = deal[LAYER]
    for place in range(deal[COUNT]):
        rank = deal[OPEN + place]
        deal[PILE + deal[MIDDLE]] = layer * OWNER + rank
        deal[MIDDLE] += 1
        deal[BURIED + layer] += 1 << BITS * rank
    if held(deal[CLAIMED], deal[RANK]) < MOST:
        deal[CLAIMED] += 1 << BITS * deal[RANK]
    close(deal)


@kernel
def doubt(deal: Deal, doubter: int) -> None:
    """The claim is doubted: who is wrong takes all (ID3), and a liar may pay for it (ID9)."""
    layer = deal[LAYER]
    taker = doubter
    if not is_true(deal):
        taker = layer
        deal[FEES + layer] -= deal[FEE]
        deal[FEES + doubter] += deal[FEE]
        deal[CAUGHT + layer] += 1
    for place in range(deal[COUNT]):
        deal[HANDS + taker] += 1 << BITS * deal[OPEN + place]
    for place in range(deal[MIDDLE]):
        deal[HANDS + taker] += 1 << BITS * (deal[PILE + place] % OWNER)
    deal[SIZES + taker] += deal[COUNT] + deal[MIDDLE]
    deal[MIDDLE] = 0
    deal[CLAIMED] = 0
    for seat in range(deal[PLAYERS]):
        deal[BURIED + seat] = 0
    close(deal)


@kernel
def close(deal: Deal) -> None:
    """After a claim: the deal ends (ID6, ID8), or the next turn begins."""
    layer = deal[LAYER]
    if deal[SIZES + layer] == 0:
        pay(deal, layer)
    elif deal[CLAIMS] >= deal[LIMIT]:
        pay_fewest(deal)
    else:
        begin(deal, (layer + 1) % deal[PLAYERS])


@kernel
def pay_fewest(deal: Deal) -> None:
    """Pays the only one with the fewest cards; nobody where several have so few (ID8)."""
    winner = 0
    equals = 0
    for seat in range(deal[PLAYERS]):
        if deal[SIZES + seat] < deal[SIZES + winner]:
            winner = seat
    for seat in range(deal[PLAYERS]):
        equals += deal[SIZES + seat] == deal[SIZES + winner]
    if equals == 1:
        pay(deal, winner)
    deal[OVER] = 1


@kernel
def pay(deal: Deal, winner: int) -> None:
    """Each other player pays a chip for each card he holds beyond the winner's (ID6, ID8)."""
    for seat in range(deal[PLAYERS]):
        chips = deal[SIZES + seat] - deal[SIZES + winner]
        deal[FEES + seat] -= chips
        deal[FEES + winner] += chips
    deal[OVER] = 1

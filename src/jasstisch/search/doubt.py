"""A deal of I Doubt It as an array of whole numbers, for play to the end by the thousand.

Suits matter to nobody in this game, so a hand is a count for each rank, packed into one number. The
rules are those of `games/i_doubt_it.py`, whose texts and sets of cards no kernel can use; a test
plays random deals through both and holds them equal after every action.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import kernel

__all__ = [
    "BURIED",
    "CLAIMED",
    "CLAIMS",
    "COUNT",
    "DEALS",
    "FEE",
    "FEES",
    "HANDS",
    "LAST_ANY",
    "LAYER",
    "LIMIT",
    "MIDDLE",
    "MOST_PLAYERS",
    "ONES",
    "OPEN",
    "OVER",
    "PILE",
    "PLAYERS",
    "RANK",
    "RANKS",
    "SIZES",
    "SUITS",
    "THREE",
    "WAYS",
    "WIDTH",
    "Deal",
    "accept",
    "begin",
    "close",
    "doubt",
    "due",
    "held",
    "is_true",
    "lay",
]

Deal = NDArray[np.int64]
"""One deal: `WIDTH` numbers, at the places named below."""

RANKS = 13
SUITS = 4
THREE = 3
MOST_PLAYERS = 8
BITS = 3
"""Bits for the number of cards of one rank."""

FULL = (1 << BITS) - 1
ONES = sum(1 << BITS * rank for rank in range(RANKS))
"""One card of each rank; no hand of counts exceeds `SUITS` times this."""

HANDS = 0
"""From here on: the hand of each seat."""

SIZES = 8
"""The number of cards in it."""

BURIED = 16
"""The cards in the middle each seat has laid there itself."""

FEES = 24
"""The chips each seat has won less lost in this deal; all of them when it is over."""

WAYS = 32
"""Which way of playing a seat is thought to have: a row of the behaviours."""

CLAIMED = 40
"""How often each rank has been claimed over the cards now in the middle."""

OPEN = 53
"""The ranks of the cards of the open claim, the last on top."""

COUNT = 56
"""How many these are, 0 when no claim is open."""

RANK = 57
"""The rank claimed."""

LAYER = 58
"""Whose turn it is."""

CLAIMS = 59
"""Claims made so far."""

LIMIT = 60
"""The claim after which the deal ends (ID8)."""

PLAYERS = 61
LAST_ANY = 62
"""1 with `last="any"` (ID5)."""

FEE = 63
"""What a caught liar pays (ID9)."""

MIDDLE = 64
"""The number of cards in the middle, those of the open claim not counted."""

OVER = 65
"""1 when the deal is over."""

PILE = 66
"""The ranks of the cards in the middle, the top one last."""

WIDTH = PILE + RANKS * SUITS
DEALS = 2
"""Dimensions of an array of deals."""


@kernel
def held(hand: int, rank: int) -> int:
    """How many cards of a rank are in a hand."""
    return hand >> BITS * rank & FULL


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
    deal[COUNT] = 0
    while deal[SIZES + seat] < due(deal, seat):
        deal[MIDDLE] -= 1
        one = 1 << BITS * deal[PILE + deal[MIDDLE]]
        deal[HANDS + seat] += one
        deal[SIZES + seat] += 1
        for owner in range(deal[PLAYERS]):
            if deal[MIDDLE] == 0:
                deal[BURIED + owner] = 0


@kernel
def lay(deal: Deal, rank: int, count: int) -> None:
    """Lays the cards written at `OPEN`, claimed as this rank (ID2)."""
    seat = deal[LAYER]
    for place in range(count):
        deal[HANDS + seat] -= 1 << BITS * deal[OPEN + place]
    deal[SIZES + seat] -= count
    deal[COUNT] = count
    deal[RANK] = rank
    deal[CLAIMS] += 1


@kernel
def is_true(deal: Deal) -> bool:
    """Whether the open claim is true (ID3)."""
    for place in range(deal[COUNT]):
        if deal[OPEN + place] != deal[RANK]:
            return False
    return True


@kernel
def accept(deal: Deal) -> None:
    """Nobody has doubted: the cards of the claim stay on the middle (ID4)."""
    layer = deal[LAYER]
    for place in range(deal[COUNT]):
        deal[PILE + deal[MIDDLE]] = deal[OPEN + place]
        deal[MIDDLE] += 1
        rank = deal[OPEN + place]
        if held(deal[BURIED + layer], rank) < SUITS:
            deal[BURIED + layer] += 1 << BITS * rank
    deal[CLAIMED + deal[RANK]] += 1
    close(deal)


@kernel
def doubt(deal: Deal, doubter: int) -> None:
    """The claim is doubted: who is wrong takes all (ID3), a liar may pay for it (ID9)."""
    layer = deal[LAYER]
    taker = doubter
    if not is_true(deal):
        taker = layer
        deal[FEES + layer] -= deal[FEE]
        deal[FEES + doubter] += deal[FEE]
    for place in range(deal[COUNT]):
        deal[HANDS + taker] += 1 << BITS * deal[OPEN + place]
    for place in range(deal[MIDDLE]):
        deal[HANDS + taker] += 1 << BITS * deal[PILE + place]
    deal[SIZES + taker] += deal[COUNT] + deal[MIDDLE]
    deal[MIDDLE] = 0
    deal[BURIED : BURIED + MOST_PLAYERS] = 0
    deal[CLAIMED : CLAIMED + RANKS] = 0
    close(deal)


@kernel
def close(deal: Deal) -> None:
    """After a claim: the deal ends (ID6, ID8), or the next turn begins."""
    layer = deal[LAYER]
    players = deal[PLAYERS]
    deal[COUNT] = 0
    if deal[SIZES + layer] == 0:
        pay(deal, layer)
    elif deal[CLAIMS] >= deal[LIMIT]:
        winner = 0
        equals = 0
        for seat in range(players):
            if deal[SIZES + seat] < deal[SIZES + winner]:
                winner = seat
        for seat in range(players):
            equals += deal[SIZES + seat] == deal[SIZES + winner]
        if equals == 1:
            pay(deal, winner)
        deal[OVER] = 1
    else:
        begin(deal, (layer + 1) % players)


@kernel
def pay(deal: Deal, winner: int) -> None:
    """Each other player pays a chip for each card he holds beyond the winner's (ID6, ID8)."""
    for seat in range(deal[PLAYERS]):
        chips = deal[SIZES + seat] - deal[SIZES + winner]
        deal[FEES + seat] -= chips
        deal[FEES + winner] += chips
    deal[OVER] = 1

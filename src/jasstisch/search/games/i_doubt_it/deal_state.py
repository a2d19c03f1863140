"""A deal of I Doubt It as an array of whole numbers, to be played out by the thousand.

Suits matter to nobody in this game, so a hand is a count for each rank, packed into one number. The
rules are those of `games/i_doubt_it.py`, whose texts and sets of cards no kernel can use; a test
plays random deals by both and holds them equal after every action.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import kernel

__all__ = [
    "BITS_PER_RANK",
    "CLAIMANT",
    "CLAIMS_CAUGHT",
    "CLAIMS_MADE",
    "CLAIM_COUNT",
    "CLAIM_LIMIT",
    "CLAIM_NUMBER",
    "CLAIM_RANK",
    "CLAIM_SIZE",
    "HANDS",
    "HAND_SIZES",
    "LAST_ANY",
    "LIE_FEE",
    "MAX_PLAYERS",
    "MIDDLE_SIZE",
    "NET_CHIPS",
    "NOBODY",
    "OBSERVER",
    "ONE_OF_EACH",
    "OPEN_CARDS",
    "OVER",
    "OWNER_BASE",
    "OWN_IN_MIDDLE",
    "PILE",
    "PLAYERS",
    "POLICIES",
    "RANKS",
    "RANKS_CLAIMED",
    "STATE_SIZE",
    "SUITS",
    "Deal",
    "accept",
    "begin_turn",
    "cards_due",
    "count_of",
    "doubt",
    "is_true",
    "lay",
    "rank_mask",
    "ranks_at_least",
]

Deal = NDArray[np.int64]
"""One deal: `WIDTH` numbers, at the places named below."""

RANKS = 13
SUITS = 4
CLAIM_SIZE = 3
MAX_PLAYERS = 8

BITS_PER_RANK = 3
"""The bits of a hand that count the cards of one rank; the lowest rank has the lowest."""

MAX_PER_RANK = (1 << BITS_PER_RANK) - 1
"""The highest count they hold."""

ONE_OF_EACH = sum(1 << BITS_PER_RANK * rank for rank in range(RANKS))
"""A hand of one card of each rank."""

HANDS = 0
"""From here on: the hand of each seat."""

HAND_SIZES = 8
"""The number of cards in it."""

OWN_IN_MIDDLE = 16
"""The cards now in the middle that each seat has laid there itself, as a hand."""

NET_CHIPS = 24
"""The chips each seat has won less lost in this deal; all of them when it is over."""

POLICIES = 32
"""How each seat plays: a row of the ways of playing."""

CLAIMS_MADE = 40
"""The claims each seat has made,"""

CLAIMS_CAUGHT = 48
"""and how many of them were turned up false."""

OPEN_CARDS = 56
"""From here on: the ranks of the cards of the open claim, the last on top."""

CLAIM_COUNT = 59
"""How many these are."""

CLAIM_RANK = 60
"""The rank claimed."""

CLAIMANT = 61
"""Whose turn it is."""

CLAIM_NUMBER = 62
"""The claims made so far."""

CLAIM_LIMIT = 63
"""The claim after which the deal ends (ID8)."""

PLAYERS = 64

LAST_ANY = 65
"""1 with `last="any"` (ID5)."""

LIE_FEE = 66
"""What a caught liar pays (ID9)."""

OBSERVER = 67
"""The seat in whose eyes the deal may be so."""

RANKS_CLAIMED = 68
"""How often each rank has been claimed over the cards now in the middle, as a hand."""

OVER = 69
"""1 when the deal is over."""

MIDDLE_SIZE = 70
"""The number of cards in the middle, those of the open claim not counted."""

PILE = 71
"""From here on: these cards, the top one last: `OWNER` times who laid it there, and its rank."""

OWNER_BASE = 16
NOBODY = MAX_PLAYERS
"""Who has laid the cards that were left over by the deal (ID1)."""

STATE_SIZE = PILE + RANKS * SUITS


@kernel
def count_of(hand: int, rank: int) -> int:
    """How many cards of a rank are in a hand."""
    return hand >> BITS_PER_RANK * rank & MAX_PER_RANK


@kernel
def rank_mask(hand: int) -> int:
    """One card of each rank that is in a hand."""
    return (hand | hand >> 1 | hand >> 2) & ONE_OF_EACH


@kernel
def ranks_at_least(hand: int, count: int) -> int:
    """One card of each rank of which a hand has at least so many, 1 to 3."""
    if count == 1:
        return rank_mask(hand)
    if count == 2:
        return (hand >> 1 | hand >> 2) & ONE_OF_EACH
    return (hand & hand >> 1 | hand >> 2) & ONE_OF_EACH


@kernel
def cards_due(deal: Deal, seat: int) -> int:
    """How many cards a seat has to lay (ID2, ID5)."""
    return min(CLAIM_SIZE, deal[HAND_SIZES + seat]) if deal[LAST_ANY] else CLAIM_SIZE


@kernel
def begin_turn(deal: Deal, seat: int) -> None:
    """The turn of this seat, or of the next that has or can draw enough cards (ID5)."""
    while cards_due(deal, seat) - deal[HAND_SIZES + seat] > deal[MIDDLE_SIZE]:
        seat = (seat + 1) % deal[PLAYERS]
    deal[CLAIMANT] = seat
    while deal[HAND_SIZES + seat] < cards_due(deal, seat):
        deal[MIDDLE_SIZE] -= 1
        card = deal[PILE + deal[MIDDLE_SIZE]]
        one = 1 << BITS_PER_RANK * (card % OWNER_BASE)
        if card // OWNER_BASE != NOBODY:
            deal[OWN_IN_MIDDLE + card // OWNER_BASE] -= one
        deal[HANDS + seat] += one
        deal[HAND_SIZES + seat] += 1


@kernel
def lay(deal: Deal, rank: int, count: int) -> None:
    """Lays the cards written at `OPEN` and claims this rank (ID2)."""
    seat = deal[CLAIMANT]
    for place in range(count):
        deal[HANDS + seat] -= 1 << BITS_PER_RANK * deal[OPEN_CARDS + place]
    deal[HAND_SIZES + seat] -= count
    deal[CLAIM_COUNT] = count
    deal[CLAIM_RANK] = rank
    deal[CLAIM_NUMBER] += 1
    deal[CLAIMS_MADE + seat] += 1


@kernel
def is_true(deal: Deal) -> bool:
    """Whether the open claim is true (ID3)."""
    others = 0
    for place in range(deal[CLAIM_COUNT]):
        others += deal[OPEN_CARDS + place] != deal[CLAIM_RANK]
    return others == 0


@kernel
def accept(deal: Deal) -> None:
    """Nobody has doubted: the cards of the claim stay on the middle (ID4)."""
    layer = deal[CLAIMANT]
    for place in range(deal[CLAIM_COUNT]):
        rank = deal[OPEN_CARDS + place]
        deal[PILE + deal[MIDDLE_SIZE]] = layer * OWNER_BASE + rank
        deal[MIDDLE_SIZE] += 1
        deal[OWN_IN_MIDDLE + layer] += 1 << BITS_PER_RANK * rank
    if count_of(deal[RANKS_CLAIMED], deal[CLAIM_RANK]) < MAX_PER_RANK:
        deal[RANKS_CLAIMED] += 1 << BITS_PER_RANK * deal[CLAIM_RANK]
    end_claim(deal)


@kernel
def doubt(deal: Deal, doubter: int) -> None:
    """The claim is doubted: who is wrong takes all (ID3), and a liar may pay for it (ID9)."""
    layer = deal[CLAIMANT]
    taker = doubter
    if not is_true(deal):
        taker = layer
        deal[NET_CHIPS + layer] -= deal[LIE_FEE]
        deal[NET_CHIPS + doubter] += deal[LIE_FEE]
        deal[CLAIMS_CAUGHT + layer] += 1
    for place in range(deal[CLAIM_COUNT]):
        deal[HANDS + taker] += 1 << BITS_PER_RANK * deal[OPEN_CARDS + place]
    for place in range(deal[MIDDLE_SIZE]):
        deal[HANDS + taker] += 1 << BITS_PER_RANK * (deal[PILE + place] % OWNER_BASE)
    deal[HAND_SIZES + taker] += deal[CLAIM_COUNT] + deal[MIDDLE_SIZE]
    deal[MIDDLE_SIZE] = 0
    deal[RANKS_CLAIMED] = 0
    for seat in range(deal[PLAYERS]):
        deal[OWN_IN_MIDDLE + seat] = 0
    end_claim(deal)


@kernel
def end_claim(deal: Deal) -> None:
    """After a claim: the deal ends (ID6, ID8), or the next turn begins."""
    layer = deal[CLAIMANT]
    if deal[HAND_SIZES + layer] == 0:
        pay_winner(deal, layer)
    elif deal[CLAIM_NUMBER] >= deal[CLAIM_LIMIT]:
        pay_fewest_cards(deal)
    else:
        begin_turn(deal, (layer + 1) % deal[PLAYERS])


@kernel
def pay_fewest_cards(deal: Deal) -> None:
    """Pays the only one with the fewest cards; nobody where several have so few (ID8)."""
    winner = 0
    equals = 0
    for seat in range(deal[PLAYERS]):
        if deal[HAND_SIZES + seat] < deal[HAND_SIZES + winner]:
            winner = seat
    for seat in range(deal[PLAYERS]):
        equals += deal[HAND_SIZES + seat] == deal[HAND_SIZES + winner]
    if equals == 1:
        pay_winner(deal, winner)
    deal[OVER] = 1


@kernel
def pay_winner(deal: Deal, winner: int) -> None:
    """Each other player pays a chip for each card he holds beyond the winner's (ID6, ID8)."""
    for seat in range(deal[PLAYERS]):
        chips = deal[HAND_SIZES + seat] - deal[HAND_SIZES + winner]
        deal[NET_CHIPS + seat] -= chips
        deal[NET_CHIPS + winner] += chips
    deal[OVER] = 1

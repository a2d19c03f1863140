"""A deal of I Doubt It as an integer array, for fast rollouts.

Suits do not matter in this game, so a hand is a count for each rank, packed into one integer. The
rules are those of `games/i_doubt_it.py`, whose texts and sets of cards kernels cannot use; a test
plays random deals in both versions and compares them after every action.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import kernel

Deal = NDArray[np.int64]
"""One deal: `STATE_SIZE` numbers, at the indices named below."""

RANKS = 13
SUITS = 4
CLAIM_SIZE = 3
MAX_PLAYERS = 8

BITS_PER_RANK = 3
"""The bits of a hand that count the cards of one rank; the lowest rank has the lowest bits."""

_MAX_PER_RANK = (1 << BITS_PER_RANK) - 1
"""The largest count of a rank."""

ONE_OF_EACH = sum(1 << BITS_PER_RANK * rank for rank in range(RANKS))
"""A hand of one card of each rank."""

HANDS = 0
"""First index of the hands, one for each seat."""

HAND_SIZES = 8
"""First index of the number of cards in each hand."""

OWN_IN_MIDDLE = 16
"""First index of the cards now in the middle that each seat has laid there itself, as hands."""

NET_CHIPS = 24
"""First index of the net chips of each seat in this deal; complete when the deal is over."""

POLICIES = 32
"""First index of the policies of the seats, as rows of the policy table."""

CLAIMS_MADE = 40
"""First index of the number of claims of each seat."""

CLAIMS_CAUGHT = 48
"""First index of the number of its claims that were turned up as false."""

OPEN_CARDS = 56
"""First index of the ranks of the cards of the open claim, the last on top."""

CLAIM_COUNT = 59
"""The number of these cards."""

CLAIM_RANK = 60
"""The rank claimed."""

CLAIMANT = 61
"""The seat whose turn it is."""

CLAIM_NUMBER = 62
"""The number of claims so far."""

CLAIM_LIMIT = 63
"""The number of the claim after which the deal ends (ID8)."""

PLAYERS = 64

LAST_ANY = 65
"""1 with `last="any"` (ID5)."""

LIE_FEE = 66
"""The fee of a caught liar in chips (ID9)."""

OBSERVER = 67
"""The seat from whose point of view the deal is possible."""

RANKS_CLAIMED = 68
"""The number of claims of each rank over the cards now in the middle, as a hand."""

OVER = 69
"""1 after the deal has ended."""

MIDDLE_SIZE = 70
"""The number of cards in the middle, without those of the open claim."""

PILE = 71
"""First index of these cards, the top one last: `OWNER_BASE` times the owner, plus the rank."""

OWNER_BASE = 16
NOBODY = MAX_PLAYERS
"""The owner of the cards that were left over by the deal (ID1)."""

STATE_SIZE = PILE + RANKS * SUITS


@kernel
def count_of(hand: int, rank: int) -> int:
    """The number of cards of a rank in a hand."""
    return hand >> BITS_PER_RANK * rank & _MAX_PER_RANK


@kernel
def ranks_held(hand: int) -> int:
    """The ranks in a hand, as one card of each."""
    return (hand | hand >> 1 | hand >> 2) & ONE_OF_EACH


@kernel
def ranks_with_min_count(hand: int, count: int) -> int:
    """The ranks of which a hand has at least `count` cards, 1 to 3, as one card of each."""
    if count == 1:
        return ranks_held(hand)
    if count == 2:
        return (hand >> 1 | hand >> 2) & ONE_OF_EACH
    return (hand & hand >> 1 | hand >> 2) & ONE_OF_EACH


@kernel
def cards_due(deal: Deal, seat: int) -> int:
    """The number of cards that a seat has to lay (ID2, ID5)."""
    return min(CLAIM_SIZE, deal[HAND_SIZES + seat]) if deal[LAST_ANY] else CLAIM_SIZE


@kernel
def begin_turn(deal: Deal, seat: int) -> None:
    """Starts the turn of this seat, or of the next one that has or can draw enough cards (ID5)."""
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
    """Lays the cards written at `OPEN_CARDS` and claims this rank (ID2)."""
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
    """Ends an undoubted claim: its cards stay on the middle (ID4)."""
    layer = deal[CLAIMANT]
    for place in range(deal[CLAIM_COUNT]):
        rank = deal[OPEN_CARDS + place]
        deal[PILE + deal[MIDDLE_SIZE]] = layer * OWNER_BASE + rank
        deal[MIDDLE_SIZE] += 1
        deal[OWN_IN_MIDDLE + layer] += 1 << BITS_PER_RANK * rank
    if count_of(deal[RANKS_CLAIMED], deal[CLAIM_RANK]) < _MAX_PER_RANK:
        deal[RANKS_CLAIMED] += 1 << BITS_PER_RANK * deal[CLAIM_RANK]
    _end_claim(deal)


@kernel
def doubt(deal: Deal, doubter: int) -> None:
    """Settles a doubted claim: the loser takes all cards (ID3); a liar may pay a fee (ID9)."""
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
    _end_claim(deal)


@kernel
def _end_claim(deal: Deal) -> None:
    """Ends a claim: the deal ends (ID6, ID8), or the next turn starts."""
    layer = deal[CLAIMANT]
    if deal[HAND_SIZES + layer] == 0:
        _pay_winner(deal, layer)
    elif deal[CLAIM_NUMBER] >= deal[CLAIM_LIMIT]:
        _pay_fewest_cards(deal)
    else:
        begin_turn(deal, (layer + 1) % deal[PLAYERS])


@kernel
def _pay_fewest_cards(deal: Deal) -> None:
    """Pays the only seat with the fewest cards; nobody if several tie (ID8)."""
    winner = 0
    equals = 0
    for seat in range(deal[PLAYERS]):
        if deal[HAND_SIZES + seat] < deal[HAND_SIZES + winner]:
            winner = seat
    for seat in range(deal[PLAYERS]):
        equals += deal[HAND_SIZES + seat] == deal[HAND_SIZES + winner]
    if equals == 1:
        _pay_winner(deal, winner)
    deal[OVER] = 1


@kernel
def _pay_winner(deal: Deal, winner: int) -> None:
    """Pays the winner a chip for each card of another seat beyond the winner's own (ID6, ID8)."""
    for seat in range(deal[PLAYERS]):
        chips = deal[HAND_SIZES + seat] - deal[HAND_SIZES + winner]
        deal[NET_CHIPS + seat] -= chips
        deal[NET_CHIPS + winner] += chips
    deal[OVER] = 1

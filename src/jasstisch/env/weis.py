"""Weis and Stöck in a batch, compiled, for the games that count them (JS7, JS8, SC3, SC4).

The steps are those of `jasstisch.games.weis`; melds are found by the functions of `melds`. Where
partners play together both score.
"""

from jasstisch import melds
from jasstisch.env.rows import (
    ANNOUNCED,
    BEST_SEAT,
    BEST_STRENGTH,
    CALLER,
    MELDING,
    MELDS,
    STOECK_HOLDER,
    WORTH,
    Row,
)
from jasstisch.games.weis import KING_AND_QUEEN, STOECK
from jasstisch.search.compiled import kernel
from jasstisch.search.rounds import EXTRA, HANDS, SIDES, TURN, VALUED, Round

__all__ = ["announce", "call_stoeck", "count_first_trick", "count_stoeck", "open_to"]


@kernel
def open_to(state: Round) -> bool:
    """Whether the seat to play holds a meld that it may announce with its first card."""
    hand = state[HANDS + state[TURN]]
    return melds.first_weis(hand, melds.best_fours(hand, state[VALUED])) != 0


@kernel
def announce(state: Round, row: Row) -> None:
    """Announces the Weis of the seat to play; the earlier player stays best among equals (JS7)."""
    seat, ranking = state[TURN], state[VALUED]
    hand = state[HANDS + seat]
    fours = melds.best_fours(hand, ranking)
    worth, strength = melds.weis_worth(hand, fours, ranking)
    row[MELDING] = 1
    row[ANNOUNCED + seat] = strength // melds.STRENGTH_PER_POINT
    row[WORTH + seat] = worth
    cards, meld = 0, melds.first_weis(hand, fours)
    while meld:
        cards |= meld
        meld = melds.first_weis(hand & ~cards, fours)
    row[MELDS + seat] = cards
    if strength > row[BEST_STRENGTH]:
        row[BEST_STRENGTH] = strength
        row[BEST_SEAT] = seat


@kernel
def call_stoeck(state: Round, row: Row, card: int) -> None:
    """Notes who plays the second of king and queen of trumps out of one hand (JS8, SC4)."""
    seat = state[TURN]
    pair = KING_AND_QUEEN[state[VALUED]]
    if pair >> card & 1 == 0:
        return
    if state[HANDS + seat] & pair == pair:
        row[STOECK_HOLDER] = seat
    elif row[STOECK_HOLDER] == seat:
        row[CALLER] = seat


@kernel
def count_stoeck(state: Round, row: Row) -> None:
    """Scores the Stöck that has been called (JS8, SC6)."""
    if row[CALLER] >= 0:
        state[EXTRA + row[CALLER]] += STOECK
        row[CALLER] = -1


@kernel
def count_first_trick(state: Round, row: Row) -> None:
    """The holder of the best meld announced scores all of its own, and its partner's (JS7, SC3)."""
    best = row[BEST_SEAT]
    if best >= 0:
        state[EXTRA + best] += row[WORTH + best]
        if state[SIDES]:
            partner = (best + 2) % 4
            state[EXTRA + partner] += row[WORTH + partner]

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
    COUNT,
    MELDING,
    MELDS,
    STOECK_HOLDER,
    WORTH,
    Row,
)
from jasstisch.games.weis import KING_AND_QUEEN, STOECK
from jasstisch.search.compiled import kernel
from jasstisch.search.rounds import EXTRA, HANDS, PLAYING, SIDES, TURN, VALUED, Round

__all__ = ["after_trick", "announce", "before_play", "open_to"]


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
def before_play(state: Round, row: Row, card: int) -> None:
    """The second of king and queen of trumps out of one hand calls Stöck (JS8, SC4).

    It counts at once where everybody plays alone, and with its trick where partners do.
    """
    seat = state[TURN]
    row[MELDING] = 0
    pair = KING_AND_QUEEN[state[VALUED]]
    if pair >> card & 1 == 0:
        return
    if state[HANDS + seat] & pair == pair:
        row[STOECK_HOLDER] = seat
    elif row[STOECK_HOLDER] == seat:
        if state[SIDES]:
            row[CALLER] = seat
        else:
            state[EXTRA + seat] += STOECK


@kernel
def after_trick(state: Round, row: Row) -> None:
    """Scores the Stöck that lies in the trick, and after the first one the Weis (JS7, SC3, SC6).

    The holder of the best meld announced scores all of its own, and its partner's.
    """
    if row[CALLER] >= 0:
        state[EXTRA + row[CALLER]] += STOECK
        row[CALLER] = -1
    best = row[BEST_SEAT]
    if best >= 0 and row[COUNT] == state[PLAYING]:
        state[EXTRA + best] += row[WORTH + best]
        if state[SIDES]:
            partner = (best + 2) % 4
            state[EXTRA + partner] += row[WORTH + partner]

"""Weis and Stöck in a batch, compiled, for the games that count them (JS7, JS8, SC3, SC4).

The transitions are those of `jasstisch.games.weis`; melds are found by the functions of `melds`. In
games of partners both partners score.
"""

from jasstisch.engine import melds
from jasstisch.env.kernels.batch_state import (
    ANNOUNCED,
    ANNOUNCES_WEIS,
    BEST_SEAT,
    BEST_STRENGTH,
    MELD_CARDS,
    MELD_POINTS,
    PLAY_COUNT,
    STOECK_CALLER,
    STOECK_HOLDER,
    RoundRow,
)
from jasstisch.games.weis import KING_AND_QUEEN, STOECK
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.rounds.round_state import (
    EXTRA_POINTS,
    HANDS,
    HAS_SIDES,
    PLAYER_COUNT,
    TURN,
    VALUE_RANKING,
    Round,
)


@kernel
def can_announce(state: Round) -> bool:
    """Whether the seat to play holds a meld that it may announce with its first card."""
    hand = state[HANDS + state[TURN]]
    return melds.next_meld(hand, melds.best_fours(hand, state[VALUE_RANKING])) != 0


@kernel
def announce_weis(state: Round, row: RoundRow) -> None:
    """Announces the Weis of the seat to play; of equal melds the earlier seat's is best (JS7)."""
    seat, ranking = state[TURN], state[VALUE_RANKING]
    hand = state[HANDS + seat]
    fours = melds.best_fours(hand, ranking)
    worth, strength = melds.split_value(hand, fours, ranking)
    row[ANNOUNCES_WEIS] = 1
    row[ANNOUNCED + seat] = strength // melds.STRENGTH_PER_POINT
    row[MELD_POINTS + seat] = worth
    cards, meld = 0, melds.next_meld(hand, fours)
    while meld:
        cards |= meld
        meld = melds.next_meld(hand & ~cards, fours)
    row[MELD_CARDS + seat] = cards
    if strength > row[BEST_STRENGTH]:
        row[BEST_STRENGTH] = strength
        row[BEST_SEAT] = seat


@kernel
def call_stoeck(state: Round, row: RoundRow, card: int) -> None:
    """Calls Stöck with the second of king and queen of trumps from one hand (JS8, SC4).

    It counts at once in games of individuals, and with its trick in games of partners.
    """
    seat = state[TURN]
    row[ANNOUNCES_WEIS] = 0
    pair = KING_AND_QUEEN[state[VALUE_RANKING]]
    if pair >> card & 1 == 0:
        return
    if state[HANDS + seat] & pair == pair:
        row[STOECK_HOLDER] = seat
    elif row[STOECK_HOLDER] == seat:
        if state[HAS_SIDES]:
            row[STOECK_CALLER] = seat
        else:
            state[EXTRA_POINTS + seat] += STOECK


@kernel
def score_stoeck_and_weis(state: Round, row: RoundRow) -> None:
    """Scores the Stöck in the trick, and after the first trick the Weis (JS7, SC3, SC6).

    The holder of the best announced meld scores all of its own melds, and its partner's.
    """
    if row[STOECK_CALLER] >= 0:
        state[EXTRA_POINTS + row[STOECK_CALLER]] += STOECK
        row[STOECK_CALLER] = -1
    best = row[BEST_SEAT]
    if best >= 0 and row[PLAY_COUNT] == state[PLAYER_COUNT]:
        state[EXTRA_POINTS + best] += row[MELD_POINTS + best]
        if state[HAS_SIDES]:
            partner = (best + 2) % 4
            state[EXTRA_POINTS + partner] += row[MELD_POINTS + partner]

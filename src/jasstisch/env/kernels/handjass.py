"""Answers at Jass in a batch, compiled: the blind, dropping, robbing.

The transitions are those of `jasstisch.games.handjass`, on the kernels of `search.rounds.jass`.
"""

from jasstisch.env.actions import BLIND as BLIND_ACTION
from jasstisch.env.actions import DROP, STAY
from jasstisch.env.kernels.batch_state import (
    ANSWERS_GIVEN,
    BLIND_CARD_SET,
    BLIND_TAKER,
    DEALER,
    LAID_AWAY,
    OVER,
    PHASE,
    PLAYING_CARDS,
    ROBBER,
    SEATS_IN_PLAY,
    TURNED_CARD,
    RoundRow,
)
from jasstisch.games.handjass import SIXES
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.rounds import handjass
from jasstisch.search.rounds.round_state import HANDS, RANKING, TURN, Round


@kernel
def ask_forehand(state: Round, row: RoundRow, players: int) -> None:
    """Resets all answers and makes forehand answer (JS4)."""
    row[SEATS_IN_PLAY] = (1 << players) - 1
    _ask_next(state, row, players)


@kernel
def _ask_next(state: Round, row: RoundRow, players: int) -> None:
    """Makes the next seat answer; starts play when all seats have answered (JS4, JS6)."""
    if row[SEATS_IN_PLAY].bit_count() == 1:
        row[PHASE] = OVER
        state[TURN] = -1
        return
    for step in range(1, players + 1):
        seat = (row[DEALER] + step) % players
        if row[ANSWERS_GIVEN + seat] < 0:
            state[TURN] = seat
            return
    row[PHASE] = PLAYING_CARDS
    handjass.set_players(state, row[SEATS_IN_PLAY], (row[DEALER] + 1) % players)


@kernel
def legal_answers(row: RoundRow) -> int:
    """The set of the legal answers of the seat to act."""
    open_to_all = 1 << STAY | 1 << DROP
    return open_to_all | 1 << BLIND_ACTION if row[BLIND_CARD_SET] else open_to_all


@kernel
def apply_answer(state: Round, row: RoundRow, said: int, players: int) -> None:
    """Applies an answer; `DROP` discards the hand, and `BLIND` exchanges it (JS4)."""
    seat = state[TURN]
    row[ANSWERS_GIVEN + seat] = said - STAY
    if said != STAY:
        row[LAID_AWAY + seat] = state[HANDS + seat]
        state[HANDS + seat] = 0
    if said == DROP:
        row[SEATS_IN_PLAY] ^= 1 << seat
    elif said == BLIND_ACTION:
        state[HANDS + seat] = row[BLIND_CARD_SET]
        row[BLIND_CARD_SET] = 0
        row[BLIND_TAKER] = seat
        if row[TURNED_CARD] >= 0 and state[HANDS + seat] >> row[TURNED_CARD] & 1:
            row[TURNED_CARD] = -1
    _ask_next(state, row, players)


@kernel
def may_rob(state: Round, row: RoundRow) -> bool:
    """Whether the seat to play may exchange the six of trumps for the turned card (JS5)."""
    if row[TURNED_CARD] < 0:
        return False
    six = SIXES[state[RANKING]]
    return row[TURNED_CARD] != six and state[HANDS + state[TURN]] >> six & 1 != 0


@kernel
def apply_rob(state: Round, row: RoundRow) -> None:
    """Exchanges the six of trumps of the seat to play for the turned card (JS5)."""
    seat = state[TURN]
    handjass.rob(state, seat, row[TURNED_CARD])
    row[TURNED_CARD] = SIXES[state[RANKING]]
    row[ROBBER] = seat

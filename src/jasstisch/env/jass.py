"""Who is asked at Jass and what is answered, in a batch: the blind, dropping, robbing; compiled.

The steps are those of `jasstisch.games.jass`, on the kernels of `search.jass`.
"""

from jasstisch.env.actions import BLIND as BLIND_ACTION
from jasstisch.env.actions import DROP, STAY
from jasstisch.env.rows import (
    BLIND,
    BLIND_TAKER,
    DEALER,
    LAID_AWAY,
    OVER,
    PHASE,
    PLAYING,
    PLAYING_CARDS,
    ROBBER,
    SAID,
    TURNED,
    Row,
)
from jasstisch.games.jass import SIXES
from jasstisch.search.compiled import kernel
from jasstisch.search.jass import strokes
from jasstisch.search.rounds import HANDS, RANKING, TURN, Round

__all__ = ["answer", "answers", "ask_first", "may_rob", "rob"]


@kernel
def ask_first(state: Round, row: Row, players: int) -> None:
    """Nobody has answered yet: forehand is asked (JS4)."""
    row[PLAYING] = (1 << players) - 1
    ask(state, row, players)


@kernel
def ask(state: Round, row: Row, players: int) -> None:
    """Asks the next seat whether it plays; when all have answered, play begins (JS4, JS6)."""
    if row[PLAYING].bit_count() == 1:
        row[PHASE] = OVER
        state[TURN] = -1
        return
    for step in range(1, players + 1):
        seat = (row[DEALER] + step) % players
        if row[SAID + seat] < 0:
            state[TURN] = seat
            return
    row[PHASE] = PLAYING_CARDS
    strokes.sit_down(state, row[PLAYING], (row[DEALER] + 1) % players)


@kernel
def answers(row: Row) -> int:
    """The set of answers open to the seat asked."""
    open_to_all = 1 << STAY | 1 << DROP
    return open_to_all | 1 << BLIND_ACTION if row[BLIND] else open_to_all


@kernel
def answer(state: Round, row: Row, said: int, players: int) -> None:
    """Notes an answer; the hand goes with `DROP` and is exchanged with the blind (JS4)."""
    seat = state[TURN]
    row[SAID + seat] = said - STAY
    if said != STAY:
        row[LAID_AWAY + seat] = state[HANDS + seat]
        state[HANDS + seat] = 0
    if said == DROP:
        row[PLAYING] ^= 1 << seat
    elif said == BLIND_ACTION:
        state[HANDS + seat] = row[BLIND]
        row[BLIND] = 0
        row[BLIND_TAKER] = seat
        if row[TURNED] >= 0 and state[HANDS + seat] >> row[TURNED] & 1:
            row[TURNED] = -1
    ask(state, row, players)


@kernel
def may_rob(state: Round, row: Row) -> bool:
    """Whether the seat to play may exchange the six of trumps for the turned card (JS5)."""
    if row[TURNED] < 0:
        return False
    six = SIXES[state[RANKING]]
    return row[TURNED] != six and state[HANDS + state[TURN]] >> six & 1 != 0


@kernel
def rob(state: Round, row: Row) -> None:
    """The seat to play exchanges the six of trumps for the turned card (JS5)."""
    seat = state[TURN]
    strokes.rob(state, seat, row[TURNED])
    row[TURNED] = SIXES[state[RANKING]]
    row[ROBBER] = seat

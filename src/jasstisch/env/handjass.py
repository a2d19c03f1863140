"""What Jass adds to a round of tricks, compiled: answers, the blind, robbing, Weis and Stöck.

The steps are those of `jasstisch.games.jass`; melds are found by the functions of `melds`, and the
actions are numbers after those of the cards.
"""

from jasstisch import melds
from jasstisch.env.rows import (
    ANNOUNCED,
    ANNOUNCING,
    BEST_SEAT,
    BEST_STRENGTH,
    BLIND,
    BLIND_TAKER,
    DEALER,
    LAID_AWAY,
    MELDS,
    OVER,
    PHASE,
    PLAYING,
    PLAYING_CARDS,
    ROBBER,
    SAID,
    STOECK_HOLDER,
    TURNED,
    WORTH,
    Row,
)
from jasstisch.games.jass import SIXES
from jasstisch.games.weis import KING_AND_QUEEN, STOECK
from jasstisch.search import rounds
from jasstisch.search.compiled import kernel
from jasstisch.search.rounds import EXTRA, FOLLOWER, HANDS, RANKING, TURN, Round

__all__ = [
    "ACTIONS", "BLIND_ACTION", "DROP", "ROB", "STAY", "WEIS", "after_first_trick", "answer",
    "answers", "ask_first", "before_play", "extras", "rob", "weis",
]  # fmt: skip

STAY, DROP, BLIND_ACTION, ROB, WEIS = range(36, 41)
"""The actions of Jass that are no cards."""

ACTIONS = 41
"""How many actions there are at Jass."""

STRENGTH_PER_POINT = 2000
"""`melds.weis_strength` counts so many for each point of a meld."""


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
    begin_play(state, row, players)


@kernel
def begin_play(state: Round, row: Row, players: int) -> None:
    """The first seat from forehand that plays leads, and the others follow in order."""
    first = last = -1
    for step in range(1, players + 1):
        seat = (row[DEALER] + step) % players
        if row[PLAYING] >> seat & 1:
            if last < 0:
                first = seat
            else:
                state[FOLLOWER + last] = seat
            last = seat
    state[FOLLOWER + last] = first
    state[rounds.PLAYING] = row[PLAYING].bit_count()
    row[PHASE] = PLAYING_CARDS
    rounds.lead(state, first)


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
def extras(state: Round, row: Row) -> int:
    """What may be done in the first trick before one plays a card: `ROB`, `WEIS` (JS5, JS7)."""
    seat = state[TURN]
    if row[ANNOUNCING]:
        return 0
    hand = state[HANDS + seat]
    six = SIXES[state[RANKING]]
    open_to_it = 0
    if row[TURNED] >= 0 and row[TURNED] != six and hand >> six & 1:
        open_to_it |= 1 << ROB
    if melds.first_weis(hand, melds.best_fours(hand, state[RANKING])):
        open_to_it |= 1 << WEIS
    return open_to_it


@kernel
def rob(state: Round, row: Row) -> None:
    """Exchanges the six of trumps for the turned card (JS5)."""
    seat = state[TURN]
    six = SIXES[state[RANKING]]
    state[HANDS + seat] ^= 1 << six | 1 << row[TURNED]
    row[TURNED] = six
    row[ROBBER] = seat


@kernel
def weis(state: Round, row: Row) -> None:
    """Announces the Weis of the seat to play; the earlier player stays best among equals (JS7)."""
    seat = state[TURN]
    trump = state[RANKING]
    hand = state[HANDS + seat]
    fours = melds.best_fours(hand, trump)
    worth, strength = melds.weis_worth(hand, fours, trump)
    row[ANNOUNCING] = 1
    row[ANNOUNCED + seat] = strength // STRENGTH_PER_POINT
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
    """The second of king and queen of trumps out of one hand scores Stöck (JS8)."""
    seat = state[TURN]
    row[ANNOUNCING] = 0
    pair = KING_AND_QUEEN[state[RANKING]]
    if pair >> card & 1 == 0:
        return
    if state[HANDS + seat] & pair == pair:
        row[STOECK_HOLDER] = seat
    elif row[STOECK_HOLDER] == seat:
        state[EXTRA + seat] += STOECK


@kernel
def after_first_trick(state: Round, row: Row) -> None:
    """The holder of the best meld announced scores all of its own (JS7)."""
    if row[BEST_SEAT] >= 0:
        state[EXTRA + row[BEST_SEAT]] += row[WORTH + row[BEST_SEAT]]

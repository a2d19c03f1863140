"""What happens to the rounds of a batch, compiled: the deal, what may be done, doing it, the end.

The steps are those of `jasstisch.games`, on the functions of the rule book and of `search.rounds`.
A function that goes through all rounds takes the `Tables`; one of a single round takes its rows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch import slate, tricks
from jasstisch.env import contracts, weis
from jasstisch.env import jass as answering
from jasstisch.env.actions import MOST, ROB, STAY, WEIS
from jasstisch.env.laws import (
    BLIND_CARDS,
    BOTTOM,
    EXACT_BONUS,
    GENEROUS,
    KIND,
    OTHERS,
    PLAYERS,
    TRUMP_NEEDED,
    WEIS_COUNTS,
    ZERO,
    Laws,
    Numbers,
)
from jasstisch.env.rows import (
    ANNOUNCED,
    ANNOUNCING,
    ANSWERING,
    BEST_SEAT,
    BIDDING,
    BLIND,
    BLIND_TAKER,
    CALLER,
    CONTRACT,
    COUNT,
    DEALER,
    DRAWN,
    FACTOR,
    LINE,
    MELDING,
    OVER,
    PHASE,
    PLAYED,
    PLAYING,
    PLAYING_CARDS,
    ROBBER,
    SAID,
    SHOWN,
    STOECK_HOLDER,
    SWEPT,
    TURNED,
    VOID,
    Row,
    Tables,
)
from jasstisch.games import differenzler, jass, molotow
from jasstisch.games.scoring import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.search import rounds
from jasstisch.search.chance import Stream, bits, member, number
from jasstisch.search.compiled import allocating_kernel, kernel, shared
from jasstisch.search.playouts import shuffle
from jasstisch.search.rounds import HANDS, RANKING, SEATS, TAKEN, TARGET, TURN, Round

__all__ = [
    "act", "begin_play", "choose", "choose_alone", "count", "deal", "draw_bids", "first_refused",
    "legal", "play", "seeds", "settle", "shuffle_packs",
]  # fmt: skip

Actions = NDArray[np.int64]
Sets = NDArray[np.int64]
Rewards = NDArray[np.int32]
Chosen = NDArray[np.bool_]

SEATS_FOR_WHOLE_PACK = 4
FIRST_NOT_DEALT = 27
"""Where the turned card lies in the pack at Jass, of which four receive all and fewer do not."""

NO_BID = -1

UNKNOWN = (
    DRAWN,
    SHOWN,
    TURNED,
    BLIND_TAKER,
    ROBBER,
    BEST_SEAT,
    STOECK_HOLDER,
    CALLER,
    CONTRACT,
    LINE,
    FACTOR,
    SWEPT,
)
"""The words of a row that are -1 before the deal."""

shared(slate.place, differenzler.bonus, molotow.round_mark, jass.round_mark)


@kernel
def seeds(chance: Stream, streams: Stream) -> None:
    """Gives each round a stream of its own; the first ones are the same in a larger batch."""
    for one in range(len(streams)):
        streams[one] = bits(chance)


@allocating_kernel
def deal(laws: Laws, tables: Tables, chosen: Chosen) -> None:
    """Deals the chosen rounds anew, each from its own pack and by its own dealer."""
    for one in range(len(chosen)):
        if chosen[one]:
            tables.history[one] = -1
            tables.states[one] = laws.empty
            clear(tables.rows[one])
            deal_one(laws, tables.packs[one], tables.states[one], tables.rows[one])
            if laws.numbers[KIND] == BY_DIFFERENCE:
                await_bids(laws.numbers, tables, one)
            elif laws.numbers[KIND] == BY_STROKES:
                await_answers(laws.numbers, tables, one)
            elif laws.numbers[KIND] == BY_SIDE:
                contracts.await_announcement(tables.rows[one])


@kernel
def clear(row: Row) -> None:
    """A row before the deal, of which only the dealer is known."""
    dealer = row[DEALER]
    row[:] = 0
    row[DEALER] = dealer
    for word in UNKNOWN:
        row[word] = -1
    for seat in range(SEATS):
        row[SAID + seat] = -1
        row[ANNOUNCED + seat] = -1


@kernel
def deal_one(laws: Laws, pack: Numbers, state: Round, row: Row) -> None:
    """Deals the hands of one round; forehand leads (C6)."""
    players = laws.numbers[PLAYERS]
    forehand = (row[DEALER] + 1) % players
    for place in range(len(pack)):
        receiver = laws.receivers[place]
        if receiver >= 0:
            state[HANDS + (forehand + receiver) % players] |= 1 << pack[place]
        elif receiver == BLIND_CARDS:
            row[BLIND] |= 1 << pack[place]
    row[PLAYING] = (1 << players) - 1
    row[PHASE] = PLAYING_CARDS
    rounds.lead(state, forehand)


@kernel
def await_bids(laws: Numbers, tables: Tables, one: int) -> None:
    """The trump is drawn or shown, and nobody has bid (DF2, DF3)."""
    state, row = tables.states[one], tables.rows[one]
    row[PHASE] = BIDDING
    rounds.rank_by(state, tables.trumps[one])
    if laws[BOTTOM]:
        row[SHOWN] = tables.packs[one, -1]
        rounds.rank_by(state, row[SHOWN] // tricks.RANKS)
    for seat in range(laws[PLAYERS]):
        state[TARGET + seat] = NO_BID


@kernel
def await_answers(laws: Numbers, tables: Tables, one: int) -> None:
    """A card shows the trump, and each seat is asked in turn whether it plays (JS3, JS4)."""
    state, row, players = tables.states[one], tables.rows[one], laws[PLAYERS]
    row[PHASE] = ANSWERING
    if players == SEATS_FOR_WHOLE_PACK:
        row[SHOWN] = tables.packs[one, -1]
    else:
        row[SHOWN] = row[TURNED] = tables.packs[one, FIRST_NOT_DEALT]
    rounds.rank_by(state, row[SHOWN] // tricks.RANKS)
    answering.ask_first(state, row, players)


@kernel
def shuffle_packs(tables: Tables, chosen: Chosen) -> None:
    """Shuffles the packs of the chosen rounds and draws their trumps, each by its own chance."""
    for one in range(len(chosen)):
        if chosen[one]:
            stream = tables.streams[one : one + 1]
            shuffle(tables.packs[one], stream)
            tables.trumps[one] = number(stream, 4)


@kernel
def begin_play(tables: Tables, chosen: Chosen, bids: NDArray[np.int64]) -> None:
    """All bids are in: those of these rounds that awaited them go on (DF4)."""
    for one in range(len(bids)):
        if chosen[one] and tables.rows[one, PHASE] == BIDDING:
            tables.rows[one, PHASE] = PLAYING_CARDS
            for seat in range(bids.shape[1]):
                tables.states[one, TARGET + seat] = bids[one, seat]


@kernel
def legal(laws: Laws, tables: Tables) -> None:
    """Writes for each round the set of actions open to the seat to act.

    It is 0 where the round is over or awaits bids.
    """
    states, rows, sets = tables.states, tables.rows, tables.legal
    counts_weis = laws.numbers[WEIS_COUNTS]
    for one in range(len(sets)):
        if rows[one, PHASE] == ANSWERING:
            sets[one] = answering.answers(rows[one])
        elif rows[one, PHASE] == ANNOUNCING:
            sets[one] = contracts.announcements(laws, states[one], rows[one], tables.slates[one])
        elif rows[one, PHASE] == PLAYING_CARDS:
            sets[one] = rounds.legal(states[one])
            if counts_weis and rows[one, COUNT] < states[one, rounds.PLAYING]:
                sets[one] |= before_first_card(states[one], rows[one])
        else:
            sets[one] = 0


@kernel
def before_first_card(state: Round, row: Row) -> int:
    """What may be done in the first trick before one plays a card: `ROB`, `WEIS` (JS5, JS7)."""
    if row[MELDING]:
        return 0
    robbing = 1 << ROB if answering.may_rob(state, row) else 0
    return robbing | 1 << WEIS if weis.open_to(state) else robbing


@kernel
def choose(sets: Sets, chance: Stream, actions: Actions) -> None:
    """Writes a random member of each set, -1 for an empty one."""
    for one in range(len(sets)):
        actions[one] = member(chance, sets[one]) if sets[one] else -1


@kernel
def choose_alone(sets: Sets, streams: Stream, acting: Chosen, actions: Actions) -> None:
    """Writes a random member of the sets of these rounds, each by a chance of its own."""
    for one in range(len(sets)):
        if acting[one]:
            actions[one] = member(streams[one : one + 1], sets[one])


@kernel
def draw_bids(streams: Stream, acting: Chosen, seat: int, bids: Actions) -> None:
    """Writes a random bid for a seat of these rounds, each by a chance of its own."""
    for one in range(len(acting)):
        if acting[one]:
            bids[one, seat] = number(streams[one : one + 1], tricks.ALL_POINTS + 1)


@kernel
def first_refused(sets: Sets, actions: Actions) -> int:
    """The first round whose action is not legal, -1 where all are.

    A round that awaits nothing takes no action but -1.
    """
    for one in range(len(sets)):
        action = actions[one]
        if sets[one] == 0:
            if action != -1:
                return one
        elif action < 0 or action > MOST or sets[one] >> action & 1 == 0:
            return one
    return -1


@kernel
def play(tables: Tables, actions: Actions) -> int:
    """Plays a legal card in each round that awaits one, and writes what may be played next.

    Returns:
        How many rounds have ended with it.
    """
    ended = 0
    for one in range(len(actions)):
        card = actions[one]
        if card < 0:
            continue
        state = tables.states[one]
        note_card(tables, one, card)
        rounds.play(state, card)
        if state[TURN] < 0:
            tables.rows[one, PHASE] = OVER
            tables.legal[one] = 0
            ended += 1
        else:
            tables.legal[one] = rounds.legal(state)
    return ended


@kernel
def act(laws: Laws, tables: Tables, actions: Actions) -> int:
    """Does a legal action in each round that awaits one, where there are other ones than cards.

    It writes what may come next.

    Returns:
        How many rounds have ended with it.
    """
    ended = 0
    counts_weis = laws.numbers[WEIS_COUNTS]
    for one in range(len(actions)):
        action = actions[one]
        if action < 0:
            continue
        state, row = tables.states[one], tables.rows[one]
        if action < STAY:
            if counts_weis:
                weis.before_play(state, row, action)
            note_card(tables, one, action)
            rounds.play(state, action)
            if counts_weis and state[rounds.LAID] == 0:
                weis.after_trick(state, row)
            if state[TURN] < 0:
                row[PHASE] = OVER
        elif row[PHASE] == ANSWERING:
            answering.answer(state, row, action, laws.numbers[PLAYERS])
        elif row[PHASE] == ANNOUNCING:
            contracts.say(laws, state, row, tables.slates[one], action)
        elif action == ROB:
            answering.rob(state, row)
        else:
            weis.announce(state, row)
        ended += row[PHASE] == OVER
    legal(laws, tables)
    return ended


@kernel
def note_card(tables: Tables, one: int, card: int) -> None:
    """Writes down who plays which card."""
    rows, history = tables.rows, tables.history
    seat, place = tables.states[one, TURN], rows[one, COUNT]
    rows[one, PLAYED + seat] |= 1 << card
    rows[one, COUNT] = place + 1
    history[one, place, 0] = seat
    history[one, place, 1] = card


@kernel
def settle(laws: Laws, tables: Tables, actions: Actions, rewards: Rewards, ended: Chosen) -> None:
    """Scores the rounds that have ended with these actions."""
    for one in range(len(actions)):
        ended[one] = actions[one] >= 0 and tables.rows[one, PHASE] == OVER
        if ended[one]:
            stream = tables.streams[one : one + 1]
            score(laws.numbers, tables.states[one], tables.rows[one], stream, rewards[one])


@kernel
def count(laws: Numbers, states: NDArray[np.int64], points: NDArray[np.int16]) -> None:
    """Writes the points that each seat has so far, or its side."""
    by_side = laws[KIND] == BY_SIDE
    for one in range(len(states)):
        for seat in range(points.shape[1]):
            if by_side:
                points[one, seat] = contracts.points(laws, states[one], seat)
            else:
                points[one, seat] = rounds.points(states[one], seat)


@allocating_kernel
def score(laws: Numbers, state: Round, row: Row, chance: Stream, rewards: Rewards) -> None:
    """Writes what the round is worth to each seat, higher is better."""
    if laws[KIND] == BY_SIDE:
        contracts.score(laws, state, row, rewards)
        return
    players = laws[PLAYERS]
    scores: Any = np.empty(players, dtype=np.int64)
    for seat in range(players):
        scores[seat] = rounds.points(state, seat)
    if laws[KIND] == BY_STICKS:
        give_sticks(laws, scores, row, chance, rewards)
        return
    row[VOID] = laws[TRUMP_NEEDED] and state[RANKING] < 0
    for seat in range(players):
        if laws[KIND] == BY_PLACE:
            rewards[seat] = 0 if row[VOID] else -scores[seat]
        elif laws[KIND] == BY_DIFFERENCE:
            rewards[seat] = -added(laws, state, seat, scores[seat])
        else:
            rewards[seat] = strokes(laws, scores, row[PLAYING], seat)


@kernel
def strokes(laws: Numbers, scores: Sequence[int], playing: int, seat: int) -> int:
    """The strokes of a seat at Jass, or a null (JS6, JS9)."""
    if playing.bit_count() == 1:
        return jass.ALONE * (playing >> seat & 1)
    return jass.round_mark(scores, playing, seat, laws[GENEROUS] == 1)


@kernel
def added(laws: Numbers, state: Round, seat: int, score: int) -> int:
    """What the round adds to the total of a seat at Differenzler (DF6, DF8)."""
    bid = state[TARGET + seat]
    if bid != score:
        return abs(bid - score)
    if laws[EXACT_BONUS] == 0:
        return 0
    return -differenzler.bonus(bid, state[TAKEN + seat] != 0, laws[ZERO])


@kernel
def give_sticks(
    laws: Numbers, scores: Sequence[int], row: Row, chance: Stream, rewards: Rewards
) -> None:
    """Sticks less potatoes at Molotow (MW4 - MW8).

    Of three who are tied each is as likely as the others to draw the highest card.
    """
    tied = 0
    for seat in range(4):
        rewards[seat] = molotow.round_mark(scores, seat, laws[OTHERS])
        if rewards[seat] == molotow.DRAWN:
            alone = slate.place(scores, seat)[1] == 1
            rewards[seat] = 1 if alone else 0
            tied |= 0 if alone else 1 << seat
    if tied:
        row[DRAWN] = member(chance, tied)
        rewards[row[DRAWN]] = -1

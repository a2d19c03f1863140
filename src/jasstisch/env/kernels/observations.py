"""The observation of one seat in each round of a batch, as arrays; compiled.

Public information is the same for all seats: the cards played, the tricks, the trump, the seats
that play. Of hidden information, an observation contains only the observer's own hand, bid and
cards laid away. Values that are hidden or do not exist are -1 or an empty set.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.env.kernels import batch_state, contracts
from jasstisch.env.kernels.batch_state import BatchState, RoundRow
from jasstisch.env.kernels.compiled_rules import (
    BIDS_OPEN,
    PLAYERS,
    POINTS_SHOWN,
    SCORING,
    CompiledRules,
    IntArray,
)
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_SIDE, BY_STROKES
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.rounds import round_state
from jasstisch.search.rounds.round_state import (
    CAPTURED_CARDS,
    CAPTURED_POINTS,
    EXTRA_POINTS,
    HANDS,
    RANKING,
    TARGET,
    TRICK_SIZE,
    TURN,
    VALUE_RANKING,
)

__all__ = ["Observation", "read_observations"]

Observation = dict[str, NDArray[Any]]
"""The arrays of an observation, by name."""

TRUMP_SUITS = 4
"""Rankings below this one are those of a trump suit."""

UNKNOWN_OR_NONE = -1
"""The value of what is hidden from the observer or does not exist."""

(SEAT, SEAT_TO_ACT, DEALER, TRUMP_SUIT, LEADER) = range(5)
(SHOWN, TURNED, BLIND_OPEN, BLIND_TAKER, ROBBER, WEIS_SEAT) = range(5, 11)
(CONTRACT, LINE, FACTOR, ANNOUNCER, PUSHES, RANKING_NOW) = range(11, 17)
(HAND, LEGAL, LAID_AWAY, WEIS_CARDS) = range(4)
(TRICK, HAND_SIZES, POINTS, BIDS, ANSWERS_GIVEN, IN_PLAY, ANNOUNCED) = range(7)
(PLAYED, TAKEN_BY) = range(2)

COMMON_PARTS = {
    "seat": ("numbers", SEAT),
    "turn": ("numbers", SEAT_TO_ACT),
    "dealer": ("numbers", DEALER),
    "trump": ("numbers", TRUMP_SUIT),
    "leader": ("numbers", LEADER),
    "hand": ("sets", HAND),
    "legal": ("sets", LEGAL),
    "trick": ("by_seat", TRICK),
    "hand_sizes": ("by_seat", HAND_SIZES),
    "points": ("by_seat", POINTS),
    "played": ("sets_by_seat", PLAYED),
    "taken": ("sets_by_seat", TAKEN_BY),
}
"""The arrays of every game, with the table and the index at which each is stored."""

GAME_PARTS = {
    BY_DIFFERENCE: {"bids": ("by_seat", BIDS), "shown": ("numbers", SHOWN)},
    BY_STROKES: {
        "said": ("by_seat", ANSWERS_GIVEN),
        "playing": ("by_seat", IN_PLAY),
        "announced": ("by_seat", ANNOUNCED),
        "shown": ("numbers", SHOWN),
        "turned": ("numbers", TURNED),
        "blind_open": ("numbers", BLIND_OPEN),
        "blind_taker": ("numbers", BLIND_TAKER),
        "robber": ("numbers", ROBBER),
        "weis_seat": ("numbers", WEIS_SEAT),
        "weis_cards": ("sets", WEIS_CARDS),
        "laid_away": ("sets", LAID_AWAY),
    },
    BY_SIDE: {
        "contract": ("numbers", CONTRACT),
        "line": ("numbers", LINE),
        "factor": ("numbers", FACTOR),
        "by": ("numbers", ANNOUNCER),
        "pushes": ("numbers", PUSHES),
        "ranking": ("numbers", RANKING_NOW),
        "announced": ("by_seat", ANNOUNCED),
        "weis_seat": ("numbers", WEIS_SEAT),
        "weis_cards": ("sets", WEIS_CARDS),
    },
}
"""The additional arrays of single games."""


class ObservationTables(NamedTuple):
    """The tables from which an observation is sliced: by array, by round and, if given, by seat."""

    numbers: NDArray[np.int8]
    sets: NDArray[np.int64]
    by_seat: NDArray[np.int16]
    sets_by_seat: NDArray[np.int64]


def read_observations(rules: CompiledRules, tables: BatchState, readers: IntArray) -> Observation:
    """The observation of each of these seats in its round; -1 observes public information only."""
    envs, players, kind = (
        len(readers),
        int(rules.parameters[PLAYERS]),
        int(rules.parameters[SCORING]),
    )
    reading = ObservationTables(
        np.full((17, envs), UNKNOWN_OR_NONE, dtype=np.int8),
        np.zeros((4, envs), dtype=np.int64),
        np.full((7, envs, players), UNKNOWN_OR_NONE, dtype=np.int16),
        np.zeros((2, envs, players), dtype=np.int64),
    )
    read_common(rules.parameters, tables, readers, reading)
    if kind == BY_DIFFERENCE:
        read_bids(rules.parameters, tables, readers, reading)
    elif kind == BY_STROKES:
        read_handjass(rules.parameters, tables, readers, reading)
    elif kind == BY_SIDE:
        read_contracts(rules.parameters, tables, reading)
    parts: Observation = {
        "numbers": reading.numbers,
        "sets": reading.sets.view(np.uint64),
        "by_seat": reading.by_seat,
        "sets_by_seat": reading.sets_by_seat.view(np.uint64),
    }
    places = COMMON_PARTS | GAME_PARTS.get(kind, {})
    arrays = {name: parts[where][place] for name, (where, place) in places.items()}
    if kind == BY_SIDE:
        arrays["lines_played"] = tables.slates.view(np.uint64).copy()
    return arrays | {"history": tables.history.copy()}


@kernel
def read_common(
    rules: IntArray, tables: BatchState, readers: IntArray, reading: ObservationTables
) -> None:
    """Fills the tables of an observation with the arrays of every game."""
    table, history = tables.rows, tables.history
    numbers, sets, by_seat, sets_by_seat = reading
    players, all_points = rules[PLAYERS], rules[POINTS_SHOWN]
    for one in range(len(readers)):
        state = tables.states[one]
        reader, turn, laid = readers[one], state[TURN], state[TRICK_SIZE]
        numbers[SEAT, one] = reader
        numbers[SEAT_TO_ACT, one] = turn
        numbers[DEALER, one] = table[one, batch_state.DEALER]
        numbers[TRUMP_SUIT, one] = state[RANKING]
        if reader >= 0:
            sets[HAND, one] = state[HANDS + reader]
            if reader == turn:
                sets[LEGAL, one] = tables.legal[one]
        if table[one, batch_state.PHASE] == batch_state.PLAYING_CARDS:
            first = table[one, batch_state.PLAY_COUNT] - laid
            numbers[LEADER, one] = history[one, first, 0] if laid else turn
            for place in range(laid):
                by_seat[TRICK, one, place] = history[one, first + place, 1]
        for seat in range(players):
            by_seat[HAND_SIZES, one, seat] = state[HANDS + seat].bit_count()
            sets_by_seat[PLAYED, one, seat] = table[one, batch_state.PLAYED_CARDS + seat]
            sets_by_seat[TAKEN_BY, one, seat] = state[CAPTURED_CARDS + seat]
            if all_points or seat == reader:
                # In a round in progress these are `round_state.points`, without the cost of the
                # call.
                running = state[CAPTURED_POINTS + seat] + state[EXTRA_POINTS + seat]
                by_seat[POINTS, one, seat] = (
                    round_state.points(state, seat) if turn < 0 else running
                )


@kernel
def read_bids(
    rules: IntArray, tables: BatchState, readers: IntArray, reading: ObservationTables
) -> None:
    """Adds the arrays of Differenzler: the bids, hidden ones after the round is over (DF3)."""
    table, numbers, by_seat = tables.rows, reading.numbers, reading.by_seat
    for one in range(len(readers)):
        numbers[SHOWN, one] = table[one, batch_state.SHOWN_CARD]
        told = rules[BIDS_OPEN] or table[one, batch_state.PHASE] == batch_state.OVER
        for seat in range(rules[PLAYERS]):
            if told or seat == readers[one]:
                by_seat[BIDS, one, seat] = tables.states[one, TARGET + seat]


@kernel
def read_handjass(
    rules: IntArray, tables: BatchState, readers: IntArray, reading: ObservationTables
) -> None:
    """Adds the arrays of Jass: seats in play, cards on the table, known Weis (JS4, JS5, JS7)."""
    table = tables.rows
    numbers, sets, by_seat = reading.numbers, reading.sets, reading.by_seat
    for one in range(len(readers)):
        row = table[one]
        numbers[SHOWN, one] = row[batch_state.SHOWN_CARD]
        numbers[TURNED, one] = row[batch_state.TURNED_CARD]
        numbers[BLIND_OPEN, one] = (
            row[batch_state.PHASE] == batch_state.ANSWERING and row[batch_state.BLIND_CARD_SET] != 0
        )
        numbers[BLIND_TAKER, one] = row[batch_state.BLIND_TAKER]
        numbers[ROBBER, one] = row[batch_state.ROBBER]
        if readers[one] >= 0:
            sets[LAID_AWAY, one] = row[batch_state.LAID_AWAY + readers[one]]
        for seat in range(rules[PLAYERS]):
            by_seat[ANSWERS_GIVEN, one, seat] = row[batch_state.ANSWERS_GIVEN + seat]
            by_seat[IN_PLAY, one, seat] = row[batch_state.SEATS_IN_PLAY] >> seat & 1
        read_weis(rules, tables.states[one], row, one, reading)


@kernel
def read_weis(
    rules: IntArray, state: round_state.Round, row: RoundRow, one: int, reading: ObservationTables
) -> None:
    """Adds the known Weis of one round: announced, and shown after the first trick (JS7, SC3)."""
    best = row[batch_state.BEST_SEAT]
    if best >= 0 and row[batch_state.PLAY_COUNT] >= state[round_state.PLAYER_COUNT]:
        reading.numbers[WEIS_SEAT, one] = best
        reading.sets[WEIS_CARDS, one] = row[batch_state.MELD_CARDS + best]
        if state[round_state.HAS_SIDES]:
            reading.sets[WEIS_CARDS, one] |= row[batch_state.MELD_CARDS + (best + 2) % 4]
    for seat in range(rules[PLAYERS]):
        reading.by_seat[ANNOUNCED, one, seat] = row[batch_state.ANNOUNCED + seat]


@kernel
def read_contracts(rules: IntArray, tables: BatchState, reading: ObservationTables) -> None:
    """Adds the announcements and their seats; points belong to the sides (CT1, CT2)."""
    numbers, by_seat = reading.numbers, reading.by_seat
    for one in range(len(tables.rows)):
        state, row = tables.states[one], tables.rows[one]
        numbers[TRUMP_SUIT, one] = (
            state[VALUE_RANKING] if state[VALUE_RANKING] < TRUMP_SUITS else UNKNOWN_OR_NONE
        )
        numbers[CONTRACT, one] = row[batch_state.CONTRACT]
        numbers[LINE, one] = row[batch_state.LINE]
        numbers[FACTOR, one] = row[batch_state.FACTOR]
        numbers[ANNOUNCER, one] = state[round_state.ANNOUNCER]
        numbers[PUSHES, one] = row[batch_state.PUSHES]
        numbers[RANKING_NOW, one] = state[RANKING]
        for seat in range(rules[PLAYERS]):
            by_seat[POINTS, one, seat] = contracts.side_points(rules, state, seat)
        read_weis(rules, state, row, one, reading)

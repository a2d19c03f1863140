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

Observation = dict[str, NDArray[Any]]
"""The arrays of an observation, by name."""

_TRUMP_SUITS = 4
"""Rankings below this one are those of a trump suit."""

_UNKNOWN_OR_NONE = -1
"""The value of what is hidden from the observer or does not exist."""

(_SEAT, _SEAT_TO_ACT, _DEALER, _TRUMP_SUIT, _LEADER) = range(5)
(_SHOWN, _TURNED, _BLIND_OPEN, _BLIND_TAKER, _ROBBER, _WEIS_SEAT) = range(5, 11)
(_CONTRACT, _LINE, _FACTOR, _ANNOUNCER, _PUSHES, _RANKING_NOW) = range(11, 17)
(_HAND, _LEGAL, _LAID_AWAY, _WEIS_CARDS) = range(4)
(_TRICK, _HAND_SIZES, _POINTS, _BIDS, _ANSWERS_GIVEN, _IN_PLAY, _ANNOUNCED) = range(7)
(_PLAYED, _TAKEN_BY) = range(2)

_COMMON_PARTS = {
    "seat": ("numbers", _SEAT),
    "turn": ("numbers", _SEAT_TO_ACT),
    "dealer": ("numbers", _DEALER),
    "trump": ("numbers", _TRUMP_SUIT),
    "leader": ("numbers", _LEADER),
    "hand": ("sets", _HAND),
    "legal": ("sets", _LEGAL),
    "trick": ("by_seat", _TRICK),
    "hand_sizes": ("by_seat", _HAND_SIZES),
    "points": ("by_seat", _POINTS),
    "played": ("sets_by_seat", _PLAYED),
    "taken": ("sets_by_seat", _TAKEN_BY),
}
"""The arrays of every game, with the table and the index at which each is stored."""

_GAME_PARTS = {
    BY_DIFFERENCE: {"bids": ("by_seat", _BIDS), "shown": ("numbers", _SHOWN)},
    BY_STROKES: {
        "said": ("by_seat", _ANSWERS_GIVEN),
        "playing": ("by_seat", _IN_PLAY),
        "announced": ("by_seat", _ANNOUNCED),
        "shown": ("numbers", _SHOWN),
        "turned": ("numbers", _TURNED),
        "blind_open": ("numbers", _BLIND_OPEN),
        "blind_taker": ("numbers", _BLIND_TAKER),
        "robber": ("numbers", _ROBBER),
        "weis_seat": ("numbers", _WEIS_SEAT),
        "weis_cards": ("sets", _WEIS_CARDS),
        "laid_away": ("sets", _LAID_AWAY),
    },
    BY_SIDE: {
        "contract": ("numbers", _CONTRACT),
        "line": ("numbers", _LINE),
        "factor": ("numbers", _FACTOR),
        "by": ("numbers", _ANNOUNCER),
        "pushes": ("numbers", _PUSHES),
        "ranking": ("numbers", _RANKING_NOW),
        "announced": ("by_seat", _ANNOUNCED),
        "weis_seat": ("numbers", _WEIS_SEAT),
        "weis_cards": ("sets", _WEIS_CARDS),
    },
}
"""The additional arrays of single games."""


class _ObservationTables(NamedTuple):
    """The tables from which an observation is sliced: by array, by round and, if given, by seat."""

    numbers: NDArray[np.int8]
    sets: NDArray[np.int64]
    by_seat: NDArray[np.int16]
    sets_by_seat: NDArray[np.int64]


def read_observations(rules: CompiledRules, batch: BatchState, readers: IntArray) -> Observation:
    """The observation of each of these seats in its round; -1 observes public information only."""
    envs, players, kind = (
        len(readers),
        int(rules.parameters[PLAYERS]),
        int(rules.parameters[SCORING]),
    )
    reading = _ObservationTables(
        np.full((17, envs), _UNKNOWN_OR_NONE, dtype=np.int8),
        np.zeros((4, envs), dtype=np.int64),
        np.full((7, envs, players), _UNKNOWN_OR_NONE, dtype=np.int16),
        np.zeros((2, envs, players), dtype=np.int64),
    )
    _read_common(rules.parameters, batch, readers, reading)
    if kind == BY_DIFFERENCE:
        _read_bids(rules.parameters, batch, readers, reading)
    elif kind == BY_STROKES:
        _read_handjass(rules.parameters, batch, readers, reading)
    elif kind == BY_SIDE:
        _read_contracts(rules.parameters, batch, reading)
    parts: Observation = {
        "numbers": reading.numbers,
        "sets": reading.sets.view(np.uint64),
        "by_seat": reading.by_seat,
        "sets_by_seat": reading.sets_by_seat.view(np.uint64),
    }
    places = _COMMON_PARTS | _GAME_PARTS.get(kind, {})
    arrays = {name: parts[where][place] for name, (where, place) in places.items()}
    if kind == BY_SIDE:
        arrays["lines_played"] = batch.lines_played.view(np.uint64).copy()
    return arrays | {"history": batch.history.copy()}


@kernel
def _read_common(
    rules: IntArray, batch: BatchState, readers: IntArray, reading: _ObservationTables
) -> None:
    """Fills the tables of an observation with the arrays of every game."""
    table, history = batch.round_details, batch.history
    numbers, sets, by_seat, sets_by_seat = reading
    players, all_points = rules[PLAYERS], rules[POINTS_SHOWN]
    for one in range(len(readers)):
        state = batch.round_states[one]
        reader, turn, laid = readers[one], state[TURN], state[TRICK_SIZE]
        numbers[_SEAT, one] = reader
        numbers[_SEAT_TO_ACT, one] = turn
        numbers[_DEALER, one] = table[one, batch_state.DEALER]
        numbers[_TRUMP_SUIT, one] = state[RANKING]
        if reader >= 0:
            sets[_HAND, one] = state[HANDS + reader]
            if reader == turn:
                sets[_LEGAL, one] = batch.legal[one]
        if table[one, batch_state.PHASE] == batch_state.PLAYING_CARDS:
            first = table[one, batch_state.PLAY_COUNT] - laid
            numbers[_LEADER, one] = history[one, first, 0] if laid else turn
            for place in range(laid):
                by_seat[_TRICK, one, place] = history[one, first + place, 1]
        for seat in range(players):
            by_seat[_HAND_SIZES, one, seat] = state[HANDS + seat].bit_count()
            sets_by_seat[_PLAYED, one, seat] = table[one, batch_state.PLAYED_CARDS + seat]
            sets_by_seat[_TAKEN_BY, one, seat] = state[CAPTURED_CARDS + seat]
            if all_points or seat == reader:
                # In a round in progress these are `round_state.points`, without the cost of the
                # call.
                running = state[CAPTURED_POINTS + seat] + state[EXTRA_POINTS + seat]
                by_seat[_POINTS, one, seat] = (
                    round_state.points(state, seat) if turn < 0 else running
                )


@kernel
def _read_bids(
    rules: IntArray, batch: BatchState, readers: IntArray, reading: _ObservationTables
) -> None:
    """Adds the arrays of Differenzler: the bids, hidden ones after the round is over (DF3)."""
    table, numbers, by_seat = batch.round_details, reading.numbers, reading.by_seat
    for one in range(len(readers)):
        numbers[_SHOWN, one] = table[one, batch_state.SHOWN_CARD]
        told = rules[BIDS_OPEN] or table[one, batch_state.PHASE] == batch_state.OVER
        for seat in range(rules[PLAYERS]):
            if told or seat == readers[one]:
                by_seat[_BIDS, one, seat] = batch.round_states[one, TARGET + seat]


@kernel
def _read_handjass(
    rules: IntArray, batch: BatchState, readers: IntArray, reading: _ObservationTables
) -> None:
    """Adds the arrays of Jass: seats in play, cards on the table, known Weis (JS4, JS5, JS7)."""
    table = batch.round_details
    numbers, sets, by_seat = reading.numbers, reading.sets, reading.by_seat
    for one in range(len(readers)):
        row = table[one]
        numbers[_SHOWN, one] = row[batch_state.SHOWN_CARD]
        numbers[_TURNED, one] = row[batch_state.TURNED_CARD]
        numbers[_BLIND_OPEN, one] = (
            row[batch_state.PHASE] == batch_state.ANSWERING and row[batch_state.BLIND_CARD_SET] != 0
        )
        numbers[_BLIND_TAKER, one] = row[batch_state.BLIND_TAKER]
        numbers[_ROBBER, one] = row[batch_state.ROBBER]
        if readers[one] >= 0:
            sets[_LAID_AWAY, one] = row[batch_state.LAID_AWAY + readers[one]]
        for seat in range(rules[PLAYERS]):
            by_seat[_ANSWERS_GIVEN, one, seat] = row[batch_state.ANSWERS_GIVEN + seat]
            by_seat[_IN_PLAY, one, seat] = row[batch_state.SEATS_IN_PLAY] >> seat & 1
        _read_weis(rules, batch.round_states[one], row, one, reading)


@kernel
def _read_weis(
    rules: IntArray, state: round_state.Round, row: RoundRow, one: int, reading: _ObservationTables
) -> None:
    """Adds the known Weis of one round: announced, and shown after the first trick (JS7, SC3)."""
    best = row[batch_state.BEST_SEAT]
    if best >= 0 and row[batch_state.PLAY_COUNT] >= state[round_state.PLAYER_COUNT]:
        reading.numbers[_WEIS_SEAT, one] = best
        reading.sets[_WEIS_CARDS, one] = row[batch_state.MELD_CARDS + best]
        if state[round_state.HAS_SIDES]:
            reading.sets[_WEIS_CARDS, one] |= row[batch_state.MELD_CARDS + (best + 2) % 4]
    for seat in range(rules[PLAYERS]):
        reading.by_seat[_ANNOUNCED, one, seat] = row[batch_state.ANNOUNCED + seat]


@kernel
def _read_contracts(rules: IntArray, batch: BatchState, reading: _ObservationTables) -> None:
    """Adds the announcements and their seats; points belong to the sides (CT1, CT2)."""
    numbers, by_seat = reading.numbers, reading.by_seat
    for one in range(len(batch.round_details)):
        state, row = batch.round_states[one], batch.round_details[one]
        numbers[_TRUMP_SUIT, one] = (
            state[VALUE_RANKING] if state[VALUE_RANKING] < _TRUMP_SUITS else _UNKNOWN_OR_NONE
        )
        numbers[_CONTRACT, one] = row[batch_state.CONTRACT]
        numbers[_LINE, one] = row[batch_state.LINE]
        numbers[_FACTOR, one] = row[batch_state.FACTOR]
        numbers[_ANNOUNCER, one] = state[round_state.ANNOUNCER]
        numbers[_PUSHES, one] = row[batch_state.PUSHES]
        numbers[_RANKING_NOW, one] = state[RANKING]
        for seat in range(rules[PLAYERS]):
            by_seat[_POINTS, one, seat] = contracts.side_points(rules, state, seat)
        _read_weis(rules, state, row, one, reading)

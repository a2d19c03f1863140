"""A match that is over, step by step: what one reader saw of it, and what everybody held.

Of a match that is being played these are the rounds that are over, and what he himself held: some
of what the others held may stay hidden until the end.

The steps are those of its record. What each has changed of the view is told as at the table, so
that whoever follows tables can follow this.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from jasstisch.games.rules import Game
from jasstisch.match.match import Match
from jasstisch.match.record import Record
from jasstisch.table.deltas import diff
from jasstisch.table.events import Event, NicknameReplaced
from jasstisch.table.room import Card, EventInfo, Room
from jasstisch.table.state import State
from jasstisch.table.table import Table

__all__ = [
    "FinishedMatch",
    "Replay",
    "ReplayStep",
    "build_replay",
    "finished_match",
    "finished_rounds",
]


class FinishedMatch(Struct, frozen=True):
    """A match that is over, or the rounds of it that are.

    Attributes:
        number: which match of its table.
        record: its record.
        room: the table as it was when the last action of the match was to be done; where the match
            goes on, as it was when the last round was over.
        seats: who held which seat in it; where it goes on, who holds one that nobody else has held,
            for what a game hides is hidden from whoever held it before or after, too.
        whole: whether the match itself is over.
    """

    number: int
    record: Record
    room: Room
    seats: dict[str, int]
    whole: bool = True


class ReplayStep(Struct, forbid_unknown_fields=True, frozen=True):
    """One step of a round that is over: a pack, or an action.

    `round` is the one it belongs to, from 1; `event` and the changes of the view are as in an
    `Event`; `hands` are those that it has changed, by seats.
    """

    round: int
    event: EventInfo
    set: dict[str, Any]
    last: dict[str, Any]
    append: dict[str, list[Any]]
    hands: dict[str, list[Card]]


class Replay(Struct, forbid_unknown_fields=True, frozen=True):
    """A match that is over, or its rounds that are, from before its first pack.

    `match` is its number at the table; `seat` is the one whose view is told, null for that of a
    spectator, and `own` the one that whoever asks had in it; `room` is the table as it was then,
    `view` what was seen before the first step, and `steps` are those of the record's `log`.
    `whole`: the match itself is over; until then the view is that of whoever asks, and of all hands
    his own is told.
    """

    match: int
    seat: int | None
    own: int | None
    room: Room
    view: dict[str, Any]
    steps: list[ReplayStep]
    whole: bool = True


def finished_match(events: Iterable[Event], number: int) -> FinishedMatch | None:
    """The match of this number, from 1, of a table; None where there is none, or it is not over.

    Names that were taken away from people at the table since are not in it.

    Args:
        events: the whole log of the table.
        number: which match.

    Raises:
        ValueError: the log is damaged.
    """
    table, found = _new_table(events)
    state = table.state
    room, seats, match = state.room(), dict(state.seat_by_person), state.match
    players: list[str] = []
    for event in found:
        if state.match_number <= number and state.phase != "over":
            room, seats = state.room(), dict(state.seat_by_person)
        if isinstance(event, NicknameReplaced):
            players = state.replace_nicknames(players, event)
        table.apply(event)
        if state.match_number == number:
            match = state.match
            if match is not None and match.over and not players:
                players = match.players
    if match is None or not match.over:
        return None
    record = match.record()
    record["players"] = players
    return FinishedMatch(number, record, room, seats)


def finished_rounds(events: Iterable[Event], number: int) -> FinishedMatch | None:
    """The rounds that are over of a match that is not; None where there are none.

    Args:
        events: the whole log of the table.
        number: which match.

    Raises:
        ValueError: the log is damaged.
    """
    table, found = _new_table(events)
    state = table.state
    room, steps, rounds = state.room(), 0, 0
    for event in found:
        table.apply(event)
        match = state.match
        if match is None or state.match_number != number or state.phase != "between":
            continue
        # One that was annulled is none (MV7).
        if (finished := len(match.rounds)) > rounds:
            room, steps, rounds = state.room(), match.step_count, finished
    if state.match_number != number or state.match is None or not rounds:
        return None
    record = state.match.record()
    record["log"] = record["log"][:steps]
    return FinishedMatch(number, record, room, _sole_occupants(state), whole=False)


def _new_table(events: Iterable[Event]) -> tuple[Table, Iterator[Event]]:
    """A table as it was made, and what has happened at it since."""
    found = iter(events)
    return Table.from_events(islice(found, 1)), found


def _sole_occupants(state: State) -> dict[str, int]:
    """Who holds a seat that nobody else has held in this match, and which."""
    held = Counter(state.seat_by_person.values())
    return {
        person: seat
        for person, seat in state.seat_by_person.items()
        if held[seat] == 1 and state.seat_of(person) == seat
    }


def build_replay(match: FinishedMatch, seat: int | None, own: int | None, now: Room) -> Replay:
    """All that is over of a match, as a seat saw it, or a spectator (None).

    Args:
        match: the match.
        seat: whose eyes.
        own: the seat of whoever asks.
        now: the table as it is now: who is its host, and what its link needs.

    Raises:
        GameError: no such seat.
    """
    record = match.record
    played = Match(Game(record["game"], record["options"]), record["players"])
    first = view = _view_of(played, seat)
    hands: list[list[str]] = [[] for _ in record["players"]]
    steps = []
    for actor, text in record["log"]:
        before = view
        if actor == "pack":
            played.deal(text)
            event = EventInfo("pack", pack=before["phase"])
        else:
            played.act(actor, text)
            event = EventInfo("acted", actor, played.describe_last_action(seat))
        view = _view_of(played, seat)
        # What ends a round may begin the next one.
        number = (view if actor == "pack" else before)["round"]
        changed, last, grown = diff(before, view)
        held = [played.hand(one) if match.whole or one == own else [] for one in range(len(hands))]
        moved = {str(one): hand for one, hand in enumerate(held) if hand != hands[one]}
        hands = held
        steps.append(ReplayStep(number, event, changed, last, grown, moved))
    room = _room_at_match(match.room, now, record["players"])
    return Replay(match.number, seat, own, room, first, steps, match.whole)


def _view_of(match: Match, seat: int | None) -> dict[str, Any]:
    glance = match.spectator_view()
    return glance if seat is None else glance | match.private_view(seat)


def _room_at_match(room: Room, now: Room, names: Sequence[str]) -> Room:
    """The table as it was, with nothing that was asked or could be done then."""
    seats = [replace(seat, name=name) for seat, name in zip(room.seats, names, strict=True)]
    return replace(
        room,
        seats=seats,
        host=now.host,
        key=now.key,
        entry=now.entry,
        requests=[],
        fair=None,
        undo=None,
    )

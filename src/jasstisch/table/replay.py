"""The replay of a finished match, step by step: one reader's view and all hands.

For a match in progress it covers the finished rounds and only the reader's own hand, because some
of the other cards may stay hidden until the end.

The steps are those of the record. Each has the same delta of the view as at the table, so that a
client can process it in the same way.
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
from jasstisch.table.client_state import Card, EventInfo, RoomInfo
from jasstisch.table.deltas import diff
from jasstisch.table.events import Event, NicknameReplaced
from jasstisch.table.state import State
from jasstisch.table.table import Table


class FinishedMatch(Struct, frozen=True):
    """A finished match, or the finished rounds of a match in progress.

    Attributes:
        number: the number of the match at its table.
        record: its record.
        room: the room before the last action of the match; in a match in progress, at the end of
            the last finished round.
        seat_by_person: the seat of each person in it. In a match in progress, only seats that one
            person alone has held, because hidden information stays hidden from earlier and later
            holders.
        is_match_over: whether the match itself is over.
    """

    number: int
    record: Record
    room: RoomInfo
    seat_by_person: dict[str, int]
    is_match_over: bool = True


class ReplayStep(Struct, forbid_unknown_fields=True, frozen=True):
    """One step of a finished round: a pack, or an action.

    `round` is its round, from 1; `event` and the changes of the view are as in an `Event` message;
    `hands` are the hands that it changed, by seat.
    """

    round: int
    event: EventInfo
    set: dict[str, Any]
    last: dict[str, Any]
    append: dict[str, list[Any]]
    hands: dict[str, list[Card]]


class Replay(Struct, forbid_unknown_fields=True, frozen=True):
    """The replay of a match, or of its finished rounds, from before its first pack.

    `match` is its number at the table; `seat` is the seat whose view is shown, null for a
    spectator; `own` is the seat that the reader had in it; `room` is the room at that time, `view`
    the view before the first step, and `steps` are those of the record's `log`. `whole`: the match
    itself is over; until then the view is the reader's own, and only their own hand is shown.
    """

    match: int
    seat: int | None
    own: int | None
    room: RoomInfo
    view: dict[str, Any]
    steps: list[ReplayStep]
    whole: bool = True


def finished_match(events: Iterable[Event], number: int) -> FinishedMatch | None:
    """The finished match with this number, from 1; None where it does not exist or is not over.

    Nicknames that were removed later are replaced in it.

    Args:
        events: the whole log of the table.
        number: the number of the match.

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


def closed_match(events: Iterable[Event], number: int) -> FinishedMatch | None:
    """The match that was in progress when its table was closed; None where there is none.

    Args:
        events: the whole log of the table.
        number: the number of the match.

    Raises:
        ValueError: the log is damaged.
    """
    state = Table.from_events(events).state
    record = state.record() if state.phase == "closed" and state.match_number == number else None
    if record is None:
        return None
    return FinishedMatch(number, record, state.room(), _sole_occupants(state), is_match_over=False)


def finished_rounds(events: Iterable[Event], number: int) -> FinishedMatch | None:
    """The finished rounds of a match in progress; None where there are none.

    Args:
        events: the whole log of the table.
        number: the number of the match.

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
        # An annulled round does not count (MV7).
        if (finished := len(match.rounds)) > rounds:
            room, steps, rounds = state.room(), match.step_count, finished
    if state.match_number != number or state.match is None or not rounds:
        return None
    record = state.match.record()
    record["log"] = record["log"][:steps]
    return FinishedMatch(number, record, room, _sole_occupants(state), is_match_over=False)


def _new_table(events: Iterable[Event]) -> tuple[Table, Iterator[Event]]:
    """A newly created table, and the iterator of the events after its creation."""
    found = iter(events)
    return Table.from_events(islice(found, 1)), found


def _sole_occupants(state: State) -> dict[str, int]:
    """The people who hold a seat that nobody else has held in this match, with the seat."""
    held = Counter(state.seat_by_person.values())
    return {
        person: seat
        for person, seat in state.seat_by_person.items()
        if held[seat] == 1 and state.seats.seat_of(person) == seat
    }


def build_replay(match: FinishedMatch, seat: int | None, own: int | None, now: RoomInfo) -> Replay:
    """The replay of a match from the view of a seat, or of a spectator (None).

    Args:
        match: the match.
        seat: the seat whose view is shown.
        own: the seat of the reader.
        now: the present room, for the present host and link key.

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
        # The step that ends a round may also begin the next one.
        number = (view if actor == "pack" else before)["round"]
        changed, last, grown = diff(before, view)
        held = [
            played.hand(one) if match.is_match_over or one == own else []
            for one in range(len(hands))
        ]
        moved = {str(one): hand for one, hand in enumerate(held) if hand != hands[one]}
        hands = held
        steps.append(ReplayStep(number, event, changed, last, grown, moved))
    room = _room_at_match(match.room, now, record["players"])
    return Replay(match.number, seat, own, room, first, steps, match.is_match_over)


def _view_of(match: Match, seat: int | None) -> dict[str, Any]:
    view = match.spectator_view()
    return view if seat is None else view | match.private_view(seat)


def _room_at_match(room: RoomInfo, now: RoomInfo, names: Sequence[str]) -> RoomInfo:
    """The room at the time of the match, without requests and possible actions of that time."""
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

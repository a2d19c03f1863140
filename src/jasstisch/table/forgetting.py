"""Forgetting a person in the log of a table: every trace of them is replaced, and nothing else.

The log must go on describing what happened at the table, so it keeps its length, and the person
becomes a placeholder that leads to nobody: it is a number at this table. Their nicknames become
that of an unnamed person, and what they wrote is struck out, as is their nickname where others
wrote it. What a seat has played stays, because it belongs to the match of all who played it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from jasstisch.table import events
from jasstisch.table.handlers.host_commands import REMOVED_NICKNAME
from jasstisch.table.seats import Seats
from jasstisch.table.state import State

PLACEHOLDER_PREFIX = "gone-"
"""The beginning of the placeholder of a forgotten person; no person's id begins like this."""

STRUCK_OUT = "…"
"""The text that replaces a chat line of a forgotten person."""


def persons_seated(log: Iterable[events.Event]) -> set[str]:
    """The people who have sat at a table or created it, without those who are forgotten."""
    found: set[str | None] = set()
    for event in log:
        match event:
            case events.TableCreated(host=person):
                found.add(person)
            case events.SeatTaken(person=person):
                found.add(person)
            case events.LobbyCompacted(seats=seats):
                found.update(seat.person for seat in seats)
            case _:
                pass
    return {one for one in found if one is not None and not one.startswith(PLACEHOLDER_PREFIX)}


def forget_person(log: Sequence[events.Event], person: str) -> list[events.Event]:
    """The log of a table without a person; events that do not mention them are the same objects.

    Args:
        log: the whole log of a table.
        person: the person.

    Raises:
        ValueError: the log is damaged.
    """
    traces = _Traces(log, person)
    created = traces.without(log[0], None)
    assert isinstance(created, events.TableCreated)
    state = State.from_creation_event(created)
    done: list[events.Event] = [created]
    for event in log[1:]:
        done.append(traces.without(event, state))
        state.apply(done[-1])
    return done


class _Traces:
    """The traces of a person in the log of a table.

    Args:
        log: the whole log.
        person: the person.
    """

    def __init__(self, log: Sequence[events.Event], person: str) -> None:
        self._person = person
        gone = {
            one for event in log for one in _ids_in(event) if one.startswith(PLACEHOLDER_PREFIX)
        }
        self._placeholder = f"{PLACEHOLDER_PREFIX}{len(gone) + 1}"
        names = {name for event in log for who, name in _names_in(event) if who == person}
        # The longest first: a name may be the beginning of another.
        words = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True) if one)
        self._mentions = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def without(self, event: events.Event, state: State | None) -> events.Event:
        """An event without the person.

        Args:
            event: the next event.
            state: the state before it, already without the person; None for the first event.
        """
        match event:
            case events.ChatWritten(seat, text):
                return self._without_words(event, seat, text, state)
            case events.SeatTaken(person=person) | events.EntryRequested(person=person):
                if person != self._person:
                    return event
                name = REMOVED_NICKNAME
                if state is not None:
                    name = state.seats.unique_name(name, of=event.seat)
                return replace(event, person=self._placeholder, name=name, face=0)
            case events.TableCreated(host=person):
                return replace(event, host=self._placeholder) if person == self._person else event
            case events.HostReplaced(person):
                return events.HostReplaced(self._placeholder) if person == self._person else event
            case events.LobbyCompacted():
                return self._without_in_lobby(event)
            case _:
                return event

    def _without_words(
        self, event: events.ChatWritten, seat: int, text: str, state: State | None
    ) -> events.Event:
        if state is not None and state.seats[seat].person == self._placeholder:
            return events.ChatWritten(seat, STRUCK_OUT)
        if self._mentions is None or not self._mentions.search(text):
            return event
        return events.ChatWritten(seat, self._mentions.sub(REMOVED_NICKNAME, text))

    def _without_in_lobby(self, event: events.LobbyCompacted) -> events.Event:
        if self._person not in _ids_in(event):
            return event
        unnamed = Seats.from_snapshots(event.seats).unique_name(REMOVED_NICKNAME)
        gone = {"person": self._placeholder, "face": 0}
        seats = [
            replace(one, name=unnamed, **gone) if one.person == self._person else one
            for one in event.seats
        ]
        house = event.house
        requests = [
            replace(one, name=REMOVED_NICKNAME, **gone) if one.person == self._person else one
            for one in house.requests
        ]
        house = replace(
            house,
            host=self._id_of(house.host),
            absent_host=self._id_of(house.absent_host),
            requests=requests,
            removed=[self._placeholder if one == self._person else one for one in house.removed],
        )
        return replace(event, seats=seats, house=house)

    def _id_of(self, person: str | None) -> str | None:
        return self._placeholder if person == self._person else person


def _names_in(event: events.Event) -> Iterator[tuple[str, str]]:
    """The people with nicknames in an event."""
    match event:
        case events.SeatTaken(person=person, name=name):
            yield person, name
        case events.EntryRequested(person=person, name=name):
            yield person, name
        case events.LobbyCompacted(seats=seats, house=house):
            yield from ((one.person, one.name) for one in seats if one.person is not None)
            yield from ((one.person, one.name) for one in house.requests)
        case _:
            pass


def _ids_in(event: events.Event) -> Iterator[str]:
    """The ids of the people in an event."""
    yield from (person for person, _ in _names_in(event))
    match event:
        case events.TableCreated(host=str(person)) | events.HostReplaced(person=str(person)):
            yield person
        case events.LobbyCompacted(house=house):
            yield from (one for one in (house.host, house.absent_host) if one is not None)
            yield from house.removed
        case _:
            pass

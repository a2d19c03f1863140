"""The export of all data stored about one person, for that person, without secrets.

About other people at the same tables, it contains only what everybody at the table saw: nicknames,
and the record of a match once it is over.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.storage import CorruptionError, EventStore
from jasstisch.storage.identities import SECONDS_PER_DAY
from jasstisch.table import Table
from jasstisch.table.events import (
    ChatWritten,
    EntryRequested,
    Event,
    LobbyCompacted,
    MatchResumed,
    MatchStarted,
    NicknameReplaced,
    PhraseSaid,
    RematchStarted,
    SeatTaken,
    TableCreated,
)

_Item = TypeVar("_Item", int, str)

_MAX_TABLES = 100_000
"""More tables than a store can hold."""


async def export_person(store: EventStore, person: str, now: float) -> dict[str, Any]:
    """Exports all data stored about a person, as plain JSON.

    Args:
        store: the store.
        person: the person.
        now: the time in seconds since 1970.

    Raises:
        StoreError: the data cannot be read.
    """
    tables = [one async for one in _table_data(store, person)]
    return await _personal_data(store, person, now) | {"tables": tables}


async def stream_export(store: EventStore, person: str, now: float) -> AsyncIterator[bytes]:
    """Streams the same export in pieces of one JSON text, as it can be long.

    Args:
        store: the store.
        person: the person.
        now: the time in seconds since 1970.

    Raises:
        StoreError: the data cannot be read.
    """
    personal = msgspec.json.encode(await _personal_data(store, person, now))
    yield personal.removesuffix(b"}") + b',"tables":['
    between = b""
    async for one in _table_data(store, person):
        yield between + await asyncio.to_thread(msgspec.json.encode, one)
        between = b",\n"
    yield b"]}\n"


async def _personal_data(store: EventStore, person: str, now: float) -> dict[str, Any]:
    """The data stored about a person, apart from tables."""
    identities = store.identity_store
    return {
        "format": "jasstisch-person/1",
        "person": person,
        "credentials": [
            {
                "kind": one.kind,
                "made": _format_day(one.created_day),
                "used": _format_day(one.last_used_day),
                "good_until": None if one.expires is None else _format_time(one.expires),
            }
            for one in await identities.credentials_of(person, now)
        ],
        "bans": [
            {
                "since": _format_time(ban.since),
                "until": None if ban.until is None else _format_time(ban.until),
                "reason": ban.reason,
            }
            for ban in await identities.list_bans(now)
            if ban.person == person
        ],
    }


async def _table_data(store: EventStore, person: str) -> AsyncIterator[dict[str, Any]]:
    """The data about a person at each of their tables."""
    for table in await store.identity_store.tables_of(person, _MAX_TABLES):
        try:
            events = await store.load(table)
            data = await asyncio.to_thread(_data_at_table, events, person) if events else None
        except (CorruptionError, ValueError) as error:
            log.error(
                "table_damaged",
                table=short_id(table),
                **{"cause": "damaged", **describe_exception(error)},
            )
            data = {"damaged": True}
        if data is not None:
            await _add_analyses(store, table, data)
            yield {"table": table, **data}


async def _add_analyses(store: EventStore, table: str, data: dict[str, Any]) -> None:
    """Adds the stored analyses to the matches in which the person took part."""
    analysed = await store.analysis_checksums(table)
    for match in data.get("matches", ()):
        if match.get("number") in analysed:
            try:
                body = await store.analysis(table, match["number"])
            except CorruptionError as error:
                log.error("analysis_damaged", table=short_id(table), **describe_exception(error))
                continue
            if body is not None:
                match["analysis"] = msgspec.json.decode(body)


def _data_at_table(events: list[Event], person: str) -> dict[str, Any]:
    """The data about a person in the log of a table.

    Raises:
        ValueError: the log is damaged.
    """
    names: list[str] = []
    seats: list[int] = []
    matches: list[dict[str, Any]] = []
    said: list[str] = []
    faces: list[int] = []
    table = Table.from_events(events[:1])
    for event in events[1:]:
        if isinstance(event, NicknameReplaced):
            for record in (one["record"] for one in matches if "record" in one):
                record["players"] = table.state.replace_nicknames(record["players"], event)
        table.apply(event)
        for name, seat, face in _names_in_event(table, event, person):
            _append_unique(names, name)
            _append_unique(seats, seat)
            _append_unique(faces, face)
        match event:
            case PhraseSaid(seat, words) | ChatWritten(seat, words):
                if table.state.seats[seat].person == person:
                    said.append(words)
            case MatchStarted() | MatchResumed() | RematchStarted():
                matches.append({})
            case _:
                pass
        if matches and person in table.state.seat_by_person:
            matches[-1] |= {
                "number": table.state.match_number,
                "seat": table.state.seat_by_person[person],
            }
            if table.state.phase == "over" and "record" not in matches[-1]:
                matches[-1]["record"] = table.state.record()
    created = events[0]
    return {
        "game": table.state.creation_event.game,
        "made": isinstance(created, TableCreated) and created.host == person,
        "host": table.state.host_settings.host == person,
        "seat": table.state.seats.seat_of(person),
        "seats": seats,
        "names": names,
        "faces": faces,
        "said": said,
        "removed": person in table.state.host_settings.removed,
        "matches": [one for one in matches if one],
    }


def _names_in_event(table: Table, event: Event, person: str) -> list[tuple[str, int, int]]:
    """The nicknames of a person in an event, each with its seat and face."""
    match event:
        case SeatTaken(seat, who, name, face) | EntryRequested(_, seat, who, name, face) if (
            who == person
        ):
            return [(name, seat, face)]
        case LobbyCompacted():
            places = enumerate(table.state.seats)
            mine = [(seat, place) for seat, place in places if place.person == person]
            return [(place.name, seat, place.face) for seat, place in mine]
        case _:
            return []


def _append_unique(things: list[_Item], thing: _Item) -> None:
    if thing not in things:
        things.append(thing)


def _format_day(number: int) -> str:
    return datetime.fromtimestamp(number * SECONDS_PER_DAY, UTC).date().isoformat()


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")

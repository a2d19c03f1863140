"""The REST calls for a match that is over, and what makes replays: one at a time, in a thread.

Who may have the record of a match may have its replay, and while it is played that of the rounds
that are over, with his own eyes. It is made of what the store holds, so that any node makes it, and
of an earlier match of the table too.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar, cast

import msgspec
from litestar import MediaType, Response, get
from litestar.params import Parameter

from jasstisch.errors import GameError
from jasstisch.server import messages
from jasstisch.server.addresses import caller
from jasstisch.server.calls import (
    REFUSED,
    AnyRequest,
    Number,
    RefusedError,
    TableId,
    address_of,
    asker,
    find_for,
)
from jasstisch.server.hall import BusyError
from jasstisch.server.limits import Limits
from jasstisch.store import DamagedError, EventStore
from jasstisch.table import Over, Resumption, Room, over, replayed, resumption, rounds_over
from jasstisch.table.events import Event

__all__ = ["Replays", "record_call", "replay_call", "replays_of", "room_of"]

Made = TypeVar("Made")

NOT_OVER = "a match can be replayed once it is over"
NO_ROUND = "a round can be replayed once it is over"

Seat = Annotated[
    int | None, Parameter(description="Whose view; without it one's own.", ge=0, le=15)
]


class Replays:
    """Makes replays, one at a time, so that those who play do not wait for them.

    Args:
        store: where the tables are.
        limits: how long a match may be, and how many may wait, in all and of one address.
    """

    def __init__(self, store: EventStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._turn = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    async def of(
        self, room: Room, number: int, seat: int | None, person: str | None, address: str
    ) -> bytes:
        """The replay of a match as JSON.

        Args:
            room: its table as it is now.
            number: which match of it, from 1.
            seat: whose view; None for that of whoever asks, the only one while the match is played.
            person: who asks.
            address: where he calls from.

        Raises:
            RefusedError: there is none, or too many from there wait for theirs.
            BusyError: too many wait for theirs.
            StoreError: the table cannot be read.
        """
        write = partial(_written, room=room, seat=seat, person=person)
        return await self._made(room.table, number, address, write, rounds=True)

    async def players(self, room: Room, number: int, address: str) -> list[str]:
        """Who played a match that is over, by seats; it raises what `of` raises."""
        return await self._made(room.table, number, address, _players)

    async def record(self, room: Room, number: int, address: str) -> bytes:
        """The record of a match that is over as JSON; it raises what `of` raises."""
        return await self._made(room.table, number, address, _record)

    async def at(self, room: Room, number: int, step: int, address: str) -> tuple[Over, Resumption]:
        """A match that is over, and its first decision after a step.

        Raises:
            TableError: there is no such step, or nothing was decided after it.
            RefusedError: as `of`.
            BusyError: as `of`.
            StoreError: as `of`.
        """
        most = self._limits.resumed_steps
        if step > most:
            raise RefusedError("limit", f"one plays on from the first {most} steps of a match")
        return await self._made(room.table, number, address, partial(_resumption, step=step))

    async def _made(
        self,
        table: str,
        number: int,
        address: str,
        make: Callable[[Over], Made],
        *,
        rounds: bool = False,
    ) -> Made:
        counted, most = caller(address), self._limits.replays_per_address
        if self._waiting[counted] >= most:
            raise RefusedError("too_fast", f"at most {most} replays at a time, please")
        if self._waiting.total() >= self._limits.replays_waiting:
            raise BusyError("too many replays are being made; try again in a minute")
        self._waiting[counted] += 1
        try:
            async with self._turn:
                events = await self._store.load(table)
                steps = self._limits.replayed_steps
                return await asyncio.to_thread(lambda: make(_found(events, number, steps, rounds)))
        finally:
            self._waiting[counted] -= 1
            self._waiting += Counter()  # without those of whom none waits


def replays_of(request: AnyRequest) -> Replays:
    """What makes the replays of this server."""
    return cast("Replays", request.app.state.replays)


@get(
    "/api/tables/{table:str}/matches/{match:int}/replay",
    summary="The replay of a match",
    responses=dict.fromkeys((400, 404, 409, 429, 503), REFUSED),
)
async def replay_call(
    request: AnyRequest, table: TableId, match: Number, seat: Seat = None
) -> Response[messages.Replay]:
    """A match that is over, step by step, as a seat saw it, and with what everybody held.

    Of a match that is being played it is the rounds that are over, as whoever asks saw them.
    """
    room, person = await _room(request, table, match), await asker(request)
    content: Any = await replays_of(request).of(room, match, seat, person, address_of(request))
    return Response(content, media_type=MediaType.JSON)


@get(
    "/api/tables/{table:str}/matches/{match:int}/record",
    summary="The record of a match",
    responses=dict.fromkeys((400, 404, 409, 429, 503), REFUSED),
)
async def record_call(
    request: AnyRequest, table: TableId, match: Number
) -> Response[dict[str, Any]]:
    """The record of a match that is over, also of one before the last; see `Match.from_record`."""
    room = await room_of(request, table, match)
    content: Any = await replays_of(request).record(room, match, address_of(request))
    return Response(content, media_type=MediaType.JSON)


async def room_of(request: AnyRequest, table: str, match: int) -> Room:
    """The table of a match that is over, for a caller who may know of it.

    Raises:
        RefusedError: there is no such match, or it is not over.
    """
    room = await _room(request, table, match)
    if match == room.number and room.phase not in ("over", "closed"):
        raise RefusedError("wrong_phase", NOT_OVER)
    return room


async def _room(request: AnyRequest, table: str, match: int) -> Room:
    """The table of a match, for a caller who may know of it.

    Raises:
        RefusedError: there is no such match.
    """
    room = await (await find_for(request, table, match)).look()
    if match > room.number:
        raise RefusedError("not_found", "there is no match of this number at the table")
    return room


def _found(events: list[Event], number: int, most: int, rounds: bool) -> Over:
    """A match that is over, or its rounds that are where these are wanted.

    Raises:
        RefusedError: there is none, or it is too long.
        DamagedError: the log of the table is damaged.
    """
    try:
        match = over(events, number) or (rounds_over(events, number) if rounds else None)
    except ValueError as error:
        raise DamagedError("its events do not follow from each other") from error
    if match is None:
        raise RefusedError("wrong_phase", NO_ROUND if rounds else NOT_OVER)
    if len(match.record["log"]) > most:
        raise RefusedError("limit", f"matches of at most {most} steps are replayed here")
    return match


def _record(match: Over) -> bytes:
    return msgspec.json.encode(match.record)


def _resumption(match: Over, step: int) -> tuple[Over, Resumption]:
    return match, resumption(match, step)


def _players(match: Over) -> list[str]:
    return list(match.record["players"])


def _written(match: Over, room: Room, seat: int | None, person: str | None) -> bytes:
    """The replay of a match as JSON.

    Raises:
        RefusedError: there is no such seat, or it is not his while the match is played.
    """
    own = match.seats.get(person) if person is not None else None
    if not match.whole and seat not in (None, own):
        raise RefusedError("wrong_phase", "until the match is over one sees it with one's own eyes")
    try:
        made = replayed(match, own if seat is None else seat, own, room)
    except GameError as error:
        raise RefusedError("not_found", str(error)) from error
    return msgspec.json.encode(made)

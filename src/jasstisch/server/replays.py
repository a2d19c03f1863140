"""The REST call for the replay of a match, and what makes replays: one at a time, in a thread.

Who may have the record of a match may have its replay. It is made of what the store holds, so that
any node makes it, and of an earlier match of the table too.
"""

import asyncio
from typing import Annotated, Any, cast

import msgspec
from litestar import MediaType, Response, get
from litestar.params import Parameter

from jasstisch.errors import GameError
from jasstisch.server import messages
from jasstisch.server.analysis_calls import Number, TableId
from jasstisch.server.calls import REFUSED, AnyRequest, RefusedError, asker, find_for
from jasstisch.server.hall import BusyError
from jasstisch.server.limits import Limits
from jasstisch.store import DamagedError, EventStore
from jasstisch.table import Room, over, replayed
from jasstisch.table.events import Event

__all__ = ["Replays", "replay_call"]

Seat = Annotated[
    int | None, Parameter(description="Whose view; without it one's own.", ge=0, le=15)
]


class Replays:
    """Makes replays, one at a time, so that those who play do not wait for them.

    Args:
        store: where the tables are.
        limits: how long a match may be, and how many may wait.
    """

    def __init__(self, store: EventStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def of(self, room: Room, number: int, seat: int | None, person: str | None) -> bytes:
        """The replay of a match as JSON.

        Args:
            room: its table as it is now.
            number: which match of it, from 1.
            seat: whose view; None for that of whoever asks.
            person: who asks.

        Raises:
            RefusedError: there is none.
            BusyError: too many wait for theirs.
            StoreError: the table cannot be read.
        """
        if self._waiting >= self._limits.replays_waiting:
            raise BusyError("too many replays are being made; try again in a minute")
        self._waiting += 1
        try:
            async with self._turn:
                events = await self._store.load(room.table)
                return await asyncio.to_thread(
                    _written, events, room, number, seat, person, self._limits.replayed_steps
                )
        finally:
            self._waiting -= 1


@get(
    "/api/tables/{table:str}/matches/{match:int}/replay",
    summary="The replay of a match",
    responses=dict.fromkeys((400, 404, 409, 429, 503), REFUSED),
)
async def replay_call(
    request: AnyRequest, table: TableId, match: Number, seat: Seat = None
) -> Response[messages.Replay]:
    """A match that is over, step by step, as a seat saw it, and with what everybody held."""
    live = await find_for(request, table)
    room, person = await live.look(), await asker(request)
    if match > room.number:
        raise RefusedError("not_found", "there is no match of this number at the table")
    if match == room.number and room.phase not in ("over", "closed"):
        raise RefusedError("wrong_phase", "a match can be replayed once it is over")
    replays = cast("Replays", request.app.state.replays)
    content: Any = await replays.of(room, match, seat, person)
    return Response(content, media_type=MediaType.JSON)


def _written(
    events: list[Event],
    room: Room,
    number: int,
    seat: int | None,
    person: str | None,
    most: int,
) -> bytes:
    """The replay of a match as JSON.

    Raises:
        RefusedError: there is none.
        DamagedError: the log of the table is damaged.
    """
    try:
        match = over(events, number)
    except ValueError as error:
        raise DamagedError("its events do not follow from each other") from error
    if match is None:
        raise RefusedError("wrong_phase", "a match can be replayed once it is over")
    if len(match.record["log"]) > most:
        raise RefusedError("limit", f"matches of at most {most} steps are replayed here")
    own = match.seats.get(person) if person is not None else None
    try:
        made = replayed(match, own if seat is None else seat, own, room)
    except GameError as error:
        raise RefusedError("not_found", str(error)) from error
    return msgspec.json.encode(made)

"""The tables that their hosts have published, as strangers find them: to sit down at, or to watch.

A table stands in the list while it is in memory and somebody of it is there. So each node knows its
own and asks the others, and nothing is kept: whoever comes back after a restart brings his table
back. What was found is told to everybody for a moment; nobody can make the server look more often.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from jasstisch.server import messages

if TYPE_CHECKING:
    from jasstisch.server.hall import Hall
    from jasstisch.server.live import Live

__all__ = [
    "ATTENDED_SECONDS",
    "KEPT_SECONDS",
    "MOST_LISTED",
    "MOST_OF_HOST",
    "Listed",
    "Listing",
    "listed_here",
]

MOST_LISTED = 30
"""So many tables of each kind are listed, the newest ones."""

MOST_OF_HOST = 2
"""So many of each kind are listed of one host, so that nobody fills the list."""

KEPT_SECONDS = 2.0
"""So long what was found is told to everybody."""

ATTENDED_SECONDS = 300.0
"""So long after the last of its people has gone a table that is kept in memory is listed still."""


class Listed(Struct, frozen=True):
    """A published table as nodes tell it each other.

    Attributes:
        table: what everybody is told of it.
        host: whose it is.
    """

    table: messages.PublicTable
    host: str


class Listing:
    """The list, as this node tells it.

    Args:
        hall: the tables.
    """

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._found = messages.PublicTables([], [])
        self._until = float("-inf")
        self._looking: asyncio.Task[None] | None = None

    async def tables(self) -> messages.PublicTables:
        """The published tables of all nodes, the newest first."""
        if self._looking is None and self._hall.services.now() >= self._until:
            self._looking = asyncio.create_task(self._look())
        if self._looking is not None:
            # Shielded: others may wait for the same answer.
            await asyncio.shield(self._looking)
        return self._found

    async def _look(self) -> None:
        try:
            found = listed_here(self._hall)
            if self._hall.cluster is not None:
                found += await self._hall.cluster.listed_elsewhere()
            self._found = messages.PublicTables(
                waiting=[one.table for one in _newest(found, running=False)],
                running=[one.table for one in _newest(found, running=True)],
            )
        finally:
            self._looking = None
            self._until = self._hall.services.now() + KEPT_SECONDS


def listed_here(hall: "Hall") -> list[Listed]:
    """The published tables in the memory of this node; at most so many as are listed in all."""
    found = [
        Listed(entry, live.host or live.id)
        for live in hall.all_here()
        if (entry := _entry(live)) is not None
    ]
    return _newest(found, running=False) + _newest(found, running=True)


def _newest(found: Iterable[Listed], *, running: bool) -> list[Listed]:
    """The newest ones of a kind, a few of each host."""
    kept: list[Listed] = []
    of_host: Counter[str] = Counter()
    for one in sorted(found, key=lambda one: -one.table.since):
        if one.table.running == running and of_host[one.host] < MOST_OF_HOST:
            of_host[one.host] += 1
            kept.append(one)
    return kept[:MOST_LISTED]


def _entry(live: "Live") -> messages.PublicTable | None:
    """What is told of a table; None where it is not listed."""
    room = live.room
    if not room.published or live.closed or not live.is_attended(ATTENDED_SECONDS):
        return None
    running = room.phase in ("playing", "between")
    free = room.phase == "open" and any(seat.kind == "open" for seat in room.seats)
    if not running and (not free or room.entry == "nobody"):
        return None
    return messages.PublicTable(
        table=room.table,
        game=room.game,
        options=room.options,
        running=running,
        since=live.listed_since,
        seats=[_seat(seat) for seat in room.seats],
        entry=room.entry,
        thinking_time=room.thinking_time,
    )


def _seat(seat: messages.SeatInfo) -> messages.PublicSeat:
    # Who has left the seat to the computer is not there.
    name = seat.name if seat.kind == "person" else ""
    face = seat.face if name else 0
    return messages.PublicSeat(seat.kind, name, seat.bot, face, bool(seat.program))

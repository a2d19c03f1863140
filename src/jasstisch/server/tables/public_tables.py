"""The tables that their hosts have published, as strangers find them: to sit down at, or to watch.

A table stands in the list while it is in memory and somebody of it is there. So each node knows its
own and asks the others, and nothing is kept: whoever comes back after a restart brings his table
back. What was found is told to everybody for a moment; nobody can make the server look more often.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable

from jasstisch.server.api import messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.directory import PublicTableEntry
from jasstisch.server.tables.registry import TableRegistry

__all__ = [
    "ATTENDED_WITHIN_S",
    "CACHE_TTL_S",
    "MAX_LISTED",
    "MAX_PER_HOST",
    "PublicTableIndex",
    "local_entries",
]

MAX_LISTED = 30
"""So many tables of each kind are listed, the newest ones."""

MAX_PER_HOST = 2
"""So many of each kind are listed of one host, so that nobody fills the list."""

CACHE_TTL_S = 2.0
"""So long what was found is told to everybody."""

ATTENDED_WITHIN_S = 300.0
"""So long after the last of its people has gone a table that is kept in memory is listed still."""


class PublicTableIndex:
    """The list, as this node tells it.

    Args:
        registry: the tables.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._cached = messages.PublicTables([], [])
        self._expires_at = float("-inf")
        self._refreshing: asyncio.Task[None] | None = None

    async def tables(self) -> messages.PublicTables:
        """The published tables of all nodes, the newest first."""
        if self._refreshing is None and self._registry.context.now() >= self._expires_at:
            self._refreshing = asyncio.create_task(self._refresh())
        if self._refreshing is not None:
            # Shielded: others may wait for the same answer.
            await asyncio.shield(self._refreshing)
        return self._cached

    async def _refresh(self) -> None:
        try:
            found = local_entries(self._registry)
            found += await self._registry.directory.remote_public_tables()
            self._cached = messages.PublicTables(
                waiting=[one.table for one in _newest(found, running=False)],
                running=[one.table for one in _newest(found, running=True)],
            )
        finally:
            self._refreshing = None
            self._expires_at = self._registry.context.now() + CACHE_TTL_S


def local_entries(registry: TableRegistry) -> list[PublicTableEntry]:
    """The published tables in the memory of this node; at most so many as are listed in all."""
    found = [
        PublicTableEntry(entry, live.host or live.id)
        for live in registry.local_tables()
        if (entry := _entry(live)) is not None
    ]
    return _newest(found, running=False) + _newest(found, running=True)


def _newest(found: Iterable[PublicTableEntry], *, running: bool) -> list[PublicTableEntry]:
    """The newest ones of a kind, a few of each host."""
    kept: list[PublicTableEntry] = []
    of_host: Counter[str] = Counter()
    for one in sorted(found, key=lambda one: -one.table.since):
        if one.table.running == running and of_host[one.host] < MAX_PER_HOST:
            of_host[one.host] += 1
            kept.append(one)
    return kept[:MAX_LISTED]


def _entry(live: TableActor) -> messages.PublicTable | None:
    """What is told of a table; None where it is not listed."""
    room = live.room
    if not room.published or live.closed or not live.has_recent_member(ATTENDED_WITHIN_S):
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

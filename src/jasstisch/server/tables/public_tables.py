"""The list of published tables, where strangers find tables to join or to watch.

A table is listed while it is in memory and one of its members is present. So each node knows its
own tables and asks the others, and nothing is stored: after a restart, a table is listed again when
a member returns. The list is cached for a moment, so that no client can make the server search more
often.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable

from jasstisch.server.api import bodies, messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.directory import PublicTableEntry
from jasstisch.server.tables.registry import TableRegistry

MAX_LISTED = 30
"""How many tables of each kind are listed, newest first."""

MAX_PER_HOST = 2
"""How many tables of each kind are listed for one host, so that no host fills the list."""

CACHE_TTL_S = 2.0
"""How long the list is cached, in seconds."""

ATTENDED_WITHIN_S = 300.0
"""How long a table in memory stays listed after its last member has left, in seconds."""


class PublicTableIndex:
    """The list of published tables, as this node reports it.

    Args:
        registry: the tables.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._cached = bodies.PublicTables([], [])
        self._expires_at = float("-inf")
        self._refreshing: asyncio.Task[None] | None = None

    async def tables(self) -> bodies.PublicTables:
        """The published tables of all nodes, newest first."""
        if self._refreshing is None and self._registry.context.now() >= self._expires_at:
            self._refreshing = asyncio.create_task(self._refresh())
        if self._refreshing is not None:
            # Shielded because other callers may wait for the same result.
            await asyncio.shield(self._refreshing)
        return self._cached

    async def _refresh(self) -> None:
        try:
            found = local_entries(self._registry)
            found += await self._registry.directory.remote_public_tables()
            self._cached = bodies.PublicTables(
                waiting=[one.table for one in _newest(found, running=False)],
                running=[one.table for one in _newest(found, running=True)],
            )
        finally:
            self._refreshing = None
            self._expires_at = self._registry.context.now() + CACHE_TTL_S


def local_entries(registry: TableRegistry) -> list[PublicTableEntry]:
    """The published tables in the memory of this node; at most as many as the list shows."""
    found = [
        PublicTableEntry(entry, actor.host or actor.id)
        for actor in registry.local_tables()
        if (entry := _entry(actor)) is not None
    ]
    return _newest(found, running=False) + _newest(found, running=True)


def _newest(found: Iterable[PublicTableEntry], *, running: bool) -> list[PublicTableEntry]:
    """The newest tables of a kind, with the limit for each host."""
    kept: list[PublicTableEntry] = []
    of_host: Counter[str] = Counter()
    for one in sorted(found, key=lambda one: -one.table.since):
        if one.table.running == running and of_host[one.host] < MAX_PER_HOST:
            of_host[one.host] += 1
            kept.append(one)
    return kept[:MAX_LISTED]


def _entry(actor: TableActor) -> bodies.PublicTable | None:
    """The public information about a table; None if it is not listed."""
    room = actor.room
    if not room.published or actor.closed or not actor.has_recent_member(ATTENDED_WITHIN_S):
        return None
    running = room.phase in ("playing", "between")
    free = room.phase == "open" and any(seat.kind == "open" for seat in room.seats)
    if not running and (not free or room.entry == "nobody"):
        return None
    return bodies.PublicTable(
        table=room.table,
        game=room.game,
        options=room.options,
        running=running,
        since=actor.listed_since,
        seats=[_seat(seat) for seat in room.seats],
        entry=room.entry,
        thinking_time=room.thinking_time,
    )


def _seat(seat: messages.SeatInfo) -> bodies.PublicSeat:
    # A person whose seat a bot plays counts as absent.
    name = seat.name if seat.kind == "person" else ""
    face = seat.face if name else 0
    return bodies.PublicSeat(seat.kind, name, seat.bot, face, bool(seat.program))

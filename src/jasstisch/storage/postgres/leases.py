"""Who writes which table of a Postgres store: a row for each node and one for each lease.

When a lease ends stands with its node, so that one row is renewed and not one for each table: it
ends with the node's row, or once that has expired. Whoever takes over from an expired node deletes
its row first and has so fenced it for good. Time is Postgres' own, `clock_timestamp()`.

A node that is alone, for it has no bus, is the only one there is: its row is its lease of every
table, and `join` sees to it that no row of another stands beside it.

Locks: whoever appends holds the leases of his tables (`FOR SHARE`) and then his node's row
(`FOR KEY SHARE`, which a renewal does not wait for) until his commit. Whoever takes a table over
holds its lease and then deletes the node's row: in the same order, so neither waits for ever.
"""

import asyncio
from collections.abc import Collection, Sequence
from secrets import token_bytes
from time import monotonic, time

import asyncpg

from jasstisch.storage import leases
from jasstisch.storage.event_store import StoreError
from jasstisch.storage.leases import (
    RENEW_SECONDS,
    FencedError,
    Lease,
    NewerEventsError,
    Node,
    StoreInUseError,
)
from jasstisch.storage.postgres.connections import (
    Connection,
    ConnectionPool,
    ReconnectingConnection,
)

__all__ = ["JOIN_LOCK_ID", "PostgresLeases", "acquire_lease", "newer_events_message"]

JOIN_LOCK_ID = 0x4A617373_0002
"""The advisory lock of whoever joins or moves a store."""

JOIN_LOCK_TIMEOUT_S = 2
"""So long whoever joins waits for others who do."""

DEAD_NODE_RETENTION_S = 3600.0
"""So long after its last word the row of a node is kept, if nobody takes its tables over."""

_OTHER_NODES = """
    SELECT id, name, joined, expires, extract(epoch FROM greatest(
        expires, pg_postmaster_start_time() + make_interval(secs => $1)
    ) - clock_timestamp())::float8 AS remaining
    FROM node
"""
# While Postgres was away nobody could be renewed; after it has come back all get a chance to.

_INSERT_NODE = """
    INSERT INTO node (id, name, joined, talk, events, term, since, expires)
    VALUES ($1, $2, $3, $4, $5, 1, clock_timestamp(),
        clock_timestamp() + make_interval(secs => $6))
"""

_RENEW = """
    WITH renewed AS (
        UPDATE node SET
            since = CASE WHEN expires > clock_timestamp() THEN since ELSE clock_timestamp() END,
            expires = clock_timestamp() + make_interval(secs => $2)
        WHERE id = $1 RETURNING id
    )
    SELECT node.id, name, joined, talk, events, (SELECT count(*) FROM renewed) AS renewed,
        extract(epoch FROM clock_timestamp())::float8 AS now
    FROM node WHERE id = $1 OR expires > clock_timestamp() ORDER BY node.id
"""

_FIND = """
    SELECT lease.node, lease.epoch, kept.events,
        coalesce(node.expires > clock_timestamp(), false) AS there
    FROM (SELECT $1::text AS table_id) AS asked
    LEFT JOIN lease USING (table_id)
    LEFT JOIN node ON node.id = lease.node
    LEFT JOIN kept ON kept.table_id = asked.table_id
"""

_FENCE = """
    DELETE FROM node
    WHERE id = $2 AND id <> $1 AND expires <= clock_timestamp() AND EXISTS (
        SELECT FROM node AS own
        WHERE own.id = $1 AND own.expires > clock_timestamp()
            AND own.since <= clock_timestamp() - make_interval(secs => $3)
    )
"""

_ACQUIRE = """
    UPDATE lease SET node = $1, epoch = epoch + 1
    WHERE table_id = $2
        AND (node IS NULL OR NOT EXISTS (SELECT FROM node AS holder WHERE holder.id = lease.node))
        AND EXISTS (
            SELECT FROM node AS own WHERE own.id = $1 AND own.expires > clock_timestamp()
        )
"""

_RELEASE = """
    WITH kept_on AS (
        UPDATE lease SET node = NULL
        WHERE node = $1 AND ($2::text[] IS NULL OR table_id = ANY ($2)) AND (
            table_id LIKE '*%' OR EXISTS (SELECT FROM kept WHERE kept.table_id = lease.table_id)
        )
    )
    DELETE FROM lease
    WHERE node = $1 AND ($2::text[] IS NULL OR table_id = ANY ($2))
        AND table_id NOT LIKE '*%'
        AND NOT EXISTS (SELECT FROM kept WHERE kept.table_id = lease.table_id)
"""
# A table that there is not was only asked for; whoever guesses must not fill the store.


async def acquire_lease(connection: Connection, own: str, table: str) -> Lease | None:
    """Leases a table to a node, unless another has it; within a transaction, until its end.

    From an expired node a table is taken only by one that has itself been renewed without a break
    for `LEASE_SECONDS`. After Postgres has been away all have expired at once, and all of them
    have so much time to be renewed.

    Returns:
        The lease that holds now; None where the node that asks is not there any more.
    """
    add = """
        INSERT INTO lease (table_id, node, epoch) VALUES ($1, NULL, 0)
        ON CONFLICT (table_id) DO NOTHING
    """
    await connection.execute(add, table)
    look = "SELECT node, epoch FROM lease WHERE table_id = $1 FOR UPDATE"
    holder, epoch = await connection.fetchrow(look, table)
    if holder != own:
        await connection.execute(_FENCE, own, holder, leases.LEASE_SECONDS)
        await connection.execute(_ACQUIRE, own, table)
        holder, epoch = await connection.fetchrow(look, table)
    return None if holder is None else Lease(table, holder, epoch)


class _ConflictingNodesError(Exception):
    """Nodes are there with which this one cannot share the store."""

    def __init__(self, nodes: Sequence[tuple[str, str, object, float]]) -> None:
        super().__init__()
        self.nodes = nodes


class PostgresLeases:
    """The `Leases` of a Postgres store.

    Args:
        keeping: the connection on which this node is renewed, which nothing else must hold up.
        asking: those on which tables are taken.

    Attributes:
        node: which node this is; None before it has joined.
        term: how often the connection that writes has been made for this node.
        epochs: the epoch of each table that is leased to it.
    """

    def __init__(self, keeping: ReconnectingConnection, asking: ConnectionPool) -> None:
        self._connection = keeping
        self._connection_lock = asyncio.Lock()
        self._pool = asking
        self.node: Node | None = None
        self.term = 0
        self.epochs: dict[str, int] = {}
        self._server_time: tuple[float, float] | None = None

    def require_node(self) -> Node:
        """This node.

        Raises:
            StoreError: it has not joined.
        """
        if self.node is None:
            raise StoreError("this server has not joined the store")
        return self.node

    def now(self) -> float:
        """Seconds since 1970 by the clock of Postgres; by ours as long as we have not joined."""
        if self._server_time is None:
            return time()
        told, at = self._server_time
        return told + monotonic() - at

    async def join(self, node: Node) -> bytes:
        """Enters as a node; see `Leases.join`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + leases.LEASE_SECONDS + RENEW_SECONDS
        seen: dict[str, object] = {}
        while True:
            try:
                secret = await self._insert_node(node)
            except _ConflictingNodesError as error:
                # One that has crashed is silent until its time is up; any other says something.
                for other, name, expires, _ in error.nodes:
                    if seen.setdefault(other, expires) != expires or loop.time() > until:
                        raise StoreInUseError(_store_in_use_message(name)) from None
                longest = max(remaining for *_, remaining in error.nodes)
                await asyncio.sleep(min(RENEW_SECONDS, max(longest, 0.0) + 0.01))
            else:
                self.node, self.term = node, 1
                self.epochs.clear()
                return secret

    async def _insert_node(self, node: Node) -> bytes:
        before = self.node.id if self.node else ""
        async with (
            self._connection_lock,
            self._connection.acquire("it cannot be joined") as connection,
            connection.transaction(),
        ):
            await _acquire_join_lock(connection)
            others = await connection.fetch(_OTHER_NODES, leases.LEASE_SECONDS)
            opposed = [
                (other, name, expires, remaining)
                for other, name, joined, expires, remaining in others
                if remaining > 0 and not (joined and node.joined) and other != before
            ]
            if opposed:
                raise _ConflictingNodesError(opposed)
            # Where either is alone the other must not come back: it asks no leases, or has them.
            silent = """
                DELETE FROM node WHERE NOT joined OR NOT $1 OR id = $3
                OR expires < clock_timestamp() - make_interval(secs => $2)
            """
            await connection.execute(silent, node.joined, DEAD_NODE_RETENTION_S, before)
            own = (node.id, node.name, node.joined, node.talk, node.events)
            await connection.execute(_INSERT_NODE, *own, leases.LEASE_SECONDS)
            first = "INSERT INTO secret SELECT $1 WHERE NOT EXISTS (SELECT FROM secret)"
            await connection.execute(first, token_bytes(32))
            query = "SELECT bytes, extract(epoch FROM clock_timestamp())::float8 FROM secret"
            secret, now = await connection.fetchrow(query)
            self._server_time = now, monotonic()
            return bytes(secret)

    async def renew(self) -> Sequence[Node]:
        """Says that this node is there; see `Leases.renew`."""
        own = self.require_node().id
        async with (
            self._connection_lock,
            self._connection.acquire("it cannot be renewed") as connection,
        ):
            rows = await connection.fetch(_RENEW, own, leases.LEASE_SECONDS)
        if not any(row["renewed"] for row in rows):
            raise FencedError("others have taken this server for gone")
        self._server_time = rows[0]["now"], monotonic()
        return [Node(*row[:5]) for row in map(tuple, rows)]

    async def acquire(self, table: str) -> Lease:
        """Leases a table to this node, unless another has it; see `Leases.take`."""
        own = self.require_node()
        async with self._pool.acquire(f"table {table} cannot be leased") as connection:
            holder, epoch, events, there = await connection.fetchrow(_FIND, table)
            if there and holder != own.id:
                return Lease(table, holder, epoch)
            if events is not None and events > own.events:
                raise NewerEventsError(newer_events_message(table, events, own.events))
            async with connection.transaction():
                lease = await acquire_lease(connection, own.id, table)
                if lease is None or (holder == own.id and not there):
                    raise FencedError("others have taken this server for gone")
        if self.node is own and lease.node == own.id:
            self.epochs[table] = lease.epoch
        return lease

    async def release(self, tables: Collection[str]) -> None:
        """Gives leases of this node back; see `Leases.give_back`."""
        own = self.require_node().id
        for table in tables:
            self.epochs.pop(table, None)
        async with self._pool.acquire("leases cannot be given back") as connection:
            await connection.execute(_RELEASE, own, list(tables))

    async def leave(self) -> None:
        """Gives all leases back; this node is one no longer."""
        if self.node is None:
            return
        own, self.node = self.node.id, None
        self.epochs.clear()
        async with (
            self._connection_lock,
            self._connection.acquire("it cannot be left") as connection,
            connection.transaction(),
        ):
            await connection.execute(_RELEASE, own, None)
            await connection.execute("DELETE FROM node WHERE id = $1", own)

    async def begin_term(self, connection: Connection) -> None:
        """Makes sure that nothing comes late that was written on a connection before this one.

        Whatever that one still does holds the node's row until its end; whatever begins later
        bears a term that is over.
        """
        own = self.node
        if own is None:
            return
        async with connection.transaction():
            query = "SELECT term FROM node WHERE id = $1 FOR UPDATE"
            term = await connection.fetchval(query, own.id)
            if term is not None:
                query = "UPDATE node SET term = $2 WHERE id = $1"
                await connection.execute(query, own.id, term + 1)
        if self.node is own:  # it may have joined anew meanwhile
            # Of a node that is gone no term is right.
            self.term = 0 if term is None else term + 1


async def _acquire_join_lock(connection: Connection) -> None:
    """Has others who join wait until the end of the transaction.

    Raises:
        StoreError: somebody holds the store for longer than it takes to join.
    """
    await connection.execute(f"SET LOCAL lock_timeout = '{JOIN_LOCK_TIMEOUT_S}s'")
    try:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", JOIN_LOCK_ID)
    except asyncpg.LockNotAvailableError:
        text = "the store is being moved; try again when that has ended"
        raise StoreError(text) from None


def _store_in_use_message(name: str) -> str:
    return (
        f"another server, {name}, uses this store, and nothing joins the two: give both the same "
        "--bus nats://…, or stop the other one"
    )


def newer_events_message(table: str, events: int, known: int) -> str:
    """Why a log cannot be read by a program that knows older events only."""
    return (
        f"the log of table {table} was written by a newer Jasstisch (events {events}, this one "
        f"knows {known})"
    )

"""Leases in a Postgres store: one row for each node, and one for each lease.

The expiry of a lease is stored with its node, so that a renewal updates one row instead of one for
each table. A lease ends when the row of its node is deleted or expires. A node that takes over from
an expired node deletes its row first, which fences it permanently. The clock is that of Postgres,
`clock_timestamp()`.

A single node without a bus must be the only node: its row is its lease of every table, and `join`
makes sure that no other node has a row.

Locks: an append holds the leases of its tables (`FOR SHARE`) and then the row of its node
(`FOR KEY SHARE`, which does not block a renewal) until its commit. A takeover locks the lease of
the table and then deletes the row of the old node. The order is the same, so there is no deadlock.
"""

import asyncio
from collections.abc import Collection, Sequence
from secrets import token_bytes
from time import monotonic, time

import asyncpg

from jasstisch.storage import leases
from jasstisch.storage.errors import StoreError
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

JOIN_LOCK_ID = 0x4A617373_0002
"""The advisory lock for joining and for migrating a store."""

_JOIN_LOCK_TIMEOUT_S = 2
"""The time that a joining node waits for others that join."""

_DEAD_NODE_RETENTION_S = 3600.0
"""The time for which the row of a dead node is kept, if no other takes over its tables."""

_OTHER_NODES = """
    SELECT id, name, joined, expires, extract(epoch FROM greatest(
        expires, pg_postmaster_start_time() + make_interval(secs => $1)
    ) - clock_timestamp())::float8 AS remaining
    FROM node
"""
# During an outage of Postgres no node could be renewed; afterwards all get a chance to.

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
# No lease is stored for a table that does not exist, so that guessed ids cannot fill the store.


async def acquire_lease(connection: Connection, own: str, table: str) -> Lease | None:
    """Leases a table to a node unless another holds it, within a transaction.

    Only a node that has been renewed without a break for `LEASE_SECONDS` may take over a table of
    an expired node. After an outage of Postgres all nodes have expired at once, and so have that
    long to be renewed.

    Returns:
        The lease in force; None where the requesting node has been removed.
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
    """Other nodes have joined with which this one cannot share the store."""

    def __init__(self, nodes: Sequence[tuple[str, str, object, float]]) -> None:
        super().__init__()
        self.nodes = nodes


class PostgresLeases:
    """The `Leases` of a Postgres store.

    Args:
        keeping: the connection for renewals, which no other operation may block.
        asking: the connections for acquiring leases.

    Attributes:
        node: this node; None before it has joined.
        term: how often the writing connection has been opened for this node.
        epochs: the epoch of each table leased to this node.
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
            StoreError: this node has not joined.
        """
        if self.node is None:
            raise StoreError("this server has not joined the store")
        return self.node

    def now(self) -> float:
        """Seconds since 1970 by the clock of Postgres; by the local clock before joining."""
        if self._server_time is None:
            return time()
        told, at = self._server_time
        return told + monotonic() - at

    async def join_cluster(self, node: Node) -> bytes:
        """Joins as a node; see `Leases.join_cluster`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + leases.LEASE_SECONDS + RENEW_SECONDS
        seen: dict[str, object] = {}
        while True:
            try:
                secret = await self._insert_node(node)
            except _ConflictingNodesError as error:
                # A crashed node expires without a renewal; a live node renews itself.
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
                if remaining > 0 and not (joined and node.has_bus) and other != before
            ]
            if opposed:
                raise _ConflictingNodesError(opposed)
            # A single node checks no leases, so the row of the other node must be gone for good.
            silent = """
                DELETE FROM node WHERE NOT joined OR NOT $1 OR id = $3
                OR expires < clock_timestamp() - make_interval(secs => $2)
            """
            await connection.execute(silent, node.has_bus, _DEAD_NODE_RETENTION_S, before)
            own = (node.id, node.name, node.has_bus, node.protocol_version, node.event_version)
            await connection.execute(_INSERT_NODE, *own, leases.LEASE_SECONDS)
            first = "INSERT INTO secret SELECT $1 WHERE NOT EXISTS (SELECT FROM secret)"
            await connection.execute(first, token_bytes(32))
            query = "SELECT bytes, extract(epoch FROM clock_timestamp())::float8 FROM secret"
            secret, now = await connection.fetchrow(query)
            self._server_time = now, monotonic()
            return bytes(secret)

    async def renew_node(self) -> Sequence[Node]:
        """Renews this node; see `Leases.renew_node`."""
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

    async def acquire_lease(self, table: str) -> Lease:
        """Leases a table to this node unless another holds it; see `Leases.acquire_lease`."""
        own = self.require_node()
        async with self._pool.acquire(f"table {table} cannot be leased") as connection:
            holder, epoch, events, there = await connection.fetchrow(_FIND, table)
            if there and holder != own.id:
                return Lease(table, holder, epoch)
            if events is not None and events > own.event_version:
                raise NewerEventsError(newer_events_message(table, events, own.event_version))
            async with connection.transaction():
                lease = await acquire_lease(connection, own.id, table)
                if lease is None or (holder == own.id and not there):
                    raise FencedError("others have taken this server for gone")
        if self.node is own and lease.node == own.id:
            self.epochs[table] = lease.epoch
        return lease

    async def release_leases(self, tables: Collection[str]) -> None:
        """Releases leases of this node; see `Leases.release_leases`."""
        own = self.require_node().id
        for table in tables:
            self.epochs.pop(table, None)
        async with self._pool.acquire("leases cannot be given back") as connection:
            await connection.execute(_RELEASE, own, list(tables))

    async def leave_cluster(self) -> None:
        """Releases all leases and leaves the cluster."""
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

    async def fence_earlier_writes(self, connection: Connection) -> None:
        """Makes sure that no late write from an earlier connection can follow.

        A transaction in progress there holds the node's row until its end; a later one has an
        outdated term.
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
        if self.node is own:  # the node may have joined again meanwhile
            # No term of a removed node is valid.
            self.term = 0 if term is None else term + 1


async def _acquire_join_lock(connection: Connection) -> None:
    """Blocks other joining nodes until the end of the transaction.

    Raises:
        StoreError: another process holds the lock for longer than a join takes.
    """
    await connection.execute(f"SET LOCAL lock_timeout = '{_JOIN_LOCK_TIMEOUT_S}s'")
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
    """The error message for a log with events that are too new for this program."""
    return (
        f"the log of table {table} was written by a newer Jasstisch (events {events}, this one "
        f"knows {known})"
    )

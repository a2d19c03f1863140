"""The event store in a Postgres database, which several servers may share.

Exactly one connection of a server writes, with `synchronous_commit`: a commit that has returned is
on the disk. Changes pending at the same time share one transaction, and the appends among them one
statement. That statement also checks the leases (`postgres.leases`), in the same transaction, so a
server that has lost a table cannot write to it.

If the connection is lost during a commit, its outcome is unknown. The next connection first makes
sure that no late write can follow (`PostgresLeases.fence_earlier_writes`) and then reads the
outcome.

A deleted table is first marked as deleted; its events are deleted in small batches while no change
is pending. After somebody has been forgotten, the tables are rewritten at a quiet moment
(`postgres.vacuum`). Identities are in the same database (`postgres.identities`).
"""

import asyncio
from collections import Counter, deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import asyncpg
import msgspec

from jasstisch.storage.errors import ConflictError, CorruptionError, OutcomeUnknownError, StoreError
from jasstisch.storage.event_codec import (
    MAX_CHANGES_PER_COMMIT,
    MAX_DELETES_PER_STEP,
    TOUCH_RESOLUTION_S,
    checksum,
    encode_event,
    last_compaction_version,
    persons_in,
    revokes_link,
    verify_analysis,
    verify_and_decode,
)
from jasstisch.storage.event_store import CommitObserver, StoredResults, StoredTable
from jasstisch.storage.failure_causes import classify_failure
from jasstisch.storage.forgotten_list import ForgottenList
from jasstisch.storage.leases import FencedError, Lease, NewerEventsError, Node
from jasstisch.storage.postgres.connections import (
    DB_ERRORS,
    Connection,
    ConnectionPool,
    DatabaseUrl,
    ReconnectingConnection,
    is_connection_lost,
)
from jasstisch.storage.postgres.identities import (
    IdentityChange,
    postgres_identity_store,
    to_postgres_placeholders,
)
from jasstisch.storage.postgres.leases import PostgresLeases, acquire_lease, newer_events_message
from jasstisch.storage.postgres.schema import check_schema, migrate_schema
from jasstisch.storage.postgres.vacuum import PostgresVacuum
from jasstisch.storage.sql_access import (
    ACCESS_QUERY,
    EncodedRules,
    access_statement,
    decode_access_rules,
    encode_access_rules,
)
from jasstisch.storage.sql_identities import SEATED_EXPIRY
from jasstisch.storage.sql_results import (
    RESULTS_QUERY,
    analysis_statement,
    progress_statement,
    results_statement,
    verify_results,
)
from jasstisch.storage.sql_rewrites import (
    COUNT_REWRITES,
    LAST_VERSION,
    log_end,
    rewrite_statements,
)
from jasstisch.storage.sql_tables import Statement
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.events import EVENT_VERSION, Event
from jasstisch.table.state import Progress

_READ_CONNECTIONS = 4
"""The number of connections for reading and for acquiring leases."""

_LOCK_TABLE = "FOR KEY SHARE"
"""The clause that keeps a table from being deleted before the end of the transaction."""

_APPEND = f"""
    WITH asked AS (
        SELECT * FROM unnest(
            $5::text[], $6::int[], $7::int[], $8::text[], $9::int[], $18::bytea[], $19::bigint[]
        ) AS _ (table_id, after, epoch, finished, gathered, access, access_sum)
    ),
    found AS MATERIALIZED (
        SELECT asked.*,
            coalesce(
                (SELECT max(version) FROM event WHERE event.table_id = asked.table_id), 0
            ) AS version,
            EXISTS (SELECT FROM kept WHERE kept.table_id = asked.table_id) AS kept
        FROM asked
    ),
    held AS MATERIALIZED (
        SELECT table_id FROM lease JOIN asked USING (table_id)
        WHERE NOT $3 AND lease.node = $1 AND lease.epoch = asked.epoch
        ORDER BY table_id FOR SHARE OF lease
    ),
    own AS MATERIALIZED (
        SELECT id FROM node
        WHERE id = $1 AND term = $2 AND expires > clock_timestamp()
            AND (SELECT count(*) FROM held) >= 0 -- the leases first; see postgres_leases
        FOR KEY SHARE
    ),
    made AS (
        INSERT INTO lease AS free (table_id, node, epoch)
        SELECT table_id, id, 1 FROM found, own
        WHERE NOT $3 AND epoch IS NULL AND after = 0 AND version = 0
        ON CONFLICT (table_id) DO UPDATE SET node = $1, epoch = free.epoch + 1
            WHERE free.node IS NULL
        RETURNING table_id, epoch
    ),
    good AS MATERIALIZED (
        SELECT found.* FROM found, own
        WHERE version = after AND (kept OR version = 0)
            AND ($3 OR table_id IN (SELECT table_id FROM held UNION ALL SELECT table_id FROM made))
    ),
    added AS (
        INSERT INTO event (table_id, version, at, body, sum)
        SELECT table_id, bodies.version, $4, body, sum
        FROM unnest($10::text[], $11::int[], $12::bytea[], $13::bigint[])
            AS bodies (table_id, version, body, sum)
        JOIN good USING (table_id)
    ),
    touched AS (
        INSERT INTO kept AS old (table_id, touched, finished, events, access, access_sum)
        SELECT table_id, $14, finished, $15, access, access_sum FROM good
        ON CONFLICT (table_id) DO UPDATE SET
            touched = excluded.touched,
            finished = coalesce(excluded.finished, old.finished),
            events = greatest(excluded.events, old.events),
            access = coalesce(excluded.access, old.access),
            access_sum = coalesce(excluded.access_sum, old.access_sum)
        WHERE excluded.access IS NOT NULL
            OR (old.touched, old.finished, old.events) IS DISTINCT FROM (
                excluded.touched,
                coalesce(excluded.finished, old.finished),
                greatest(excluded.events, old.events)
            )
    ),
    forgotten_events AS (
        DELETE FROM event USING good
        WHERE event.table_id = good.table_id AND event.version > 1
            AND event.version < good.gathered
    ),
    met AS (
        INSERT INTO named (person, table_id)
        SELECT person, table_id
        FROM unnest($16::text[], $17::text[]) AS people (person, table_id)
        JOIN good USING (table_id)
        ON CONFLICT (person, table_id) DO NOTHING RETURNING person
    ),
    longer AS (
        UPDATE credential SET expires = {SEATED_EXPIRY} WHERE person IN (SELECT person FROM met)
        RETURNING person
    ),
    abandoned_before AS ( -- their last credential has been removed before the request was executed
        INSERT INTO abandoned (person, since)
        SELECT DISTINCT person, $4::float8 FROM met WHERE person NOT IN (SELECT person FROM longer)
        ON CONFLICT (person) DO NOTHING
    )
    SELECT found.table_id, found.version, found.after, found.kept,
        good.table_id IS NOT NULL AS done, EXISTS (SELECT FROM own) AS own,
        made.epoch AS made,
        ($3 OR held.table_id IS NOT NULL OR made.table_id IS NOT NULL) AS held
    FROM found LEFT JOIN good USING (table_id)
    LEFT JOIN held USING (table_id) LEFT JOIN made USING (table_id)
"""  # noqa: S608 - a constant part; values are bound

_LOAD = """
    SELECT kept.events, version, body, sum
    FROM (SELECT $1::text COLLATE "C" AS table_id) AS asked
    LEFT JOIN kept USING (table_id) LEFT JOIN event USING (table_id)
    WHERE (kept.table_id IS NOT NULL OR event.table_id IS NOT NULL)
        AND NOT EXISTS (SELECT FROM deleted WHERE deleted.table_id = $1)
    ORDER BY version
"""

_FIND_WRITTEN = """
    SELECT table_id FROM event
    JOIN unnest($2::text[], $3::int[], $4::bytea[], $5::bigint[])
        AS sent (table_id, version, body, sum)
        USING (table_id, version)
    WHERE event.body = sent.body AND event.at = $1
"""

_DELETE_BATCH = """
    WITH one AS MATERIALIZED (SELECT table_id FROM deleted LIMIT 1 FOR UPDATE SKIP LOCKED),
    gone AS (
        DELETE FROM event WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM event WHERE table_id = (SELECT table_id FROM one) LIMIT $1
        )) RETURNING 1
    ),
    over AS (
        DELETE FROM deleted
        WHERE table_id = (SELECT table_id FROM one) AND (SELECT count(*) FROM gone) < $1
    )
    SELECT count(*) FROM one
"""

_LEASED_ELSEWHERE = """
    EXISTS (
        SELECT FROM lease JOIN node ON node.id = lease.node
        WHERE lease.table_id = kept.table_id AND node.id <> {}
            AND node.expires > clock_timestamp()
    )
"""

_IDLE_TABLES = f"""
    SELECT table_id FROM kept
    WHERE finished {{}} AND touched < $1 AND NOT {_LEASED_ELSEWHERE.format("$3")}
    ORDER BY touched LIMIT $2
"""  # noqa: S608 - a constant part; values are bound

_WITHOUT_ACCESS = f"""
    SELECT table_id FROM kept WHERE access IS NULL AND NOT {_LEASED_ELSEWHERE.format("$1")} LIMIT $2
"""  # noqa: S608 - the same


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    after: int
    rows: list[tuple[str, int, bytes, int]]
    finished: Progress | None
    access: EncodedRules
    compaction_version: int
    persons: frozenset[str]
    revokes_link: bool


@dataclass(frozen=True, slots=True)
class _Execute:
    """A change of one statement, which is never refused."""

    table: str
    statement: Statement

    async def write(self, connection: Connection) -> None:
        """Executes the statement."""
        query, values = to_postgres_placeholders(self.statement)
        await connection.execute(query, *values)


@dataclass(frozen=True, slots=True)
class _Delete:
    table: str
    leases: PostgresLeases

    async def write(self, connection: Connection) -> None:
        """Marks the table as deleted; its rows are deleted later."""
        own = self.leases.require_node()
        query = """
            SELECT kept.table_id, name FROM kept
            LEFT JOIN lease USING (table_id)
            LEFT JOIN node ON node.id = lease.node AND node.id <> $2
                AND node.expires > clock_timestamp()
            WHERE table_id = $1
        """
        found = await connection.fetchrow(query, self.table, own.id)
        if found is None:
            raise _TableNotFoundError(f"there is no table {self.table}")
        if found["name"] is not None:
            raise StoreError(_in_use_message(self.table, found["name"]))
        lease = await acquire_lease(connection, own.id, self.table)
        if lease is None or not await connection.fetch(_OWN, own.id, self.leases.term):
            raise FencedError("others have taken this server for gone")
        if lease.node != own.id:
            raise StoreError(_in_use_message(self.table, "that was there until a moment ago"))
        for query in (
            "DELETE FROM kept WHERE table_id = $1",
            "INSERT INTO deleted (table_id) VALUES ($1)",
            "DELETE FROM named WHERE table_id = $1",
            "DELETE FROM lease WHERE table_id = $1",
        ):
            await connection.execute(query, self.table)


_HELD = """
    SELECT table_id FROM lease WHERE table_id = $1 AND node = $2 AND epoch = $3 FOR SHARE
"""
"""Locks the lease of a table, if this node holds it."""

_OWN = """
    SELECT id FROM node
    WHERE id = $1 AND term = $2 AND expires > clock_timestamp() FOR KEY SHARE
"""
"""Locks this node, if it is not considered dead; after the lease, see `postgres.leases`."""


@dataclass(frozen=True, slots=True)
class _Rewrite:
    """The replacement of events of a log; see `EventStore.rewrite`."""

    table: str
    log_end: int
    statements: Sequence[Statement]
    leases: PostgresLeases

    async def write(self, connection: Connection) -> None:
        """Replaces the events, if this node may still write and no other has appended."""
        own, epoch = self.leases.require_node(), self.leases.epochs.get(self.table)
        held = not own.has_bus or await connection.fetch(_HELD, self.table, own.id, epoch)
        if not held or not await connection.fetch(_OWN, own.id, self.leases.term):
            raise FencedError(f"table {self.table} is not leased to this server")
        query, _ = to_postgres_placeholders((LAST_VERSION, ()))
        version = await connection.fetchval(query, self.table)
        if version != self.log_end:
            raise ConflictError(f"table {self.table} is at version {version}")
        for statement in self.statements:
            query, values = to_postgres_placeholders(statement)
            await connection.execute(query, *values)


_SingleChange = _Rewrite | _Execute | _Delete | IdentityChange
_Change = _Append | _SingleChange


@dataclass(frozen=True, slots=True)
class _PendingChange:
    """A pending change and the future that awaits it."""

    change: _Change
    done: "asyncio.Future[None]"


class _TableNotFoundError(StoreError):
    """The table does not exist."""


_Outcomes = Sequence[StoreError | None]


class PostgresStore:
    """An `EventStore` in a Postgres database, with its `Leases`.

    Nothing is appended or deleted before the server has joined. With several servers, `idle_tables`
    leaves out tables that another server has leased, because they are in use, and `delete` refuses
    them with a `StoreError` that names that server. So a retention job need not know the leases,
    and tries again later.

    Args:
        url: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`.
        only_read: whether nothing is to be written; the schema must then exist already.

    Attributes:
        identity_store: the identity store in the same database. If a person first sits down at the
            same moment at which another server gives them a credential, the credential is extended
            only at its next use.

    Raises:
        StoreError: the URL does not have this form. Only the first call finds out whether the
            database can be used.
    """

    def __init__(self, url: str, *, only_read: bool = False) -> None:
        self._url = DatabaseUrl(url)
        self._only_read = only_read
        self._schema_ready = False
        self._read_pool = ConnectionPool(self._url, _READ_CONNECTIONS, self._prepare_connection)
        self._lease_connection = ReconnectingConnection(self._url, self._prepare_connection)
        self._write_connection = ReconnectingConnection(self._url, self._prepare_write_connection)
        self._leases = PostgresLeases(self._lease_connection, self._read_pool)
        self._queue: deque[_PendingChange] = deque()
        self._vacuum = PostgresVacuum(self._url, lambda: bool(self._queue) or self._closed)
        self._wakeup = asyncio.Event()
        self._writer_task: asyncio.Task[None] | None = None
        self._closed = False
        self._commit_observer: CommitObserver | None = None
        self.identity_store, self._outbox = postgres_identity_store(self._enqueue, self._fetch)

    # The interface of an event store.

    def observe_commits(self, watcher: CommitObserver) -> None:
        """Reports each commit to an observer; see `EventStore.observe_commits`."""
        self._commit_observer = watcher

    def record_forgetting(self, forgotten: ForgottenList) -> None:
        """Lists what is forgotten; see `EventStore.record_forgetting`."""
        self._outbox.attach(forgotten)

    def now(self) -> float:
        """The time of the database, as last heard; see `EventStore.now`."""
        return self._leases.now()

    async def append(
        self,
        table: str,
        after: int,
        events: Sequence[Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> None:
        """Appends events to a table's log; see `EventStore.append`.

        Raises:
            FencedError: the table is leased to another server, or this one has been removed.
        """
        gathered = last_compaction_version(events)
        rows = [
            (table, version, body := encode_event(event), checksum(table, version, body))
            for version, event in enumerate(events, start=after + 1)
            if version == 1 or version >= gathered
        ]
        people = frozenset(persons_in(events))
        revokes, rules = revokes_link(events), encode_access_rules(table, access)
        change = _Append(table, after, rows, finished, rules, gathered, people, revokes)
        if revokes:
            await self._outbox.write(lambda: self._enqueue(change))
        else:
            await self._enqueue(change)

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; see `EventStore.load`."""
        rows = await self._fetch(_LOAD, (table,), f"table {table} cannot be read")
        if not rows:
            return []
        newest, first, *_ = rows[0]
        if newest is None:
            raise CorruptionError("it is missing in the list of tables")
        if first is None:
            raise CorruptionError("all its events are missing")
        if newest > self._event_version:
            raise NewerEventsError(newer_events_message(table, newest, self._event_version))
        try:
            return verify_and_decode(table, [tuple(row[1:]) for row in rows])
        except msgspec.MsgspecError as error:
            # The message may quote a damaged event, which may contain cards.
            text = f"Postgres at {self._url.redacted}: table {table} cannot be read"
            raise CorruptionError(f"{text}: an event cannot be decoded") from error

    async def access_rules(self, table: str) -> AccessRules | None:
        """The access rules of a table; see `EventStore.access_rules`."""
        query, values = to_postgres_placeholders((ACCESS_QUERY, (table,)))
        rows = await self._fetch(query, values, "the rules of a table cannot be read")
        return decode_access_rules(table, *rows[0]) if rows else None

    async def tables_without_access_rules(self, limit: int) -> list[str]:
        """Tables whose rules are unknown; see `EventStore.tables_without_access_rules`."""
        own = self._leases.node.id if self._leases.node else ""
        rows = await self._fetch(_WITHOUT_ACCESS, (own, limit), "the tables cannot be read")
        return [row[0] for row in rows]

    async def set_access_rules(self, table: str, version: int, rules: AccessRules) -> None:
        """Stores rules where they are unknown; see `EventStore.set_access_rules`."""
        # From now on, an older program must not append what changes the rules.
        also = f", events = greatest(events, {self._event_version})"
        await self._enqueue(_Execute(table, access_statement(table, version, rules, also=also)))

    async def list_tables(self, after: str, limit: int) -> list[StoredTable]:
        """A page of the tables; see `EventStore.list_tables`."""
        query = """
            SELECT table_id, touched, finished FROM kept
            WHERE table_id > $1 ORDER BY table_id LIMIT $2
        """
        rows = await self._fetch(query, (after, limit), "the tables cannot be read")
        return [StoredTable(*row) for row in rows]

    async def count_tables(self) -> int:
        """The number of tables in the store."""
        query = "SELECT count(*) FROM kept"
        return int((await self._fetch(query, (), "the number of tables cannot be read"))[0][0])

    async def idle_tables(self, finished: Progress | None, since: float, limit: int) -> list[str]:
        """Tables without new events since a time; see `EventStore.idle_tables`."""
        own = self._leases.node.id if self._leases.node else ""
        values = (since, limit, own, *([] if finished is None else [finished]))
        query = _IDLE_TABLES.format("IS NULL" if finished is None else "= $4")
        rows = await self._fetch(query, values, "what was left alone cannot be read")
        return [row[0] for row in rows]

    async def set_progress(self, table: str, finished: Progress) -> None:
        """Stores the progress of a table; see `EventStore.set_progress`."""
        await self._enqueue(_Execute(table, progress_statement(table, finished)))

    async def delete(self, table: str) -> bool:
        """Deletes a table; see `EventStore.delete`."""
        try:
            await self._enqueue(_Delete(table, self._leases))
        except _TableNotFoundError:
            return False
        return True

    async def rewrite(
        self, table: str, log: Sequence[Event], clean: Sequence[Event], access: AccessRules
    ) -> None:
        """Replaces events of a log; see `EventStore.rewrite`."""
        statements = rewrite_statements(table, log, clean, access)
        await self._enqueue(_Rewrite(table, log_end(log), statements, self._leases))

    async def count_rewrites(self, table: str) -> int:
        """How many times a log has been rewritten; see `EventStore.count_rewrites`."""
        query, values = to_postgres_placeholders((COUNT_REWRITES, (table,)))
        rows = await self._fetch(query, values, "the rewrites of a table cannot be read")
        return int(rows[0][0]) if rows else 0

    async def save_analysis(self, table: str, number: int, body: bytes) -> None:
        """Stores the analysis of a match; see `EventStore.save_analysis`."""
        statement = analysis_statement(table, number, body, lock=_LOCK_TABLE)
        await self._enqueue(_Execute(table, statement))

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; see `EventStore.analysis`."""
        query = "SELECT body, sum FROM analysis WHERE table_id = $1 AND number = $2"
        rows = await self._fetch(query, (table, number), "an analysis cannot be read")
        return verify_analysis(table, number, *rows[0]) if rows else None

    async def analysis_checksums(self, table: str) -> dict[int, int]:
        """The matches with a stored analysis; see `EventStore.analysis_checksums`."""
        query = "SELECT number, sum FROM analysis WHERE table_id = $1 ORDER BY number"
        rows = await self._fetch(query, (table,), "the analyses cannot be read")
        return dict(rows)

    async def save_results(
        self, table: str, version: int, analyses: int, body: bytes, rewrites: int
    ) -> None:
        """Stores the results of a table's matches; see `EventStore.save_results`."""
        statement = results_statement(table, version, analyses, body, rewrites, lock="FOR SHARE")
        await self._enqueue(_Execute(table, statement))

    async def results_of_person(self, person: str, limit: int, skipped: int) -> list[StoredResults]:
        """The results of the tables of a person; see `EventStore.results_of_person`."""
        query, values = to_postgres_placeholders((RESULTS_QUERY, (person, limit, skipped)))
        rows = await self._fetch(query, values, "the matches of a person cannot be read")
        return [verify_results(*row) for row in rows]

    async def event_times(self, table: str) -> dict[int, float]:
        """The time of each event of a table; see `EventStore.event_times`."""
        query = "SELECT version, at FROM event JOIN kept USING (table_id) WHERE table_id = $1"
        rows = await self._fetch(query, (table,), "the times of a table cannot be read")
        return {row[0]: row[1] for row in rows}

    async def close(self) -> None:
        """Commits pending changes, leaves, and closes the connections."""
        if self._closed:
            return
        self._closed = True
        self._wakeup.set()
        if self._writer_task is not None:
            await self._writer_task
        with suppress(StoreError):  # the node then expires a moment later
            await self._leases.leave_cluster()
        await self._write_connection.close()
        await self._lease_connection.close()
        await self._read_pool.close()

    @property
    def _event_version(self) -> int:
        """The version of the events that this server reads and writes."""
        node = self._leases.node
        return EVENT_VERSION if node is None else node.event_version

    # Leases.

    async def join_cluster(self, node: Node) -> bytes:
        """Joins as a node; see `Leases.join_cluster`."""
        return await self._leases.join_cluster(node)

    async def renew_node(self) -> Sequence[Node]:
        """Renews this node; see `Leases.renew_node`."""
        return await self._leases.renew_node()

    async def acquire_lease(self, table: str) -> Lease:
        """Leases a table to this node unless another holds it; see `Leases.acquire_lease`."""
        return await self._leases.acquire_lease(table)

    async def release_leases(self, tables: Collection[str]) -> None:
        """Releases leases of this node; see `Leases.release_leases`."""
        await self._leases.release_leases(tables)

    async def leave_cluster(self) -> None:
        """Releases all leases and leaves the cluster."""
        await self._leases.leave_cluster()

    # Connections.

    async def _prepare_connection(self, connection: Connection) -> None:
        if self._only_read:
            await connection.execute("SET default_transaction_read_only = on")
        if not self._schema_ready:
            await (check_schema if self._only_read else migrate_schema)(connection)
            self._schema_ready = True

    async def _prepare_write_connection(self, connection: Connection) -> None:
        await self._prepare_connection(connection)
        await self._leases.fence_earlier_writes(connection)

    async def _fetch(self, query: str, values: tuple[Any, ...], what: str) -> list[Any]:
        if self._closed:
            raise StoreError("the store is closed")
        return await self._read_pool.fetch(query, values, what)

    # Writing, by one task.

    async def _enqueue(self, change: _Change) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        if self._writer_task is None:
            self._writer_task = asyncio.create_task(self._write_loop())
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # From here on it cannot be cancelled: a cancelled caller leaves the change to be committed.
        self._queue.append(_PendingChange(change, done))
        self._wakeup.set()
        await done

    async def _write_loop(self) -> None:
        # The last stop may have come before all rows of a deleted table were deleted.
        leftovers = True
        while True:
            batch = self._collect_batch()
            if batch:
                await self._commit(batch)
                leftovers = leftovers or any(isinstance(one.change, _Delete) for one in batch)
                if any(isinstance(one.change, IdentityChange) for one in batch):
                    self._vacuum.may_be_due = True
            elif self._closed:
                return
            elif leftovers:
                leftovers = await self._delete_batch()
            else:
                await self._wait_for_changes()

    async def _wait_for_changes(self) -> None:
        """Waits for changes, and vacuums if it is due and none come."""
        self._wakeup.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._vacuum.seconds_until_due()):
                await self._wakeup.wait()
            return
        try:
            seconds = await self._vacuum.run()
        except StoreError as error:
            if self._commit_observer is not None:
                self._commit_observer.on_vacuum_failed(error.cause)
            return
        if seconds is not None and self._commit_observer is not None:
            self._commit_observer.on_vacuumed(seconds)

    def _collect_batch(self) -> list[_PendingChange]:
        """The pending changes, with at most one append for each table in a batch."""
        batch: list[_PendingChange] = []
        tables: set[str] = set()
        while self._queue and len(batch) < MAX_CHANGES_PER_COMMIT:
            change = self._queue[0].change
            if not isinstance(change, IdentityChange):
                if change.table in tables:
                    break
                tables.add(change.table)
            batch.append(self._queue.popleft())
        return batch

    async def _commit(self, batch: Sequence[_PendingChange]) -> None:
        """Writes a batch and resolves its futures."""
        outcomes: _Outcomes
        try:
            outcomes = await self._write_batch([one.change for one in batch])
        except Exception as failure:  # noqa: BLE001 - no change may block later ones
            self._write_connection.terminate()
            outcomes = [self._url.to_store_error("it cannot be written", failure)] * len(batch)
        for waiting, error in zip(batch, outcomes, strict=True):
            if waiting.done.done():
                continue
            if error is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(error)

    async def _write_batch(self, changes: Sequence[_Change], *, again: bool = True) -> _Outcomes:
        """Writes changes in one transaction; returns the error of each, if any.

        Args:
            changes: the changes.
            again: whether to repeat an append that was lost with its connection.
        """
        if not changes:
            return []
        now = self.now()
        try:
            connection = await self._write_connection.connect()
        except StoreError as error:
            self._report_failure(error)
            self._fail_queued(error)
            return [error] * len(changes)
        began = perf_counter()
        try:
            outcomes = await self._execute_batch(connection, changes, now)
        except DB_ERRORS as error:
            self._report_failure(error)
            if is_connection_lost(error):
                self._write_connection.terminate()
                lost = self._url.to_store_error("the connection was lost", error)
                return await self._resolve_lost_commit(changes, now, lost, again=again)
            if len(changes) > 1 and _is_single_change_error(error):
                # The failed transaction is rolled back; the change that caused it fails alone.
                return [(await self._write_batch([one]))[0] for one in changes]
            if isinstance(error, asyncpg.UniqueViolationError):
                return [ConflictError(f"others have written the same: {error}")]
            return [self._url.to_store_error("it cannot be written", error)] * len(changes)
        if self._commit_observer is not None:
            self._commit_observer.on_committed(perf_counter() - began, len(changes))
        return outcomes

    def _report_failure(self, error: BaseException) -> None:
        if self._commit_observer is not None:
            self._commit_observer.on_commit_failed(classify_failure(error))

    def _fail_queued(self, error: StoreError) -> None:
        """Fails all queued changes, so that they do not each wait for an unavailable Postgres."""
        while self._queue:
            done = self._queue.popleft().done
            if not done.done():
                done.set_exception(error)

    async def _execute_batch(
        self, connection: Connection, changes: Sequence[_Change], now: float
    ) -> _Outcomes:
        appends = [one for one in changes if isinstance(one, _Append)]
        singles = [one for one in changes if not isinstance(one, _Append)]
        revoking = [one for one in appends if one.revokes_link]
        if not singles and not revoking:
            done = await self._append(connection, appends, now)
            return [done[one.table] for one in appends]
        refused: dict[int, StoreError] = {}
        async with connection.transaction():
            done = await self._append(connection, appends, now) if appends else {}
            for one in revoking:
                if done[one.table] is None:
                    record = partial(self._outbox.record, "link", one.table, at=now)
                    await IdentityChange(record).write(connection)
            for single in singles:
                try:
                    await single.write(connection)
                except StoreError as error:
                    refused[id(single)] = error
        return [
            done[one.table] if isinstance(one, _Append) else refused.get(id(one)) for one in changes
        ]

    async def _append(
        self, connection: Connection, appends: Sequence[_Append], now: float
    ) -> dict[str, StoreError | None]:
        """Appends the events of all tables with a valid lease and a matching version."""
        node = self._leases.node
        if node is None:
            return {
                one.table: StoreError("this server has not joined the store") for one in appends
            }
        rows = [row for one in appends for row in one.rows]
        people = [(person, one.table) for one in appends for person in one.persons]
        found = await connection.fetch(
            _APPEND,
            *(node.id, self._leases.term, not node.has_bus, now),
            [one.table for one in appends],
            [one.after for one in appends],
            [self._leases.epochs.get(one.table) for one in appends],
            [one.finished for one in appends],
            [one.compaction_version for one in appends],
            *_transpose(rows, 4),
            now - now % TOUCH_RESOLUTION_S,
            node.event_version,
            *_transpose(people, 2),
            *_transpose([one.access for one in appends], 2),
        )
        return {row["table_id"]: self._append_error(row, node) for row in found}

    def _append_error(self, row: Any, node: Node) -> StoreError | None:  # noqa: ANN401 - a row
        """The error of the append described by a row, if any."""
        table = row["table_id"]
        if row["made"] is not None and self._leases.node is node:
            self._leases.epochs[table] = row["made"]
        if row["done"]:
            return None
        if not row["own"]:
            return FencedError("others have taken this server for gone")
        if not row["held"]:
            self._leases.epochs.pop(table, None)
            return FencedError(f"table {table} is not leased to this server")
        return ConflictError(
            f"table {table} is at version {row['version']}, the writer at {row['after']}"
        )

    async def _resolve_lost_commit(
        self, changes: Sequence[_Change], now: float, lost: StoreError, *, again: bool
    ) -> _Outcomes:
        """The outcomes of changes whose connection was lost during the commit.

        For an append the outcome can be read, and one that was not stored may be repeated.
        """
        rows = [row for one in changes if isinstance(one, _Append) for row in one.rows]
        not_known = OutcomeUnknownError(f"{lost}; it is not known whether it was kept", lost.cause)
        try:
            async with self._write_connection.acquire("it cannot be looked up") as connection:
                found = await connection.fetch(_FIND_WRITTEN, now, *_transpose(rows, 4))
        except StoreError:
            self._fail_queued(lost)
            return [not_known] * len(changes)
        kept = Counter(row[0] for row in found)
        missing = [
            one for one in changes if isinstance(one, _Append) and kept[one.table] != len(one.rows)
        ]
        others: dict[int, StoreError | None] = {
            id(one): not_known for one in changes if not isinstance(one, _Append)
        }
        outcomes = await self._write_batch(missing, again=False) if again else [lost] * len(missing)
        others.update(zip(map(id, missing), outcomes, strict=True))
        return [others.get(id(one)) for one in changes]

    async def _delete_batch(self) -> bool:
        """Deletes a few events of one deleted table; returns whether more seem to be left."""
        try:
            async with self._write_connection.acquire(
                "deleted tables cannot be cleared"
            ) as connection:
                return bool(await connection.fetchval(_DELETE_BATCH, MAX_DELETES_PER_STEP))
        except StoreError:
            # A delay is harmless: the next deletion or the next start continues.
            return False


def _is_single_change_error(error: BaseException) -> bool:
    """Whether one change caused the error: by a value, a constraint or a deadlock."""
    if isinstance(error, asyncpg.PostgresError):
        return (error.sqlstate or "").startswith(("22", "23", "40"))
    return isinstance(error, ValueError)


def _transpose(rows: Sequence[tuple[Any, ...]], number: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(number)]


def _in_use_message(table: str, name: str) -> str:
    return f"table {table} is in use at another server, {name}"

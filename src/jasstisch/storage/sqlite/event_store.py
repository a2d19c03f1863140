"""The event store in one SQLite file.

Exactly one connection writes, in a thread of its own, with the write-ahead log and
`synchronous=FULL`: a commit that has returned is on the disk. Changes pending at the same time
share one commit. The file holds hidden cards and is readable for its owner only.

A deleted table is first marked as deleted; its events are deleted in small batches while no change
is pending. After somebody has been forgotten, the file is rewritten at a quiet moment
(`sqlite.vacuum`). Identities are in the same file (`sqlite.identities`).
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter, time

from msgspec import Struct

from jasstisch.storage.errors import ConflictError, StoreError
from jasstisch.storage.event_codec import (
    MAX_CHANGES_PER_COMMIT,
    MAX_DELETES_PER_STEP,
    TOUCH_RESOLUTION_S,
    checksum,
    encode_event,
    last_compaction_version,
    persons_in,
    revokes_link,
)
from jasstisch.storage.event_store import CommitObserver, StoredResults, StoredTable
from jasstisch.storage.failure_causes import classify_failure
from jasstisch.storage.forgotten_list import ForgottenList
from jasstisch.storage.forgotten_outbox import SQLITE_SCHEMA as OUTBOX_SCHEMA
from jasstisch.storage.forgotten_outbox import ForgottenOutbox
from jasstisch.storage.sql_access import (
    SQLITE_ACCESS_SCHEMA,
    EncodedRules,
    access_statement,
    encode_access_rules,
)
from jasstisch.storage.sql_results import analysis_statement, progress_statement, results_statement
from jasstisch.storage.sql_rewrites import LAST_VERSION, log_end, rewrite_statements
from jasstisch.storage.sql_tables import Statement
from jasstisch.storage.sqlite.identities import (
    ABANDONED_SCHEMA,
    BAN_SCHEMA,
    FORGETTING_SCHEMA,
    IDENTITY_SCHEMA,
    WriteOperation,
    index_persons,
    sqlite_identity_store,
    unindex_table,
)
from jasstisch.storage.sqlite.queries import (
    APPLICATION_ID,
    READ_ERRORS,
    access_rules,
    analysis_checksums,
    connect,
    count_rewrites,
    count_tables,
    event_times,
    is_corruption,
    list_tables,
    load_analysis,
    load_events,
    results_of_person,
    to_store_error,
)
from jasstisch.storage.sqlite.reader import SqliteReader
from jasstisch.storage.sqlite.vacuum import SCHEMA as VACUUM_SCHEMA
from jasstisch.storage.sqlite.vacuum import SqliteVacuum
from jasstisch.storage.sqlite.wal import MAX_TORN_COMMITS, commit_frame_numbers, preserve_wal
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.events import Acted, Event
from jasstisch.table.state import Progress

SCHEMA_VERSION = 13
"""The schema version of the file; a file with a later version is refused."""

MAX_EVENT_VERSION = 7
"""The newest event version in a file of this schema version. Raise it together with
`EVENT_VERSION`, and add a schema version, even with an empty migration: then an older program
reports that it is too old for the file, instead of treating tables with unknown events as damaged.
"""

_MAX_SKIPPED_DELETES = 100
"""The most damaged deleted tables that are skipped; with more the file needs a repair."""

_MAX_CACHED_TAILS = 20_000
"""The number of tables whose last version is cached."""

_NO_PERSONS: frozenset[str] = frozenset()

_INSERT_EVENT = "INSERT INTO event (table_id, version, at, body, sum) VALUES (?, ?, ?, ?, ?)"

_UPSERT_TABLE = """
    INSERT INTO kept (table_id, touched, finished, access, access_sum) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (table_id) DO UPDATE SET touched = ?2, finished = ?3,
        access = coalesce(?4, access), access_sum = coalesce(?5, access_sum)
"""

_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE event (
            table_id TEXT NOT NULL,
            version INTEGER NOT NULL,
            at REAL NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (table_id, version)
        ) STRICT
        """,
    ),
    (
        """
        CREATE TABLE kept (
            table_id TEXT PRIMARY KEY,
            touched REAL NOT NULL,
            finished TEXT
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX kept_how_long ON kept (finished, touched)",
        "CREATE TABLE deleted (table_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
        "INSERT INTO kept SELECT table_id, max(at), NULL FROM event GROUP BY table_id",
        "DROP INDEX IF EXISTS first_event",
    ),
    IDENTITY_SCHEMA,
    (
        # Of older events it is not known.
        "ALTER TABLE event ADD COLUMN sum INTEGER",
        *BAN_SCHEMA,
    ),
    (
        """
        CREATE TABLE analysis (
            table_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            body BLOB NOT NULL,
            sum INTEGER NOT NULL,
            UNIQUE (table_id, number)
        ) STRICT
        """,
    ),
    (
        """
        CREATE TABLE results (
            table_id TEXT PRIMARY KEY,
            version INTEGER NOT NULL,
            analyses INTEGER NOT NULL,
            body BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT
        """,
    ),
    (),  # for the events of version 6: programs on seats
    # Unknown for codes that an older program has made.
    ("ALTER TABLE credential ADD COLUMN maker TEXT",),
    ("ALTER TABLE kept ADD COLUMN rewrites INTEGER NOT NULL DEFAULT 0", *FORGETTING_SCHEMA),
    VACUUM_SCHEMA,
    ABANDONED_SCHEMA,
    OUTBOX_SCHEMA,
    SQLITE_ACCESS_SCHEMA,
)
"""The migrations: the statements of each schema version. An older file gets all missing ones."""


class _LogTail(Struct, frozen=True, gc=False):
    """The end of a table's log.

    Attributes:
        version: its last version; 0 for a table that does not exist.
        known: whether the table exists and is not deleted.
        touched: the hour of its last event, as stored.
        finished: its progress, as stored.
    """

    version: int
    known: bool
    touched: float | None = None
    finished: str | None = None


class _LogTailCache:
    """A cache of the ends of logs, which saves each append a look-up.

    It is valid as long as no other connection writes the file, which SQLite reports.
    """

    def __init__(self) -> None:
        self._tails: dict[str, _LogTail] = {}
        self._data_version: int | None = None

    def invalidate_if_changed(self, connection: sqlite3.Connection) -> None:
        """Clears the cache if another connection has written; call it within a transaction."""
        seen = connection.execute("PRAGMA data_version").fetchone()[0]
        if seen != self._data_version or len(self._tails) > _MAX_CACHED_TAILS:
            self._tails.clear()
            self._data_version = seen

    def get(self, connection: sqlite3.Connection, table: str) -> _LogTail:
        """The end of a table's log."""
        head = self._tails.get(table)
        if head is None:
            query = "SELECT coalesce(max(version), 0) FROM event WHERE table_id = ?"
            version = connection.execute(query, (table,)).fetchone()[0]
            query = "SELECT touched, finished FROM kept WHERE table_id = ?"
            kept = connection.execute(query, (table,)).fetchone()
            head = _LogTail(version, kept is not None, *(kept or ()))
        return head

    def set(self, table: str, head: _LogTail) -> None:
        """Stores the new end of a table's log."""
        self._tails[table] = head

    def evict(self, table: str | None = None) -> None:
        """Removes a table, or all tables after a failed transaction."""
        if table is None:
            self._tails.clear()
        else:
            self._tails.pop(table, None)


class _Append(Struct, frozen=True):
    table: str
    after: int
    bodies: list[bytes]
    finished: Progress | None
    access: EncodedRules
    gathered: int
    people: frozenset[str]
    heads: _LogTailCache
    outbox: ForgottenOutbox | None

    def write(self, connection: sqlite3.Connection, now: float) -> ConflictError | None:
        """Appends the events, unless another writer has appended meanwhile."""
        head = self.heads.get(connection, self.table)
        if head.version != self.after or (head.version and not head.known):
            text = f"table {self.table} is at version {head.version}, the writer at {self.after}"
            return ConflictError(text)
        version = self.after
        for body in self.bodies:
            version += 1
            row = (self.table, version, now, body, checksum(self.table, version, body))
            connection.execute(_INSERT_EVENT, row)
        touched, finished = now - now % TOUCH_RESOLUTION_S, self.finished or head.finished
        self.heads.set(self.table, _LogTail(version, True, touched, finished))
        if (touched, finished) != (head.touched, head.finished) or self.access[0] is not None:
            connection.execute(_UPSERT_TABLE, (self.table, touched, finished, *self.access))
        if self.people:
            index_persons(connection, self.table, self.people, now)
        if self.outbox is not None:
            for statement in self.outbox.record("link", self.table, at=now):
                connection.execute(*statement)
        if self.gathered:
            connection.execute(
                "DELETE FROM event WHERE table_id = ? AND version > 1 AND version < ?",
                (self.table, self.gathered),
            )
        return None


@dataclass(frozen=True, slots=True)
class _SetProgress:
    table: str
    finished: Progress
    heads: _LogTailCache

    def write(self, connection: sqlite3.Connection, _: float) -> None:
        """Writes the progress."""
        self.heads.evict(self.table)
        connection.execute(*progress_statement(self.table, self.finished))


@dataclass(frozen=True, slots=True)
class _Execute:
    """A change of one statement, which is never refused."""

    statement: Statement

    def write(self, connection: sqlite3.Connection, _: float) -> None:
        """Executes the statement."""
        connection.execute(*self.statement)


@dataclass(frozen=True, slots=True)
class _Rewrite:
    """The replacement of events of a log; see `EventStore.rewrite`."""

    table: str
    log_end: int
    statements: Sequence[Statement]

    def write(self, connection: sqlite3.Connection, _: float) -> ConflictError | None:
        """Replaces the events, unless another writer has appended meanwhile."""
        (version,) = connection.execute(LAST_VERSION, (self.table,)).fetchone()
        if version != self.log_end:
            return ConflictError(f"table {self.table} is at version {version}")
        for statement in self.statements:
            connection.execute(*statement)
        return None


@dataclass(frozen=True, slots=True)
class _Delete:
    table: str
    heads: _LogTailCache

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Marks the table as deleted; its rows are deleted later."""
        self.heads.evict(self.table)
        query = "DELETE FROM kept WHERE table_id = ?"
        if connection.execute(query, (self.table,)).rowcount == 0:
            return _TableNotFoundError(f"there is no table {self.table}")
        connection.execute("INSERT INTO deleted (table_id) VALUES (?)", (self.table,))
        connection.execute("DELETE FROM analysis WHERE table_id = ?", (self.table,))
        connection.execute("DELETE FROM results WHERE table_id = ?", (self.table,))
        unindex_table(connection, self.table)
        return None


class _PendingChange(Struct, frozen=True):
    """A pending change and the future that awaits it."""

    change: WriteOperation
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"


_Outcome = tuple[_PendingChange, StoreError | None]


class _TableNotFoundError(StoreError):
    """The table does not exist."""


class SqliteStore:
    """An `EventStore` in a file.

    Args:
        path: the file; created when it is missing.

    Attributes:
        identity_store: the identity store in the same file.
        lost_commits: the number of unreadable commits in the log left by a crash.

    Raises:
        StoreError: the file cannot be opened, does not belong to this program, or was written by a
            newer version of it; the message names the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: SimpleQueue[_PendingChange | None] = SimpleQueue()
        self._connection, self.lost_commits = _open(path)
        self._log_tails = _LogTailCache()
        self._reader = SqliteReader(path)
        self._closed = False
        self._commit_observer: CommitObserver | None = None
        self._skipped_deletes = 0
        self._vacuum = SqliteVacuum(path, self._connection, lambda: not self._queue.empty())
        self.identity_store, self._outbox = sqlite_identity_store(self._enqueue, self._reader.read)
        self._writer_thread = Thread(target=self._write_loop, name="store-write", daemon=True)
        self._writer_thread.start()

    def observe_commits(self, watcher: CommitObserver) -> None:
        """Reports each commit to an observer; see `EventStore.observe_commits`."""
        self._commit_observer = watcher

    def record_forgetting(self, forgotten: ForgottenList) -> None:
        """Lists what is forgotten; see `EventStore.record_forgetting`."""
        self._outbox.attach(forgotten)

    def now(self) -> float:
        """The time of this machine; see `EventStore.now`."""
        return time()

    def append(
        self,
        table: str,
        after: int,
        events: Sequence[Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> Awaitable[None]:
        """Adds events to a table's log; see `EventStore.append`."""
        bodies = [encode_event(event) for event in events]
        gathered, people, outbox = 0, _NO_PERSONS, None
        if not all(isinstance(event, Acted) for event in events):
            gathered, people = last_compaction_version(events), frozenset(persons_in(events))
            outbox = self._outbox if revokes_link(events) else None
        rules, heads = encode_access_rules(table, access), self._log_tails
        change = _Append(table, after, bodies, finished, rules, gathered, people, heads, outbox)
        if outbox is not None:
            return outbox.write(lambda: self._enqueue(change))
        return self._enqueue(change)

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; see `EventStore.load`."""
        return await self._reader.read(
            lambda connection: load_events(connection, table), f"table {table}"
        )

    async def access_rules(self, table: str) -> AccessRules | None:
        """The access rules of a table; see `EventStore.access_rules`."""
        return await self._reader.read(
            lambda connection: access_rules(connection, table), f"the rules of table {table}"
        )

    async def tables_without_access_rules(self, limit: int) -> list[str]:
        """Tables whose rules are unknown; see `EventStore.tables_without_access_rules`."""
        query = "SELECT table_id FROM kept WHERE access IS NULL LIMIT ?"
        return await self._reader.read(
            lambda connection: [row[0] for row in connection.execute(query, (limit,))],
            "the tables without rules",
        )

    async def set_access_rules(self, table: str, version: int, rules: AccessRules) -> None:
        """Stores rules where they are unknown; see `EventStore.set_access_rules`."""
        await self._enqueue(_Execute(access_statement(table, version, rules)))

    async def list_tables(self, after: str, limit: int) -> list[StoredTable]:
        """A page of the tables; see `EventStore.list_tables`."""
        read = self._reader.read
        return await read(lambda connection: list_tables(connection, after, limit), "the tables")

    async def count_tables(self) -> int:
        """The number of tables in the store."""
        return await self._reader.read(count_tables, "the number of tables")

    async def idle_tables(self, finished: Progress | None, since: float, limit: int) -> list[str]:
        """Tables without new events since a time; see `EventStore.idle_tables`."""
        query = """
            SELECT table_id FROM kept WHERE finished IS ? AND touched < ? ORDER BY touched LIMIT ?
        """
        return await self._reader.read(
            lambda connection: [
                row[0] for row in connection.execute(query, (finished, since, limit))
            ],
            "what was left alone",
        )

    async def set_progress(self, table: str, finished: Progress) -> None:
        """Stores the progress of a table; see `EventStore.set_progress`."""
        await self._enqueue(_SetProgress(table, finished, self._log_tails))

    async def delete(self, table: str) -> bool:
        """Deletes a table; see `EventStore.delete`."""
        try:
            await self._enqueue(_Delete(table, self._log_tails))
        except _TableNotFoundError:
            return False
        return True

    async def rewrite(
        self, table: str, log: Sequence[Event], clean: Sequence[Event], access: AccessRules
    ) -> None:
        """Replaces events of a log; see `EventStore.rewrite`."""
        statements = rewrite_statements(table, log, clean, access)
        await self._enqueue(_Rewrite(table, log_end(log), statements))

    async def count_rewrites(self, table: str) -> int:
        """How many times a log has been rewritten; see `EventStore.count_rewrites`."""
        return await self._reader.read(
            lambda connection: count_rewrites(connection, table), f"the rewrites of table {table}"
        )

    async def save_analysis(self, table: str, number: int, body: bytes) -> None:
        """Stores the analysis of a match; see `EventStore.save_analysis`."""
        await self._enqueue(_Execute(analysis_statement(table, number, body)))

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; see `EventStore.analysis`."""
        return await self._reader.read(
            lambda connection: load_analysis(connection, table, number),
            f"an analysis of table {table}",
        )

    async def analysis_checksums(self, table: str) -> dict[int, int]:
        """The matches with a stored analysis; see `EventStore.analysis_checksums`."""
        return await self._reader.read(
            lambda connection: analysis_checksums(connection, table),
            f"the analyses of table {table}",
        )

    async def save_results(
        self, table: str, version: int, analyses: int, body: bytes, rewrites: int
    ) -> None:
        """Stores the results of a table's matches; see `EventStore.save_results`."""
        await self._enqueue(_Execute(results_statement(table, version, analyses, body, rewrites)))

    async def results_of_person(self, person: str, limit: int, skipped: int) -> list[StoredResults]:
        """The results of the tables of a person; see `EventStore.results_of_person`."""
        return await self._reader.read(
            lambda connection: results_of_person(connection, person, limit, skipped),
            "the matches of a person",
        )

    async def event_times(self, table: str) -> dict[int, float]:
        """The time of each event of a table; see `EventStore.event_times`."""
        return await self._reader.read(
            lambda connection: event_times(connection, table), f"the times of table {table}"
        )

    async def close(self) -> None:
        """Commits pending changes and closes the file."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            await asyncio.to_thread(self._writer_thread.join)
            await self._reader.close()

    # Writing, in its own thread.

    def _enqueue(self, change: WriteOperation) -> "asyncio.Future[None]":
        """Enqueues a change; the future is done when it is committed."""
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        # From here on it cannot be cancelled: a cancelled caller leaves the change to be committed.
        self._queue.put(_PendingChange(change, loop, done))
        return done

    def _write_loop(self) -> None:
        with closing(self._connection):
            # The last stop may have come before all rows of a deleted table were deleted.
            leftovers = True
            while True:
                batch: list[_PendingChange] = []
                goes_on = self._collect_batch(batch, 0 if leftovers else self._seconds_of_quiet())
                if batch:
                    self._commit(batch)
                    leftovers = leftovers or any(isinstance(one.change, _Delete) for one in batch)
                elif leftovers and goes_on:
                    leftovers = self._delete_batch()
                elif goes_on:
                    leftovers = not self._remove_traces()
                if not goes_on:
                    self._remove_traces(is_closing=True)
                    return

    def _collect_batch(self, batch: list[_PendingChange], wait_s: float | None) -> bool:
        """Collects the pending changes; False when the store is to close after them.

        Args:
            batch: the list to which they are added.
            wait_s: how long to wait for the first of them; None for ever.
        """
        while len(batch) < MAX_CHANGES_PER_COMMIT:
            try:
                request = self._queue.get(block=wait_s != 0 and not batch, timeout=wait_s)
            except Empty:
                return True
            if request is None:
                return False
            batch.append(request)
        return True

    def _commit(self, batch: list[_PendingChange]) -> None:
        """Writes a batch and resolves its futures, with one call for each event loop."""
        outcomes = zip(batch, self._write_batch([one.change for one in batch]), strict=True)
        for loop, some in groupby(outcomes, lambda outcome: outcome[0].loop):
            # Nobody waits in a closed event loop.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_resolve_futures, list(some))

    def _write_batch(self, changes: Sequence[WriteOperation]) -> Sequence[StoreError | None]:
        """Writes changes in one transaction; a conflict fails only its own change."""
        began = perf_counter()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._log_tails.invalidate_if_changed(self._connection)
            now = self.now()
            outcomes = [change.write(self._connection, now) for change in changes]
            self._connection.execute("COMMIT")
        except READ_ERRORS as error:
            self._roll_back()
            self._log_tails.evict()
            if len(changes) > 1 and not _is_file_wide(error):
                # In a damaged file only changes that need the damaged part fail.
                return [outcome for one in changes for outcome in self._write_batch([one])]
            told = to_store_error(self._path, "it cannot be written", error)
            if self._commit_observer is not None:
                self._commit_observer.on_commit_failed(told.cause)
            return [told] * len(changes)
        if self._commit_observer is not None:
            self._commit_observer.on_committed(perf_counter() - began, len(changes))
        return outcomes

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            # In a damaged file even the rollback may fail; the transaction has ended anyway.
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def _seconds_of_quiet(self) -> float | None:
        """How long to wait for changes before the file is vacuumed; None if that is not due."""
        try:
            return self._vacuum.seconds_until_due()
        except sqlite3.Error:  # a damaged file; its tables are reported when they are read
            return None

    def _remove_traces(self, *, is_closing: bool = False) -> bool:
        """Vacuums the file if it is due; False if deleted tables have rows that must go first."""
        try:
            (left,) = self._connection.execute("SELECT count(*) FROM deleted").fetchone()
            if left > self._skipped_deletes:
                return False
            seconds = self._vacuum.run(is_closing=is_closing)
        except (sqlite3.Error, OSError) as error:
            if self._commit_observer is not None:
                self._commit_observer.on_vacuum_failed(classify_failure(error))
            return True
        if seconds is not None and self._commit_observer is not None:
            self._commit_observer.on_vacuumed(seconds)
        return True

    def _delete_batch(self) -> bool:
        """Deletes a few events of one deleted table; returns whether more seem to be left."""
        query = (
            "DELETE FROM event WHERE rowid IN (SELECT rowid FROM event WHERE table_id = ? LIMIT ?)"
        )
        first = "SELECT table_id FROM deleted LIMIT 1 OFFSET ?"
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            row = self._connection.execute(first, (self._skipped_deletes,)).fetchone()
            if row is not None:
                gone = self._connection.execute(query, (*row, MAX_DELETES_PER_STEP)).rowcount
                if gone < MAX_DELETES_PER_STEP:
                    self._connection.execute("DELETE FROM deleted WHERE table_id = ?", row)
            self._connection.execute("COMMIT")
        except READ_ERRORS as error:
            # A delay is harmless: the next deletion or the next start continues.
            self._roll_back()
            if not is_corruption(error) or self._skipped_deletes >= _MAX_SKIPPED_DELETES:
                return False
            # A damaged table is skipped; the deletion of the next ones continues.
            self._skipped_deletes += 1
            return True
        return row is not None


def _is_file_wide(error: BaseException) -> bool:
    """Whether a failure concerns the disk or the whole file, so that every change would fail."""
    code = getattr(error, "sqlite_errorcode", None)
    whole = {
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
    }
    return code is not None and code & 0xFF in whole


def _resolve_futures(outcomes: Sequence[_Outcome]) -> None:
    """Resolves the futures with the outcomes of their changes."""
    for waiting, error in outcomes:
        if waiting.done.done():
            continue
        if error is None:
            waiting.done.set_result(None)
        else:
            waiting.done.set_exception(error)


def _open(path: Path) -> tuple[sqlite3.Connection, int]:
    """Opens the writing connection, and creates or checks the file first.

    Returns:
        The connection, and the number of commits of its log that cannot be read.
    """
    try:
        path.touch(mode=0o600, exist_ok=True)
        left = commit_frame_numbers(path)
        connection = connect(path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        lost = _lost_commits(path, connection, left)
        _prepare_schema(path, connection)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be used: {error}") from error
    except StoreError:
        connection.close()
        raise
    return connection, lost


def _lost_commits(path: Path, connection: sqlite3.Connection, left: Sequence[int]) -> int:
    """The number of unreadable commits left by a crash; the log is preserved if there are any."""
    read = int(connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
    lost = sum(frame > read for frame in left)
    if lost <= MAX_TORN_COMMITS:
        return 0
    # Without disk space for a copy the store still opens, and reports the loss.
    with suppress(OSError):
        preserve_wal(path)
    return lost


def _prepare_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Creates the schema of a new file, or checks and migrates that of an existing one."""
    connection.execute("BEGIN IMMEDIATE")
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if owner != APPLICATION_ID and tables:
        raise StoreError(f"{path} is a database of another program")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a newer Jasstisch (layout {version}, this one knows "
            f"{SCHEMA_VERSION}); update Jasstisch or choose another data folder"
        )
    if not tables or version < SCHEMA_VERSION:
        for layout in _MIGRATIONS[version:]:
            for statement in layout:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")

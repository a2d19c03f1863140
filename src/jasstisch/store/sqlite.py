"""The event store in one SQLite file.

Exactly one connection writes, in a thread of its own, with the write-ahead log and
`synchronous=FULL`: a commit that has returned is on the disk. Changes that wait at the same time
share one commit. The file holds hidden cards and is made readable for its owner only.

A table that is deleted is struck off first; its events go a few at a time, whenever nothing waits.
Identities lie in the same file (`sqlite_identities`).
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

from jasstisch.store.event_store import CommitWatcher, Conflict, Kept, KeptResults, StoreError
from jasstisch.store.identities import IdentityStore
from jasstisch.store.logs import (
    HOUR,
    MOST_DELETED,
    MOST_IN_A_COMMIT,
    checksum,
    encode,
    gathered_at,
    people_in,
)
from jasstisch.store.sqlite_identities import (
    BANS,
    LAYOUT,
    Change,
    forget_table,
    in_file,
    note_people,
)
from jasstisch.store.sqlite_reader import SqliteReader
from jasstisch.store.sqlite_reading import (
    APPLICATION_ID,
    UNREADABLE,
    analysed,
    analysis,
    connect,
    count,
    is_damage,
    load,
    results_of,
    tables,
    times,
    trouble,
)
from jasstisch.store.sqlite_wal import MOST_TORN, commits, keep_aside
from jasstisch.table.events import Acted, Event
from jasstisch.table.state import Finished

__all__ = ["EVENTS_HELD", "SCHEMA_VERSION", "SqliteStore"]

SCHEMA_VERSION = 7
"""The layout of the file; a file of a later one is refused."""

EVENTS_HELD = 6
"""The newest events that a file of this layout holds. With `EVENTS` rises this one, and there is a
further layout, though it may be empty: an older version then says that it is too old for the file,
and does not take tables for damaged whose events it does not know."""

MOST_UNDELETABLE = 100
"""So many deleted tables that are damaged are passed over; with more the file is to be mended."""

MOST_HEADS = 20_000
"""Of so many tables it is remembered at which version they are."""

NOBODY: frozenset[str] = frozenset()

INSERT = "INSERT INTO event (table_id, version, at, body, sum) VALUES (?, ?, ?, ?, ?)"

TOUCH = """
    INSERT INTO kept (table_id, touched, finished) VALUES (?1, ?2, ?3)
    ON CONFLICT (table_id) DO UPDATE SET touched = ?2, finished = ?3
"""

LAYOUTS: tuple[tuple[str, ...], ...] = (
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
    LAYOUT,
    (
        # Of older events it is not known.
        "ALTER TABLE event ADD COLUMN sum INTEGER",
        *BANS,
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
)
"""What each layout adds to the one before; an older file gets all that it lacks."""


class _Head(Struct, frozen=True, gc=False):
    """How the log of a table ends.

    Attributes:
        version: its last version; 0 for a table there is not.
        known: whether it is one that has not been deleted.
        touched: the hour at which it was last added to, as it stands in the file.
        finished: what has been finished at it, as it stands in the file.
    """

    version: int
    known: bool
    touched: float | None = None
    finished: str | None = None


class _Heads:
    """How the logs end that have been written to, so that not each append has to look it up.

    They hold as long as nobody else writes the file, which SQLite tells.
    """

    def __init__(self) -> None:
        self._heads: dict[str, _Head] = {}
        self._seen: int | None = None

    def check(self, connection: sqlite3.Connection) -> None:
        """Forgets everything if another connection has written; call it within a transaction."""
        seen = connection.execute("PRAGMA data_version").fetchone()[0]
        if seen != self._seen or len(self._heads) > MOST_HEADS:
            self._heads.clear()
            self._seen = seen

    def of(self, connection: sqlite3.Connection, table: str) -> _Head:
        """How the log of a table ends."""
        head = self._heads.get(table)
        if head is None:
            query = "SELECT coalesce(max(version), 0) FROM event WHERE table_id = ?"
            version = connection.execute(query, (table,)).fetchone()[0]
            query = "SELECT touched, finished FROM kept WHERE table_id = ?"
            kept = connection.execute(query, (table,)).fetchone()
            head = _Head(version, kept is not None, *(kept or ()))
        return head

    def set(self, table: str, head: _Head) -> None:
        """Notes how the log of a table ends from now on."""
        self._heads[table] = head

    def forget(self, table: str | None = None) -> None:
        """Forgets a table, or all that has come to nothing with a transaction."""
        if table is None:
            self._heads.clear()
        else:
            self._heads.pop(table, None)


class _Append(Struct, frozen=True):
    table: str
    after: int
    bodies: list[bytes]
    finished: Finished | None
    gathered: int
    people: frozenset[str]
    heads: _Heads

    def write(self, connection: sqlite3.Connection, now: float) -> Conflict | None:
        """Adds the events, unless somebody else has written meanwhile."""
        head = self.heads.of(connection, self.table)
        if head.version != self.after or (head.version and not head.known):
            text = f"table {self.table} is at version {head.version}, the writer at {self.after}"
            return Conflict(text)
        version = self.after
        for body in self.bodies:
            version += 1
            row = (self.table, version, now, body, checksum(self.table, version, body))
            connection.execute(INSERT, row)
        touched, finished = now - now % HOUR, self.finished or head.finished
        self.heads.set(self.table, _Head(version, True, touched, finished))
        if (touched, finished) != (head.touched, head.finished):
            connection.execute(TOUCH, (self.table, touched, finished))
        if self.people:
            note_people(connection, self.table, self.people)
        if self.gathered:
            connection.execute(
                "DELETE FROM event WHERE table_id = ? AND version > 1 AND version < ?",
                (self.table, self.gathered),
            )
        return None


@dataclass(frozen=True, slots=True)
class _Note:
    table: str
    finished: Finished
    heads: _Heads

    def write(self, connection: sqlite3.Connection, _: float) -> None:
        """Keeps it."""
        self.heads.forget(self.table)
        query = "UPDATE kept SET finished = ? WHERE table_id = ? AND finished IS NULL"
        connection.execute(query, (self.finished, self.table))


@dataclass(frozen=True, slots=True)
class _KeepAnalysis:
    table: str
    number: int
    body: bytes

    def write(self, connection: sqlite3.Connection, _: float) -> None:
        """Keeps it, unless the table has gone."""
        query = """
            INSERT OR REPLACE INTO analysis (table_id, number, body, sum)
            SELECT table_id, ?, ?, ? FROM kept WHERE table_id = ?
        """
        summed = checksum(self.table, self.number, self.body)
        connection.execute(query, (self.number, self.body, summed, self.table))


@dataclass(frozen=True, slots=True)
class _KeepResults:
    table: str
    version: int
    analyses: int
    body: bytes

    def write(self, connection: sqlite3.Connection, _: float) -> None:
        """Keeps them, unless the table has gone."""
        query = """
            INSERT OR REPLACE INTO results (table_id, version, analyses, body, sum)
            SELECT table_id, ?, ?, ?, ? FROM kept WHERE table_id = ?
        """
        summed = checksum(self.table, self.version, self.body)
        row = (self.version, self.analyses, self.body, summed, self.table)
        connection.execute(query, row)


@dataclass(frozen=True, slots=True)
class _Delete:
    table: str
    heads: _Heads

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Strikes the table off; what is left of it goes later."""
        self.heads.forget(self.table)
        query = "DELETE FROM kept WHERE table_id = ?"
        if connection.execute(query, (self.table,)).rowcount == 0:
            return _UnknownError(f"there is no table {self.table}")
        connection.execute("INSERT INTO deleted (table_id) VALUES (?)", (self.table,))
        connection.execute("DELETE FROM analysis WHERE table_id = ?", (self.table,))
        connection.execute("DELETE FROM results WHERE table_id = ?", (self.table,))
        forget_table(connection, self.table)
        return None


class _Waiting(Struct, frozen=True):
    """A change that waits to be written, and who waits for it."""

    change: Change
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"


_Outcome = tuple[_Waiting, StoreError | None]


class _UnknownError(StoreError):
    """There is no such table."""


class SqliteStore:
    """An `EventStore` in a file.

    Args:
        path: the file; made when it is missing.

    Attributes:
        identities: who is who, in the same file.
        lost_commits: how many commits stand in the log that a crash has left, and cannot be read.

    Raises:
        StoreError: the file cannot be opened, is not one of ours, or was written by a newer
            version of this program; the message names the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._writing, self.lost_commits = _open(path)
        self._heads = _Heads()
        self._reader = SqliteReader(path)
        self._closed = False
        self._watcher: CommitWatcher | None = None
        self._undeletable = 0
        self.identities: IdentityStore = in_file(self._change, self._reader.read)
        self._writer = Thread(target=self._write, name="store-write", daemon=True)
        self._writer.start()

    def watch(self, watcher: CommitWatcher) -> None:
        """Has a watcher told of each commit; see `EventStore.watch`."""
        self._watcher = watcher

    def now(self) -> float:
        """The time of this machine; see `EventStore.now`."""
        return time()

    def append(
        self, table: str, after: int, events: Sequence[Event], finished: Finished | None = None
    ) -> Awaitable[None]:
        """Adds events to a table's log; see `EventStore.append`."""
        bodies = [encode(event) for event in events]
        gathered, people = 0, NOBODY
        if not all(isinstance(event, Acted) for event in events):
            gathered, people = gathered_at(events), frozenset(people_in(events))
        return self._change(_Append(table, after, bodies, finished, gathered, people, self._heads))

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; see `EventStore.load`."""
        return await self._reader.read(lambda connection: load(connection, table), f"table {table}")

    async def tables(self, after: str, most: int) -> list[Kept]:
        """The tables there are; see `EventStore.tables`."""
        read = self._reader.read
        return await read(lambda connection: tables(connection, after, most), "the tables")

    async def count(self) -> int:
        """How many tables the store holds."""
        return await self._reader.read(count, "the number of tables")

    async def untouched(self, finished: Finished | None, since: float, most: int) -> list[str]:
        """Tables to which nothing has been added since a time; see `EventStore.untouched`."""
        query = """
            SELECT table_id FROM kept WHERE finished IS ? AND touched < ? ORDER BY touched LIMIT ?
        """
        return await self._reader.read(
            lambda connection: [
                row[0] for row in connection.execute(query, (finished, since, most))
            ],
            "what was left alone",
        )

    async def note(self, table: str, finished: Finished) -> None:
        """Keeps what has been finished at a table; see `EventStore.note`."""
        await self._change(_Note(table, finished, self._heads))

    async def delete(self, table: str) -> bool:
        """Deletes a table; see `EventStore.delete`."""
        try:
            await self._change(_Delete(table, self._heads))
        except _UnknownError:
            return False
        return True

    async def keep_analysis(self, table: str, number: int, body: bytes) -> None:
        """Keeps the analysis of a match; see `EventStore.keep_analysis`."""
        await self._change(_KeepAnalysis(table, number, body))

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; see `EventStore.analysis`."""
        return await self._reader.read(
            lambda connection: analysis(connection, table, number), f"an analysis of table {table}"
        )

    async def analysed(self, table: str) -> dict[int, int]:
        """The matches of which an analysis is kept; see `EventStore.analysed`."""
        return await self._reader.read(
            lambda connection: analysed(connection, table), f"the analyses of table {table}"
        )

    async def keep_results(self, table: str, version: int, analyses: int, body: bytes) -> None:
        """Keeps what has come of the matches of a table; see `EventStore.keep_results`."""
        await self._change(_KeepResults(table, version, analyses, body))

    async def results_of(self, person: str, most: int, skipped: int) -> list[KeptResults]:
        """The tables of a person at which a match may be over; see `EventStore.results_of`."""
        return await self._reader.read(
            lambda connection: results_of(connection, person, most, skipped),
            "the matches of a person",
        )

    async def times(self, table: str) -> dict[int, float]:
        """When each event of a table was added; see `EventStore.times`."""
        return await self._reader.read(
            lambda connection: times(connection, table), f"the times of table {table}"
        )

    async def close(self) -> None:
        """Commits what waits and closes the file."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            await asyncio.to_thread(self._writer.join)
            await self._reader.close()

    # Writing, in its own thread.

    def _change(self, change: Change) -> "asyncio.Future[None]":
        """Has a change written; done when it is committed."""
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        # From here on it cannot be cancelled: whoever stops waiting leaves it to be committed.
        self._waiting.put(_Waiting(change, loop, done))
        return done

    def _write(self) -> None:
        with closing(self._writing):
            # The last stop may have come before all of a deleted table had gone.
            leftovers = True
            while True:
                batch: list[_Waiting] = []
                goes_on = self._take_waiting(batch, wait=not leftovers)
                if batch:
                    self._commit(batch)
                    leftovers = leftovers or any(isinstance(one.change, _Delete) for one in batch)
                elif leftovers and goes_on:
                    leftovers = self._delete_some()
                if not goes_on:
                    return

    def _take_waiting(self, batch: list[_Waiting], *, wait: bool) -> bool:
        """Adds the changes that wait already; False when the store is to close after them.

        Args:
            batch: what they are added to.
            wait: whether to wait for the first of them.
        """
        while len(batch) < MOST_IN_A_COMMIT:
            try:
                request = self._waiting.get(block=wait and not batch)
            except Empty:
                return True
            if request is None:
                return False
            batch.append(request)
        return True

    def _commit(self, batch: list[_Waiting]) -> None:
        """Writes a batch and tells all who wait, those of an event loop at one go."""
        outcomes = zip(batch, self._written([one.change for one in batch]), strict=True)
        for loop, some in groupby(outcomes, lambda outcome: outcome[0].loop):
            # A loop that is closed has left nobody who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_tell, list(some))

    def _written(self, changes: Sequence[Change]) -> Sequence[StoreError | None]:
        """Writes changes in one transaction; a conflict spoils only its own change."""
        began = perf_counter()
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            self._heads.check(self._writing)
            now = self.now()
            outcomes = [change.write(self._writing, now) for change in changes]
            self._writing.execute("COMMIT")
        except UNREADABLE as error:
            self._roll_back()
            self._heads.forget()
            if len(changes) > 1 and not _concerns_all(error):
                # Where the file is damaged, only who needs what is damaged is refused.
                return [outcome for one in changes for outcome in self._written([one])]
            told = trouble(self._path, "it cannot be written", error)
            if self._watcher is not None:
                self._watcher.failed(told.cause)
            return [told] * len(changes)
        if self._watcher is not None:
            self._watcher.committed(perf_counter() - began, len(changes))
        return outcomes

    def _roll_back(self) -> None:
        if self._writing.in_transaction:
            # Of a damaged file even that may fail; the transaction has ended all the same.
            with suppress(sqlite3.Error):
                self._writing.execute("ROLLBACK")

    def _delete_some(self) -> bool:
        """Deletes a few events of one deleted table; whether any are left, as far as is known."""
        query = (
            "DELETE FROM event WHERE rowid IN (SELECT rowid FROM event WHERE table_id = ? LIMIT ?)"
        )
        first = "SELECT table_id FROM deleted LIMIT 1 OFFSET ?"
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            row = self._writing.execute(first, (self._undeletable,)).fetchone()
            if row is not None:
                gone = self._writing.execute(query, (*row, MOST_DELETED)).rowcount
                if gone < MOST_DELETED:
                    self._writing.execute("DELETE FROM deleted WHERE table_id = ?", row)
            self._writing.execute("COMMIT")
        except UNREADABLE as error:
            # Nothing is lost by waiting: the next deletion, or the next start, goes on with it.
            self._roll_back()
            if not is_damage(error) or self._undeletable >= MOST_UNDELETABLE:
                return False
            # What is damaged stays; those behind it go on.
            self._undeletable += 1
            return True
        return row is not None


def _concerns_all(error: BaseException) -> bool:
    """Whether a failure is that of the disk or the whole file, so that each change would fail."""
    code = getattr(error, "sqlite_errorcode", None)
    whole = {
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
    }
    return code is not None and code & 0xFF in whole


def _tell(outcomes: Sequence[_Outcome]) -> None:
    """Tells those who wait what has come of their changes."""
    for waiting, error in outcomes:
        if waiting.done.done():
            continue
        if error is None:
            waiting.done.set_result(None)
        else:
            waiting.done.set_exception(error)


def _open(path: Path) -> tuple[sqlite3.Connection, int]:
    """The writing connection, to a file that is made or checked first.

    Returns:
        The connection, and how many commits of its log cannot be read.
    """
    try:
        path.touch(mode=0o600, exist_ok=True)
        left = commits(path)
        connection = connect(path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        lost = _unread(path, connection, left)
        _prepare(path, connection)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be used: {error}") from error
    except StoreError:
        connection.close()
        raise
    return connection, lost


def _unread(path: Path, connection: sqlite3.Connection, left: Sequence[int]) -> int:
    """How many of the commits that a crash has left were not read; the log is kept then."""
    read = int(connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
    lost = sum(frame > read for frame in left)
    if lost <= MOST_TORN:
        return 0
    # Without room for a copy the tables go on all the same; that they lost something is told.
    with suppress(OSError):
        keep_aside(path)
    return lost


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Lays a new file out, or makes sure that an old one is ours and not of a later version."""
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
        for layout in LAYOUTS[version:]:
            for statement in layout:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")

"""The event store in one SQLite file.

Exactly one connection writes, in a thread of its own, with the write-ahead log and
`synchronous=FULL`: a commit that has returned is on the disk. Changes that wait at the same time
share one commit. The file holds hidden cards and is made readable for its owner only.

A table that is deleted is struck off first; its events go a few at a time, whenever nothing waits.
Identities lie in the same file (`sqlite_identities`).
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import time
from typing import TypeVar

import msgspec

from jasstisch.store.event_store import Conflict, StoreError
from jasstisch.store.identities import IdentityStore
from jasstisch.store.sqlite_identities import (
    LAYOUT,
    Change,
    SqliteIdentities,
    forget_table,
    note_people,
)
from jasstisch.table.events import Created, Event, Gathered, Sat
from jasstisch.table.state import Finished

__all__ = ["SCHEMA_VERSION", "SqliteStore"]

SCHEMA_VERSION = 3
"""The layout of the file; a file of a later one is refused."""

APPLICATION_ID = 0x4A617373
"""Marks the file as one of ours: the letters "Jass"."""

MOST_IN_A_COMMIT = 512
"""So many changes share one commit at most."""

MOST_DELETED = 200
"""So many events of deleted tables go in one step, between two commits of others."""

HOUR = 3600.0
"""Seconds by which it is told when a table was touched: finer would be written at every event."""

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
)
"""What each layout adds to the one before; an older file gets all that it lacks."""

_Found = TypeVar("_Found")

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    after: int
    bodies: list[bytes]
    finished: Finished | None
    gathered: int
    people: frozenset[str] = frozenset()

    def write(self, connection: sqlite3.Connection, now: float) -> Conflict | None:
        """Adds the events, unless somebody else has written meanwhile."""
        query = "SELECT coalesce(max(version), 0) FROM event WHERE table_id = ?"
        version = connection.execute(query, (self.table,)).fetchone()[0]
        if version != self.after or (version and not _is_kept(connection, self.table)):
            return Conflict(
                f"table {self.table} is at version {version}, the writer at {self.after}"
            )
        connection.executemany(
            "INSERT INTO event (table_id, version, at, body) VALUES (?, ?, ?, ?)",
            [
                (self.table, self.after + step, now, body)
                for step, body in enumerate(self.bodies, start=1)
            ],
        )
        connection.execute(
            """
            INSERT INTO kept (table_id, touched, finished) VALUES (?1, ?2, ?3)
            ON CONFLICT (table_id) DO UPDATE SET touched = ?2, finished = coalesce(?3, finished)
            WHERE touched != ?2 OR finished IS NOT coalesce(?3, finished)
            """,
            (self.table, now - now % HOUR, self.finished),
        )
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

    def write(self, connection: sqlite3.Connection, _: float) -> None:
        """Keeps it."""
        query = "UPDATE kept SET finished = ? WHERE table_id = ? AND finished IS NULL"
        connection.execute(query, (self.finished, self.table))


@dataclass(frozen=True, slots=True)
class _Delete:
    table: str

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Strikes the table off; what is left of it goes later."""
        query = "DELETE FROM kept WHERE table_id = ?"
        if connection.execute(query, (self.table,)).rowcount == 0:
            return _UnknownError(f"there is no table {self.table}")
        connection.execute("INSERT INTO deleted (table_id) VALUES (?)", (self.table,))
        forget_table(connection, self.table)
        return None


@dataclass(frozen=True, slots=True)
class _Waiting:
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

    Raises:
        StoreError: the file cannot be opened, is not one of ours, or was written by a newer
            version of this program; the message names the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._writing = _open(path)
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._reader: sqlite3.Connection | None = None
        self._closed = False
        self.identities: IdentityStore = SqliteIdentities(self._change, self._read)
        self._writer = Thread(target=self._write, name="store-write", daemon=True)
        self._writer.start()

    async def append(
        self, table: str, after: int, events: Sequence[Event], finished: Finished | None = None
    ) -> None:
        """Adds events to a table's log; see `EventStore.append`."""
        gathered = max((one.version for one in events if isinstance(one, Gathered)), default=0)
        bodies = [_encode(event) for event in events]
        people = frozenset(_people(events))
        await self._change(_Append(table, after, bodies, finished, gathered, people))

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; see `EventStore.load`."""
        return await self._read(lambda connection: _load(connection, table), f"table {table}")

    async def count(self) -> int:
        """How many tables the store holds."""
        return await self._read(_count, "the number of tables")

    async def untouched(self, finished: Finished | None, since: float, most: int) -> list[str]:
        """Tables to which nothing has been added since a time; see `EventStore.untouched`."""
        query = """
            SELECT table_id FROM kept WHERE finished IS ? AND touched < ? ORDER BY touched LIMIT ?
        """
        return await self._read(
            lambda connection: [
                row[0] for row in connection.execute(query, (finished, since, most))
            ],
            "what was left alone",
        )

    async def note(self, table: str, finished: Finished) -> None:
        """Keeps what has been finished at a table; see `EventStore.note`."""
        await self._change(_Note(table, finished))

    async def delete(self, table: str) -> bool:
        """Deletes a table; see `EventStore.delete`."""
        try:
            await self._change(_Delete(table))
        except _UnknownError:
            return False
        return True

    async def close(self) -> None:
        """Commits what waits and closes the file."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            await asyncio.to_thread(self._writer.join)
            await asyncio.get_running_loop().run_in_executor(self._reading, self._end_reading)
            self._reading.shutdown()

    # Reading, in its own thread; with the write-ahead log it never waits for the writer.

    async def _read(self, asked: Callable[[sqlite3.Connection], _Found], what: str) -> _Found:
        return await asyncio.get_running_loop().run_in_executor(
            self._reading, self._read_now, asked, what
        )

    def _read_now(self, asked: Callable[[sqlite3.Connection], _Found], what: str) -> _Found:
        try:
            if self._reader is None:
                self._reader = _connect(self._path)
            return asked(self._reader)
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            self._end_reading()
            raise StoreError(f"{self._path}: {what} cannot be read: {error}") from error

    def _end_reading(self) -> None:
        """Closes the connection; after a failure the next one that reads opens another."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    # Writing, in its own thread.

    async def _change(self, change: Change) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        # From here on it cannot be cancelled: whoever stops waiting leaves it to be committed.
        self._waiting.put(_Waiting(change, loop, done))
        await done

    def _write(self) -> None:
        with closing(self._writing):
            # The last stop may have come before all of a deleted table had gone.
            leftovers = bool(self._writing.execute("SELECT 1 FROM deleted LIMIT 1").fetchall())
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
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            now = time()
            outcomes = [change.write(self._writing, now) for change in changes]
            self._writing.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            return [StoreError(f"{self._path}: {error}")] * len(changes)
        return outcomes

    def _roll_back(self) -> None:
        if self._writing.in_transaction:
            self._writing.execute("ROLLBACK")

    def _delete_some(self) -> bool:
        """Deletes a few events of one deleted table; whether any are left, as far as is known."""
        query = (
            "DELETE FROM event WHERE rowid IN (SELECT rowid FROM event WHERE table_id = ? LIMIT ?)"
        )
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            row = self._writing.execute("SELECT table_id FROM deleted LIMIT 1").fetchone()
            if row is not None:
                gone = self._writing.execute(query, (*row, MOST_DELETED)).rowcount
                if gone < MOST_DELETED:
                    self._writing.execute("DELETE FROM deleted WHERE table_id = ?", row)
            self._writing.execute("COMMIT")
        except sqlite3.Error:
            # Nothing is lost by waiting: the next deletion, or the next start, goes on with it.
            self._roll_back()
            return False
        return row is not None


def _tell(outcomes: Sequence[_Outcome]) -> None:
    """Tells those who wait what has come of their changes."""
    for waiting, error in outcomes:
        if waiting.done.done():
            continue
        if error is None:
            waiting.done.set_result(None)
        else:
            waiting.done.set_exception(error)


def _people(events: Sequence[Event]) -> Iterator[str]:
    """Who comes into a log with these events."""
    for event in events:
        match event:
            case Created(host=str(person)) | Sat(person=person):
                yield person
            case _:
                pass


def _load(connection: sqlite3.Connection, table: str) -> list[Event]:
    if not _is_kept(connection, table):
        return []
    query = "SELECT version, body FROM event WHERE table_id = ? ORDER BY version"
    rows = connection.execute(query, (table,)).fetchall()
    events = [_decode(body) for _, body in rows]
    _check_gaps(table, [version for version, _ in rows], events)
    return events


def _is_kept(connection: sqlite3.Connection, table: str) -> bool:
    query = "SELECT 1 FROM kept WHERE table_id = ?"
    return connection.execute(query, (table,)).fetchone() is not None


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])


def _open(path: Path) -> sqlite3.Connection:
    """The writing connection, to a file that is made or checked first."""
    try:
        path.touch(mode=0o600, exist_ok=True)
        connection = _connect(path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _prepare(path, connection)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be used: {error}") from error
    except StoreError:
        connection.close()
        raise
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    """A connection without Python's own transactions, usable from any one thread at a time."""
    return sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)


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


def _check_gaps(table: str, versions: list[int], events: list[Event]) -> None:
    """Refuses a log in which something is missing that nothing stands for."""
    whole = list(range(1, len(versions) + 1))
    match events[1:2]:
        case [Gathered(version=version)]:
            whole = [1, *range(version, version + len(versions) - 1)]
    if versions != whole:
        raise StoreError(f"the log of table {table} has gaps")

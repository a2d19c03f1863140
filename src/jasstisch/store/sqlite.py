"""The event store in one SQLite file.

Exactly one connection writes, in a thread of its own, with the write-ahead log and
`synchronous=FULL`: a commit that has returned is on the disk. Appends that wait at the same time
share one commit. The file holds hidden cards and is made readable for its owner only.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import time

import msgspec

from jasstisch.store.event_store import Conflict, StoreError
from jasstisch.table.events import Event

__all__ = ["SCHEMA_VERSION", "SqliteStore"]

SCHEMA_VERSION = 1
"""The layout of the file; a file of a later one is refused."""

APPLICATION_ID = 0x4A617373
"""Marks the file as one of ours: the letters "Jass"."""

MOST_IN_A_COMMIT = 512
"""So many appends share one commit at most."""

SCHEMA = """
CREATE TABLE event (
    table_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    at REAL NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (table_id, version)
) STRICT
"""

INDEX = "CREATE UNIQUE INDEX first_event ON event (table_id) WHERE version = 1"
"""Makes counting the tables quick."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    after: int
    bodies: list[bytes]
    done: "Future[None]" = field(default_factory=Future)


class SqliteStore:
    """An `EventStore` in a file.

    Args:
        path: the file; made when it is missing.

    Raises:
        StoreError: the file cannot be opened, is not one of ours, or was written by a newer
            version of this program; the message names the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: SimpleQueue[_Append | None] = SimpleQueue()
        self._writing = _open(path)
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._closed = False
        self._writer = Thread(target=self._write, name="store-write", daemon=True)
        self._writer.start()

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Adds events to a table's log; see `EventStore.append`."""
        if self._closed:
            raise StoreError("the store is closed")
        request = _Append(table, after, [_encode(event) for event in events])
        # From here on it cannot be cancelled: whoever stops waiting leaves it to be committed.
        request.done.set_running_or_notify_cancel()
        self._waiting.put(request)
        await asyncio.wrap_future(request.done)

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; see `EventStore.load`."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._load, table)

    async def count(self) -> int:
        """How many tables the store holds."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._count)

    async def close(self) -> None:
        """Commits what waits and closes the file."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            await asyncio.to_thread(self._writer.join)
            self._reading.shutdown()

    # Reading, in its own thread; with the write-ahead log it never waits for the writer.

    def _load(self, table: str) -> list[Event]:
        query = "SELECT version, body FROM event WHERE table_id = ? ORDER BY version"
        try:
            with closing(_connect(self._path)) as connection:
                rows = connection.execute(query, (table,)).fetchall()
            _check_gaps(table, [version for version, _ in rows])
            return [_decode(body) for _, body in rows]
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            raise StoreError(f"{self._path}: table {table} cannot be read: {error}") from error

    def _count(self) -> int:
        try:
            with closing(_connect(self._path)) as connection:
                query = "SELECT count(*) FROM event WHERE version = 1"
                return int(connection.execute(query).fetchone()[0])
        except sqlite3.Error as error:
            raise StoreError(f"{self._path}: cannot be read: {error}") from error

    # Writing, in its own thread.

    def _write(self) -> None:
        with closing(self._writing):
            while (first := self._waiting.get()) is not None:
                batch = [first]
                goes_on = self._take_waiting(batch)
                self._commit(batch)
                if not goes_on:
                    return

    def _take_waiting(self, batch: list[_Append]) -> bool:
        """Adds the appends that wait already; False when the store is to close after them."""
        while len(batch) < MOST_IN_A_COMMIT:
            try:
                request = self._waiting.get_nowait()
            except Empty:
                return True
            if request is None:
                return False
            batch.append(request)
        return True

    def _commit(self, batch: list[_Append]) -> None:
        """Writes a batch in one transaction; a conflict spoils only its own append."""
        outcomes: list[StoreError | None] = []
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            now = time()
            outcomes = [self._insert(request, now) for request in batch]
            self._writing.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            outcomes = [StoreError(f"{self._path}: {error}")] * len(batch)
        for request, outcome in zip(batch, outcomes, strict=True):
            if outcome is None:
                request.done.set_result(None)
            else:
                request.done.set_exception(outcome)

    def _roll_back(self) -> None:
        if self._writing.in_transaction:
            self._writing.execute("ROLLBACK")

    def _insert(self, request: _Append, now: float) -> Conflict | None:
        query = "SELECT coalesce(max(version), 0) FROM event WHERE table_id = ?"
        version = self._writing.execute(query, (request.table,)).fetchone()[0]
        if version != request.after:
            return Conflict(
                f"table {request.table} is at version {version}, the writer at {request.after}"
            )
        self._writing.executemany(
            "INSERT INTO event (table_id, version, at, body) VALUES (?, ?, ?, ?)",
            [
                (request.table, request.after + step, now, body)
                for step, body in enumerate(request.bodies, start=1)
            ],
        )
        return None


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
    if not tables:
        connection.execute(SCHEMA)
        connection.execute(INDEX)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _check_gaps(table: str, versions: list[int]) -> None:
    if versions != list(range(1, len(versions) + 1)):
        raise StoreError(f"the log of table {table} has gaps")

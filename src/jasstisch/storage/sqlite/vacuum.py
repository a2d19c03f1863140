"""The vacuum of a SQLite file, after which nothing that was deleted is in any file of the store.

`secure_delete` overwrites a deleted row, but not the copies of it that were left behind whenever
SQLite had moved rows between pages, nor the pages in the write-ahead log. `VACUUM` builds all pages
anew, and a truncating checkpoint empties the log. No other process may write the file meanwhile;
the writer thread of a store does nothing else.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import monotonic, time

from jasstisch.storage import vacuum as timing
from jasstisch.storage.sqlite.queries import BUSY_TIMEOUT_MS

MAX_BYTES_AT_CLOSE = 128 * 2**20
"""The size of a file up to which it is vacuumed when the store is closed: it takes two seconds."""

SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE vacuum_due (
        number INTEGER PRIMARY KEY,
        since REAL NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS REAL))
    ) STRICT
    """,
    # Earlier versions have left traces of whoever they had forgotten.
    "INSERT INTO vacuum_due (number) SELECT 1 WHERE EXISTS (SELECT 1 FROM event)",
)
"""The schema of the record of forgettings since the last vacuum."""

_INSTRUCTIONS_BETWEEN_CHECKS = 10_000
"""Instructions of SQLite's virtual machine, a few milliseconds, until a vacuum gives way."""


class SqliteVacuum:
    """Vacuums a file when people have been forgotten; for the thread that writes it.

    Args:
        path: the file.
        connection: the writing connection.
        is_awaited: whether a change waits to be written; called during a vacuum.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, is_awaited: Callable[[], bool]
    ) -> None:
        self._path = path
        self._connection = connection
        self._is_awaited = is_awaited
        self._not_before = 0.0

    def seconds_until_due(self) -> float | None:
        """Seconds to wait for the next attempt; None if nobody has been forgotten.

        Raises:
            sqlite3.Error: the file cannot be read.
        """
        since = self._due_since()
        if since is None:
            return None
        left = self._not_before - monotonic()
        return max(left, 0.0 if _is_overdue(since) else timing.QUIET_S)

    def run(self, *, is_closing: bool = False) -> float | None:
        """Vacuums the file; returns how many seconds it took.

        Args:
            is_closing: whether the store is being closed, so that no change can come.

        Returns:
            None if it was not due, gave way to a change, or another process reads the file.

        Raises:
            sqlite3.Error: the file is damaged, or the disk failed or is full.
        """
        since = self._due_since()
        if since is None or (is_closing and self._path.stat().st_size > MAX_BYTES_AT_CLOSE):
            return None
        began = monotonic()
        self._not_before = began + timing.MIN_INTERVAL_S
        if not (is_closing or _is_overdue(since)):
            self._connection.set_progress_handler(self._is_awaited, _INSTRUCTIONS_BETWEEN_CHECKS)
        try:
            if vacuum(self._connection):
                return monotonic() - began
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
        finally:
            self._connection.set_progress_handler(None, 0)
        self._not_before = monotonic() + timing.RETRY_INTERVAL_S
        return None

    def _due_since(self) -> float | None:
        found: tuple[float | None] = self._connection.execute(
            "SELECT min(since) FROM vacuum_due"
        ).fetchone()
        return found[0]


def vacuum(connection: sqlite3.Connection) -> bool:
    """Rewrites a file and empties its log; returns False if another process still reads the log.

    Args:
        connection: the only writing connection, without a transaction.

    Raises:
        sqlite3.Error: it failed, or was interrupted; then the file is unchanged.
    """
    # First without waiting: a backup reads the log for longer than anybody should wait.
    if not _empty_log(connection, wait_ms=0):
        return False
    connection.execute("VACUUM")
    if not _empty_log(connection, wait_ms=BUSY_TIMEOUT_MS):
        return False
    connection.execute("DELETE FROM vacuum_due")
    return True


def remove_traces_from_copy(connection: sqlite3.Connection) -> None:
    """Rewrites a copy of a file if people had been forgotten in it since the last vacuum.

    Args:
        connection: a connection to the copy, which has no write-ahead log.
    """
    query = "SELECT count(*) FROM sqlite_master WHERE name = 'vacuum_due'"
    if connection.execute(query).fetchone() == (1,):  # else it is of an earlier version
        query = "DELETE FROM vacuum_due"
        if connection.execute(query).rowcount:
            connection.execute("VACUUM")


def _empty_log(connection: sqlite3.Connection, wait_ms: int) -> bool:
    """Empties the log, unless another connection reads it for longer than this."""
    connection.execute(f"PRAGMA busy_timeout = {wait_ms}")
    try:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return not busy


def _is_overdue(since: float) -> bool:
    return time() - since > timing.PATIENCE_S

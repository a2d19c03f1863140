"""What is read of a SQLite file of tables, and how it is told that something in it is damaged.

Each event carries a checksum over its table, its version and its text, so that a byte that has
changed on the disk is noticed even where what it makes can be read. A log is served whole or not at
all. Nothing is written here.
"""

import sqlite3
from pathlib import Path

import msgspec

from jasstisch.storage.event_codec import verify_analysis, verify_and_decode
from jasstisch.storage.event_store import CorruptionError, StoredResults, StoredTable, StoreError
from jasstisch.storage.failure_causes import classify_failure
from jasstisch.storage.results import RESULTS_QUERY, verify_results
from jasstisch.table.events import Event

__all__ = [
    "APPLICATION_ID",
    "READ_ERRORS",
    "analysis_checksums",
    "connect",
    "count_tables",
    "event_times",
    "is_corruption",
    "list_tables",
    "load_analysis",
    "load_events",
    "results_for",
    "table_exists",
    "to_store_error",
]

APPLICATION_ID = 0x4A617373
"""Marks the file as one of ours: the letters "Jass"."""

READ_ERRORS = (sqlite3.Error, msgspec.MsgspecError, MemoryError, ValueError, TypeError)
"""What reading a damaged file can end with; memory is asked for by the lengths that it tells."""

CORRUPTION_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_NOMEM}
"""What the database answers where its pages are not as it wrote them."""


def connect(path: Path, *, only_read: bool = False) -> sqlite3.Connection:
    """A connection without Python's own transactions, usable from any one thread at a time.

    Args:
        path: the file; made when it is missing, unless it is only to be read.
        only_read: whether nothing will be written.
    """
    if not only_read:
        return sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
    # Not `mode=ro`: what a crash has left in the write-ahead log must be found too.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, timeout=5, isolation_level=None, check_same_thread=False, uri=True
    )
    connection.execute("PRAGMA query_only = ON")
    return connection


def to_store_error(where: Path, what: str, error: BaseException) -> StoreError:
    """What is told of something that could not be read or written.

    Args:
        where: the file.
        what: what was tried, as `table ABC cannot be read`.
        error: what it ended with, one of `UNREADABLE`.
    """
    if isinstance(error, StoreError):
        return error
    text = f"{where}: {what}: {_reason(error)}"
    return (
        CorruptionError(text) if is_corruption(error) else StoreError(text, classify_failure(error))
    )


def is_corruption(error: BaseException) -> bool:
    """Whether it comes of what stands in the file, and not of the disk or of other programs."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        return code is None or code & 0xFF in CORRUPTION_CODES
    return True


def _reason(error: BaseException) -> str:
    """Why, without what a damaged event holds: that may be cards."""
    if isinstance(error, sqlite3.Error):
        return str(error)
    return "an event cannot be decoded"


def load_events(connection: sqlite3.Connection, table: str) -> list[Event]:
    """All events of a table; empty for an unknown one.

    Raises:
        DamagedError: something is missing, or not as it was written.
    """
    # In one view of the file: meanwhile the table may be deleted.
    connection.execute("BEGIN")
    try:
        if not _is_stored(connection, table):
            return []
        query = "SELECT version, body, sum FROM event WHERE table_id = ? ORDER BY version"
        rows = connection.execute(query, (table,)).fetchall()
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return verify_and_decode(table, rows)


def _is_stored(connection: sqlite3.Connection, table: str) -> bool:
    """Whether there is such a table.

    Raises:
        DamagedError: it has events, but stands among no tables, nor among those deleted.
    """
    query = """
        SELECT EXISTS (SELECT 1 FROM kept WHERE table_id = ?1),
            EXISTS (SELECT 1 FROM event WHERE table_id = ?1),
            EXISTS (SELECT 1 FROM deleted WHERE table_id = ?1)
    """
    kept, has_events, deleted = connection.execute(query, (table,)).fetchone()
    if kept and not has_events:
        raise CorruptionError("all its events are missing")
    if has_events and not (kept or deleted):
        raise CorruptionError("it is missing in the list of tables")
    return bool(kept)


def table_exists(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a table is among those that there are."""
    query = "SELECT 1 FROM kept WHERE table_id = ?"
    return connection.execute(query, (table,)).fetchone() is not None


def load_analysis(connection: sqlite3.Connection, table: str, number: int) -> bytes | None:
    """The analysis of a match; None where none is kept.

    Raises:
        DamagedError: it is not as it was written.
    """
    query = "SELECT body, sum FROM analysis WHERE table_id = ? AND number = ?"
    row = connection.execute(query, (table, number)).fetchone()
    return None if row is None else verify_analysis(table, number, *row)


def analysis_checksums(connection: sqlite3.Connection, table: str) -> dict[int, int]:
    """The matches of a table of which an analysis is kept, in order, with its checksum."""
    query = "SELECT number, sum FROM analysis WHERE table_id = ? ORDER BY number"
    return dict(connection.execute(query, (table,)))


def results_for(
    connection: sqlite3.Connection, person: str, most: int, skipped: int
) -> list[StoredResults]:
    """Tables of a person at which a match may be over, with what is kept of them."""
    values = (person, most, skipped)
    return [verify_results(*row) for row in connection.execute(RESULTS_QUERY, values)]


def event_times(connection: sqlite3.Connection, table: str) -> dict[int, float]:
    """When each event of a table was added, by its version; none of an unknown one."""
    query = "SELECT version, at FROM event JOIN kept USING (table_id) WHERE table_id = ?"
    return dict(connection.execute(query, (table,)).fetchall())


def count_tables(connection: sqlite3.Connection) -> int:
    """How many tables there are."""
    return int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])


def list_tables(connection: sqlite3.Connection, after: str, most: int) -> list[StoredTable]:
    """The tables after one, by their ids."""
    query = """
        SELECT table_id, touched, finished FROM kept
        WHERE table_id > ? ORDER BY table_id LIMIT ?
    """
    return [StoredTable(*row) for row in connection.execute(query, (after, most))]

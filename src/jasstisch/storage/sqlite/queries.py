"""The read queries of a SQLite store, and the detection of corruption.

Each event has a checksum over its table, its version and its text, so that a byte changed on the
disk is detected even if the result can be decoded. A log is returned completely or not at all.
Nothing is written here.
"""

import sqlite3
from pathlib import Path

import msgspec

from jasstisch.storage.errors import CorruptionError, StoreError
from jasstisch.storage.event_codec import verify_analysis, verify_and_decode
from jasstisch.storage.event_store import StoredResults, StoredTable
from jasstisch.storage.failure_causes import classify_failure
from jasstisch.storage.sql_access import ACCESS_QUERY, decode_access_rules
from jasstisch.storage.sql_results import RESULTS_QUERY, verify_results
from jasstisch.storage.sql_rewrites import COUNT_REWRITES
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.events import Event

APPLICATION_ID = 0x4A617373
"""SQLite's application id of these files: the letters "Jass"."""

READ_ERRORS = (sqlite3.Error, msgspec.MsgspecError, MemoryError, ValueError, TypeError)
"""The errors of reading a damaged file; wrong lengths in it may even exhaust memory."""

BUSY_TIMEOUT_MS = 5000
"""Milliseconds for which a connection waits for a lock of another one."""

_CORRUPTION_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_NOMEM}
"""SQLite's error codes for damaged pages."""


def connect(path: Path, *, only_read: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode, usable from any thread, one at a time.

    Args:
        path: the file; created when it is missing, unless `only_read`.
        only_read: whether nothing will be written.
    """
    timeout = BUSY_TIMEOUT_MS / 1000
    if not only_read:
        connection = sqlite3.connect(
            path, timeout=timeout, isolation_level=None, check_same_thread=False
        )
        try:
            enable_secure_delete(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection
    # Not `mode=ro`: the write-ahead log left by a crash must be read too.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, timeout=timeout, isolation_level=None, check_same_thread=False, uri=True
    )
    connection.execute("PRAGMA query_only = ON")
    return connection


def enable_secure_delete(path: Path, connection: sqlite3.Connection) -> None:
    """Makes a connection overwrite what it deletes, however SQLite was built.

    Raises:
        StoreError: this build of SQLite cannot do so.
    """
    if connection.execute("PRAGMA secure_delete = ON").fetchone() != (1,):
        raise StoreError(
            f"{path} cannot be used: this build of SQLite cannot overwrite what it deletes"
        )


def to_store_error(where: Path, what: str, error: BaseException) -> StoreError:
    """The store error for a failed read or write.

    Args:
        where: the file.
        what: the failed operation, such as `table ABC cannot be read`.
        error: the original error, one of `READ_ERRORS`.
    """
    if isinstance(error, StoreError):
        return error
    text = f"{where}: {what}: {_reason(error)}"
    return (
        CorruptionError(text) if is_corruption(error) else StoreError(text, classify_failure(error))
    )


def is_corruption(error: BaseException) -> bool:
    """Whether an error is due to the contents of the file, not to the disk or other programs."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        return code is None or code & 0xFF in _CORRUPTION_CODES
    return True


def _reason(error: BaseException) -> str:
    """The reason for an error, without the contents of a damaged event, which may be cards."""
    if isinstance(error, sqlite3.Error):
        return str(error)
    return "an event cannot be decoded"


def load_events(connection: sqlite3.Connection, table: str) -> list[Event]:
    """All events of a table; empty for an unknown one.

    Raises:
        CorruptionError: an event is missing or was changed.
    """
    # In one transaction, because the table may be deleted meanwhile.
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
    """Whether a table exists.

    Raises:
        CorruptionError: it has events, but is neither listed nor deleted.
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


def is_known_table(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a table is listed."""
    query = "SELECT 1 FROM kept WHERE table_id = ?"
    return connection.execute(query, (table,)).fetchone() is not None


def access_rules(connection: sqlite3.Connection, table: str) -> AccessRules | None:
    """The access rules of a table; None for an unknown one."""
    row = connection.execute(ACCESS_QUERY, (table,)).fetchone()
    return None if row is None else decode_access_rules(table, *row)


def load_analysis(connection: sqlite3.Connection, table: str, number: int) -> bytes | None:
    """The analysis of a match; None where none is stored.

    Raises:
        CorruptionError: it was changed.
    """
    query = "SELECT body, sum FROM analysis WHERE table_id = ? AND number = ?"
    row = connection.execute(query, (table, number)).fetchone()
    return None if row is None else verify_analysis(table, number, *row)


def analysis_checksums(connection: sqlite3.Connection, table: str) -> dict[int, int]:
    """The matches of a table with a stored analysis, in order, with its checksum."""
    query = "SELECT number, sum FROM analysis WHERE table_id = ? ORDER BY number"
    return dict(connection.execute(query, (table,)))


def results_of_person(
    connection: sqlite3.Connection, person: str, limit: int, skipped: int
) -> list[StoredResults]:
    """The tables of a person with possibly finished matches, with their stored results."""
    values = (person, limit, skipped)
    return [verify_results(*row) for row in connection.execute(RESULTS_QUERY, values)]


def event_times(connection: sqlite3.Connection, table: str) -> dict[int, float]:
    """The time of each event of a table, by version; empty for an unknown table."""
    query = "SELECT version, at FROM event JOIN kept USING (table_id) WHERE table_id = ?"
    return dict(connection.execute(query, (table,)).fetchall())


def count_tables(connection: sqlite3.Connection) -> int:
    """The number of tables."""
    return int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])


def count_rewrites(connection: sqlite3.Connection, table: str) -> int:
    """The number of rewrites of the log of a table; 0 for an unknown one."""
    row = connection.execute(COUNT_REWRITES, (table,)).fetchone()
    return 0 if row is None else int(row[0])


def list_tables(connection: sqlite3.Connection, after: str, limit: int) -> list[StoredTable]:
    """A page of tables after an id, in the order of ids."""
    query = """
        SELECT table_id, touched, finished FROM kept
        WHERE table_id > ? ORDER BY table_id LIMIT ?
    """
    return [StoredTable(*row) for row in connection.execute(query, (after, limit))]

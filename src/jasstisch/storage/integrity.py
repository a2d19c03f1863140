"""Integrity check of a store: every log is complete and replays, and analyses are unchanged.

The check only reads, a few tables at a time, so that a server may run meanwhile. The report names a
table by a prefix of its id, because the whole id is the secret of its link.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from jasstisch.storage.errors import StoreError
from jasstisch.storage.event_store import StoredTable
from jasstisch.storage.sqlite.queries import (
    APPLICATION_ID,
    READ_ERRORS,
    analysis_checksums,
    connect,
    count_tables,
    list_tables,
    load_analysis,
    load_events,
    to_store_error,
)
from jasstisch.table import Table
from jasstisch.table.events import Event, TableCreated

_Found = TypeVar("_Found")

_PAGE_SIZE = 500
"""The number of tables listed at once."""

_MAX_FAULTS = 100
"""The most faults of a file that are reported."""

_UNLISTED_TABLES = """
    SELECT DISTINCT substr(table_id, 1, ?) FROM event
    WHERE table_id NOT IN (SELECT table_id FROM kept)
        AND table_id NOT IN (SELECT table_id FROM deleted) LIMIT ?
"""
"""A query for tables that have events, but are neither listed nor deleted."""

_CONNECTION_CAUSES = (
    *("no_such_host", "connection_refused", "connection_lost", "unreachable"),
    *("too_late", "not_let_in", "not_ready"),
)
"""Causes that prevent all further reading, independent of the table."""

_ID_PREFIX_LENGTH = 6
"""The number of characters of a table's id in reports."""


class LogSource(Protocol):
    """The part of an `EventStore` that the check needs."""

    async def list_tables(self, after: str, limit: int) -> list[StoredTable]:
        """A page of the tables; see `EventStore.list_tables`."""

    async def load(self, table: str) -> list[Event]:
        """All events of a table; see `EventStore.load`."""

    async def count_tables(self) -> int:
        """The number of tables."""

    async def analysis_checksums(self, table: str) -> dict[int, int]:
        """The matches with a stored analysis; see `EventStore.analysis_checksums`."""

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; see `EventStore.analysis`."""


class CheckReport(Struct, frozen=True):
    """The result of a check.

    Attributes:
        table_count: the number of tables checked.
        event_count: the number of events of the intact tables.
        damaged_tables: for each damaged table a prefix of its id, and the problem.
        listing_error: the reason why not all tables could be listed, if any.
    """

    table_count: int
    event_count: int
    damaged_tables: list[tuple[str, str]]
    listing_error: str | None = None


async def check_logs(logs: LogSource, on_progress: Callable[[float], None]) -> CheckReport:
    """Checks every table.

    Args:
        logs: the source of the logs.
        on_progress: a callback for the progress, from 0 to 1.
    """
    looked, events = 0, 0
    damaged: list[tuple[str, str]] = []
    unlisted = None
    try:
        total = max(1, await logs.count_tables())
        async for kept in _all_tables(logs):
            wrong = await _check_table(logs, kept.table)
            if isinstance(wrong, str):
                damaged.append((kept.table[:_ID_PREFIX_LENGTH], wrong))
            else:
                events += wrong
            looked += 1
            on_progress(min(1.0, looked / total))
    except StoreError as error:
        unlisted = str(error)
    return CheckReport(looked, events, damaged, unlisted)


async def _all_tables(logs: LogSource) -> AsyncIterator[StoredTable]:
    after, more = "", True
    while more:
        some = await logs.list_tables(after, _PAGE_SIZE)
        for kept in some:
            yield kept
        more = len(some) == _PAGE_SIZE and some[-1].table > after
        after = some[-1].table if some else after


async def _check_table(logs: LogSource, table: str) -> int | str:
    """The number of events of a table, or its problem."""
    try:
        events = await logs.load(table)
        for number in await logs.analysis_checksums(table):
            await logs.analysis(table, number)
    except StoreError as error:
        if error.cause in _CONNECTION_CAUSES:
            raise
        said = str(error)
        return (
            said.replace(table, f"{table[:_ID_PREFIX_LENGTH]}…")
            if len(table) > _ID_PREFIX_LENGTH
            else said
        )
    if not events:  # deleted since it was listed
        return 0
    wrong = await asyncio.to_thread(_replay_error, table, events)
    return wrong or len(events)


def _replay_error(table: str, events: list[Event]) -> str | None:
    """The error when replaying a log; None where it succeeds."""
    match events[0]:
        case TableCreated(table=named) if named == table:
            pass
        case _:
            return "its log does not begin with its creation"
    try:
        Table.from_events(events)
    except Exception as error:  # noqa: BLE001 - a wrong event may raise any error
        return f"its events do not follow from each other ({type(error).__name__})"
    return None


def sqlite_faults(path: Path, on_progress: Callable[[float], None]) -> list[str]:
    """The faults of a SQLite file at the level of pages, indexes and types.

    Args:
        path: the file; a server may use it.
        on_progress: a callback for the progress, from 0 to 1; within a long step it stays the same.

    Raises:
        StoreError: the file does not exist, or does not belong to this program.
    """
    if not path.is_file():
        raise StoreError(f"there are no tables: {path} is missing")
    try:
        with closing(connect(path, only_read=True)) as reader:
            if reader.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreError(f"{path} is no file of tables of Jasstisch")
            # Called at intervals, so that Ctrl-C can interrupt the check.
            reader.set_progress_handler(lambda: on_progress(0.0), 100_000)
            found = reader.execute(f"PRAGMA integrity_check({_MAX_FAULTS})").fetchall()
            unlisted = reader.execute(_UNLISTED_TABLES, (_ID_PREFIX_LENGTH, _MAX_FAULTS)).fetchall()
    except READ_ERRORS as error:
        return [str(to_store_error(path, "it cannot be checked to its end", error))]
    lines = [line for (text,) in found for line in str(text).splitlines()]
    lost = [f"table {prefix}… is missing in the list of tables" for (prefix,) in unlisted]
    sound = ("ok", "*** in database")
    return [*(line for line in lines if not line.startswith(sound)), *lost]


class SqliteLogSource:
    """The logs in a SQLite file, read-only: the schema of the file is not migrated.

    Args:
        path: the file; a server may use it.

    Raises:
        StoreError: it cannot be opened, or its schema is too old.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="check")
        try:
            self._reader = connect(path, only_read=True)
            columns = {row[1] for row in self._reader.execute("PRAGMA table_info(event)")}
        except READ_ERRORS as error:
            raise to_store_error(path, "it cannot be read", error) from error
        # A file with an older schema holds none.
        self._has_analyses = bool(self._reader.execute("PRAGMA table_info(analysis)").fetchall())
        if "sum" not in columns:
            self._reader.close()
            raise StoreError(
                f"{path} was last used by an older Jasstisch: start the server once, it brings the "
                "file to the new layout"
            )

    async def list_tables(self, after: str, limit: int) -> list[StoredTable]:
        """A page of the tables; see `EventStore.list_tables`."""
        return await self._read(
            lambda: list_tables(self._reader, after, limit), "the list of tables"
        )

    async def load(self, table: str) -> list[Event]:
        """All events of a table; see `EventStore.load`."""
        return await self._read(lambda: load_events(self._reader, table), "its log")

    async def count_tables(self) -> int:
        """The number of tables."""
        return await self._read(lambda: count_tables(self._reader), "the list of tables")

    async def analysis_checksums(self, table: str) -> dict[int, int]:
        """The matches with a stored analysis; see `EventStore.analysis_checksums`."""
        if not self._has_analyses:
            return {}
        return await self._read(lambda: analysis_checksums(self._reader, table), "its analyses")

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; see `EventStore.analysis`."""
        return await self._read(lambda: load_analysis(self._reader, table, number), "its analysis")

    def close(self) -> None:
        """Closes the file."""
        self._reader.close()
        self._thread.shutdown()

    async def _read(self, asked: Callable[[], _Found], what: str) -> _Found:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, asked)
        except READ_ERRORS as error:
            raise to_store_error(self._path, f"{what} cannot be read", error) from error

"""The vacuum of a Postgres database, after which no table or index holds what was deleted.

Postgres overwrites nothing that it deletes, not even in an ordinary vacuum. `VACUUM FULL` writes a
table and its indexes into new files and removes the old ones. Meanwhile nobody can use the table,
so it is cancelled as soon as anybody waits for it, on any server. The statistics of the planner
hold values of columns too. None are made of those with data about people, except of the people at
tables: without, the planner would read all tables to find somebody's matches.
"""

import asyncio
import re
from collections.abc import Callable
from time import monotonic
from typing import Any

from jasstisch.storage import vacuum as timing
from jasstisch.storage.errors import StoreError
from jasstisch.storage.postgres.connections import DB_ERRORS, Connection, DatabaseUrl, connect

_VACUUM_LOCK_ID = 0x4A617373_0003
"""The advisory lock of the server that vacuums."""

_TABLES = (
    *("credential", "named", "forgotten", "abandoned", "banned"),
    *("kept", "results", "analysis", "event"),
)
"""The tables that hold data about people, the small ones first."""

_STEPS = (
    *(f"VACUUM (FULL, VERBOSE) {table}" for table in _TABLES),
    # The same type again removes the statistics, which stay if there is nothing to analyze.
    'ALTER TABLE named ALTER COLUMN person TYPE text COLLATE "C"',
    "ANALYZE named (person)",
    # The old ones are deleted rows as well. Only the owner of the database may do this.
    "VACUUM (FULL, VERBOSE) pg_catalog.pg_statistic",
)
"""The statements of a vacuum, in their order."""

_POLL_INTERVAL_S = 0.1
"""Seconds between two looks at whether anybody waits."""

_COLUMNS = {
    "event": {"body": "bytea"},
    "analysis": {"body": "bytea"},
    "results": {"body": "bytea"},
    "banned": {"person": 'text COLLATE "C"', "reason": "text"},
    "credential": dict.fromkeys(("hash", "person", "maker"), 'text COLLATE "C"'),
    "forgotten": {"person": 'text COLLATE "C"'},
}
"""The columns of which no statistics are made, each with its type."""

SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE vacuum_due (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        since double precision NOT NULL DEFAULT extract(epoch FROM clock_timestamp())
    )
    """,
    # Earlier versions have left traces of whoever they had forgotten.
    """
    INSERT INTO vacuum_due (since)
    SELECT extract(epoch FROM clock_timestamp()) WHERE EXISTS (SELECT FROM event)
    """,
    # The same type again removes what statistics there are.
    *(
        f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0, "
        f"ALTER COLUMN {column} TYPE {kind}"
        for table, columns in _COLUMNS.items()
        for column, kind in columns.items()
    ),
)
"""The schema of the record of forgettings since the last vacuum."""

_IS_WAITED_FOR = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid)))
"""


class PostgresVacuum:
    """Vacuums a database when people have been forgotten, for one of its servers at a time.

    Args:
        url: the URL of the database.
        is_awaited: whether a change waits to be written by this server.

    Attributes:
        may_be_due: whether somebody may have been forgotten since the last vacuum.
    """

    def __init__(self, url: DatabaseUrl, is_awaited: Callable[[], bool]) -> None:
        self._url = url
        self._is_awaited = is_awaited
        self._not_before = 0.0
        self.may_be_due = True

    def seconds_until_due(self) -> float | None:
        """Seconds to wait for the next attempt; None if nobody has been forgotten."""
        if not self.may_be_due:
            return None
        return max(self._not_before - monotonic(), timing.QUIET_S)

    async def run(self) -> float | None:
        """Vacuums the tables with data about people; returns how many seconds it took.

        Returns:
            None if it was not due, gave way, or old rows are still seen by another transaction.

        Raises:
            StoreError: the database failed, or nothing could be done for a day.
        """
        began = monotonic()
        self._not_before = began + timing.RETRY_INTERVAL_S
        try:
            vacuuming = await connect(self._url, with_time_limits=False)
            try:
                since, numbers = await _read_marks(vacuuming)
                self.may_be_due = bool(numbers)
                if not numbers:
                    return None
                if await self._vacuum_tables(vacuuming):
                    query = "DELETE FROM vacuum_due WHERE number = ANY ($1)"
                    await vacuuming.execute(query, numbers)
                    self._not_before = monotonic() + timing.MIN_INTERVAL_S
                    return monotonic() - began
            finally:
                vacuuming.terminate()
        except DB_ERRORS as error:
            raise self._url.to_store_error("it cannot be vacuumed", error) from error
        if since > timing.PATIENCE_S:
            self._not_before = began + timing.MIN_INTERVAL_S
            raise StoreError("no moment was quiet enough for a vacuum", "locked")
        return None

    async def _vacuum_tables(self, vacuuming: Connection) -> bool:
        """Vacuums each table; False if one had to give way, or has old rows that must stay."""
        if not await vacuuming.fetchval("SELECT pg_try_advisory_lock($1)", _VACUUM_LOCK_ID):
            return False
        # Deleted tables have rows that go first.
        if await vacuuming.fetch("SELECT FROM deleted LIMIT 1"):
            return False
        # Otherwise it would wait for a transaction, and others for it.
        await vacuuming.execute(f"SET lock_timeout = {int(1000 * _POLL_INTERVAL_S)}")
        pid = await vacuuming.fetchval("SELECT pg_backend_pid()")
        watching = await connect(self._url)
        try:
            for statement in _STEPS:
                step = asyncio.create_task(_execute_step(vacuuming, statement))
                while not (await asyncio.wait({step}, timeout=_POLL_INTERVAL_S))[0]:
                    if self._is_awaited() or await watching.fetchval(_IS_WAITED_FOR, pid):
                        step.cancel()
                        await asyncio.wait({step})
                        return False
                if not step.result():
                    return False
        finally:
            watching.terminate()
        return True


async def _read_marks(connection: Connection) -> tuple[float, list[int]]:
    """The age of the oldest record of a forgetting in seconds, and the numbers of all."""
    query = "SELECT number, extract(epoch FROM clock_timestamp()) - since FROM vacuum_due"
    rows = await connection.fetch(query)
    return max((float(row[1]) for row in rows), default=0.0), [row[0] for row in rows]


async def _execute_step(connection: Connection, statement: str) -> bool:
    """Executes a step; returns False if old rows stay, because another transaction sees them."""
    stayed: list[str] = []

    def listen(_: Connection, message: Any) -> None:  # noqa: ANN401 - asyncpg has no type for it
        # The first number, in whatever language: of rows that are dead and cannot be removed yet.
        stayed.extend(re.findall(r"\d+", message.detail or "")[:1])

    connection.add_log_listener(listen)
    try:
        await connection.execute(statement)
    finally:
        connection.remove_log_listener(listen)
    return not any(int(number) for number in stayed)

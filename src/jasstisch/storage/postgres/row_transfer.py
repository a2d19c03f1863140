"""Reading and writing all rows of a Postgres store, for migration and backup."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from jasstisch.storage.errors import StoreError
from jasstisch.storage.postgres.connections import DB_ERRORS, Connection, DatabaseUrl, connect
from jasstisch.storage.postgres.identities import to_postgres_placeholders
from jasstisch.storage.postgres.leases import JOIN_LOCK_ID
from jasstisch.storage.postgres.schema import check_schema, migrate_schema
from jasstisch.storage.sql_tables import BATCH_ROWS, SQL_TABLES, Rows, SqlTable, Statement
from jasstisch.table.events import EVENT_VERSION


class _PostgresTransaction:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def is_empty(self) -> bool:
        """Whether the store is empty."""
        for name in ("deleted", *(part.name for part in SQL_TABLES)):
            query = f"SELECT FROM {name} LIMIT 1"
            if await self._connection.fetch(query):
                return False
        return True

    async def rows(self, part: SqlTable) -> AsyncGenerator[Rows, None]:
        """The rows of a table in order, in batches."""
        cursor = await self._connection.cursor(part.query)
        while rows := await cursor.fetch(BATCH_ROWS):
            yield rows

    async def execute(self, statement: Statement) -> Rows:
        """Executes a statement; returns its rows."""
        query, values = to_postgres_placeholders(statement)
        rows: Rows = await self._connection.fetch(query, *values)
        return rows

    async def insert_rows(self, part: SqlTable, rows: Rows) -> None:
        """Adds rows to a table."""
        columns = part.columns
        more: tuple[int, ...] = ()
        if part.name == "kept":
            # Only Postgres stores the event version of a log; this program can read all of them.
            columns, more = (*columns, "events"), (EVENT_VERSION,)
        await self._connection.copy_records_to_table(
            part.name,
            schema_name="jasstisch",
            columns=columns,
            records=[(*row, *more) for row in rows],
        )


@asynccontextmanager
async def exclusive_database(url: str) -> AsyncIterator[_PostgresTransaction]:
    """A database with a current schema, locked exclusively until the transaction is committed.

    Raises:
        StoreError: it cannot be reached or written, or a server uses it.
    """
    address = DatabaseUrl(url)
    async with _unlimited_connection(address) as connection:
        await migrate_schema(connection)
        await _ensure_exclusive(connection, address)
        async with connection.transaction(isolation="repeatable_read"):
            yield _PostgresTransaction(connection)


@asynccontextmanager
async def snapshot_database(url: str) -> AsyncIterator[_PostgresTransaction]:
    """A read-only snapshot of a database, while servers go on.

    Raises:
        StoreError: it cannot be reached or read, or belongs to another version of this program.
    """
    address = DatabaseUrl(url)
    async with _unlimited_connection(address) as connection:
        await check_schema(connection)
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            await _check_event_version(connection, address)
            yield _PostgresTransaction(connection)


@asynccontextmanager
async def _unlimited_connection(address: DatabaseUrl) -> AsyncIterator[Connection]:
    """A connection without time limits for statements."""
    try:
        connection = await connect(address, with_time_limits=False)
    except DB_ERRORS as error:
        raise address.to_store_error("it cannot be reached", error) from error
    try:
        yield connection
    except DB_ERRORS as error:
        raise address.to_store_error("it cannot be carried over", error) from error
    finally:
        connection.terminate()


async def _ensure_exclusive(connection: Connection, address: DatabaseUrl) -> None:
    """Makes sure that no server uses the database or starts to use it.

    Raises:
        StoreError: a server uses it, or a newer version has written to it.
    """
    # The lock is released when the connection ends.
    if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", JOIN_LOCK_ID):
        raise StoreError(
            f"Postgres at {address.redacted} is in use: a server begins there, or it is being moved"
        )
    query = "SELECT name FROM node WHERE expires > clock_timestamp() ORDER BY name"
    for (name,) in await connection.fetch(query):
        raise StoreError(
            f"Postgres at {address.redacted} is in use: stop the server {name} first; one that was "
            "not stopped in order is gone after a few seconds"
        )
    # A node that was only unreachable must not write after the migration.
    await connection.execute("DELETE FROM node")
    await _check_event_version(connection, address)


async def _check_event_version(connection: Connection, address: DatabaseUrl) -> None:
    """Raises an error if a log contains events that are too new for this program."""
    newest = await connection.fetchval("SELECT max(events) FROM kept")
    if newest is not None and newest > EVENT_VERSION:
        raise StoreError(
            f"Postgres at {address.redacted} holds tables of a newer Jasstisch "
            f"(events {newest}, this "
            f"one knows {EVENT_VERSION}); update Jasstisch first"
        )

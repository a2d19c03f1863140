"""Reading and writing all rows of a SQLite store, for migration and backup."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from jasstisch.storage.errors import StoreError
from jasstisch.storage.sql_tables import BATCH_ROWS, SQL_TABLES, Rows, SqlTable, Statement
from jasstisch.storage.sqlite.event_store import SCHEMA_VERSION, SqliteStore
from jasstisch.storage.sqlite.queries import connect, enable_secure_delete, to_store_error


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def is_empty(self) -> bool:
        """Whether the store is empty."""
        queries = [f"SELECT 1 FROM {part.name} LIMIT 1" for part in SQL_TABLES]  # noqa: S608 - constants
        return not any(self._connection.execute(query).fetchall() for query in queries)

    async def rows(self, part: SqlTable) -> AsyncGenerator[Rows, None]:
        """The rows of a table in order, in batches."""
        with closing(await asyncio.to_thread(self._connection.execute, part.query)) as cursor:
            while rows := await asyncio.to_thread(cursor.fetchmany, BATCH_ROWS):
                yield rows

    async def execute(self, statement: Statement) -> Rows:
        """Executes a statement; returns its rows."""
        with closing(await asyncio.to_thread(self._connection.execute, *statement)) as cursor:
            return await asyncio.to_thread(cursor.fetchall)

    async def insert_rows(self, part: SqlTable, rows: Rows) -> None:
        """Adds rows to a table."""
        columns, marks = ", ".join(part.columns), ", ".join("?" * len(part.columns))
        insert = f"INSERT INTO {part.name} ({columns}) VALUES ({marks})"  # noqa: S608 - constants
        cursor = await asyncio.to_thread(self._connection.executemany, insert, rows)
        # SQLite closes a file only when its last cursor is closed.
        cursor.close()


@asynccontextmanager
async def exclusive_file(path: Path) -> AsyncIterator[_SqliteTransaction]:
    """A file with a current schema, locked exclusively until the transaction is committed.

    Raises:
        StoreError: it cannot be opened or written, or a server uses it.
    """
    # Opening the store creates or migrates the schema where needed.
    await SqliteStore(path).close()
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        # Every server holds a shared lock on its file while it runs. This lock is exclusive, and
        # the operating system releases it when this process ends.
        enable_secure_delete(path, connection)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        yield _SqliteTransaction(connection)
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise StoreError(f"{path} is in use: stop the server first") from error
        raise StoreError(f"{path}: {error}") from error
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error
    finally:
        connection.close()  # which rolls back an uncommitted transaction


@asynccontextmanager
async def open_snapshot(path: Path) -> AsyncIterator[_SqliteTransaction]:
    """A read-only snapshot of a file, which stays unchanged.

    Raises:
        StoreError: it cannot be read, or has another schema version than this program.
    """
    try:
        with closing(connect(path, only_read=True)) as connection:
            connection.execute("BEGIN")
            layout = connection.execute("PRAGMA user_version").fetchone()[0]
            if layout != SCHEMA_VERSION:
                raise StoreError(
                    f"{path} is of another version of Jasstisch (layout {layout}, this one writes "
                    f"{SCHEMA_VERSION}): restore it into a folder, and move that"
                )
            yield _SqliteTransaction(connection)
    except sqlite3.Error as error:
        raise to_store_error(path, "it cannot be read", error) from error

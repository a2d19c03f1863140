"""The identity store in the SQLite file of the tables, through its one writing connection."""

import sqlite3
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from jasstisch.storage.errors import StoreError
from jasstisch.storage.forgotten_outbox import ForgottenOutbox
from jasstisch.storage.identities import DEVICE_RETENTION_DAYS, SECONDS_PER_DAY, IdentityStore
from jasstisch.storage.sql_identities import SEATED_EXPIRY, SqlIdentities
from jasstisch.storage.sql_tables import Rows, Script, Statement

IDENTITY_SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE credential (
        hash TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        kind TEXT NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER NOT NULL,
        expires REAL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX credential_of ON credential (person)",
    "CREATE INDEX credential_until ON credential (expires)",
    """
    CREATE TABLE named (
        person TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX named_at ON named (table_id)",
    "CREATE TABLE forgotten (person TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
    # People in a log have a token in their browser, and keep it. Their events are found by the
    # beginning of the text, because decoding every event would take minutes.
    """
    INSERT OR IGNORE INTO named
    SELECT json_extract(CAST(body AS TEXT), '$.person'), table_id
    FROM event JOIN kept USING (table_id)
    WHERE substr(body, 1, 13) = CAST('{"kind":"sat"' AS BLOB) AND json_valid(CAST(body AS TEXT))
    """,
    """
    INSERT OR IGNORE INTO named
    SELECT json_extract(CAST(body AS TEXT), '$.host'), table_id
    FROM event JOIN kept USING (table_id)
    WHERE version = 1 AND json_valid(CAST(body AS TEXT))
    """,
    """
    INSERT OR IGNORE INTO named
    SELECT json_extract(seat.value, '$.person'), table_id
    FROM event JOIN kept USING (table_id), json_each(CAST(body AS TEXT), '$.seats') AS seat
    WHERE substr(body, 1, 18) = CAST('{"kind":"gathered"' AS BLOB)
        AND json_valid(CAST(body AS TEXT))
    """,
    f"""
    INSERT INTO credential
    SELECT DISTINCT person, person, 'device', today, today,
        (today + {DEVICE_RETENTION_DAYS}) * {SECONDS_PER_DAY}.0
    FROM named, (SELECT CAST(strftime('%s', 'now') AS INTEGER) / {SECONDS_PER_DAY} AS today)
    """,  # noqa: S608 - constant numbers
)
"""The schema of identities; it also imports the people in the logs of an older file."""

BAN_SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE banned (
        person TEXT PRIMARY KEY,
        since REAL NOT NULL,
        until REAL,
        reason TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
)
"""The schema of bans, which was added later."""


_IN_LOGS = """
    SELECT json_extract(CAST(body AS TEXT), '$.person') AS person, table_id
    FROM event JOIN kept USING (table_id)
    WHERE (
        substr(body, 1, 13) = CAST('{"kind":"sat"' AS BLOB)
        OR substr(body, 1, 15) = CAST('{"kind":"asked"' AS BLOB)
    ) AND json_valid(CAST(body AS TEXT))
    UNION SELECT json_extract(CAST(body AS TEXT), '$.host'), table_id
    FROM event JOIN kept USING (table_id)
    WHERE version = 1 AND json_valid(CAST(body AS TEXT))
    UNION SELECT json_extract(one.value, '$.person'), table_id
    FROM event JOIN kept USING (table_id),
        (SELECT '$.seats' AS part UNION SELECT '$.house.requests') AS place,
        json_each(CAST(body AS TEXT), place.part) AS one
    WHERE substr(body, 1, 18) = CAST('{"kind":"gathered"' AS BLOB)
        AND json_valid(CAST(body AS TEXT))
"""
"""The people in the logs: who has sat at a table, asked for a seat there, or created it."""

FORGETTING_SCHEMA: tuple[str, ...] = (
    # Earlier versions left the forgotten in the logs of tables with others, and did not index who
    # had only asked for a seat. Whoever is in a log, but neither indexed there nor known by a
    # credential, is nobody any more, and is forgotten now.
    f"""
    INSERT OR IGNORE INTO forgotten SELECT person FROM ({_IN_LOGS}) AS met
    WHERE person IS NOT NULL AND person NOT IN (SELECT person FROM credential)
        AND NOT EXISTS (
            SELECT 1 FROM named WHERE named.person = met.person AND named.table_id = met.table_id
        )
    """,  # noqa: S608 - a constant part
    f"""
    INSERT OR IGNORE INTO named SELECT person, table_id FROM ({_IN_LOGS}) WHERE person IS NOT NULL
    """,  # noqa: S608 - a constant part
)
"""The schema version in which forgetting reaches the logs."""

ABANDONED_SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE abandoned (
        person TEXT PRIMARY KEY,
        since REAL NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    # Whom earlier versions left without a credential is nobody any more.
    """
    INSERT INTO abandoned SELECT DISTINCT person, CAST(strftime('%s', 'now') AS REAL) FROM named
    WHERE person NOT IN (SELECT person FROM credential)
        AND person NOT IN (SELECT person FROM forgotten)
    """,
)
"""The schema of people in logs whom no credential leads to."""


class WriteOperation(Protocol):
    """A change to be written in the writer thread."""

    def write(self, connection: sqlite3.Connection, now: float) -> StoreError | None:
        """Writes the change within a transaction; returns the error that refuses it, if any."""


def index_persons(
    connection: sqlite3.Connection, table: str, people: Collection[str], now: float
) -> None:
    """Records people in the log of a table; their credentials are kept longer from now on."""
    for person in people:
        query = "INSERT OR IGNORE INTO named (person, table_id) VALUES (?, ?)"
        if connection.execute(query, (person, table)).rowcount:
            query = f"UPDATE credential SET expires = {SEATED_EXPIRY} WHERE person = ?"  # noqa: S608
            if not connection.execute(query, (person,)).rowcount:
                # The person's last credential has been removed before this request was executed.
                query = "INSERT OR IGNORE INTO abandoned (person, since) VALUES (?, ?)"
                connection.execute(query, (person, now))


def unindex_table(connection: sqlite3.Connection, table: str) -> None:
    """Removes a deleted table from the index of people."""
    connection.execute("DELETE FROM named WHERE table_id = ?", (table,))


@dataclass(frozen=True, slots=True)
class _IdentityChange:
    """A change of identities."""

    begin: Script

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Executes its statements; returns the error that refuses it, if any."""
        steps = self.begin()
        try:
            statement = next(steps)
            while True:
                statement = steps.send(connection.execute(*statement).fetchall())
        except StopIteration:
            return None
        except StoreError as error:
            return error


def sqlite_identity_store(
    change: Callable[[WriteOperation], Awaitable[None]],
    read: Callable[[Callable[[sqlite3.Connection], Rows], str], Awaitable[Rows]],
) -> tuple[IdentityStore, ForgottenOutbox]:
    """The identity store of a file, and its outbox of the list of the forgotten.

    Args:
        change: a function that writes a change in the writer thread.
        read: a function that reads in the reader thread; the text is for error messages.
    """

    async def query(statement: Statement) -> Rows:
        return await read(lambda one: one.execute(*statement).fetchall(), "identities")

    async def write(script: Script) -> None:
        await change(_IdentityChange(script))

    outbox = ForgottenOutbox(write, query)
    return SqlIdentities(write, query, outbox), outbox

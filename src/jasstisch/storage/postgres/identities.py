"""The identity store in the Postgres database of the tables."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jasstisch.storage.identities import IdentityStore
from jasstisch.storage.postgres.connections import Connection
from jasstisch.storage.sql_identities import Rows, Script, SqlIdentities, Statement, Values

IDENTITY_SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE credential (
        hash text COLLATE "C" PRIMARY KEY,
        person text COLLATE "C" NOT NULL,
        kind text NOT NULL,
        made integer NOT NULL,
        used integer NOT NULL,
        expires double precision
    )
    """,
    "CREATE INDEX credential_of ON credential (person)",
    "CREATE INDEX credential_until ON credential (expires)",
    """
    CREATE TABLE named (
        person text COLLATE "C" NOT NULL,
        table_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (person, table_id)
    )
    """,
    "CREATE INDEX named_at ON named (table_id)",
    'CREATE TABLE forgotten (person text COLLATE "C" PRIMARY KEY)',
)
"""The schema of identities."""

BAN_SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE banned (
        person text COLLATE "C" PRIMARY KEY,
        since double precision NOT NULL,
        until double precision,
        reason text NOT NULL
    )
    """,
)
"""The schema of bans, which was added later."""


def to_postgres_placeholders(statement: Statement) -> Statement:
    """A statement with Postgres' numbering of values."""
    query, values = statement
    return query.replace("?", "$"), values


@dataclass(frozen=True, slots=True)
class IdentityChange:
    """A change of identities."""

    script: Script

    async def write(self, connection: Connection) -> None:
        """Executes its statements within a transaction.

        Raises:
            StoreError: the change is refused; nothing has changed.
        """
        steps = self.script()
        try:
            statement = next(steps)
            while True:
                query, values = to_postgres_placeholders(statement)
                statement = steps.send(await connection.fetch(query, *values))
        except StopIteration:
            return


def postgres_identity_store(
    change: Callable[[IdentityChange], Awaitable[None]],
    read: Callable[[str, Values, str], Awaitable[Rows]],
) -> IdentityStore:
    """The identity store of a database.

    Args:
        change: a function that writes a change on the writing connection.
        read: a function that returns the rows of a query; the text is for error messages.
    """

    async def query(statement: Statement) -> Rows:
        return await read(*to_postgres_placeholders(statement), "identities")

    return SqlIdentities(lambda script: change(IdentityChange(script)), query)

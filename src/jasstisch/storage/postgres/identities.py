"""The identity store in the Postgres database of the tables."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jasstisch.storage.forgotten_outbox import ForgottenOutbox
from jasstisch.storage.identities import IdentityStore
from jasstisch.storage.postgres.connections import Connection
from jasstisch.storage.sql_identities import SqlIdentities
from jasstisch.storage.sql_tables import Rows, Script, Statement, Values

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


_IN_LOGS = """
    SELECT found[1] AS person, table_id FROM event JOIN kept USING (table_id),
        regexp_matches(encode(body, 'escape'), '"person":"([0-9a-f]{64})"', 'g') AS found
    WHERE substring(body FROM 1 FOR 13) = '{"kind":"sat"'
        OR substring(body FROM 1 FOR 15) = '{"kind":"asked"'
        OR substring(body FROM 1 FOR 18) = '{"kind":"gathered"'
    UNION SELECT found[1], table_id FROM event JOIN kept USING (table_id),
        regexp_matches(encode(body, 'escape'), '"host":"([0-9a-f]{64})"') AS found
    WHERE version = 1
"""
"""The people in the logs: who has sat at a table, asked for a seat there, or created it. Without
decoding, because one damaged event must not stop the migration; a quote in a nickname is escaped.
"""

FORGETTING_SCHEMA: tuple[str, ...] = (
    "ALTER TABLE kept ADD COLUMN rewrites integer NOT NULL DEFAULT 0",
    # As in SQLite; see `sqlite.identities`.
    f"""
    INSERT INTO forgotten SELECT DISTINCT person FROM ({_IN_LOGS}) AS met
    WHERE person NOT IN (SELECT person FROM credential) AND NOT EXISTS (
        SELECT FROM named WHERE named.person = met.person AND named.table_id = met.table_id
    )
    ON CONFLICT (person) DO NOTHING
    """,  # noqa: S608 - a constant part
    f"INSERT INTO named SELECT person, table_id FROM ({_IN_LOGS}) AS met ON CONFLICT DO NOTHING",  # noqa: S608 - a constant part
)
"""The schema version in which forgetting reaches the logs."""

ABANDONED_SCHEMA: tuple[str, ...] = (
    """
    CREATE TABLE abandoned (
        person text COLLATE "C" PRIMARY KEY,
        since double precision NOT NULL
    )
    """,
    "ALTER TABLE abandoned ALTER COLUMN person SET STATISTICS 0",  # see `postgres.vacuum`
    # As in SQLite; see `sqlite.identities`.
    """
    INSERT INTO abandoned SELECT DISTINCT person, extract(epoch FROM clock_timestamp())::float8
    FROM named
    WHERE person NOT IN (SELECT person FROM credential)
        AND person NOT IN (SELECT person FROM forgotten)
    """,
)
"""The schema of people in logs whom no credential leads to."""


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
) -> tuple[IdentityStore, ForgottenOutbox]:
    """The identity store of a database, and its outbox of the list of the forgotten.

    Args:
        change: a function that writes a change on the writing connection.
        read: a function that returns the rows of a query; the text is for error messages.
    """

    async def query(statement: Statement) -> Rows:
        return await read(*to_postgres_placeholders(statement), "identities")

    async def write(script: Script) -> None:
        await change(IdentityChange(script))

    outbox = ForgottenOutbox(write, query)
    return SqlIdentities(write, query, outbox), outbox

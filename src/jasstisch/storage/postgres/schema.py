"""The schema of a Postgres store, its migrations and its compatibility check.

All tables are in the schema `jasstisch`, so that the database may hold other data. The schema has a
version and a minimum version that a program must support. So servers of two versions can run side
by side while an operator updates one after the other.
"""

from jasstisch.storage.errors import StoreError
from jasstisch.storage.forgotten_outbox import POSTGRES_SCHEMA as OUTBOX_SCHEMA
from jasstisch.storage.postgres.connections import Connection
from jasstisch.storage.postgres.identities import ABANDONED_SCHEMA, BAN_SCHEMA, FORGETTING_SCHEMA
from jasstisch.storage.postgres.identities import IDENTITY_SCHEMA as IDENTITIES
from jasstisch.storage.postgres.vacuum import SCHEMA as VACUUM_SCHEMA
from jasstisch.storage.sql_access import POSTGRES_ACCESS_SCHEMA

_SCHEMA_LOCK_ID = 0x4A617373_0001
"""The advisory lock for schema migrations: the letters "Jass", and a number."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE event (
            table_id text COLLATE "C" NOT NULL,
            version integer NOT NULL,
            at double precision NOT NULL,
            body bytea NOT NULL,
            UNIQUE (table_id, version)
        )
        """,
        """
        CREATE TABLE kept (
            table_id text COLLATE "C" PRIMARY KEY,
            touched double precision NOT NULL,
            finished text,
            events integer NOT NULL
        )
        """,
        "CREATE INDEX kept_how_long ON kept (finished, touched)",
        'CREATE TABLE deleted (table_id text COLLATE "C" PRIMARY KEY)',
        *IDENTITIES,
        """
        CREATE TABLE node (
            id text COLLATE "C" PRIMARY KEY,
            name text NOT NULL,
            joined boolean NOT NULL,
            talk integer NOT NULL,
            events integer NOT NULL,
            term integer NOT NULL,
            since timestamptz NOT NULL,
            expires timestamptz NOT NULL
        )
        """,
        """
        CREATE TABLE lease (
            table_id text COLLATE "C" PRIMARY KEY,
            node text COLLATE "C",
            epoch integer NOT NULL
        )
        """,
        "CREATE INDEX leased_by ON lease (node)",
        "CREATE TABLE secret (bytes bytea NOT NULL)",
    ),
    (
        # Unknown for events that an older program writes.
        "ALTER TABLE event ADD COLUMN sum bigint",
        *BAN_SCHEMA,
    ),
    (
        # Deleting a table deletes these rows too, even by a program that does not use them.
        """
        CREATE TABLE analysis (
            table_id text COLLATE "C" NOT NULL REFERENCES kept ON DELETE CASCADE,
            number integer NOT NULL,
            body bytea NOT NULL,
            sum bigint NOT NULL,
            PRIMARY KEY (table_id, number)
        )
        """,
    ),
    (
        """
        CREATE TABLE results (
            table_id text COLLATE "C" PRIMARY KEY REFERENCES kept ON DELETE CASCADE,
            version integer NOT NULL,
            analyses bigint NOT NULL,
            body bytea NOT NULL,
            sum bigint NOT NULL
        )
        """,
    ),
    (
        # Unknown for codes that an older program makes.
        'ALTER TABLE credential ADD COLUMN maker text COLLATE "C"',
    ),
    FORGETTING_SCHEMA,
    VACUUM_SCHEMA,
    ABANDONED_SCHEMA,
    OUTBOX_SCHEMA,
    POSTGRES_ACCESS_SCHEMA,
)
"""The migrations: the statements of each schema version. An older database gets missing ones."""

SCHEMA_VERSION = len(MIGRATIONS)
"""The schema version of this program."""

MIN_COMPATIBLE_VERSION = 1
"""The lowest schema version that a program must support to use one of `SCHEMA_VERSION`. A migration
that only adds tables or columns with defaults leaves it; one that changes a meaning raises it."""


async def migrate_schema(connection: Connection) -> None:
    """Creates or migrates the schema, under a lock.

    Raises:
        StoreError: the schema belongs to another program, or to an incompatible newer version.
    """
    if await _read_version(connection) == SCHEMA_VERSION:
        return
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _SCHEMA_LOCK_ID)
        version = await _read_version(connection)
        if version == 0:
            await _reject_foreign_schema(connection)
        if version < SCHEMA_VERSION:
            # An operator may have created it for a user without that permission.
            if not await connection.fetch("SELECT FROM pg_namespace WHERE nspname = 'jasstisch'"):
                await connection.execute("CREATE SCHEMA jasstisch")
            for layout in MIGRATIONS[version:]:
                for statement in layout:
                    await connection.execute(statement)
            await _record_version(connection)


async def check_schema(connection: Connection) -> None:
    """Checks that a database has the schema version of this program, without changes.

    Raises:
        StoreError: it has not.
    """
    version = await _read_version(connection)
    if version == 0:
        raise StoreError("there are no tables of Jasstisch in this database")
    if version < SCHEMA_VERSION:
        raise StoreError(
            f"the database was last used by an older Jasstisch (layout {version}, this one reads "
            f"{SCHEMA_VERSION}): start the server once, it brings the database to the new layout"
        )


async def _record_version(connection: Connection) -> None:
    await connection.execute(
        "CREATE TABLE IF NOT EXISTS layout (version integer NOT NULL, oldest integer NOT NULL)"
    )
    await connection.execute("DELETE FROM layout")
    await connection.execute(
        "INSERT INTO layout VALUES ($1, $2)", SCHEMA_VERSION, MIN_COMPATIBLE_VERSION
    )


async def _read_version(connection: Connection) -> int:
    """The stored schema version, at most that of this program; 0 for none.

    Raises:
        StoreError: it is newer and this program cannot use it.
    """
    # Not `to_regclass`, which may answer with the state before the lock.
    query = "SELECT FROM pg_tables WHERE schemaname = 'jasstisch' AND tablename = 'layout'"
    if not await connection.fetch(query):
        return 0
    version, oldest = await connection.fetchrow("SELECT version, oldest FROM layout")
    if oldest > SCHEMA_VERSION:
        raise StoreError(
            f"the database was laid out by a newer Jasstisch (layout {version}, for those who know "
            f"{oldest}; this one knows {SCHEMA_VERSION}); update Jasstisch or choose another store"
        )
    return int(min(version, SCHEMA_VERSION))


async def _reject_foreign_schema(connection: Connection) -> None:
    """Raises an error if a schema of this name belongs to another program."""
    query = "SELECT count(*) FROM pg_tables WHERE schemaname = 'jasstisch'"
    if await connection.fetchval(query):
        raise StoreError("the schema jasstisch of this database is another program's")

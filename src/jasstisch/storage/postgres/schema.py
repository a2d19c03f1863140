"""How a Postgres database is laid out for tables, and who may use it.

All that is ours stands in the schema `jasstisch`, so that the database may hold other things. Its
layout has a version, and says which version a program must know at least to use it: servers of two
versions may so run side by side while a host updates one after the other.
"""

from jasstisch.storage.event_store import StoreError
from jasstisch.storage.postgres.connections import Connection
from jasstisch.storage.postgres.identities import BAN_SCHEMA
from jasstisch.storage.postgres.identities import IDENTITY_SCHEMA as IDENTITIES

__all__ = [
    "MIGRATIONS",
    "MIN_COMPATIBLE_VERSION",
    "SCHEMA_VERSION",
    "check_schema",
    "migrate_schema",
]

SCHEMA_LOCK_ID = 0x4A617373_0001
"""The advisory lock of whoever lays the database out: the letters "Jass", and a number."""

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
        # Of events that an older program writes it is not known.
        "ALTER TABLE event ADD COLUMN sum bigint",
        *BAN_SCHEMA,
    ),
    (
        # Whoever deletes a table deletes them too, also a program that does not know of them.
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
)
"""What each layout adds to the one before; an older database gets all that it lacks."""

SCHEMA_VERSION = len(MIGRATIONS)
"""The layout that this program makes and knows."""

MIN_COMPATIBLE_VERSION = 1
"""A program must know this layout at least to use one of `LAYOUT_VERSION`. What only adds tables or
columns, with defaults, lets it be; what changes the meaning of one raises it."""


async def migrate_schema(connection: Connection) -> None:
    """Makes sure that the database is laid out, whoever comes first.

    Raises:
        StoreError: the schema is another program's, or a newer Jasstisch has laid it out.
    """
    if await _read_version(connection) == SCHEMA_VERSION:
        return
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK_ID)
        version = await _read_version(connection)
        if version == 0:
            await _reject_foreign_schema(connection)
        if version < SCHEMA_VERSION:
            # A host may have made it, for a user who may not.
            if not await connection.fetch("SELECT FROM pg_namespace WHERE nspname = 'jasstisch'"):
                await connection.execute("CREATE SCHEMA jasstisch")
            for layout in MIGRATIONS[version:]:
                for statement in layout:
                    await connection.execute(statement)
            await _record_version(connection)


async def check_schema(connection: Connection) -> None:
    """Makes sure that a database is laid out as this program reads it, and changes nothing.

    Raises:
        StoreError: it is not.
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
    """The layout that stands there, as far as this program knows it; 0 for none.

    Raises:
        StoreError: a newer one stands there that this program cannot use.
    """
    # Not by to_regclass, which may answer from before the lock.
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
    """Refuses a schema that bears our name and is not ours."""
    query = "SELECT count(*) FROM pg_tables WHERE schemaname = 'jasstisch'"
    if await connection.fetchval(query):
        raise StoreError("the schema jasstisch of this database is another program's")

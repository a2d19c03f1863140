"""The vacuum of a database: what is in its files before and after, and to whom it gives way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
import pytest_asyncio

from jasstisch.storage import Ban, Credential, StoreError, vacuum
from jasstisch.storage.postgres import vacuum as module
from jasstisch.storage.postgres.connections import DatabaseUrl
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.storage.postgres.vacuum import PostgresVacuum
from jasstisch.table import AccessRules
from jasstisch.table.events import Event, SeatLeft, SeatTaken
from tests.storage.store_kinds import WITHOUT_ACCESS_RULES, PostgresKind, wait_for_vacuum
from tests.support.postgres_server import PostgresServer

pytestmark = pytest.mark.outside

ANNA, RETO, TOKEN = "a" * 64, "b" * 64, "c" * 64
TRACES = [ANNA, TOKEN, "Annabarbara", "freche Sprüche"]


@pytest.fixture(autouse=True)
def no_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No moment is quiet until a test says so."""
    monkeypatch.setattr(vacuum, "QUIET_S", 1000)


@pytest.fixture
def database(server: PostgresServer) -> PostgresKind:
    return PostgresKind(server)


@pytest_asyncio.fixture
async def store(database: PostgresKind) -> AsyncIterator[PostgresStore]:
    opened = await database.open()
    yield opened
    await opened.close()


def in_files(database: PostgresKind) -> set[str]:
    """The traces in the files of a database, in tables, indexes and system catalogs."""
    database.server.execute("CHECKPOINT")
    query = "SELECT oid FROM pg_database WHERE datname = current_database()"
    number = database.server.execute(query, url=database.url)
    files = list((database.server.data_folder / "base" / number).iterdir())
    assert files
    data = b"".join(one.read_bytes() for one in files)
    return {text for text in TRACES if text.encode() in data}


async def leave_traces(store: PostgresStore, database: PostgresKind) -> None:
    """Somebody plays and is banned; statistics are made of what is stored of them."""
    # So often that the statistics name them.
    tables = [f"x{number}" for number in range(9)]
    database.execute(*(f"INSERT INTO named VALUES ('{ANNA}', '{table}')" for table in tables))
    device = Credential(TOKEN, ANNA, "device", 1, 1, None)
    await store.identity_store.add_credential(device)
    seated: list[Event] = [SeatTaken(0, ANNA, "Annabarbara"), SeatLeft(0), SeatTaken(0, RETO, "R")]
    await store.append("t", 0, seated, None, AccessRules(frozenset([ANNA, RETO])))
    await store.identity_store.ban(Ban(ANNA, 0.0, None, "freche Sprüche"))
    database.execute("ANALYZE")


async def forget(store: PostgresStore) -> None:
    log = await store.load("t")
    for table in await store.identity_store.tables_of(ANNA, 99):
        await store.identity_store.mark_erased(ANNA, table)
    clean = [SeatTaken(0, RETO, "N. N."), *log[1:]]
    await store.identity_store.begin_erasure(ANNA)
    await store.rewrite("t", log, clean, AccessRules(frozenset([RETO])))
    await store.identity_store.mark_erased(ANNA, None)


async def test_nothing_of_a_forgotten_person_is_in_the_files_of_a_database(
    store: PostgresStore, database: PostgresKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave_traces(store, database)
    assert in_files(database) == set(TRACES)
    await forget(store)
    database.execute("VACUUM")
    assert in_files(database), "an ordinary vacuum overwrites nothing; is this one still needed?"
    watcher = await wait_for_vacuum(store, monkeypatch)
    assert not watcher.failures
    assert not in_files(database)
    assert database.query_number("SELECT count(*) FROM vacuum_due") == 0


async def test_statistics_of_an_earlier_version_go_too_even_if_nobody_is_left(
    store: PostgresStore, database: PostgresKind
) -> None:
    await leave_traces(store, database)
    database.execute(
        "ALTER TABLE event ALTER COLUMN body SET STATISTICS -1",
        "INSERT INTO event SELECT table_id, -n, 0, body FROM event, generate_series(1, 99) AS n",
        "ANALYZE event",
        "DELETE FROM event WHERE version < 0",
        *(*WITHOUT_ACCESS_RULES, "DROP TABLE vacuum_due, abandoned, unlisted"),
        "UPDATE layout SET version = 6",
    )
    query = "SELECT count(*) FROM pg_stats WHERE tablename = 'event' AND attname = 'body'"
    assert database.query_number(query) == 1
    await store.close()
    newer = await database.open()
    await forget(newer)
    database.execute("DELETE FROM named")  # then there is nothing to make statistics of
    assert await vacuum_of(database).run() is not None
    await newer.close()
    assert database.query_number(query) == 0
    assert not in_files(database)


def vacuum_of(database: PostgresKind, *, is_awaited: bool = False) -> PostgresVacuum:
    return PostgresVacuum(DatabaseUrl(database.url), lambda: is_awaited)


@asynccontextmanager
async def transaction(database: PostgresKind, *statements: str) -> AsyncIterator[None]:
    connection = await asyncpg.connect(database.url)
    try:
        async with connection.transaction(isolation="repeatable_read"):
            for statement in statements:
                await connection.execute(statement)
            yield
    finally:
        await connection.close()


async def test_a_vacuum_that_a_backup_makes_incomplete_is_repeated(
    store: PostgresStore, database: PostgresKind
) -> None:
    await leave_traces(store, database)
    async with transaction(database, "SELECT count(*) FROM pg_class"):
        await forget(store)
        assert await vacuum_of(database).run() is None
        assert in_files(database)
    assert await vacuum_of(database).run() is not None
    assert not in_files(database)


async def test_a_vacuum_does_not_wait_for_a_lock(
    store: PostgresStore, database: PostgresKind
) -> None:
    await forget_anna(store)
    lock = "LOCK TABLE jasstisch.event IN ACCESS SHARE MODE"
    async with transaction(database, lock):
        with pytest.raises(StoreError, match="lock timeout"):
            await vacuum_of(database).run()
    assert await vacuum_of(database).run() is not None


async def forget_anna(store: PostgresStore) -> None:
    await store.identity_store.begin_erasure(ANNA)
    await store.identity_store.mark_erased(ANNA, None)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vacuum that holds the lock on a table until it is cancelled."""

    async def hold_lock(connection: asyncpg.Connection, _: str) -> bool:
        async with connection.transaction():
            await connection.execute("LOCK TABLE named IN ACCESS EXCLUSIVE MODE")
            await connection.execute("SELECT pg_sleep(3600)")
        return True

    monkeypatch.setattr(module, "_execute_step", hold_lock)


@pytest.mark.usefixtures("endless")
async def test_a_vacuum_gives_way_to_other_servers(
    store: PostgresStore, database: PostgresKind
) -> None:
    await forget_anna(store)
    running = asyncio.create_task(vacuum_of(database).run())
    query = (
        "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' "
        "AND relation = 'named'::regclass"
    )
    while not await asyncio.to_thread(database.query_number, query):
        assert not running.done()
    assert await store.identity_store.tables_of(ANNA, 9) == []
    assert await running is None
    database.execute(f"UPDATE vacuum_due SET since = since - {vacuum.PATIENCE_S + 1}")


@pytest.mark.usefixtures("endless")
async def test_a_vacuum_gives_way_to_the_changes_of_its_own_server_and_tells_after_a_day(
    store: PostgresStore, database: PostgresKind
) -> None:
    await forget_anna(store)
    assert await vacuum_of(database, is_awaited=True).run() is None
    database.execute(f"UPDATE vacuum_due SET since = since - {vacuum.PATIENCE_S + 1}")
    with pytest.raises(StoreError, match="quiet enough") as told:
        await vacuum_of(database, is_awaited=True).run()
    assert told.value.cause == "locked"


async def test_only_one_server_vacuums_and_deleted_tables_go_first(
    store: PostgresStore, database: PostgresKind
) -> None:
    await forget_anna(store)
    async with transaction(database, f"SELECT pg_advisory_lock({module._VACUUM_LOCK_ID})"):
        assert await vacuum_of(database).run() is None
    database.execute("INSERT INTO deleted VALUES ('x')")
    assert await vacuum_of(database).run() is None
    database.execute("DELETE FROM deleted")
    assert await vacuum_of(database).run() is not None

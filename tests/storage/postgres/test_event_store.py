"""The Postgres store: lost connections, restarts and schema."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal

import pytest
import pytest_asyncio

from jasstisch.storage import Credential, StoreError
from jasstisch.storage.postgres import connections, leases, schema
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table.events import Event, SeatLeft, SeatTaken
from tests.storage.store_kinds import PostgresKind, node
from tests.storage.test_store_contract import Watcher
from tests.support.faulty_proxy import FaultyProxy
from tests.support.postgres_server import PostgresServer

pytestmark = pytest.mark.outside

SOME: list[Event] = [SeatTaken(0, "a" * 64, "Anna"), SeatLeft(0)]


@pytest.fixture
def kind(server: PostgresServer) -> PostgresKind:
    return PostgresKind(server)


@pytest_asyncio.fixture
async def store(kind: PostgresKind) -> AsyncIterator[PostgresStore]:
    store = await kind.open()
    yield store
    await store.close()


async def test_commits_are_synchronous_and_statements_have_timeouts(
    store: PostgresStore,
) -> None:
    for line in (store._write_connection, store._lease_connection):
        connection = await line.connect()
        assert await connection.fetchval("SHOW synchronous_commit") == "on"
        for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
            assert await connection.fetchval(f"SHOW {limit}") in {"5s", "2s"}


async def test_waiting_appends_share_a_transaction(
    kind: PostgresKind, store: PostgresStore
) -> None:
    await asyncio.gather(*(store.append(f"t{number}", 0, SOME) for number in range(200)))
    assert await store.count_tables() == 200
    assert kind.query_number("SELECT count(DISTINCT xmin::text) FROM event") < 10


async def test_a_failing_change_does_not_affect_others_in_its_transaction(
    store: PostgresStore,
) -> None:
    outcomes = await asyncio.gather(
        store.append("one", 0, SOME),
        store.identity_store.begin_erasure("nul\0"),
        store.identity_store.add_credential(Credential("one", "anna", "device", 1, 1, None)),
        store.append("nul\0", 0, SOME),
        store.append("two", 0, SOME),
        return_exceptions=True,
    )
    assert [type(one) is StoreError for one in outcomes] == [False, True, False, True, False]
    assert await store.load("one") == await store.load("two") == SOME
    assert await store.identity_store.count_credentials() == 1


@pytest.mark.parametrize("how", ["fast", "immediate"])
async def test_the_store_reconnects_after_a_postgres_restart(
    server: PostgresServer,
    kind: PostgresKind,
    store: PostgresStore,
    how: Literal["fast", "immediate"],
) -> None:
    await store.append("one", 0, SOME)
    await store.load("one")
    server.stop(how)
    waiting = asyncio.create_task(store.append("one", 2, [SeatLeft(1)]))
    reading = asyncio.create_task(store.load("one"))
    await asyncio.sleep(0)
    await asyncio.to_thread(server.start)
    await waiting
    assert (await reading)[:2] == SOME
    await store.renew_node()
    assert await store.load("one") == [*SOME, SeatLeft(1)]


async def test_calls_fail_in_time_without_the_password_while_postgres_is_down(
    server: PostgresServer, kind: PostgresKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultyProxy(server.socket) as proxy:
        name = kind.url.partition("?")[0].rpartition("/")[2]
        store = PostgresStore(f"postgresql://postgres:ge%40heim@127.0.0.1:{proxy.port}/{name}")
        await store.join_cluster(node())
        await store.append("one", 0, SOME)
        monkeypatch.setattr(connections, "CONNECT_TIMEOUT_S", 0.3)
        watcher = Watcher()
        store.observe_commits(watcher)
        server.stop("immediate")
        try:
            began = time.monotonic()
            calls = [
                store.append("one", 2, [SeatLeft(1)]),
                store.append("one", 3, [SeatLeft(1)]),
                store.load("one"),
                store.count_tables(),
                store.renew_node(),
                store.acquire_lease("one"),
                store.identity_store.begin_erasure("anna"),
            ]
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            assert time.monotonic() - began < 2 * connections.STATEMENT_TIMEOUT_S
        finally:
            server.start()
        for error in outcomes:
            assert isinstance(error, StoreError)
            assert f"Postgres at 127.0.0.1:{proxy.port}/{name}" in str(error)
            assert "heim" not in str(error)
            assert error.cause in ("connection_refused", "connection_lost")
        assert set(watcher.failures) <= {"connection_refused", "connection_lost"}
        assert watcher.failures
        assert watcher.commits == []
        await store.renew_node()
        await store.append("one", 2, [SeatLeft(2)])
        assert await store.load("one") == [*SOME, SeatLeft(2)]
        await store.close()


@pytest_asyncio.fixture
async def proxy(server: PostgresServer) -> AsyncIterator[FaultyProxy]:
    async with FaultyProxy(server.socket) as proxy:
        yield proxy


@pytest_asyncio.fixture
async def remote(kind: PostgresKind, proxy: FaultyProxy) -> AsyncIterator[PostgresStore]:
    """A store whose traffic goes through the proxy."""
    name = kind.url.partition("?")[0].rpartition("/")[2]
    store = PostgresStore(f"postgresql://postgres@127.0.0.1:{proxy.port}/{name}")
    await store.join_cluster(node())
    for table in ("one", "two"):
        await store.append(table, 0, SOME)
    await until_nothing_is_left_to_do(store)
    yield store
    await store.close()


async def until_nothing_is_left_to_do(store: PostgresStore) -> None:
    while store._wakeup.is_set():  # noqa: ASYNC110 - what it waits for has no other sign
        await asyncio.sleep(0)


async def test_an_append_with_a_lost_reply_is_looked_up_and_acknowledged(
    remote: PostgresStore, proxy: FaultyProxy
) -> None:
    proxy.loses = "answers"
    await asyncio.gather(
        remote.append("one", 2, [SeatLeft(1), SeatLeft(2)]), remote.append("new", 0, SOME)
    )
    assert await remote.load("one") == [*SOME, SeatLeft(1), SeatLeft(2)]
    await remote.append("one", 4, [SeatLeft(3)])
    await remote.append("new", 2, [SeatLeft(3)])


async def test_a_lost_append_is_retried_and_cannot_arrive_late(
    remote: PostgresStore, proxy: FaultyProxy
) -> None:
    proxy.loses = "requests"
    await remote.append("one", 2, [SeatLeft(1)])
    await proxy.deliver_delayed()
    await remote.append("two", 2, [SeatLeft(2)])
    assert await remote.load("one") == [*SOME, SeatLeft(1)]


async def test_an_abandoned_append_cannot_arrive_late(
    remote: PostgresStore, proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = remote._write_batch

    async def once(changes: Sequence[Any], *, again: bool = True) -> Any:
        return await outcomes(changes, again=False)

    monkeypatch.setattr(remote, "_write_batch", once)
    proxy.loses = "requests"
    with pytest.raises(StoreError, match="the connection was lost"):
        await remote.append("one", 2, [SeatLeft(1)])
    await proxy.deliver_delayed()
    await proxy.wait_late_answers()
    assert await remote.load("one") == SOME
    await remote.append("one", 2, [SeatLeft(3)])
    assert await remote.load("one") == [*SOME, SeatLeft(3)]


async def test_a_conflict_with_a_lost_reply_is_still_a_conflict(
    remote: PostgresStore, proxy: FaultyProxy
) -> None:
    proxy.loses = "answers"
    with pytest.raises(StoreError):
        await remote.append("one", 0, SOME)
    assert await remote.load("one") == SOME


async def test_a_connection_closed_by_the_server_is_replaced(
    kind: PostgresKind, store: PostgresStore
) -> None:
    await store.append("one", 0, SOME)
    kind.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'jasstisch' AND datname = current_database()"
    )
    with_luck = await asyncio.gather(
        store.append("one", 2, [SeatLeft(1)]), store.load("one"), return_exceptions=True
    )
    after = 2 if isinstance(with_luck[0], StoreError) else 3
    await store.renew_node()
    await store.append("one", after, [SeatLeft(2)])
    assert (await store.load("one"))[-1] == SeatLeft(2)


# How it is laid out.


async def test_concurrent_starts_create_the_schema_once(kind: PostgresKind) -> None:
    stores = [PostgresStore(kind.url) for _ in range(4)]
    assert await asyncio.gather(*(store.count_tables() for store in stores)) == [0] * 4
    assert kind.query_number("SELECT count(*) FROM layout") == 1
    for store in stores:
        await store.close()


async def test_other_tables_of_the_database_are_left_alone(kind: PostgresKind) -> None:
    kind.server.execute("CREATE TABLE event (recipe text)", url=kind.url)
    store = await kind.open()
    await store.append("one", 0, SOME)
    await store.close()
    assert kind.server.execute("SELECT count(*) FROM public.event", url=kind.url) == "0"


async def test_a_newer_schema_is_accepted_only_if_it_is_compatible(
    kind: PostgresKind, store: PostgresStore
) -> None:
    await store.append("one", 0, SOME)
    newer = schema.SCHEMA_VERSION + 1
    kind.execute(f"UPDATE layout SET version = {newer}")
    older = PostgresStore(kind.url)
    assert await older.load("one") == SOME
    await older.close()
    kind.execute(f"UPDATE layout SET oldest = {newer}")
    older = PostgresStore(kind.url)
    with pytest.raises(StoreError, match="laid out by a newer Jasstisch"):
        await older.load("one")
    await older.close()


async def test_an_older_schema_is_migrated(
    kind: PostgresKind, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.append("one", 0, SOME)
    more = ("ALTER TABLE kept ADD COLUMN colour text NOT NULL DEFAULT 'green'",)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, more))
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)
    newer = [PostgresStore(kind.url) for _ in range(2)]
    assert await asyncio.gather(*(one.load("one") for one in newer)) == [SOME] * 2
    await store.append("two", 0, SOME)  # the older one goes on beside them
    assert kind.query_number("SELECT count(*) FROM kept WHERE colour = 'green'") == 2
    for one in newer:
        await one.close()


async def test_a_foreign_schema_is_refused(kind: PostgresKind) -> None:
    kind.server.execute("CREATE SCHEMA jasstisch", "CREATE TABLE jasstisch.recipe ()", url=kind.url)
    store = PostgresStore(kind.url)
    with pytest.raises(StoreError, match="another program"):
        await store.count_tables()
    await store.close()


@pytest.mark.parametrize(
    "url",
    ["postgresql://me:geheim@host:port/db", "mysql://me:geheim@host/db", "postgresql://geheim@[x"],
)
def test_an_invalid_url_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(StoreError, match="postgresql://USER") as refused:
        PostgresStore(url)
    assert "geheim" not in str(refused.value)


async def test_a_missing_database_is_reported_at_once(kind: PostgresKind) -> None:
    store = PostgresStore(kind.server.url("nowhere"))
    with pytest.raises(StoreError, match=r'it cannot be used: .*"nowhere" does not') as refused:
        await store.count_tables()
    assert refused.value.cause == "no_database"
    await store.close()


async def test_an_exhausted_connection_pool_fails_in_time(
    kind: PostgresKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CONNECT_TIMEOUT_S", 0.1)
    lines = connections.ConnectionPool(connections.DatabaseUrl(kind.url), 1)
    async with lines.acquire("it cannot be read"):
        with pytest.raises(StoreError, match="it cannot be read: no answer in time"):
            await lines.fetch("SELECT 1", (), "it cannot be read")
    assert len(await lines.fetch("SELECT 1", (), "it cannot be read")) == 1
    await lines.close()


async def test_expiry_uses_the_clock_of_the_database(
    kind: PostgresKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "time", lambda: 4e9)
    store = PostgresStore(kind.url)
    assert store.now() == 4e9  # nobody has said anything else
    await store.join_cluster(node())
    told = kind.query_number("SELECT extract(epoch FROM clock_timestamp())::bigint")
    assert abs(store.now() - told) < 60.0
    await store.renew_node()
    assert abs(store.now() - told) < 60.0
    await store.append("one", 0, SOME, "nothing")
    assert await store.idle_tables("nothing", told - 2 * 3600.0, 9) == []
    assert await store.idle_tables("nothing", told + 2 * 3600.0, 9) == ["one"]
    await store.close()

"""Leases and fencing on Postgres: only one server can write a table."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import asyncpg
import pytest
import pytest_asyncio

from jasstisch.storage import ConflictError, StoreError, leases
from jasstisch.storage.leases import FencedError, Lease, StoreInUseError
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table.events import (
    EVENT_VERSION,
    Event,
    HostSettings,
    LobbyCompacted,
    SeatLeft,
    SeatSnapshot,
    SeatTaken,
)
from tests.storage.store_kinds import PostgresKind, node
from tests.support.postgres_server import PostgresServer

pytestmark = pytest.mark.outside

SOME: list[Event] = [SeatTaken(0, "a" * 64, "Anna"), SeatLeft(0)]

Opening = Callable[..., Awaitable[PostgresStore]]


@pytest.fixture
def kind(server: PostgresServer) -> PostgresKind:
    return PostgresKind(server)


@pytest_asyncio.fixture
async def open_nodes(kind: PostgresKind) -> AsyncIterator[Opening]:
    """Opens stores on one database, each as another node of a cluster."""
    stores: list[PostgresStore] = []

    async def open_as(
        name: str, *, joined: bool = True, events: int = EVENT_VERSION
    ) -> PostgresStore:
        stores.append(PostgresStore(kind.url))
        await stores[-1].join_cluster(node(name, joined=joined, events=events))
        return stores[-1]

    yield open_as
    for store in stores:
        await store.close()


def of(store: PostgresStore) -> str:
    """The node id of a store."""
    return store._leases.require_node().id


def silence(kind: PostgresKind, store: PostgresStore, seconds: float = 60.0) -> None:
    """Sets a node's last renewal so far back that its lease expired that long ago."""
    kind.execute(
        f"UPDATE node SET expires = clock_timestamp() - interval '{seconds} seconds' "
        f"WHERE id = '{of(store)}'"
    )


def settle(kind: PostgresKind, store: PostgresStore) -> None:
    """Sets a node's renewals to unbroken for a long time."""
    kind.execute(f"UPDATE node SET since = since - interval '1 minute' WHERE id = '{of(store)}'")


async def test_all_nodes_share_a_secret_and_know_each_other(open_nodes: Opening) -> None:
    one, other = node("one", joined=True), node("other", joined=True)
    first, second = await open_nodes("x"), await open_nodes("y")
    await first.leave_cluster()
    await second.leave_cluster()
    secrets = {await first.join_cluster(one), await second.join_cluster(other)}
    assert [len(secret) for secret in secrets] == [32]
    there = await first.renew_node()
    assert sorted(known.name for known in there) == ["one", "other"]
    assert one in there
    await second.leave_cluster()
    assert list(await first.renew_node()) == [one]


async def test_a_table_is_leased_to_one_node_until_released(open_nodes: Opening) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    held = Lease("t", of(one), 1)
    assert await one.acquire_lease("t") == held
    assert await other.acquire_lease("t") == held
    with pytest.raises(FencedError):
        await other.append("t", 2, [SeatLeft(1)])
    await other.release_leases(["t"])  # it has none to give
    assert await other.acquire_lease("t") == held
    await one.release_leases(["t"])
    assert await other.acquire_lease("t") == Lease("t", of(other), 2)
    await other.append("t", 2, [SeatLeft(1)])
    with pytest.raises(FencedError):
        await one.append("t", 3, [SeatLeft(2)])
    assert await one.load("t") == [*SOME, SeatLeft(1)]


async def test_an_unused_lease_of_a_new_table_leaves_nothing_behind(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    assert await one.acquire_lease("t") == Lease("t", of(one), 1)
    with pytest.raises(FencedError):
        await other.append("t", 0, SOME)
    await one.append("t", 0, SOME)
    await one.acquire_lease("guessed")
    await one.acquire_lease("*retention")
    await one.release_leases(["t", "guessed", "*retention"])
    assert kind.query_number("SELECT count(*) FROM lease") == 2
    assert (await other.acquire_lease("*retention")).epoch == 2


async def test_of_two_nodes_that_create_a_table_one_is_fenced(open_nodes: Opening) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    outcomes = await asyncio.gather(
        one.append("t", 0, SOME), other.append("t", 0, [SeatLeft(3)]), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in outcomes) == ["FencedError", "NoneType"]
    made = one if outcomes[0] is None else other
    assert await other.load("t") == (SOME if made is one else [SeatLeft(3)])
    assert (await one.acquire_lease("t")).node == of(made)


async def test_an_expired_node_loses_its_tables_and_its_writes_are_fenced(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    await one.append("v", 0, SOME)
    settle(kind, other)
    silence(kind, one)
    with pytest.raises(FencedError):  # though nobody has taken it
        await one.append("t", 2, [SeatLeft(1)])
    assert await other.acquire_lease("t") == Lease("t", of(other), 2)
    with pytest.raises(FencedError):
        await one.renew_node()
    for table in ("u", "v"):
        with pytest.raises(FencedError):
            await one.acquire_lease(table)
    for table, after in (("t", 2), ("u", 0)):
        with pytest.raises(FencedError):
            await one.append(table, after, [SeatLeft(1)])
    with pytest.raises(FencedError):
        await one.delete("v")
    assert await one.load("t") == await one.load("v") == SOME
    assert await one.count_tables() == 2
    await one.join_cluster(node("one", joined=True))
    assert await one.acquire_lease("t") == Lease("t", of(other), 2)
    await one.append("u", 0, SOME)


async def test_an_expired_node_continues_if_nobody_took_its_tables(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one = await open_nodes("one")
    await one.append("t", 0, SOME)
    silence(kind, one)
    await one.renew_node()
    await one.append("t", 2, [SeatLeft(1)])


async def test_no_takeover_right_after_the_nodes_own_expiry(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    """After an outage of Postgres all leases have expired, and every node gets time to renew."""
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    settle(kind, other)
    silence(kind, one)
    silence(kind, other)
    await other.renew_node()
    assert (await other.acquire_lease("t")).node == of(one)
    await one.renew_node()
    await one.append("t", 2, [SeatLeft(1)])
    silence(kind, one)
    settle(kind, other)
    assert (await other.acquire_lease("t")).node == of(other)


async def test_a_takeover_waits_for_a_concurrent_write_and_sees_it(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    settle(kind, other)
    connection = await asyncpg.connect(kind.url, server_settings={"search_path": "jasstisch"})
    writing = connection.transaction()
    await writing.start()
    await connection.execute("SELECT 1 FROM lease WHERE table_id = 't' FOR SHARE")
    await connection.execute(f"SELECT 1 FROM node WHERE id = '{of(one)}' FOR KEY SHARE")
    # A renewal waits for no commit.
    await one.renew_node()
    silence(kind, one)
    taking = asyncio.create_task(other.acquire_lease("t"))
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    waits = False
    while not waits:
        waits = bool(await asyncio.to_thread(kind.query_number, query))
    assert not taking.done()
    await connection.execute("INSERT INTO event SELECT 't', 3, at, body FROM event WHERE version=2")
    await writing.commit()
    await connection.close()
    assert (await taking).node == of(other)
    assert await other.load("t") == [*SOME, SeatLeft(0)]


async def test_a_write_decided_before_a_takeover_is_fenced_after_it(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    await one.append("u", 0, SOME)
    settle(kind, other)
    silence(kind, one)
    await other.acquire_lease("t")
    outcomes = await asyncio.gather(
        one.append("t", 2, [SeatLeft(1)]),
        other.append("t", 2, [SeatLeft(2)]),
        return_exceptions=True,
    )
    assert isinstance(outcomes[0], FencedError)
    assert outcomes[1] is None
    assert await one.load("t") == [*SOME, SeatLeft(2)]
    assert await other.acquire_lease("u") == Lease("u", of(other), 2)  # it went with its node


async def test_events_written_elsewhere_are_a_conflict_after_the_table_returns(
    open_nodes: Opening,
) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    await one.release_leases(["t"])
    await other.acquire_lease("t")
    await other.append("t", 2, [SeatLeft(1)])
    await other.release_leases(["t"])
    assert (await one.acquire_lease("t")).epoch == 3
    with pytest.raises(ConflictError, match="at version 3, the writer at 2"):
        await one.append("t", 2, [SeatLeft(2)])
    await one.append("t", 3, [SeatLeft(2)])


async def test_a_write_requires_both_node_and_epoch(open_nodes: Opening) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME)
    await one.release_leases(["t"])
    await other.acquire_lease("t")
    one._leases.epochs["t"] = 2  # as that of the other one
    with pytest.raises(FencedError):
        await one.append("t", 2, [SeatLeft(1)])
    await other.release_leases(["t"])
    await one.acquire_lease("t")
    one._leases.epochs["t"] = 1  # as when it had the table before
    with pytest.raises(FencedError):
        await one.append("t", 2, [SeatLeft(1)])
    assert await one.load("t") == SOME


async def test_a_table_leased_elsewhere_is_neither_idle_nor_deletable(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one, other = await open_nodes("one"), await open_nodes("other")
    await one.append("t", 0, SOME, "nothing")
    later = 1e12
    assert await one.idle_tables("nothing", later, 9) == ["t"]
    assert await other.idle_tables("nothing", later, 9) == []
    with pytest.raises(StoreError, match="table t is in use at another server, one"):
        await other.delete("t")
    await other.set_progress("t", "round")
    await one.release_leases(["t"])
    assert await other.idle_tables("nothing", later, 9) == ["t"]
    assert await other.delete("t") is True
    assert kind.query_number("SELECT count(*) FROM lease") == 0
    with pytest.raises(FencedError):
        await one.append("t", 2, [SeatLeft(1)])


async def test_a_server_without_a_bus_requires_exclusive_use(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one = await open_nodes("one", joined=False)
    await one.append("t", 0, SOME)
    await one.append("u", 0, SOME)
    keeping = asyncio.create_task(renewing(one))
    for joined in (False, True):
        with pytest.raises(StoreInUseError, match="another server, one, uses this store"):
            await open_nodes("other", joined=joined)
    keeping.cancel()
    await one.leave_cluster()
    other = await open_nodes("other")
    await other.acquire_lease("t")
    await other.append("t", 2, [SeatLeft(1)])
    with pytest.raises(StoreError, match="not joined"):
        await one.append("t", 3, [SeatLeft(1)])


async def renewing(store: PostgresStore) -> None:
    while True:
        await store.renew_node()
        await asyncio.sleep(leases.RENEW_SECONDS)


async def test_after_a_crash_the_next_single_server_waits_for_expiry(
    kind: PostgresKind, open_nodes: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await open_nodes("one", joined=False)
    await one.append("t", 0, SOME)
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.3)
    await one.renew_node()
    other = await open_nodes("other", joined=False)
    await other.append("t", 2, [SeatLeft(1)])
    with pytest.raises(FencedError):
        await one.append("t", 3, [SeatLeft(2)])
    with pytest.raises(FencedError):
        await one.renew_node()
    assert await one.load("t") == [*SOME, SeatLeft(1)]


async def test_an_older_server_does_not_touch_a_log_with_newer_events(open_nodes: Opening) -> None:
    new, old = await open_nodes("new", events=EVENT_VERSION + 1), await open_nodes("old")
    await new.append("t", 0, SOME)
    await old.append("u", 0, SOME)
    await new.release_leases(["t"])
    for refused in (old.load("t"), old.acquire_lease("t")):
        with pytest.raises(StoreError, match="written by a newer Jasstisch"):
            await refused
    assert (await new.acquire_lease("t")).node == of(new)
    assert await new.load("u") == SOME


async def test_writing_requires_joining(kind: PostgresKind) -> None:
    store = PostgresStore(kind.url)
    for refused in (
        store.append("t", 0, SOME),
        store.delete("t"),
        store.acquire_lease("t"),
        store.renew_node(),
    ):
        with pytest.raises(StoreError):
            await refused
    assert await store.count_tables() == 0
    await store.close()


async def test_replaced_events_are_deleted_in_the_same_transaction(
    kind: PostgresKind, open_nodes: Opening
) -> None:
    one = await open_nodes("one")
    gathered = LobbyCompacted(
        4, [SeatSnapshot("a" * 64, "Anna", None, 1, None)], HostSettings("a" * 64)
    )
    await one.append("t", 0, [*SOME, SeatLeft(0), gathered, SeatLeft(1)])
    assert await one.load("t") == [SOME[0], gathered, SeatLeft(1)]
    assert kind.query_number("SELECT count(*) FROM event") == 3

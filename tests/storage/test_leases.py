"""Several servers on one Postgres: who may write a table, and that nobody else can."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import asyncpg
import pytest
import pytest_asyncio

from jasstisch.storage import Conflict, StoreError, leases
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
async def opening(kind: PostgresKind) -> AsyncIterator[Opening]:
    """Opens stores on one database, each that of another server; they have a bus."""
    stores: list[PostgresStore] = []

    async def open_as(
        name: str, *, joined: bool = True, events: int = EVENT_VERSION
    ) -> PostgresStore:
        stores.append(PostgresStore(kind.url))
        await stores[-1].join(node(name, joined=joined, events=events))
        return stores[-1]

    yield open_as
    for store in stores:
        await store.close()


def of(store: PostgresStore) -> str:
    """The id of the node of a store."""
    return store._leases.require_node().id


def silence(kind: PostgresKind, store: PostgresStore, seconds: float = 60.0) -> None:
    """Has a server's last word lie so far back that its time was up so long ago."""
    kind.execute(
        f"UPDATE node SET expires = clock_timestamp() - interval '{seconds} seconds' "
        f"WHERE id = '{of(store)}'"
    )


def settle(kind: PostgresKind, store: PostgresStore) -> None:
    """Has a server been renewed without a break for long."""
    kind.execute(f"UPDATE node SET since = since - interval '1 minute' WHERE id = '{of(store)}'")


async def test_all_servers_get_the_same_secret_and_know_each_other(opening: Opening) -> None:
    one, other = node("one", joined=True), node("other", joined=True)
    first, second = await opening("x"), await opening("y")
    await first.leave()
    await second.leave()
    secrets = {await first.join(one), await second.join(other)}
    assert [len(secret) for secret in secrets] == [32]
    there = await first.renew()
    assert sorted(known.name for known in there) == ["one", "other"]
    assert one in there
    await second.leave()
    assert list(await first.renew()) == [one]


async def test_a_table_is_leased_to_one_server_until_it_gives_it_back(opening: Opening) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    held = Lease("t", of(one), 1)
    assert await one.acquire("t") == held
    assert await other.acquire("t") == held
    with pytest.raises(FencedError):
        await other.append("t", 2, [SeatLeft(1)])
    await other.release(["t"])  # it has none to give
    assert await other.acquire("t") == held
    await one.release(["t"])
    assert await other.acquire("t") == Lease("t", of(other), 2)
    await other.append("t", 2, [SeatLeft(1)])
    with pytest.raises(FencedError):
        await one.append("t", 3, [SeatLeft(2)])
    assert await one.load("t") == [*SOME, SeatLeft(1)]


async def test_a_table_may_be_leased_before_it_is_made_and_leaves_nothing_where_it_is_not(
    kind: PostgresKind, opening: Opening
) -> None:
    one, other = await opening("one"), await opening("other")
    assert await one.acquire("t") == Lease("t", of(one), 1)
    with pytest.raises(FencedError):
        await other.append("t", 0, SOME)
    await one.append("t", 0, SOME)
    await one.acquire("guessed")
    await one.acquire("*retention")
    await one.release(["t", "guessed", "*retention"])
    assert kind.query_number("SELECT count(*) FROM lease") == 2
    assert (await other.acquire("*retention")).epoch == 2


async def test_of_two_who_make_the_same_table_one_is_fenced(opening: Opening) -> None:
    one, other = await opening("one"), await opening("other")
    outcomes = await asyncio.gather(
        one.append("t", 0, SOME), other.append("t", 0, [SeatLeft(3)]), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in outcomes) == ["FencedError", "NoneType"]
    made = one if outcomes[0] is None else other
    assert await other.load("t") == (SOME if made is one else [SeatLeft(3)])
    assert (await one.acquire("t")).node == of(made)


async def test_a_silent_server_loses_its_tables_and_can_write_nothing_more(
    kind: PostgresKind, opening: Opening
) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    await one.append("v", 0, SOME)
    settle(kind, other)
    silence(kind, one)
    with pytest.raises(FencedError):  # though nobody has taken it
        await one.append("t", 2, [SeatLeft(1)])
    assert await other.acquire("t") == Lease("t", of(other), 2)
    with pytest.raises(FencedError):
        await one.renew()
    for table in ("u", "v"):
        with pytest.raises(FencedError):
            await one.acquire(table)
    for table, after in (("t", 2), ("u", 0)):
        with pytest.raises(FencedError):
            await one.append(table, after, [SeatLeft(1)])
    with pytest.raises(FencedError):
        await one.delete("v")
    assert await one.load("t") == await one.load("v") == SOME
    assert await one.count() == 2
    await one.join(node("one", joined=True))
    assert await one.acquire("t") == Lease("t", of(other), 2)
    await one.append("u", 0, SOME)


async def test_a_server_that_was_silent_goes_on_where_nobody_has_taken_its_tables(
    kind: PostgresKind, opening: Opening
) -> None:
    one = await opening("one")
    await one.append("t", 0, SOME)
    silence(kind, one)
    await one.renew()
    await one.append("t", 2, [SeatLeft(1)])


async def test_nobody_takes_over_who_has_only_just_been_heard_of_himself(
    kind: PostgresKind, opening: Opening
) -> None:
    """After Postgres has been away all have expired, and all get a chance to say a word."""
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    settle(kind, other)
    silence(kind, one)
    silence(kind, other)
    await other.renew()
    assert (await other.acquire("t")).node == of(one)
    await one.renew()
    await one.append("t", 2, [SeatLeft(1)])
    silence(kind, one)
    settle(kind, other)
    assert (await other.acquire("t")).node == of(other)


async def test_a_takeover_waits_for_what_is_being_written_and_finds_it(
    kind: PostgresKind, opening: Opening
) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    settle(kind, other)
    connection = await asyncpg.connect(kind.url, server_settings={"search_path": "jasstisch"})
    writing = connection.transaction()
    await writing.start()
    await connection.execute("SELECT 1 FROM lease WHERE table_id = 't' FOR SHARE")
    await connection.execute(f"SELECT 1 FROM node WHERE id = '{of(one)}' FOR KEY SHARE")
    # A renewal waits for no commit.
    await one.renew()
    silence(kind, one)
    taking = asyncio.create_task(other.acquire("t"))
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


async def test_the_writer_who_has_decided_before_a_takeover_is_fenced_after_it(
    kind: PostgresKind, opening: Opening
) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    await one.append("u", 0, SOME)
    settle(kind, other)
    silence(kind, one)
    await other.acquire("t")
    outcomes = await asyncio.gather(
        one.append("t", 2, [SeatLeft(1)]),
        other.append("t", 2, [SeatLeft(2)]),
        return_exceptions=True,
    )
    assert isinstance(outcomes[0], FencedError)
    assert outcomes[1] is None
    assert await one.load("t") == [*SOME, SeatLeft(2)]
    assert await other.acquire("u") == Lease("u", of(other), 2)  # it went with its node


async def test_what_another_has_written_meanwhile_is_a_conflict_after_the_table_came_back(
    opening: Opening,
) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    await one.release(["t"])
    await other.acquire("t")
    await other.append("t", 2, [SeatLeft(1)])
    await other.release(["t"])
    assert (await one.acquire("t")).epoch == 3
    with pytest.raises(Conflict, match="at version 3, the writer at 2"):
        await one.append("t", 2, [SeatLeft(2)])
    await one.append("t", 3, [SeatLeft(2)])


async def test_neither_the_node_nor_the_epoch_alone_lets_anybody_write(opening: Opening) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME)
    await one.release(["t"])
    await other.acquire("t")
    one._leases.epochs["t"] = 2  # as that of the other one
    with pytest.raises(FencedError):
        await one.append("t", 2, [SeatLeft(1)])
    await other.release(["t"])
    await one.acquire("t")
    one._leases.epochs["t"] = 1  # as when it had the table before
    with pytest.raises(FencedError):
        await one.append("t", 2, [SeatLeft(1)])
    assert await one.load("t") == SOME


async def test_a_table_in_use_elsewhere_is_neither_left_alone_nor_deleted(
    kind: PostgresKind, opening: Opening
) -> None:
    one, other = await opening("one"), await opening("other")
    await one.append("t", 0, SOME, "nothing")
    later = 1e12
    assert await one.idle_tables("nothing", later, 9) == ["t"]
    assert await other.idle_tables("nothing", later, 9) == []
    with pytest.raises(StoreError, match="table t is in use at another server, one"):
        await other.delete("t")
    await other.set_progress("t", "round")
    await one.release(["t"])
    assert await other.idle_tables("nothing", later, 9) == ["t"]
    assert await other.delete("t") is True
    assert kind.query_number("SELECT count(*) FROM lease") == 0
    with pytest.raises(FencedError):
        await one.append("t", 2, [SeatLeft(1)])


async def test_a_server_without_a_bus_is_alone(kind: PostgresKind, opening: Opening) -> None:
    one = await opening("one", joined=False)
    await one.append("t", 0, SOME)
    await one.append("u", 0, SOME)
    keeping = asyncio.create_task(renewing(one))
    for joined in (False, True):
        with pytest.raises(StoreInUseError, match="another server, one, uses this store"):
            await opening("other", joined=joined)
    keeping.cancel()
    await one.leave()
    other = await opening("other")
    await other.acquire("t")
    await other.append("t", 2, [SeatLeft(1)])
    with pytest.raises(StoreError, match="not joined"):
        await one.append("t", 3, [SeatLeft(1)])


async def renewing(store: PostgresStore) -> None:
    while True:
        await store.renew()
        await asyncio.sleep(leases.RENEW_SECONDS)


async def test_after_a_crash_the_next_server_waits_until_the_one_before_is_surely_gone(
    kind: PostgresKind, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await opening("one", joined=False)
    await one.append("t", 0, SOME)
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.3)
    await one.renew()
    other = await opening("other", joined=False)
    await other.append("t", 2, [SeatLeft(1)])
    with pytest.raises(FencedError):
        await one.append("t", 3, [SeatLeft(2)])
    with pytest.raises(FencedError):
        await one.renew()
    assert await one.load("t") == [*SOME, SeatLeft(1)]


async def test_a_log_of_newer_events_is_let_be_by_an_older_server(opening: Opening) -> None:
    new, old = await opening("new", events=EVENT_VERSION + 1), await opening("old")
    await new.append("t", 0, SOME)
    await old.append("u", 0, SOME)
    await new.release(["t"])
    for refused in (old.load("t"), old.acquire("t")):
        with pytest.raises(StoreError, match="written by a newer Jasstisch"):
            await refused
    assert (await new.acquire("t")).node == of(new)
    assert await new.load("u") == SOME


async def test_nothing_is_written_by_who_has_not_joined(kind: PostgresKind) -> None:
    store = PostgresStore(kind.url)
    for refused in (
        store.append("t", 0, SOME),
        store.delete("t"),
        store.acquire("t"),
        store.renew(),
    ):
        with pytest.raises(StoreError):
            await refused
    assert await store.count() == 0
    await store.close()


async def test_the_events_that_one_stands_for_go_with_it(
    kind: PostgresKind, opening: Opening
) -> None:
    one = await opening("one")
    gathered = LobbyCompacted(
        4, [SeatSnapshot("a" * 64, "Anna", None, 1, None)], HostSettings("a" * 64)
    )
    await one.append("t", 0, [*SOME, SeatLeft(0), gathered, SeatLeft(1)])
    assert await one.load("t") == [SOME[0], gathered, SeatLeft(1)]
    assert kind.query_number("SELECT count(*) FROM event") == 3

"""Quotas of a person: live tables, stored tables and changes of seats."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from jasstisch.server.api import bodies, messages
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError, ServerBusyError, TableNotFoundError
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_table_services
from jasstisch.server.tables import erasure
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.handle import TableMessage
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.server.tables.retention import _DAY_S, RetentionJob
from jasstisch.storage import SqliteStore, StoreError
from jasstisch.storage.sqlite import event_store
from jasstisch.table import TableError, events
from tests.server.tables.test_broadcaster import Listener

ANNA, RETO = "a" * 64, "b" * 64
PEOPLE = ["me", "open", "open", "open"]
WITH_COMPUTERS = ["me", *["bot:random"] * 3]


class ClockServices(ServerContext):
    """Services whose clock the test sets."""

    time = 0.0

    def now(self) -> float:
        return self.time


@asynccontextmanager
async def make_registry(folder: Path, **limits: Any) -> AsyncIterator[TableRegistry]:
    services = ClockServices(SqliteStore(folder / "tables.sqlite3"), Limits(**limits))
    tables = create_table_services(services)
    await tables.open()
    try:
        yield tables.registry
    finally:
        await tables.close()


async def made(registry: TableRegistry, person: str = ANNA, address: str = "", **more: Any) -> str:
    """Creates a table; returns its id."""
    new: dict[str, Any] = {"game": "molotov", "seats": PEOPLE, "name": "Anna", "pause": 0} | more
    return (await registry.create(bodies.NewTable(**new), person, address)).table


async def ask(live: TableActor, listener: Listener, message: TableMessage) -> object:
    """Sends a request; returns the table's answer."""
    assert await live.request(listener, message)
    return listener.got[-1]


async def until(holds: Callable[[], bool]) -> None:
    """Yields to the event loop until a condition holds."""
    while not holds():  # noqa: ASYNC110 - what a table does by itself tells nobody
        await asyncio.sleep(0)


async def test_access_rules_that_are_unknown_are_found_out(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        tables = [await made(registry) for _ in range(3)]
        store = registry.context.store
        rules = [await store.access_rules(table) for table in tables]
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as connection:
        connection.execute("UPDATE kept SET access = NULL")
        damaged = "UPDATE event SET body = x'7b7d' WHERE table_id = ?"
        connection.execute(damaged, (tables[2],))
        connection.commit()
    async with make_registry(tmp_path) as registry:
        job, store = RetentionJob(registry), registry.context.store
        for _ in range(2):
            assert not await job.run_batch(store.now())
        assert [await store.access_rules(table) for table in tables[:2]] == rules[:2]
        assert await store.tables_without_access_rules(9) == [tables[2]]


async def test_a_table_in_use_stores_its_access_rules_itself(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        table, store = await made(registry), registry.context.store
        rules = await store.access_rules(table)
        with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as connection:
            connection.execute("UPDATE kept SET access = NULL")
            connection.commit()
        live = await registry.load_local(table)
        await ask(
            live, Listener(ANNA), messages.AssignBot(seq=1, table=table, seat=1, bot="random")
        )
        assert await store.access_rules(table) == rules


async def test_a_new_table_evicts_an_idle_one_and_is_refused_if_all_are_live(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, live_tables=3, idle_seconds=1e9) as registry:
        tables = [await made(registry, thinking_time=3600) for _ in range(3)]
        fourth = await made(registry)
        assert registry.peek_table(tables[0]) is None
        listener = Listener(ANNA)
        for table in (*tables[1:], fourth):
            live = await registry.load_local(table)
            await ask(live, listener, messages.Watch(1, table))
        with pytest.raises(ServerBusyError, match="too many tables"):
            await made(registry)
        with pytest.raises(ServerBusyError, match="too many tables"):
            await registry.load_local(tables[0])
        live = await registry.load_local(fourth)
        live.unsubscribe(listener)
        await until(lambda: live.is_idle)
        assert (await registry.load_local(tables[0])).room.table == tables[0]


async def test_a_table_with_a_running_clock_is_evicted_when_nobody_watches(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, idle_seconds=0.0) as registry:
        table = await made(registry, thinking_time=3600, start=True, seats=WITH_COMPUTERS)
        await until(lambda: registry.peek_table(table) is None)
        live = await registry.load_local(table)
        assert live.room.phase == "playing"
        listener = Listener(ANNA)
        await ask(live, listener, messages.Watch(1, table))
        snapshot = listener.of(messages.Snapshot)[-1]
        assert snapshot.turn is None or snapshot.turn.seconds > 3590
        assert registry.peek_table(table) is live


async def test_live_tables_are_limited_by_person(tmp_path: Path) -> None:
    async with make_registry(tmp_path, running_per_person=2, running_per_address=3) as registry:
        await made(registry, ANNA, "here")
        table = await made(registry, ANNA, "here")
        with pytest.raises(TableError, match="you have 2 tables in use"):
            await made(registry, ANNA, "here")
        await made(registry, RETO, "here")
        with pytest.raises(TableError, match="at your address there are 3 tables in use"):
            await made(registry, RETO, "here")
        await made(registry, RETO, "there")
        (await registry.load_local(table)).evict()
        await made(registry, ANNA, "here")


async def test_loaded_tables_count_for_the_address_and_its_oldest_idle_one_is_evicted(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, running_per_address=2, idle_seconds=1e9) as registry:
        tables = [await made(registry) for _ in range(4)]
        for table in tables:
            (await registry.load_local(table)).evict()
        assert isinstance(registry.context, ClockServices)
        for table in tables[:2]:
            registry.context.time += 1.0
            await registry.load_local(table, "here")
        other = await registry.load_local(tables[3], "there")
        with pytest.raises(TableError, match="at your address there are 2 tables in use"):
            await made(registry, RETO, "here")
        third = await registry.load_local(tables[2], "here")
        assert [registry.peek_table(table) is None for table in tables] == [
            True,
            False,
            False,
            False,
        ]
        listener = Listener(ANNA)
        for live in (await registry.load_local(tables[1]), third):
            await ask(live, listener, messages.Watch(1, live.id))
        with pytest.raises(ServerBusyError, match="at your address there are 2 tables in use"):
            await registry.load_local(tables[0], "here")
        assert registry.peek_table(tables[3]) is other
        # What is in memory is nobody's to fetch, and the server itself is not limited.
        assert not (await registry.load_local(tables[1], "here")).is_idle
        assert (await registry.load_local(tables[0])).is_idle
        third.unsubscribe(listener)
        await until(lambda: third.is_idle)
        (await registry.load_local(tables[0])).evict()
        assert (await registry.load_local(tables[0], "here")).room.table == tables[0]


async def test_concurrent_loads_are_all_counted_and_unknown_tables_released(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, running_per_address=2, idle_seconds=1e9) as registry:
        tables = [await made(registry) for _ in range(5)]
        for table in tables:
            (await registry.load_local(table)).evict()
        for _ in range(3):
            with pytest.raises(TableNotFoundError):
                await registry.load_local("x" * 22, "here")
        found = await asyncio.gather(
            *(registry.load_local(table, "here") for table in tables), return_exceptions=True
        )
        assert [type(one) for one in found] == [
            TableActor,
            TableActor,
            ServerBusyError,
            ServerBusyError,
            ServerBusyError,
        ]
        assert registry.live_count == 2


async def test_a_load_refused_to_one_address_succeeds_for_another(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, running_per_address=1, idle_seconds=1e9) as registry:
        tables = [await made(registry) for _ in range(2)]
        for table in tables:
            (await registry.load_local(table)).evict()
        used = await registry.load_local(tables[0], "here")
        await ask(used, Listener(ANNA), messages.Watch(1, tables[0]))
        found = await asyncio.gather(
            *(registry.load_local(tables[1], address) for address in ("here", "there")),
            return_exceptions=True,
        )
        assert [type(one) for one in found] == [ServerBusyError, TableActor]


async def test_a_failed_creation_uses_no_quota(tmp_path: Path) -> None:
    async with make_registry(tmp_path, running_per_person=1, tables=1) as registry:
        with pytest.raises(TableError):
            await made(registry, seats=["me", "nobody"])
        await made(registry)


async def test_seat_changes_are_limited_by_person(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, seatings=4, seatings_per_minute=6) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        restless, other = Listener(RETO), Listener("c" * 64)
        answers = []
        for number in range(4):
            answers += [
                await ask(live, restless, messages.Sit(number, table, 1, "Reto")),
                await ask(live, restless, messages.Stand(number, table)),
            ]
        kinds = [type(one) for one in answers]
        assert kinds == [messages.Ack] * 4 + [messages.ErrorMessage] * 4
        refused = answers[-1]
        assert isinstance(refused, messages.ErrorMessage)
        assert (refused.code, refused.seq) == ("limit", 3)
        assert isinstance(await ask(live, other, messages.Sit(9, table, 1, "Cla")), messages.Ack)
        assert isinstance(registry.context, ClockServices)
        registry.context.time += 10.0
        assert isinstance(
            await ask(live, restless, messages.Sit(9, table, 2, "Reto")), messages.Ack
        )


async def test_seat_changes_are_limited_by_table_for_ever_new_people(
    tmp_path: Path,
) -> None:
    async with make_registry(
        tmp_path, table_seat_change_burst=2, table_seat_changes_per_minute=6
    ) as registry:
        table, elsewhere = await made(registry), await made(registry)
        live = await registry.load_local(table)
        for number in range(2):
            listener = Listener(f"{number:064}")
            sat = await ask(live, listener, messages.Sit(1, table, 1, "Reto"))
            stood = await ask(live, listener, messages.Stand(2, table))
            assert (type(sat), type(stood)) == (messages.Ack, messages.Ack)
        sit = messages.Sit(3, table, 1, "Cla")
        refused = await ask(live, Listener(RETO), sit)
        assert isinstance(refused, messages.ErrorMessage)
        assert (refused.code, refused.seq) == ("limit", 3)
        other = await registry.load_local(elsewhere)
        got = await ask(other, Listener(RETO), messages.Sit(4, elsewhere, 1, "Reto"))
        assert isinstance(got, messages.Ack)
        assert isinstance(registry.context, ClockServices)
        registry.context.time += 10.0
        assert isinstance(await ask(live, Listener("d" * 64), sit), messages.Ack)


async def test_repeated_limit_refusals_do_not_flood_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with make_registry(tmp_path, seatings=1, running_per_person=1) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        for number in range(20):
            await ask(live, Listener(RETO), messages.Sit(number, table, 1, "Reto"))
            with pytest.raises(TableError):
                await made(registry)
        holder = await registry.identity_service.ensure_identity([], "10.0.0.1", secure=False)
        for _ in range(20):
            with suppress(ApiError):
                await registry.identity_service.create_link_code(holder, "10.0.0.1")
    assert 1 <= capsys.readouterr().out.count("limit_hit") <= 4  # each kind once a second


async def test_a_deleted_person_loses_the_seat_despite_the_seat_change_limit(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, seatings=1, seatings_per_minute=1) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        reto = Listener(RETO)
        assert isinstance(await ask(live, reto, messages.Sit(1, table, 1, "Reto")), messages.Ack)
        job = erasure.ErasureJob(registry)
        await registry.context.store.identity_store.begin_erasure(RETO)
        while await job.run_batch():
            pass
        assert live.room.seats[1].kind == "open"


async def test_giving_up_a_seat_is_retried_after_a_failure(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        await ask(live, Listener(RETO), messages.Sit(1, table, 1, "Reto"))
        store = registry.context.store
        job = erasure.ErasureJob(registry)
        await store.identity_store.begin_erasure(RETO)

        async def fails(*_: Any) -> None:
            raise StoreError("the disk is full")

        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(store, "append", fails)
            with pytest.raises(StoreError):
                await job.run_batch()
        while await job.run_batch():
            pass
        assert live.room.seats[1].kind == "open"


async def test_a_deleted_host_without_a_seat_leaves_a_table_others_can_start(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path) as registry:
        tables = [await made(registry, starters="host", seats=["open"] * 4) for _ in range(2)]
        reto = Listener(RETO)
        for table in tables:
            await ask(await registry.load_local(table), reto, messages.Sit(1, table, 1, "Reto"))
        (await registry.load_local(tables[1])).evict()
        job = erasure.ErasureJob(registry)
        await registry.context.store.identity_store.begin_erasure(ANNA)
        while await job.run_batch():
            pass
        for table in tables:
            live = await registry.load_local(table)
            assert live.room.host == 1
            assert isinstance(await ask(live, reto, messages.StartMatch(2, table)), messages.Ack)


async def test_deletion_continues_past_a_damaged_log_and_retries_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "_BATCH_SIZE", 1)
    people = [ANNA, RETO, "c" * 64]
    async with make_registry(tmp_path) as registry:
        table = await made(registry)
        sound = await registry.load_local(table)
        for seat, person in enumerate(people[1:], start=1):
            await ask(sound, Listener(person), messages.Sit(1, table, seat, "Reto"))
        store = registry.context.store
        created, *log = await store.load(table)
        assert isinstance(created, events.TableCreated)
        # In one log an event cannot be, the other cannot be read for now.
        for name, more in (("-folded", [events.Ready(9)]), ("-broken", [])):
            await store.append(name, 0, [replace(created, table=name), *log, *more])
        load = store.load

        async def fails(name: str) -> list[events.Event]:
            if name == "-broken":
                raise StoreError("the disk has trouble")
            return await load(name)

        job = erasure.ErasureJob(registry)
        for person in people[1:]:
            await store.identity_store.begin_erasure(person)
        with monkeypatch.context() as broken:
            broken.setattr(store, "load", fails)
            while await job.run_batch():
                pass
        assert [sound.room.seats[seat].kind for seat in (1, 2)] == ["open", "open"]
        assert capsys.readouterr().out.count("table_unavailable") == 4
        assert not await job.run_batch()  # and not at once again
        monkeypatch.setattr(erasure, "_SWEEP_INTERVAL_S", 0.0)
        await job._wait()
        while await job.run_batch():
            pass
        again = await registry.load_local("-broken")
        assert [again.room.seats[seat].kind for seat in (1, 2)] == ["open", "open"]
        assert sorted(await store.identity_store.pending_erasures(9)) == people[1:]
        for person in people[1:]:
            assert await store.identity_store.tables_of(person, 9) == ["-folded"]
        await registry.delete_table("-folded")
        await job._wait()
        while await job.run_batch():
            pass
        assert await store.identity_store.pending_erasures(9) == []


async def test_expired_tables_are_deleted_and_live_ones_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The registry also looks by itself: not by the real time, when nothing would be left.
    monkeypatch.setattr(event_store, "time", lambda: 0.0)
    async with make_registry(tmp_path) as registry:
        store, retention = registry.context.store, RetentionJob(registry)
        used, unused = await made(registry), await made(registry)
        (await registry.load_local(unused)).evict()
        for table, finished in (("round", "round"), ("match", "match")):
            log = await store.load(unused)
            await store.append(table, 0, log, finished)  # type: ignore[arg-type] # both are words
        left = []
        for days in (6, 8, 89, 91, 364, 366):
            while await retention.run_batch(days * _DAY_S):
                pass
            left.append([one for one in (used, unused, "round", "match") if await store.load(one)])
        assert left == [
            [used, unused, "round", "match"],
            [used, "round", "match"],
            [used, "round", "match"],
            [used, "match"],
            [used, "match"],
            [used],
        ]
        with pytest.raises(TableNotFoundError):
            await registry.load_local(unused)


async def test_progress_of_tables_from_older_servers_is_computed_before_deletion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store, "time", lambda: 0.0)
    async with make_registry(tmp_path) as registry:
        table = await made(registry)
        (await registry.load_local(table)).evict()
        store = registry.context.store
        await store.append("old", 0, await store.load(table))
        await store.append("torn", 0, (await store.load(table))[1:])
        retention = RetentionJob(registry)
        assert await retention.run_batch(8 * _DAY_S)
        assert await store.idle_tables(None, 9 * _DAY_S, 9) == []
        assert await store.load("old") == []
        assert await store.idle_tables("match", 9 * _DAY_S, 9) == [
            "torn"
        ]  # nobody knows: kept longest


async def test_watchers_of_a_deleted_table_are_told(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, tables=1) as registry:
        table = await made(registry)
        live, listener = await registry.load_local(table), Listener(ANNA)
        await ask(live, listener, messages.Watch(1, table))
        assert await registry.delete_table(table) is True
        told = listener.got[-1]
        assert isinstance(told, messages.ErrorMessage)
        assert (told.code, told.table, told.seq) == ("unknown_table", table, None)
        with pytest.raises(TableNotFoundError):
            await registry.load_local(table)
        assert await registry.delete_table(table) is False
        await made(registry)  # there is room for another one

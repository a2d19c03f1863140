"""The list of public tables: what it contains, order and size."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from jasstisch.client import Client
from jasstisch.server.api import bodies, messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.public_tables import (
    ATTENDED_WITHIN_S,
    CACHE_TTL_S,
    MAX_LISTED,
    MAX_PER_HOST,
    PublicTableIndex,
)
from jasstisch.server.tables.rate_limits import _PUBLISH_BURST
from tests.server.limits.test_quotas import (
    ANNA,
    RETO,
    WITH_COMPUTERS,
    ClockServices,
    ask,
    made,
    make_registry,
)
from tests.server.running_server import OTHER_TOKEN, TOKEN, rest_client
from tests.server.tables.test_broadcaster import Listener

THREE = ["me", "open", "bot:random"]
NOTHING = bodies.PublicTables([], [])


async def published(live: TableActor, host: Listener) -> None:
    """Publishes a table; its host stays connected."""
    await ask(live, host, messages.Watch(1, live.id))
    assert isinstance(await ask(live, host, messages.SetPublished(2, live.id, True)), messages.Ack)


async def test_tables_are_listed_while_they_are_public(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        listing, anna = PublicTableIndex(registry), Listener(ANNA)
        live = await registry.load_local(await made(registry))
        await made(registry)
        assert isinstance(registry.context, ClockServices)
        assert await listing.tables() == NOTHING
        await published(live, anna)
        registry.context.time += CACHE_TTL_S
        (entry,) = (await listing.tables()).waiting
        assert (entry.table, entry.game, entry.running) == (live.id, "molotov", False)
        assert entry.seats[0] == bodies.PublicSeat("person", "Anna", None, 0)
        assert [seat.kind for seat in entry.seats] == ["person", "open", "open", "open"]
        await ask(live, anna, messages.SetPublished(3, live.id, False))
        registry.context.time += CACHE_TTL_S
        assert await listing.tables() == NOTHING


async def test_bot_clients_are_marked_and_do_not_keep_a_table_listed(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path) as registry:
        listing, anna, reto = PublicTableIndex(registry), Listener(ANNA), Listener(RETO)
        live = await registry.load_local(await made(registry))
        await published(live, anna)
        await ask(live, reto, messages.Watch(1, live.id))
        await ask(live, reto, messages.Sit(2, live.id, 1, "low", program=True))
        (entry,) = (await listing.tables()).waiting
        assert entry.seats[1] == bodies.PublicSeat("person", "low", None, 0, program=True)
        live.unsubscribe(anna)
        assert isinstance(registry.context, ClockServices)
        registry.context.time += ATTENDED_WITHIN_S + CACHE_TTL_S
        assert await listing.tables() == NOTHING


async def test_unlisting_removes_people_who_came_from_the_list(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path) as registry:
        anna, reto, stranger = Listener(ANNA), Listener(RETO), Listener(None)
        live = await registry.load_local(await made(registry, seats=THREE))
        await published(live, anna)
        for one in (reto, stranger):
            await ask(live, one, messages.Watch(1, live.id))
        await ask(live, reto, messages.Sit(2, live.id, 1, "Reto"))
        # Renewed too early: everybody who is there sees that key.
        await ask(live, anna, messages.RevokeLink(3, live.id))
        told = live.room.key
        await ask(live, anna, messages.SetPublished(4, live.id, False))
        assert stranger.got[-1] == messages.ErrorMessage(
            "unknown_table", "there is no such table", table=live.id
        )
        assert live.room.key not in (None, told)
        assert not any(live.room.key.encode() in text for text in stranger.texts)
        assert live.room.key.encode() in b"".join(reto.texts)
        assert not await live.may_access(None, told)


async def test_the_list_is_cached_briefly(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        listing, anna = PublicTableIndex(registry), Listener(ANNA)
        await listing.tables()
        await published(await registry.load_local(await made(registry)), anna)
        assert isinstance(registry.context, ClockServices)
        registry.context.time += CACHE_TTL_S - 0.1
        assert (await listing.tables()).waiting == []
        registry.context.time += 0.1
        assert len((await listing.tables()).waiting) == 1


async def test_a_started_table_is_listed_for_watching_until_it_is_closed(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path) as registry:
        anna = Listener(ANNA)
        live = await registry.load_local(await made(registry, seats=WITH_COMPUTERS, start=True))
        await published(live, anna)
        tables = await PublicTableIndex(registry).tables()
        assert (tables.waiting, [one.running for one in tables.running]) == ([], [True])
        await ask(live, anna, messages.CloseTable(3, live.id))
        assert await PublicTableIndex(registry).tables() == NOTHING


@pytest.mark.parametrize("full", [True, False])
async def test_a_table_without_free_seats_is_not_listed_as_waiting(
    tmp_path: Path, *, full: bool
) -> None:
    async with make_registry(tmp_path) as registry:
        anna = Listener(ANNA)
        live = await registry.load_local(await made(registry, seats=THREE))
        await published(live, anna)
        assert len((await PublicTableIndex(registry).tables()).waiting) == 1
        if full:
            await ask(live, Listener(RETO), messages.Sit(3, live.id, 1, "Reto"))
        else:
            await ask(live, anna, messages.SetEntryPolicy(3, live.id, "nobody"))
        assert (await PublicTableIndex(registry).tables()).waiting == []


async def test_a_table_without_people_stays_listed_for_a_while(tmp_path: Path) -> None:
    async with make_registry(tmp_path, idle_seconds=1e9) as registry:
        anna, stranger = Listener(ANNA), Listener(None)
        live = await registry.load_local(await made(registry))
        await published(live, anna)
        await ask(live, stranger, messages.Watch(1, live.id))
        live.unsubscribe(anna)
        assert isinstance(registry.context, ClockServices)
        registry.context.time += ATTENDED_WITHIN_S - 1
        assert len((await PublicTableIndex(registry).tables()).waiting) == 1
        registry.context.time += 1
        assert (await PublicTableIndex(registry).tables()).waiting == []
        await ask(live, anna, messages.Watch(4, live.id))
        assert len((await PublicTableIndex(registry).tables()).waiting) == 1


async def test_an_evicted_table_is_unlisted_until_a_person_returns(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path) as registry:
        anna = Listener(ANNA)
        live = await registry.load_local(await made(registry))
        await published(live, anna)
        live.evict()
        assert (await PublicTableIndex(registry).tables()).waiting == []
        again = await registry.load_local(live.id)
        await ask(again, anna, messages.Watch(1, live.id))
        assert [one.table for one in (await PublicTableIndex(registry).tables()).waiting] == [
            live.id
        ]


async def test_loading_a_deserted_table_does_not_list_it(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        anna = Listener(ANNA)
        live = await registry.load_local(await made(registry))
        await published(live, anna)
        live.evict()
        again = await registry.load_local(live.id)
        await ask(again, Listener(RETO), messages.Watch(1, live.id))
        assert await PublicTableIndex(registry).tables() == NOTHING
        await ask(again, anna, messages.Watch(2, live.id))
        again.unsubscribe(anna)
        assert len((await PublicTableIndex(registry).tables()).waiting) == 1


async def test_the_newest_tables_come_first_up_to_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_registry(tmp_path, running_per_person=1000) as registry:
        clock = iter(range(10**6))
        monkeypatch.setattr(registry.context.store, "now", lambda: float(next(clock)))
        ids = []
        for number in range(MAX_LISTED + 3):
            host = f"{number:064}"
            live = await registry.load_local(await made(registry, host))
            await published(live, Listener(host))
            ids.append(live.id)
        found = (await PublicTableIndex(registry).tables()).waiting
        assert [one.table for one in found] == ids[::-1][:MAX_LISTED]


async def test_listed_tables_are_limited_by_person_and_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_registry(tmp_path) as registry:
        clock = iter(range(10**6))
        monkeypatch.setattr(registry.context.store, "now", lambda: float(next(clock)))
        ids = []
        runs: dict[str, Any] = {"seats": WITH_COMPUTERS, "start": True}
        for _ in range(MAX_PER_HOST + 2):
            for more in ({}, runs):
                live = await registry.load_local(await made(registry, **more))
                await published(live, Listener(ANNA))
                ids.append(live.id)
        reto = await registry.load_local(await made(registry, RETO))
        await published(reto, Listener(RETO))
        found = await PublicTableIndex(registry).tables()
        assert [one.table for one in found.waiting] == [reto.id, *ids[-2::-2][:MAX_PER_HOST]]
        assert [one.table for one in found.running] == ids[::-2][:MAX_PER_HOST]


async def test_publishing_again_keeps_the_date_and_is_rate_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_registry(tmp_path) as registry:
        clock = iter(range(10**6))
        monkeypatch.setattr(registry.context.store, "now", lambda: float(next(clock)))
        anna = Listener(ANNA)
        live = await registry.load_local(await made(registry))
        made_at = live.listed_since
        await published(live, anna)
        since = live.listed_since
        assert since > made_at
        for number in range(_PUBLISH_BURST - 1):
            answer = await ask(live, anna, messages.SetPublished(3, live.id, number % 2 == 1))
            assert isinstance(answer, messages.Ack)
        assert live.listed_since == since
        refused = await ask(live, anna, messages.SetPublished(4, live.id, published=True))
        assert isinstance(refused, messages.ErrorMessage)
        assert refused.code == "limit"
        assert isinstance(registry.context, ClockServices)
        registry.context.time += 30
        answer = await ask(live, anna, messages.SetPublished(5, live.id, published=True))
        assert isinstance(answer, messages.Ack)
        await ask(live, anna, messages.StartMatch(6, live.id))
        assert live.listed_since > since


async def test_people_who_left_are_not_named(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        anna, reto = Listener(ANNA), Listener(RETO)
        live = await registry.load_local(await made(registry, seats=THREE))
        await published(live, anna)
        await ask(live, reto, messages.Sit(1, live.id, 1, "Reto"))
        await ask(live, anna, messages.StartMatch(3, live.id))
        (entry,) = (await PublicTableIndex(registry).tables()).running
        assert [seat.name for seat in entry.seats] == ["Anna", "Reto", ""]
        await ask(live, reto, messages.Stand(2, live.id))
        (entry,) = (await PublicTableIndex(registry).tables()).running
        assert entry.seats[1] == bodies.PublicSeat("computer", "", "greedy", 0)


@pytest.mark.outside
async def test_people_join_from_the_list_without_the_key(url: str) -> None:
    async with Client(url, TOKEN) as anna, rest_client(url) as web:
        new = await anna.create_table("molotov", THREE, name="Anna")
        table = await anna.watch(new.table)
        await table.revoke_link()
        assert (await web.get(f"/api/tables/{new.table}")).status_code == 404
        await table.set_published(published=True)
        got = await web.get("/api/tables")
        found = msgspec.json.decode(got.content, type=bodies.PublicTables)
        assert [one.table for one in found.waiting] == [new.table]
        assert table.room is not None
        assert table.room.key is not None
        assert table.room.key not in got.text
        async with Client(url, OTHER_TOKEN) as reto:
            theirs = await reto.watch(new.table)
            await theirs.sit(1, "Reto")
            assert theirs.seat == 1

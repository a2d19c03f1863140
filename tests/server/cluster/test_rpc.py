"""Requests, identity changes and admin calls across nodes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed

from jasstisch.client import Client, ConnectionLostError, RequestError
from jasstisch.server.admin.messages import (
    CloseTable,
    ListTables,
    Ok,
    Rejected,
    RemoveNickname,
    TableList,
)
from jasstisch.server.admin.service import AdminService
from jasstisch.server.cluster.node import ClusterNode
from jasstisch.server.context import ServerContext
from jasstisch.server.http.app import App
from jasstisch.server.identity.tokens import hash_token
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_app
from jasstisch.server.workers import tasks
from jasstisch.storage import Ban
from jasstisch.storage.postgres.event_store import PostgresStore
from tests.server.analysis_stub import (
    StubAnalyser,
    analysis_path,
    expect_ok,
    finished_table,
    http_client,
    wait_for_analysis,
)
from tests.server.cluster.in_memory import LossyNetwork, MemoryBus
from tests.server.cluster.process_harness import wait_until
from tests.server.running_server import OTHER_TOKEN, TOKEN, register_tokens, running_app, websocket
from tests.server.tables.test_claim_rest import until_rest
from tests.server.tables.test_undo import play_until_undoable
from tests.server.websocket_requests import send_and_read
from tests.support import postgres_server as running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable
    from pathlib import Path

    from jasstisch.client import WatchedTable

pytestmark = pytest.mark.outside


@dataclass
class Node:
    """A server in this process.

    Attributes:
        url: its address.
        app: what serves there.
    """

    url: str
    app: App


@asynccontextmanager
async def node(url: str, network: LossyNetwork, client: Path) -> AsyncIterator[Node]:
    """A server on a Postgres store, joined to others by a simulated network."""
    store = PostgresStore(url)
    services = ServerContext(store, Limits(commitment_wait_s=0.0, messages_per_second=1000.0))
    cluster = ClusterNode(services, store, MemoryBus(network), "node", 1)
    app = create_app(services, client, directory=cluster)
    await cluster.start()
    await register_tokens(store)
    async with running_app(app) as address:
        yield Node(address, app)


@asynccontextmanager
async def two_nodes(client: Path) -> AsyncIterator[tuple[Node, Node]]:
    """Two servers on one store that know each other."""
    network, url = LossyNetwork(), await asyncio.to_thread(running.postgres_server().new_database)
    async with node(url, network, client) as one, node(url, network, client) as other:
        await wait_until(lambda: bool(one.app.registry.directory._membership.others))  # type: ignore[attr-defined]
        yield one, other


async def test_claiming_the_rest_works_across_nodes(tmp_path: Path) -> None:
    async with (
        two_nodes(tmp_path) as (one, other),
        Client(one.url, TOKEN) as anna,
        Client(other.url, TOKEN) as phone,
        asyncio.timeout(60),
    ):
        seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]
        made = await anna.create_table(
            "differenzler", seats, name="Anna", pause=0, options={"rounds": 16}, start=True
        )
        table = await phone.watch(made.table)
        await until_rest(table)
        finished = len(table.view["rounds"])
        await table.claim_rest()
        assert len(table.view["rounds"]) == finished + 1


async def test_undo_and_skipping_pauses_work_across_nodes(
    tmp_path: Path,
) -> None:
    async with (
        two_nodes(tmp_path) as (one, other),
        Client(one.url, TOKEN) as anna,
        Client(other.url, OTHER_TOKEN) as reto,
    ):
        seats = ["me", "open", "bot:greedy", "bot:greedy"]
        made = await anna.create_table("molotov", seats, name="Anna", pause=0)
        annas_table, retos_table = await anna.watch(made.table), await reto.watch(made.table)
        await retos_table.sit(1, "Reto")
        await annas_table.start()
        action = await play_until_undoable(retos_table, annas_table)
        await retos_table.undo()
        await annas_table.until(lambda table: table.room.undo is not None)
        await annas_table.answer_undo(accept=True)
        await retos_table.until(lambda table: table.room.undo is None)
        assert retos_table.turn is not None
        assert action in retos_table.turn.legal

        alone = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]
        mine = await anna.create_table("molotov", alone, name="Anna", pause=3000, start=True)
        async with Client(other.url, TOKEN) as phone, asyncio.timeout(30):
            table = await phone.watch(mine.table)
            # Whoever wins a trick leads the next, so the person may be on turn several times.
            while table.turn is not None:
                await until_next_version(table, table.act(table.turn.legal[0]))
            await until_next_version(table, table.skip_pause())


async def until_next_version(table: WatchedTable, request: Awaitable[None]) -> None:
    """Sends a request and waits until an event has followed it."""
    version = table.version
    await request
    await table.until(lambda table: table.version > version)


async def test_table_info_and_record_are_served_by_any_node(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as (one, other):
        async with Client(one.url, TOKEN) as anna, Client(other.url, OTHER_TOKEN) as reto:
            made = await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
            assert (await reto.get_room(made.table)).seats[0].name == "Anna"
            with pytest.raises(RequestError) as refused:
                await reto.record(made.table)
            assert refused.value.code == "wrong_phase"
            with pytest.raises(RequestError) as refused:
                await reto.get_room("d" * 22)
            assert refused.value.code == "unknown_table"
        assert one.app.registry.get_local(made.table)
        assert not other.app.registry.get_local(made.table)


async def test_a_forgotten_device_loses_its_connections_to_all_nodes(
    tmp_path: Path,
) -> None:
    async with two_nodes(tmp_path) as (one, other), websocket(other.url, TOKEN) as socket:
        async with Client(one.url, TOKEN) as anna:
            await anna._http("POST", "/api/identity/forget-me", b"")
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


async def test_a_forgotten_person_loses_their_seats_on_other_nodes(
    tmp_path: Path,
) -> None:
    async with two_nodes(tmp_path) as (one, other), Client(other.url, OTHER_TOKEN) as reto:
        async with Client(one.url, TOKEN) as anna:
            shared = (await anna.create_table("molotov", ["me", "open", "open"], name="Anna")).table
            table = await reto.watch(shared)
            await table.sit(1, "Reto")
        async with Client(other.url, TOKEN) as anna:
            await anna._http("POST", "/api/identity/forget-me", b"")
        await table.until(lambda table: table.room.seats[0].kind == "open")
        assert one.app.registry.get_local(shared)


async def test_tables_of_a_forgotten_person_are_deleted_on_other_nodes(
    tmp_path: Path,
) -> None:
    async with two_nodes(tmp_path) as (one, other):
        async with Client(one.url, TOKEN) as anna:
            alone = (await anna.create_table("molotov", ["me", "open", "open"], name="Anna")).table
            async with websocket(other.url, OTHER_TOKEN) as socket:
                await send_and_read(socket, type="watch", seq=1, table=alone)
                await anna._http("POST", "/api/identity/forget-me", b"")
                while b"unknown_table" not in (await socket.recv(decode=False)):
                    pass
        async with Client(other.url, OTHER_TOKEN) as reto:
            with pytest.raises(RequestError) as refused:
                await reto.get_room(alone)
            assert refused.value.code == "unknown_table"


async def test_a_renewed_link_invalidates_the_old_one_on_every_node(tmp_path: Path) -> None:
    async with (
        two_nodes(tmp_path) as (one, other),
        Client(one.url, TOKEN) as anna,
        Client(other.url, OTHER_TOKEN) as reto,
    ):
        made = await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
        table = await anna.watch(made.table)
        await table.revoke_link()
        with pytest.raises(RequestError) as refused:
            await reto.watch(made.table)
        assert refused.value.code == "unknown_table"
        await reto.watch(made.table, table.room.key)
        assert (await reto.get_room(made.table, table.room.key)).seats[0].name == "Anna"


async def test_no_node_loads_or_asks_for_a_table_that_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_nodes(tmp_path) as nodes, Client(nodes[0].url, TOKEN) as anna:
        seats = ["me", "open", "open"]
        tables = [(await anna.create_table("molotov", seats, name="A")).table for _ in range(2)]
        for table in tables:
            await (await anna.watch(table)).revoke_link()
        nodes[0].app.registry.get_local(tables[0]).evict()  # type: ignore[union-attr]
        async with Client(nodes[1].url, TOKEN) as phone:
            await phone.watch(tables[1])

        def fail(*_: object) -> None:
            raise AssertionError("it must not matter where the table is")

        for name in ("get_table", "acquire_lease", "request"):
            monkeypatch.setattr(ClusterNode, name, fail)
        for one in nodes:
            async with Client(one.url, OTHER_TOKEN) as reto:
                for table in (*tables, "x" * 22):
                    for ask in (reto.watch, reto.get_room):
                        with pytest.raises(RequestError) as refused:
                            await ask(table)
                        assert refused.value.code == "unknown_table"
        monkeypatch.undo()


async def test_bans_apply_to_all_nodes_at_once_and_can_be_lifted(
    tmp_path: Path,
) -> None:
    async with two_nodes(tmp_path) as (one, other):
        people = one.app.registry.identity_service
        async with websocket(other.url, TOKEN) as socket:
            await people.ban(Ban(hash_token(TOKEN), 0.0, None, "noise"))
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert "noise" in closed.value.rcvd.reason
        with pytest.raises((ConnectionClosed, RequestError, ConnectionLostError)):
            async with Client(other.url, TOKEN, patience=0.0) as anna:
                await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
        assert await people.unban(hash_token(TOKEN))
        await wait_until(lambda: not other.app.registry.identity_service._bans)
        async with Client(other.url, TOKEN) as anna:
            await anna.create_table("molotov", ["me", "open", "open"], name="Anna")


async def test_admin_commands_reach_a_table_from_any_node(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as (one, other), Client(one.url, TOKEN) as anna:
        made = await anna.create_table("molotov", ["me", "open", "open"], name="Rude")
        table = await anna.watch(made.table)
        host = AdminService(other.app.registry)
        (row,) = (await listed(host)).tables
        assert [seat.name for seat in row.seats] == ["Rude", "", ""]
        assert isinstance(await host.handle(RemoveNickname(made.table, 0)), Ok)
        await table.until(lambda table: table.room.seats[0].name != "Rude")
        refused = await host.handle(RemoveNickname(made.table, 2))
        assert isinstance(refused, Rejected)
        assert isinstance(await host.handle(CloseTable(made.table)), Ok)
        await table.until(lambda table: table.phase == "closed")
        assert one.app.registry.get_local(made.table)
        assert not other.app.registry.get_local(made.table)


async def listed(host: AdminService) -> TableList:
    """The tables in the admin list."""
    got = await host.handle(ListTables())
    assert isinstance(got, TableList)
    return got


async def test_analysis_runs_once_and_is_readable_on_every_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's owner computes it; every node returns the result."""
    judge = StubAnalyser()
    monkeypatch.setattr(tasks, "analyse_decision", judge.analyse)
    async with two_nodes(tmp_path) as (one, other):
        table = await finished_table(one.url)
        async with http_client(one.url) as here, http_client(other.url, OTHER_TOKEN) as there:
            judge.may_answer.clear()
            assert expect_ok(await there.post(analysis_path(table))).state == "running"
            assert expect_ok(await here.post(analysis_path(table))).state == "running"
            judge.may_answer.set()
            found = await wait_for_analysis(there, analysis_path(table))
            assert expect_ok(await here.get(analysis_path(table))).analysis == found
            assert len(judge.places) == len(found.decisions)
        assert one.app.registry.get_local(table)
        assert not other.app.registry.get_local(table)


async def test_a_replay_is_the_same_on_every_node(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as (one, other):
        table = await finished_table(one.url)
        at = f"/api/tables/{table}/matches/1/replay?seat=1"
        async with http_client(one.url) as here, http_client(other.url) as there:
            answers = await here.get(at), await there.get(at)
        assert answers[0].json() == answers[1].json()
        assert answers[1].json()["steps"]

"""Real servers on one Postgres and one NATS, killed, paused, cut off and replaced during play.

After each fault the log is one history without gaps, no acknowledged action is lost or repeated,
and every client's state equals the log.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise

import pytest

from jasstisch.client import Client
from jasstisch.storage.leases import LEASE_SECONDS
from tests.server.cluster.process_harness import (
    CuttableProxy,
    HarnessPlayer,
    LoadBalancer,
    NatsServer,
    NodeProcess,
    check_consistency,
    longest_wait,
    open_match,
    wait_for_progress,
)
from tests.support import postgres_server as running

pytestmark = pytest.mark.outside

PLACES = 4


class ProcessCluster:
    """Servers on one store, with people who each connect to another server first.

    Attributes:
        store: where the tables are.
        nats: by which the servers reach each other.
        nodes: the servers.
        players: four people at one table, who play.
    """

    def __init__(self, store: str, nats: NatsServer) -> None:
        self.store = store
        self.nats = nats
        self.nodes: list[NodeProcess] = []
        self.balancers: list[LoadBalancer] = []
        self.players: list[HarnessPlayer] = []
        self.playing: list[asyncio.Task[None]] = []
        self.logs: list[str] = []

    async def add(self, *, talk: int = 1, events: int = 1, at: int | None = None) -> NodeProcess:
        """Adds a server, or replaces one."""
        node = NodeProcess(self.store, self.nats.url, talk=talk, events=events)
        await asyncio.to_thread(node.wait_ready)
        if at is None:
            self.nodes.append(node)
        else:
            self.nodes[at] = node
        return node

    async def holder(self) -> NodeProcess:
        """The server that holds the lease of the table."""
        query = (
            "SELECT node.name FROM jasstisch.lease JOIN jasstisch.node ON node.id = lease.node "
            f"WHERE table_id = '{self.players[0].table.id}'"
        )
        name = await asyncio.to_thread(running.postgres_server().execute, query, url=self.store)
        return next(one for one in self.nodes if name.endswith(f":{one.port}"))

    def leave(self, node: NodeProcess) -> None:
        """Makes the load balancers take a server for unhealthy."""
        for balancer in self.balancers:
            balancer.drop_connections(node)

    async def finish(self) -> None:
        """Stops play and checks consistency."""
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        await check_consistency(self.players, self.store)


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    server = NatsServer()
    yield server
    server.stop()


@asynccontextmanager
async def house(nats: NatsServer, nodes: int) -> AsyncIterator[ProcessCluster]:
    """A cluster at which four people play."""
    async with AsyncExitStack() as stack:
        made = ProcessCluster(await asyncio.to_thread(running.postgres_server().new_database), nats)
        try:
            first = [NodeProcess(made.store, nats.url) for _ in range(nodes)]
            made.nodes = [await asyncio.to_thread(node.wait_ready) for node in first]
            for place in range(PLACES):
                balancer = LoadBalancer(made.nodes, place % nodes)
                made.balancers.append(await stack.enter_async_context(balancer))
            urls = [balancer.url for balancer in made.balancers]
            made.players = await stack.enter_async_context(open_match(urls, target=20))
            made.playing = [asyncio.create_task(player.play()) for player in made.players]
            await wait_for_progress(made.players, 6)
            yield made
            await made.finish()
        finally:
            for node in made.nodes:
                said = await asyncio.to_thread(node.kill)
                print(said)
                made.logs.append(said)
    for said in made.logs:
        assert "secret-word" not in said
        assert "play " not in said


async def test_play_continues_after_the_owner_is_killed(nats: NatsServer) -> None:
    async with house(nats, 3) as made:
        victim = await made.holder()
        await asyncio.to_thread(victim.kill)
        assert await wait_for_progress(made.players) < 5.0
        await wait_for_progress(made.players, 20)


async def test_play_continues_while_the_owner_is_paused(nats: NatsServer) -> None:
    async with house(nats, 2) as made:
        victim = await made.holder()
        victim.signal(signal.SIGSTOP)
        made.leave(victim)
        assert await wait_for_progress(made.players) < 5.0
        await wait_for_progress(made.players, 10)
        victim.signal(signal.SIGCONT)
        await wait_for_progress(made.players, 20)


async def test_a_partitioned_owner_serves_no_stale_state(
    nats: NatsServer,
) -> None:
    postgres = running.postgres_server()
    async with (
        CuttableProxy(postgres.socket) as to_store,
        CuttableProxy(nats.port) as to_bus,
        house(nats, 1) as made,
    ):
        (other,) = made.nodes
        database = made.store.partition("?")[0].rpartition("/")[2]
        store = f"postgresql://postgres@127.0.0.1:{to_store.port}/{database}"
        cut_off = NodeProcess(store, nats.url.replace(f":{nats.port}", f":{to_bus.port}"))
        made.nodes.append(await asyncio.to_thread(cut_off.wait_ready))
        # The one that had the table ends, so that the other takes it.
        made.nodes.remove(other)
        await asyncio.to_thread(other.stop)
        await wait_for_progress(made.players)
        assert await made.holder() is cut_off
        await made.add()
        async with Client(f"http://127.0.0.1:{cut_off.port}", patience=60.0) as client:
            watcher = HarnessPlayer(client, await client.watch(made.players[0].table.id))
            to_store.cut()
            to_bus.cut()
            cut_off.stopped = True  # so the balancer finds
            made.leave(cut_off)
            assert await wait_for_progress(made.players) < 6.0
            seen = watcher.table.version
            await wait_for_progress(made.players, 10)
            assert watcher.table.version == seen
            to_store.heal()
            to_bus.heal()
            await wait_for_progress(made.players, 10)
            made.players.append(watcher)
            await made.finish()
            made.players.remove(watcher)
        cut_off.stopped = False


async def test_play_survives_ten_seconds_without_nats(nats: NatsServer) -> None:
    async with house(nats, 2) as made:
        await asyncio.to_thread(nats.stop)
        await asyncio.sleep(10.0)
        await asyncio.to_thread(nats.start)
        await wait_for_progress(made.players, 20)
        for one in made.players:
            # Whoever was told that nobody knows, and asks again, learns that it had been done.
            after = {code for before, code in pairwise(one.refused) if before == "busy"}
            assert set(one.refused) <= {"busy"} | (after & {"illegal_action"})


async def test_play_survives_a_postgres_restart(nats: NatsServer) -> None:
    async with house(nats, 2) as made:
        await asyncio.to_thread(running.postgres_server().stop, "immediate")
        await asyncio.sleep(1.0)
        await asyncio.to_thread(running.postgres_server().start)
        await wait_for_progress(made.players, 20)
        assert "internal" not in {code for one in made.players for code in one.refused}


async def test_a_rolling_upgrade_does_not_stall_play(nats: NatsServer) -> None:
    async with house(nats, 2) as made:
        loop = asyncio.get_running_loop()
        since = loop.time()
        for at, old in enumerate(list(made.nodes)):
            await made.add(talk=2, events=2)
            made.nodes.insert(at, made.nodes.pop())
            made.nodes.remove(old)
            await asyncio.to_thread(old.stop)
            await wait_for_progress(made.players, 6)
        # A node that leaves releases its leases: nobody waits until they end.
        assert longest_wait(made.players, since) < LEASE_SECONDS
        assert [code for one in made.players for code in one.refused] == []

"""Model-based test of leases: with any expiries, a log holds exactly the acknowledged events."""

import asyncio
from dataclasses import dataclass
from itertools import count
from typing import Literal

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.storage import ConflictError
from jasstisch.storage.leases import FencedError
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table.events import SeatLeft
from tests.storage.store_kinds import node
from tests.support import postgres_server as running
from tests.support.example_counts import examples

pytestmark = pytest.mark.outside

SERVERS = 3


@dataclass(frozen=True)
class Step:
    server: int
    what: Literal["take", "give back", "write", "write late", "fall silent", "renew", "come anew"]
    table: int


steps = st.builds(
    Step,
    st.integers(0, SERVERS - 1),
    st.sampled_from(
        [
            *("take", "take", "write", "write", "write late"),
            *("give back", "fall silent", "renew", "come anew"),
        ]
    ),
    st.integers(0, 1),
)


class Servers:
    """Several nodes on one database, with what each believes.

    Args:
        stores: theirs.
        behind: a connection that nobody knows of.
        number: keeps the tables of this run apart from those of others.
    """

    def __init__(
        self, stores: list[PostgresStore], behind: asyncpg.Connection, number: int
    ) -> None:
        self.stores = stores
        self.behind = behind
        self.number = number
        self.logs: dict[int, list[int]] = {0: [], 1: []}
        self.epochs = {0: 0, 1: 0}
        self.silent: set[int] = set()
        self.written = count()

    def name(self, table: int) -> str:
        return f"{self.number}-{table}"

    async def begin(self) -> None:
        for store in self.stores:
            await store.leave_cluster()
            await store.join_cluster(node(joined=True))
        await self.behind.execute("UPDATE node SET since = since - interval '1 hour'")

    async def do(self, step: Step) -> None:
        store = self.stores[step.server]
        try:
            match step.what:
                case "take":
                    await self.take(step)
                case "give back":
                    await store.release_leases([self.name(step.table)])
                    if not self.logs[step.table]:
                        self.epochs[step.table] = 0  # no lease of a table without events is kept
                case "write" | "write late":
                    await self.write(step)
                case "fall silent":
                    gone = "UPDATE node SET expires = now() - interval '1 minute' WHERE id = $1"
                    await self.behind.execute(gone, store._leases.require_node().id)
                    self.silent.add(step.server)
                case "renew":
                    await store.renew_node()
                    self.silent.discard(step.server)
                case "come anew":
                    await store.join_cluster(node(joined=True))
                    self.silent.discard(step.server)
            await self.behind.execute("UPDATE node SET since = now() - interval '1 hour'")
        except FencedError:
            pass

    async def take(self, step: Step) -> None:
        lease = await self.stores[step.server].acquire_lease(self.name(step.table))
        assert lease.epoch >= self.epochs[step.table]
        self.epochs[step.table] = lease.epoch

    async def write(self, step: Step) -> None:
        """Writes with the current version, or an outdated one."""
        log = self.logs[step.table]
        after = len(log) if step.what == "write" else max(0, len(log) - 1)
        number = next(self.written)
        try:
            await self.stores[step.server].append(self.name(step.table), after, [SeatLeft(number)])
        except ConflictError:
            return
        assert after == len(log)
        assert step.server not in self.silent
        log.append(number)

    async def compare(self) -> None:
        for table, log in self.logs.items():
            kept = await self.stores[0].load(self.name(table))
            assert kept == [SeatLeft(number) for number in log]
            # All of them know the same one, who can write.
            names = {(await store.acquire_lease(self.name(table))).node for store in self.stores}
            (holder,) = [one for one in self.stores if one._leases.require_node().id in names]
            await holder.append(self.name(table), len(log), [SeatLeft(0)])


def test_a_log_holds_exactly_the_acknowledged_events_after_any_takeovers() -> None:
    url = running.postgres_server().new_database()
    numbers = count()
    with asyncio.Runner() as runner:
        stores = [PostgresStore(url) for _ in range(SERVERS)]
        assert runner.run(stores[0].count_tables()) == 0
        words = {"search_path": "jasstisch"}

        async def connect() -> asyncpg.Connection:
            return await asyncpg.connect(url, server_settings=words)

        behind = runner.run(connect())

        @settings(max_examples=examples(35, 10), suppress_health_check=[HealthCheck.too_slow])
        @given(st.lists(steps, max_size=20))
        def run(happens: list[Step]) -> None:
            runner.run(go(happens))

        async def go(happens: list[Step]) -> None:
            servers = Servers(stores, behind, next(numbers))
            await servers.begin()
            for step in happens:
                await servers.do(step)
            await servers.begin()
            servers.silent.clear()
            await servers.compare()

        async def end() -> None:
            await behind.close()
            for store in stores:
                await store.close()

        run()
        runner.run(end())

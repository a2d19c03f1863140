"""In-memory stand-ins for store and bus, for several nodes in one process and in virtual time."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from jasstisch.storage import ConflictError, OutcomeUnknownError, StoreError
from jasstisch.storage.leases import (
    LEASE_SECONDS,
    FencedError,
    Lease,
    NewerEventsError,
    Node,
    StoreInUseError,
)
from jasstisch.table import Table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jasstisch.server.cluster.bus import MessageHandler
    from jasstisch.storage import IdentityStore, StoredTable
    from jasstisch.storage.event_store import CommitObserver
    from jasstisch.table import AccessRules
    from jasstisch.table.events import Event
    from jasstisch.table.state import Progress

SECRET = bytes(range(32))


class FakeDatabase:
    """The state all nodes share: logs, nodes and leases, on the clock of the event loop.

    Attributes:
        newest: the highest version of events in a table's log, where it is not 1.
        appended: how often something was added.
    """

    def __init__(self) -> None:
        self.logs: dict[str, list[Event]] = {}
        self.nodes: dict[str, tuple[Node, float]] = {}
        self.leases: dict[str, Lease] = {}
        self.newest: dict[str, int] = {}
        self.appended = 0

    def is_alive(self, node: str) -> bool:
        found = self.nodes.get(node)
        return found is not None and found[1] > loop_time()


class MemoryStore:
    """An `EventStore` with `Leases`, as seen by one node.

    Attributes:
        is_down: whether every call fails.
        loses_next_answer: whether the next append is kept, and its answer lost.
    """

    identity_store: IdentityStore

    def __init__(self, database: FakeDatabase, latency: float = 0.002) -> None:
        self.database = database
        self.is_down = False
        self.loses_next_answer = False
        self._latency = latency
        self._node: Node | None = None

    async def _simulate_latency(self) -> None:
        await asyncio.sleep(self._latency)
        if self.is_down:
            await asyncio.sleep(0.3)
            raise StoreError("the store is away")

    # What every event store does.

    def observe_commits(self, watcher: CommitObserver) -> None:
        """Notifies nobody: this store has no other writer."""

    def now(self) -> float:
        return loop_time()

    async def append(
        self,
        table: str,
        after: int,
        events: Sequence[Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> None:
        await self._simulate_latency()
        self._check_lease(table)
        log = self.database.logs.setdefault(table, [])
        if len(log) != after:
            raise ConflictError("somebody else has written")
        log.extend(events)
        self.database.appended += 1
        await asyncio.sleep(self._latency)
        if self.is_down or self.loses_next_answer:
            self.loses_next_answer = False
            raise OutcomeUnknownError("nobody knows")

    def _check_lease(self, table: str) -> None:
        lease = self.database.leases.get(table)
        own = self._require_node()
        if lease is None or lease.node != own.id or not self.database.is_alive(own.id):
            raise FencedError("this node has not leased it")

    async def load(self, table: str) -> list[Event]:
        await self._simulate_latency()
        if self.database.newest.get(table, 1) > self._require_node().event_version:
            raise NewerEventsError("not to be read here")
        return list(self.database.logs.get(table, ()))

    async def access_rules(self, table: str) -> AccessRules | None:
        await self._simulate_latency()
        log = self.database.logs.get(table)
        return Table.from_events(log).state.access_rules if log else None

    async def tables_without_access_rules(self, limit: int) -> list[str]:
        await self._simulate_latency()
        return []

    async def list_tables(self, after: str, most: int) -> list[StoredTable]:
        raise AssertionError("nodes never ask for all tables in these tests")

    async def count_tables(self) -> int:
        await self._simulate_latency()
        return len(self.database.logs)

    async def idle_tables(self, finished: Progress | None, since: float, most: int) -> list[str]:
        await self._simulate_latency()
        return list(self.database.logs)[:most]

    async def set_progress(self, table: str, finished: Progress) -> None:
        await self._simulate_latency()

    async def delete(self, table: str) -> bool:
        await self._simulate_latency()
        if table not in self.database.logs:
            return False
        self._check_lease(table)
        self.database.leases.pop(table, None)
        del self.database.logs[table]
        return True

    async def close(self) -> None:
        """Has nothing to close."""

    # Its leases.

    def _require_node(self) -> Node:
        assert self._node is not None
        return self._node

    async def join_cluster(self, node: Node) -> bytes:
        await self._simulate_latency()
        others = [one for one, until in self.database.nodes.values() if until > loop_time()]
        if any(not (one.has_bus and node.has_bus) for one in others):
            raise StoreInUseError("another is there")
        self.database.nodes[node.id] = node, loop_time() + LEASE_SECONDS
        self._node = node
        return SECRET

    async def renew_node(self) -> Sequence[Node]:
        await self._simulate_latency()
        own = self._require_node()
        if own.id not in self.database.nodes:
            raise FencedError("taken for gone")
        self.database.nodes[own.id] = own, loop_time() + LEASE_SECONDS
        return [one for one, until in self.database.nodes.values() if until > loop_time()]

    async def acquire_lease(self, table: str) -> Lease:
        await self._simulate_latency()
        own = self._require_node()
        if not self.database.is_alive(own.id):
            raise FencedError("taken for gone")
        held = self.database.leases.get(table)
        if held is not None and (held.node == own.id or self.database.is_alive(held.node)):
            return held
        if self.database.newest.get(table, 1) > own.event_version:
            raise NewerEventsError("not to be read here")
        if held is not None:
            self.database.nodes.pop(held.node, None)
        lease = Lease(table, own.id, 1 + (held.epoch if held else 0))
        self.database.leases[table] = lease
        return lease

    async def release_leases(self, tables: Collection[str]) -> None:
        await self._simulate_latency()
        for table in tables:
            lease = self.database.leases.get(table)
            if lease is not None and lease.node == self._require_node().id:
                del self.database.leases[table]

    async def leave_cluster(self) -> None:
        await self._simulate_latency()
        own = self._require_node().id
        held = [table for table, lease in self.database.leases.items() if lease.node == own]
        await self.release_leases(held)
        self.database.nodes.pop(own, None)


class LossyNetwork:
    """A message network that drops, duplicates, delays and reorders a share of the messages.

    Attributes:
        fault_rate: the share of messages to which that happens.
        message_count: how many messages it was given.
        messages: their subjects and contents.
    """

    def __init__(self, seed: int = 0) -> None:
        self.fault_rate = 0.0
        self.message_count = 0
        self.messages: list[tuple[str, bytes]] = []
        self._last = 0.0
        self._chance = random.Random(seed)
        self._listeners: dict[str, tuple[MemoryBus, MessageHandler]] = {}

    def subscribe(self, bus: MemoryBus, subject: str, heard: MessageHandler) -> None:
        self._listeners[subject] = bus, heard

    def carry(self, subject: str, data: bytes) -> None:
        self.message_count += 1
        self.messages.append((subject, data))
        chance = self._chance
        if chance.random() >= self.fault_rate:
            self._deliver_in_order(subject, data)
            return
        kind = chance.choice(("lose", "lose", "repeat", "delay"))
        if kind == "repeat":
            self.deliver_later(0.001, subject, data)
        if kind != "lose":
            self.deliver_later(chance.uniform(0.001, 1.5), subject, data)

    def _deliver_in_order(self, subject: str, data: bytes) -> None:
        """Delivers the undisturbed messages in the order in which they were sent."""
        self._last = max(self._last + 1e-6, loop_time() + 0.001)
        asyncio.get_running_loop().call_at(self._last, self._deliver, subject, data)

    def deliver_later(self, seconds: float, subject: str, data: bytes) -> None:
        asyncio.get_running_loop().call_later(seconds, self._deliver, subject, data)

    def _deliver(self, subject: str, data: bytes) -> None:
        bus, heard = self._listeners.get(subject, (None, None))
        if bus is not None and heard is not None and bus.connected:
            heard(subject, data)


class MemoryBus:
    """A `Bus` on a `LossyNetwork`.

    Attributes:
        connected: whether it is there.
    """

    def __init__(self, network: LossyNetwork) -> None:
        self.connected = True
        self._network = network

    async def open(self) -> None:
        """Connects."""

    async def subscribe(self, subject: str, heard: MessageHandler) -> None:
        self._network.subscribe(self, subject, heard)

    async def publish(self, subject: str, data: bytes) -> None:
        if self.connected:
            self._network.carry(subject, data)

    async def close(self) -> None:
        self.connected = False


def loop_time() -> float:
    """The time of the event loop in seconds."""
    return asyncio.get_running_loop().time()

"""Single-node mode on a store that several servers could share."""

import asyncio
from collections.abc import Sequence

import pytest

from jasstisch.server.cluster import single_node as module
from jasstisch.server.cluster.single_node import SingleNode
from jasstisch.storage import StoreError
from jasstisch.storage.leases import FencedError, Lease, Node, StoreInUseError


class ScriptedLeases:
    """Leases with scripted responses that record every `join_cluster`."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.renewals: list[StoreError | None] = []
        self.entries: list[StoreError | None] = []
        self.answered = asyncio.Event()
        self.doubts = 0

    def doubt(self) -> None:
        self.doubts += 1

    async def join_cluster(self, node: Node) -> bytes:
        self.nodes.append(node)
        error = self.entries.pop(0) if self.entries else None
        if error is not None:
            raise error
        return bytes(32)

    async def renew_node(self) -> Sequence[Node]:
        if not self.renewals:
            self.answered.set()
            return self.nodes
        error = self.renewals.pop(0)
        if error is not None:
            raise error
        return self.nodes

    async def acquire_lease(self, table: str) -> Lease:
        raise AssertionError("a server that is alone leases no table")

    async def release_leases(self, tables: object) -> None:
        raise AssertionError("a server that is alone gives no table back")

    async def leave_cluster(self) -> None:
        raise AssertionError("nobody leaves in these tests")


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RENEW_SECONDS", 0.0)


async def test_the_node_continues_after_a_store_outage() -> None:
    entry = ScriptedLeases()
    entry.renewals = [None, StoreError("away"), StoreError("away"), None]
    alone = SingleNode(entry, "tisch", entry.doubt)
    await alone.start()
    await entry.answered.wait()
    alone.stop()
    assert [(node.name, node.has_bus) for node in entry.nodes] == [("tisch", False)]
    assert entry.doubts == 0


async def test_an_expired_node_rejoins_with_a_new_id() -> None:
    entry = ScriptedLeases()
    entry.renewals = [FencedError("gone"), FencedError("gone")]
    alone = SingleNode(entry, "tisch", entry.doubt)
    await alone.start()
    entry.entries = [StoreInUseError("another is there")]
    await entry.answered.wait()
    alone.stop()
    assert len({node.id for node in entry.nodes}) == 3
    # Only then may another have been there.
    assert entry.doubts == 1


async def test_the_node_does_not_start_beside_another() -> None:
    entry = ScriptedLeases()
    entry.entries = [StoreInUseError("another is there")]
    with pytest.raises(StoreInUseError):
        await SingleNode(entry, "tisch", entry.doubt).start()

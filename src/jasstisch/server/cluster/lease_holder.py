"""The leases of a node: asked for before a table is read, given back when it has left memory."""

import asyncio

from jasstisch.server.cluster.membership import Membership
from jasstisch.server.observability import AlertLog
from jasstisch.storage import StoreError
from jasstisch.storage.leases import Leases

__all__ = ["LeaseHolder", "OwnedElsewhereError"]

LEASE_WAIT_S = 2.0
"""So long it is waited until this node's own word holds, in seconds."""

RELEASE_BATCH_INTERVAL_S = 0.2
"""Seconds in which leases that are to be given back are gathered."""


class OwnedElsewhereError(StoreError):
    """Another node has the table.

    Attributes:
        node: its id.
    """

    def __init__(self, node: str) -> None:
        super().__init__("another node has this table")
        self.node = node


class LeaseHolder:
    """What this node has leased.

    Args:
        leases: where leases are kept.
        membership: whether this node is one.
        incidents: where trouble is noted.
    """

    def __init__(self, leases: Leases, membership: Membership, incidents: AlertLog) -> None:
        self._leases = leases
        self._membership = membership
        self._incidents = incidents
        self._pending_release: set[str] = set()
        self._release_task: asyncio.Task[None] | None = None
        self._releasing: frozenset[str] = frozenset()
        self._release_done = asyncio.Event()
        self._release_done.set()

    async def acquire(self, table: str) -> str:
        """Leases a table, or a job, to this node.

        Returns:
            The id of this node, under which it has it now.

        Raises:
            OwnedElsewhereError: another has it.
            StoreError: the store cannot tell, or this node is none now.
        """
        self._pending_release.discard(table)
        while table in self._releasing:
            await self._release_done.wait()
        if not await self._membership.lease_deadline.wait_valid(LEASE_WAIT_S):
            raise StoreError("this node cannot tell now which tables it has")
        lease = await self._leases.acquire(table)
        if lease.node != self._membership.node_id:
            raise OwnedElsewhereError(lease.node)
        return lease.node

    def release(self, table: str) -> None:
        """Gives a lease back soon, unless it is claimed before."""
        self._pending_release.add(table)
        if self._release_task is None or self._release_task.done():
            self._release_task = asyncio.create_task(self._release_batches())

    async def _release_batches(self) -> None:
        while self._pending_release:
            await asyncio.sleep(RELEASE_BATCH_INTERVAL_S)
            self._releasing, self._pending_release = frozenset(self._pending_release), set()
            self._release_done.clear()
            try:
                await self._leases.release(self._releasing)
            except StoreError:
                # They stay with this node until somebody asks it for them.
                self._incidents.report("lease_kept", "store")
            finally:
                self._releasing = frozenset()
                self._release_done.set()

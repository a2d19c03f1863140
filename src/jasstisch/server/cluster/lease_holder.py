"""The leases of a node: acquired before a table is loaded, released after it leaves memory."""

import asyncio

from jasstisch.server.cluster.membership import Membership
from jasstisch.server.observability import AlertLog
from jasstisch.storage import StoreError
from jasstisch.storage.leases import Leases

_LEASE_WAIT_S = 2.0
"""How long to wait until this node's own lease is valid, in seconds."""

_RELEASE_BATCH_INTERVAL_S = 0.2
"""Seconds during which leases to be released are collected into a batch."""


class OwnedElsewhereError(StoreError):
    """Another node holds the table.

    Attributes:
        node: the id of that node.
    """

    def __init__(self, node: str) -> None:
        super().__init__("another node has this table")
        self.node = node


class LeaseHolder:
    """Acquires and releases the leases of this node.

    Args:
        leases: the store of the leases.
        membership: this node's membership in the cluster.
        alerts: reports failures.
    """

    def __init__(self, leases: Leases, membership: Membership, alerts: AlertLog) -> None:
        self._leases = leases
        self._membership = membership
        self._alerts = alerts
        self._pending_release: set[str] = set()
        self._release_task: asyncio.Task[None] | None = None
        self._releasing: frozenset[str] = frozenset()
        self._release_done = asyncio.Event()
        self._release_done.set()

    async def acquire(self, table: str) -> str:
        """Leases a table or a job to this node.

        Returns:
            The id of this node under which it holds the lease.

        Raises:
            OwnedElsewhereError: another node holds the lease.
            StoreError: the store is unavailable, or this node is not a member now.
        """
        self._pending_release.discard(table)
        while table in self._releasing:
            await self._release_done.wait()
        if not await self._membership.lease_deadline.wait_valid(_LEASE_WAIT_S):
            raise StoreError("this node cannot tell now which tables it has")
        lease = await self._leases.acquire_lease(table)
        if lease.node != self._membership.node_id:
            raise OwnedElsewhereError(lease.node)
        return lease.node

    def release(self, table: str) -> None:
        """Releases a lease soon, unless it is acquired again first."""
        self._pending_release.add(table)
        if self._release_task is None or self._release_task.done():
            self._release_task = asyncio.create_task(self._release_batches())

    async def _release_batches(self) -> None:
        while self._pending_release:
            await asyncio.sleep(_RELEASE_BATCH_INTERVAL_S)
            self._releasing, self._pending_release = frozenset(self._pending_release), set()
            self._release_done.clear()
            try:
                await self._leases.release_leases(self._releasing)
            except StoreError:
                # The leases stay with this node until another node asks for them.
                self._alerts.report("lease_kept", "store")
            finally:
                self._releasing = frozenset()
                self._release_done.set()

"""The membership of a node in the cluster: its renewal, the other nodes, and lease validity.

While its lease deadline has passed, the node serves none of its tables, because other nodes may
hold them. A node that the others have declared dead joins again under a new id, without tables.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jasstisch.server.cluster.lease_validity import (
    RENEW_TIMEOUT_S,
    LeaseDeadline,
    seconds_since_boot,
)
from jasstisch.server.observability import AlertLog, describe_exception, log
from jasstisch.storage import StoreError
from jasstisch.storage.leases import RENEW_SECONDS, FencedError, Leases, Node

_RETRY_INTERVAL_S = 0.25
"""Seconds until a retry after a failure of the store, or when a node may be dead."""


@dataclass(frozen=True, slots=True)
class MembershipCallbacks:
    """The callbacks for changes of the membership.

    Attributes:
        on_joined: this node has joined, or joined again, and got the secret of the store.
        on_fenced: this node was declared dead; it joins again when the callback returns.
        on_node_joined: another node has joined.
        on_node_left: another node has left, or was declared dead.
    """

    on_joined: Callable[[bytes], Awaitable[None]]
    on_fenced: Callable[[], Awaitable[None]]
    on_node_joined: Callable[[Node], None]
    on_node_left: Callable[[str], None]


class Membership:
    """The membership of this node.

    Args:
        leases: the store of the members.
        new_node: creates the description of this node for a new id.
        callbacks: the callbacks for changes.
        alerts: reports failures.
        now: returns seconds on a monotonic clock that includes suspended time.

    Attributes:
        others: the other nodes, by id.
        node_id: the id of this node; empty while it is not a member.
        lease_deadline: the deadline until which other nodes cannot take over its tables.
    """

    def __init__(
        self,
        leases: Leases,
        new_node: Callable[[str], Node],
        callbacks: MembershipCallbacks,
        alerts: AlertLog,
        now: Callable[[], float] = seconds_since_boot,
    ) -> None:
        self.others: dict[str, Node] = {}
        self.node_id = ""
        self._leases = leases
        self._new_node = new_node
        self._callbacks = callbacks
        self._alerts = alerts
        self._now = now
        self.lease_deadline = LeaseDeadline(now, has_other_servers=True)
        self._refresh_requested = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def join(self) -> None:
        """Joins the cluster and starts the renewals.

        Raises:
            StoreInUseError: another server uses the store, and no bus connects the two.
            StoreError: the store failed.
        """
        await self._join()
        self._task = asyncio.create_task(self._run())

    async def leave(self) -> None:
        """Leaves the cluster and releases all leases.

        Raises:
            StoreError: the store failed; the others wait until they declare the node dead.
        """
        if self._task is not None:
            self._task.cancel()
        self.lease_deadline.expire()
        await self._leases.leave_cluster()

    def refresh_members(self) -> None:
        """Reads the list of members at once, because a node may be dead."""
        self._refresh_requested.set()

    async def _run(self) -> None:
        wait = RENEW_SECONDS
        while True:
            await self._wait(wait)
            wait = await self._renew_or_rejoin()

    async def _renew_or_rejoin(self) -> float:
        """Renews the membership or joins again; returns the seconds until the next renewal."""
        before = self.node_id
        try:
            if not before:
                await self._join()
                return RENEW_SECONDS
            try:
                await self._renew()
            except FencedError:
                self._alerts.report("node_fenced", "renewal")
                await self._drop_membership()
                return 0.0
        except (StoreError, TimeoutError) as error:
            what = "node_not_renewed" if before else "node_not_joined"
            self._alerts.report(what, type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the renewal must continue
            log.error("membership_failed", **describe_exception(error))
        else:
            return RENEW_SECONDS
        return _RETRY_INTERVAL_S

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._refresh_requested.wait()
            await asyncio.sleep(_RETRY_INTERVAL_S / 2)  # the minimum interval
        except TimeoutError:
            pass
        self._refresh_requested.clear()

    async def _join(self) -> None:
        node = self._new_node(secrets.token_hex(16))
        asked = self._now()
        secret = await self._leases.join_cluster(node)
        self.node_id = node.id
        self.lease_deadline.extend(asked)
        try:
            await self._callbacks.on_joined(secret)
        except Exception:
            # No node could reach this one: it is no longer a member and joins again.
            await self._drop_membership()
            raise
        self.lease_deadline.wake_waiters()
        await self._renew()
        log.info("node_joined", node=node.id[:6], others=len(self.others))

    async def _renew(self) -> None:
        asked = self._now()
        async with asyncio.timeout(RENEW_TIMEOUT_S):
            nodes = await self._leases.renew_node()
        self.lease_deadline.extend(asked)
        self.lease_deadline.wake_waiters()
        there = {one.id: one for one in nodes if one.id != self.node_id}
        before, self.others = self.others, there
        for one in before.keys() - there.keys():
            log.info("node_gone", node=one[:6])
            self._callbacks.on_node_left(one)
        for one in there.keys() - before.keys():
            log.info("node_came", node=one[:6], name=there[one].name)
            self._callbacks.on_node_joined(there[one])

    async def _drop_membership(self) -> None:
        """Ends the membership on this side, whatever happens to its leases in the store."""
        self.lease_deadline.expire()
        others, self.others, self.node_id = self.others, {}, ""
        for one in others:
            self._callbacks.on_node_left(one)
        await self._callbacks.on_fenced()

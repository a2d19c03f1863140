"""A node among others: that it is there, who else is, and until when its own word holds.

While its word does not hold it serves none of its tables, for others may have them. One that others
have taken for gone joins again under a new id, without any table.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jasstisch.server.cluster.lease_validity import RENEW_TIMEOUT_S, LeaseDeadline, boottime
from jasstisch.server.observability import AlertLog, describe_exception, log
from jasstisch.storage import StoreError
from jasstisch.storage.leases import RENEW_SECONDS, FencedError, Leases, Node

__all__ = ["Membership", "MembershipCallbacks"]

RETRY_INTERVAL_S = 0.25
"""Seconds until it is tried again, where the store failed, or somebody may be gone."""


@dataclass(frozen=True, slots=True)
class MembershipCallbacks:
    """Who is told of what changes.

    Attributes:
        joined: this node has (again) joined, with this secret of the store.
        fenced: this node has been taken for gone; it joins again once this returns.
        came: another is there.
        gone: another is there no longer.
    """

    on_joined: Callable[[bytes], Awaitable[None]]
    on_fenced: Callable[[], Awaitable[None]]
    on_node_joined: Callable[[Node], None]
    on_node_left: Callable[[str], None]


class Membership:
    """This node among the others.

    Args:
        leases: where it is kept who is there.
        node: gives this node, under a new id each time.
        heed: who is told of what changes.
        incidents: where trouble is noted.
        now: seconds on a clock that never goes back nor stands still.

    Attributes:
        others: the other nodes, by id.
        me: the id of this node; empty while it is none.
        word: until when others cannot have its tables.
    """

    def __init__(
        self,
        leases: Leases,
        node: Callable[[str], Node],
        heed: MembershipCallbacks,
        incidents: AlertLog,
        now: Callable[[], float] = boottime,
    ) -> None:
        self.others: dict[str, Node] = {}
        self.node_id = ""
        self._leases = leases
        self._new_node = node
        self._callbacks = heed
        self._incidents = incidents
        self._now = now
        self.lease_deadline = LeaseDeadline(now, has_others=True)
        self._refresh_requested = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def join(self) -> None:
        """Joins; from now on it is renewed.

        Raises:
            AloneError: another server uses the store, and nothing joins the two.
            StoreError: the store failed.
        """
        await self._join()
        self._task = asyncio.create_task(self._run())

    async def leave(self) -> None:
        """Is a node no longer; all its tables are given back.

        Raises:
            StoreError: the store failed; the others wait until the node is taken for gone.
        """
        if self._task is not None:
            self._task.cancel()
        self.lease_deadline.expire()
        await self._leases.leave()

    def refresh_now(self) -> None:
        """Asks at once who is there, for somebody seems to be gone."""
        self._refresh_requested.set()

    async def _run(self) -> None:
        wait = RENEW_SECONDS
        while True:
            await self._wait(wait)
            wait = await self._renew_or_rejoin()

    async def _renew_or_rejoin(self) -> float:
        """Is renewed, or joins again; seconds until that is due next."""
        before = self.node_id
        try:
            if not before:
                await self._join()
                return RENEW_SECONDS
            try:
                await self._renew()
            except FencedError:
                self._incidents.report("node_fenced", "renewal")
                await self._drop_membership()
                return 0.0
        except (StoreError, TimeoutError) as error:
            what = "node_not_renewed" if before else "node_not_joined"
            self._incidents.report(what, type(error).__name__)
        except Exception as error:  # noqa: BLE001 - a node that is not renewed is no use
            log.error("membership_failed", **describe_exception(error))
        else:
            return RENEW_SECONDS
        return RETRY_INTERVAL_S

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._refresh_requested.wait()
            await asyncio.sleep(RETRY_INTERVAL_S / 2)  # at most so often
        except TimeoutError:
            pass
        self._refresh_requested.clear()

    async def _join(self) -> None:
        node = self._new_node(secrets.token_hex(16))
        asked = self._now()
        secret = await self._leases.join(node)
        self.node_id = node.id
        self.lease_deadline.extend(asked)
        try:
            await self._callbacks.on_joined(secret)
        except Exception:
            # Nobody could reach it: it is none, and joins again.
            await self._drop_membership()
            raise
        self.lease_deadline.notify()
        await self._renew()
        log.info("node_joined", node=node.id[:6], others=len(self.others))

    async def _renew(self) -> None:
        asked = self._now()
        async with asyncio.timeout(RENEW_TIMEOUT_S):
            nodes = await self._leases.renew()
        self.lease_deadline.extend(asked)
        self.lease_deadline.notify()
        there = {one.id: one for one in nodes if one.id != self.node_id}
        before, self.others = self.others, there
        for one in before.keys() - there.keys():
            log.info("node_gone", node=one[:6])
            self._callbacks.on_node_left(one)
        for one in there.keys() - before.keys():
            log.info("node_came", node=one[:6], name=there[one].name)
            self._callbacks.on_node_joined(there[one])

    async def _drop_membership(self) -> None:
        """It is no node now, whatever becomes of what it had."""
        self.lease_deadline.expire()
        others, self.others, self.node_id = self.others, {}, ""
        for one in others:
            self._callbacks.on_node_left(one)
        await self._callbacks.on_fenced()

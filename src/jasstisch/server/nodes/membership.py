"""A node among others: that it is there, who else is, and until when its own word holds.

The store takes a node for gone that has not been renewed for `LEASE_SECONDS`. The node reckons the
same from the moment before it asked to be renewed, on a clock of its own that never stands still:
so it stops serving its tables before others may have them. One that others have taken for gone
joins again under a new id, without any table.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jasstisch.server.incidents import Incidents
from jasstisch.server.log import failure, log
from jasstisch.store import StoreError
from jasstisch.store.leases import LEASE_SECONDS, RENEW_SECONDS, FencedError, Leases, Node

__all__ = ["Heed", "Membership"]

AGAIN = 0.25
"""Seconds until it is tried again, where the store failed, or somebody may be gone."""

RENEWING = 1.5
"""Seconds a renewal may take."""


def awake() -> float:
    """Seconds on a clock that goes on while the machine sleeps, where there is one."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


@dataclass(frozen=True, slots=True)
class Heed:
    """Who is told of what changes.

    Attributes:
        joined: this node has (again) joined, with this secret of the store.
        fenced: this node has been taken for gone; it joins again once this returns.
        came: another is there.
        gone: another is there no longer.
    """

    joined: Callable[[bytes], Awaitable[None]]
    fenced: Callable[[], Awaitable[None]]
    came: Callable[[Node], None]
    gone: Callable[[str], None]


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
    """

    def __init__(
        self,
        leases: Leases,
        node: Callable[[str], Node],
        heed: Heed,
        incidents: Incidents,
        now: Callable[[], float] = awake,
    ) -> None:
        self.others: dict[str, Node] = {}
        self.me = ""
        self._leases = leases
        self._node = node
        self._heed = heed
        self._incidents = incidents
        self._now = now
        self._until = float("-inf")
        self._renewed = asyncio.Event()
        self._hurry = asyncio.Event()
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
        self._until = float("-inf")
        await self._leases.leave()

    @property
    def holds(self) -> bool:
        """Whether nobody else can have a table that this node has leased."""
        return self._now() < self._until

    async def settled(self, seconds: float) -> bool:
        """Waits until its word holds; whether it does after so long."""
        try:
            async with asyncio.timeout(seconds):
                while not self.holds:
                    self._renewed.clear()
                    await self._renewed.wait()
        except TimeoutError:
            return self.holds
        return True

    def hurry(self) -> None:
        """Asks at once who is there, for somebody seems to be gone."""
        self._hurry.set()

    async def _run(self) -> None:
        wait = RENEW_SECONDS
        while True:
            await self._pause(wait)
            wait = RENEW_SECONDS
            try:
                await self._renew()
            except FencedError:
                self._incidents.note("node_fenced", "renewal")
                await self._begin_anew()
            except (StoreError, TimeoutError) as error:
                self._incidents.note("node_not_renewed", type(error).__name__)
                wait = AGAIN
            except Exception as error:  # noqa: BLE001 - a node that is not renewed is no use
                log.error("membership_failed", **failure(error))

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
            await asyncio.sleep(AGAIN / 2)  # at most so often
        except TimeoutError:
            pass
        self._hurry.clear()

    async def _join(self) -> None:
        node = self._node(secrets.token_hex(16))
        asked = self._now()
        secret = await self._leases.join(node)
        self.me = node.id
        self._until = asked + LEASE_SECONDS
        await self._heed.joined(secret)
        self._renewed.set()
        await self._renew()
        log.info("node_joined", node=node.id[:6], others=len(self.others))

    async def _renew(self) -> None:
        asked = self._now()
        async with asyncio.timeout(RENEWING):
            nodes = await self._leases.renew()
        self._until = asked + LEASE_SECONDS
        self._renewed.set()
        there = {one.id: one for one in nodes if one.id != self.me}
        before, self.others = self.others, there
        for one in before.keys() - there.keys():
            log.info("node_gone", node=one[:6])
            self._heed.gone(one)
        for one in there.keys() - before.keys():
            log.info("node_came", node=one[:6], name=there[one].name)
            self._heed.came(there[one])

    async def _begin_anew(self) -> None:
        self._until = float("-inf")
        for one in self.others:
            self._heed.gone(one)
        self.others, self.me = {}, ""
        await self._heed.fenced()
        while not self.me:
            try:
                await self._join()
            except FencedError:
                self.me = ""
            except (StoreError, TimeoutError) as error:
                self._incidents.note("node_not_joined", type(error).__name__)
                await asyncio.sleep(AGAIN)

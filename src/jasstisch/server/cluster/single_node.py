"""The only server of a store that several servers could share, without a bus to others.

It registers in the store and renews the registration, so that no second server starts on the same
store. If it was declared dead, for example after a long suspension, it registers again. Until that
succeeds, the store rejects its writes and its tables wait.
"""

import asyncio
from collections.abc import Callable
from secrets import token_hex

from jasstisch.server.cluster.lease_validity import (
    RENEW_TIMEOUT_S,
    LeaseDeadline,
    seconds_since_boot,
)
from jasstisch.server.observability import describe_exception, log
from jasstisch.storage import StoreError
from jasstisch.storage.leases import RENEW_SECONDS, FencedError, Leases, Node
from jasstisch.table.events import EVENT_VERSION


class SingleNode:
    """The only server of a store.

    Args:
        leases: the lease functions of the store.
        name: the name of this server for the operator.
        on_rejoin: called when it has registered again: another server may have written meanwhile.

    Attributes:
        lease_deadline: the deadline until which no other server can have started on the store.
    """

    def __init__(self, leases: Leases, name: str, on_rejoin: Callable[[], None]) -> None:
        self._leases = leases
        self._name = name
        self._on_rejoin = on_rejoin
        self.lease_deadline = LeaseDeadline(has_other_servers=False)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Registers in the store and starts the renewals.

        Raises:
            StoreInUseError: another server uses the store.
            StoreError: the store is unavailable.
        """
        await self._join()
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Stops the renewals; the store ends the registration when it is closed."""
        if self._task is not None:
            self._task.cancel()

    async def _join(self) -> None:
        asked = seconds_since_boot()
        node = Node(
            token_hex(16),
            self._name,
            has_bus=False,
            protocol_version=0,
            event_version=EVENT_VERSION,
        )
        await self._leases.join_cluster(node)
        self._extend_deadline(asked)

    def _extend_deadline(self, asked: float) -> None:
        self.lease_deadline.extend(asked)
        self.lease_deadline.wake_waiters()

    async def _run(self) -> None:
        troubled = False
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self._renew()
            except (StoreError, TimeoutError) as error:
                if not troubled:
                    log.error("store_away", **describe_exception(error))
                troubled = True
            except Exception as error:  # noqa: BLE001 - the renewal must continue
                log.error("renewal_failed", **describe_exception(error))
            else:
                if troubled:
                    log.info("store_back")
                troubled = False

    async def _renew(self) -> None:
        asked = seconds_since_boot()
        try:
            async with asyncio.timeout(RENEW_TIMEOUT_S):
                await self._leases.renew_node()
        except FencedError:
            log.warning("taken_for_gone")
            self.lease_deadline.expire()
            await self._join()
            self._on_rejoin()
        else:
            self._extend_deadline(asked)

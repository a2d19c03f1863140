"""The deadline until which a server may rely on its leases.

The store considers a server dead if it has not renewed its membership for `LEASE_SECONDS`. The
server computes the same deadline from the moment before it sent the renewal, on its own clock,
which includes suspended time. So its deadline passes before other servers may take over its leases.
"""

import asyncio
import time
from collections.abc import Callable

from jasstisch.storage.leases import LEASE_SECONDS

RENEW_TIMEOUT_S = 1.5
"""How long a renewal may take, in seconds."""


def seconds_since_boot() -> float:
    """Seconds on a clock that includes the time a machine is suspended, if the system has one."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


class LeaseDeadline:
    """The deadline of a server's leases, extended by each renewal; implements `LeaseStatus`.

    Args:
        now: returns seconds on a monotonic clock that includes suspended time.

    Attributes:
        has_other_servers: whether other servers may take over the leases after the deadline.
    """

    def __init__(
        self, now: Callable[[], float] = seconds_since_boot, *, has_other_servers: bool
    ) -> None:
        self.has_other_servers = has_other_servers
        self._now = now
        self._until = float("-inf")
        self._renewed = asyncio.Event()

    @property
    def is_valid(self) -> bool:
        """Whether no other server can hold what this server has leased."""
        return self._now() < self._until

    async def wait_valid(self, seconds: float) -> bool:
        """Waits until the leases are valid, for at most `seconds`; returns whether they are."""
        try:
            async with asyncio.timeout(seconds):
                while not self.is_valid:
                    self._renewed.clear()
                    await self._renewed.wait()
        except TimeoutError:
            return self.is_valid
        return True

    def extend(self, asked: float) -> None:
        """Extends the deadline from the moment when the renewal was sent, on this clock."""
        self._until = asked + LEASE_SECONDS

    def wake_waiters(self) -> None:
        """Wakes the tasks that wait for validity."""
        self._renewed.set()

    def expire(self) -> None:
        """Ends the validity now."""
        self._until = float("-inf")

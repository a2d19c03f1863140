"""Until when a server may take for its own what it has leased.

The store takes a server for gone that has not been renewed for `LEASE_SECONDS`. The server reckons
the same from the moment before it asked to be renewed, on a clock of its own that never stands
still: so its word ends before others may have what it had.
"""

import asyncio
import time
from collections.abc import Callable

from jasstisch.storage.leases import LEASE_SECONDS

__all__ = ["RENEW_TIMEOUT_S", "LeaseDeadline", "boottime"]

RENEW_TIMEOUT_S = 1.5
"""Seconds a renewal may take."""


def boottime() -> float:
    """Seconds on a clock that goes on while the machine sleeps, where there is one."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


class LeaseDeadline:
    """The word of a server, which holds for a while after each renewal; its `Standing`.

    Args:
        now: seconds on a clock that never goes back nor stands still.

    Attributes:
        has_others: whether there may be others that serve what this server no longer can.
    """

    def __init__(self, now: Callable[[], float] = boottime, *, has_others: bool) -> None:
        self.has_others = has_others
        self._now = now
        self._until = float("-inf")
        self._renewed = asyncio.Event()

    @property
    def is_valid(self) -> bool:
        """Whether nobody else can have what this server has leased."""
        return self._now() < self._until

    async def wait_valid(self, seconds: float) -> bool:
        """Waits until it holds; whether it does after so long."""
        try:
            async with asyncio.timeout(seconds):
                while not self.is_valid:
                    self._renewed.clear()
                    await self._renewed.wait()
        except TimeoutError:
            return self.is_valid
        return True

    def extend(self, asked: float) -> None:
        """It holds from the moment when it was asked, by the clock given above."""
        self._until = asked + LEASE_SECONDS

    def notify(self) -> None:
        """Tells those who wait that it holds."""
        self._renewed.set()

    def expire(self) -> None:
        """It holds no longer."""
        self._until = float("-inf")

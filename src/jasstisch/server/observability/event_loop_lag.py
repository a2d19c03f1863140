"""How late the event loop is: what everybody at every table waits for besides all else."""

import asyncio

from jasstisch.server.observability.metrics import Histogram

__all__ = ["EventLoopLag"]

SAMPLE_INTERVAL_S = 0.25
"""Seconds between two looks."""


class EventLoopLag:
    """Measures by how much a timer is late, again and again.

    Args:
        found: where it is counted.
        every: seconds between two looks.
    """

    def __init__(self, found: Histogram, every: float = SAMPLE_INTERVAL_S) -> None:
        self._histogram = found
        self._interval = every
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begins to measure, in the loop that runs."""
        loop = asyncio.get_running_loop()
        self._schedule(loop, loop.time() + self._interval)

    def stop(self) -> None:
        """Measures no longer."""
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._timer = loop.call_at(due, self._sample, loop, due)

    def _sample(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        self._histogram.observe(max(0.0, now - due))
        self._schedule(loop, now + self._interval)

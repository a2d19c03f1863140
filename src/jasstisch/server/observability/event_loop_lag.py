"""The lag of the event loop, which delays everything at every table."""

import asyncio

from jasstisch.server.observability.metrics import Histogram

_SAMPLE_INTERVAL_S = 0.25
"""Seconds between two samples."""


class EventLoopLag:
    """Samples how late a timer fires.

    Args:
        histogram: the histogram of the lag.
        every: seconds between two samples.
    """

    def __init__(self, histogram: Histogram, every: float = _SAMPLE_INTERVAL_S) -> None:
        self._histogram = histogram
        self._interval = every
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Starts to sample, in the running event loop."""
        loop = asyncio.get_running_loop()
        self._schedule(loop, loop.time() + self._interval)

    def stop(self) -> None:
        """Stops sampling."""
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._timer = loop.call_at(due, self._sample, loop, due)

    def _sample(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        self._histogram.observe(max(0.0, now - due))
        self._schedule(loop, now + self._interval)

"""How late the event loop is: what everybody at every table waits for besides all else."""

import asyncio

from jasstisch.server.meters import Histogram

__all__ = ["Lag"]

EVERY = 0.25
"""Seconds between two looks."""


class Lag:
    """Measures by how much a timer is late, again and again.

    Args:
        found: where it is counted.
        every: seconds between two looks.
    """

    def __init__(self, found: Histogram, every: float = EVERY) -> None:
        self._found = found
        self._every = every
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begins to measure, in the loop that runs."""
        loop = asyncio.get_running_loop()
        self._wait(loop, loop.time() + self._every)

    def end(self) -> None:
        """Measures no longer."""
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._timer = loop.call_at(due, self._look, loop, due)

    def _look(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        self._found.add(max(0.0, now - due))
        self._wait(loop, now + self._every)

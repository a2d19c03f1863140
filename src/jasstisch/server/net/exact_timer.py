"""A timer that does not tell when it was set.

A timer of an event loop fires up to a millisecond late: epoll waits for whole milliseconds from the
moment at which the loop has nothing more to do. So the time of an answer that was delayed by it
still shows, to the microsecond, how long the work before the delay took. A thread keeps the
deadlines here, and waits for them to the microsecond.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from time import monotonic

_Sleeper = tuple[float, int, asyncio.AbstractEventLoop, "asyncio.Future[None]"]
"""A deadline, a number that decides between equal ones, and what waits for it."""


@dataclass(slots=True)
class ExactTimer:
    """Wakes coroutines of any event loop, by one thread, which starts with the first of them."""

    _changed: Condition = field(default_factory=Condition)
    _sleepers: list[_Sleeper] = field(default_factory=list)
    _numbers: "count[int]" = field(default_factory=count)
    _thread: Thread | None = None

    async def sleep_until(self, deadline: float) -> None:
        """Sleeps until a time of `time.monotonic`."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        with self._changed:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="exact-timer", daemon=True)
                self._thread.start()
            heappush(self._sleepers, (deadline, next(self._numbers), loop, done))
            self._changed.notify()
        await done

    def _run(self) -> None:
        with self._changed:
            while True:
                seconds = self._sleepers[0][0] - monotonic() if self._sleepers else None
                if seconds is None or seconds > 0:
                    self._changed.wait(seconds)
                    continue
                *_, loop, done = heappop(self._sleepers)
                with suppress(RuntimeError):  # the loop is closed, so nobody sleeps in it
                    loop.call_soon_threadsafe(_wake, done)


def _wake(done: "asyncio.Future[None]") -> None:
    if not done.done():
        done.set_result(None)

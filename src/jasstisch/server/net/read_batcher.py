"""Batches the processing of received data under load, so that many requests share a commit.

A server that acts on each request and on each commit separately spends most of its time on
wake-ups; right after one, a processor runs at half its speed. So a request that arrives soon after
another one waits for the next batch, a few milliseconds at most. All waiting requests are processed
together, with one commit. On an idle server no request waits.
"""

import asyncio
from collections.abc import Callable
from math import inf

BATCH_INTERVAL_S = 0.010
"""The interval between two batches under continuous load, in seconds."""


class ReadBatcher:
    """Runs callbacks in batches.

    Args:
        interval: the minimum interval between two batches, in seconds.
        on_error: called with the exception of a callback; the others of the batch run all the same.

    Attributes:
        interval: as given.
        last_batch_at: the time of the last batch, on the clock of the event loop.
    """

    def __init__(
        self,
        interval: float = BATCH_INTERVAL_S,
        on_error: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        self.interval = interval
        self._on_error = on_error
        self.last_batch_at = -inf
        self._waiting: list[Callable[[], None]] = []
        self._timer: asyncio.TimerHandle | None = None

    def schedule(self, callback: Callable[[], None]) -> None:
        """Runs a callback now if the last batch is long enough ago, else in the next batch."""
        if self._timer is not None:
            self._waiting.append(callback)
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        due = self.last_batch_at + self.interval
        if now >= due:
            self.last_batch_at = now
            callback()
            return
        self._waiting.append(callback)
        self._timer = loop.call_at(due, self._run_batch)

    def _run_batch(self) -> None:
        self._timer, waiting, self._waiting = None, self._waiting, []
        self.last_batch_at = asyncio.get_running_loop().time()
        for callback in waiting:
            try:
                callback()
            except Exception as error:  # noqa: BLE001 - the other callbacks must run
                self._on_error(error)

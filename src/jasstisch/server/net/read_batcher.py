"""The pulse of a server under load: what many people ask is read and taken up together.

A server that does something at every request and again at every commit spends most of its time on
waking: right after it a processor runs at half its speed. So what comes soon after something else
waits for the next beat, a few milliseconds at most, and all that waits is read and served in one
go, with one commit. On a quiet server nobody waits.
"""

import asyncio
from collections.abc import Callable
from math import inf

__all__ = ["BATCH_INTERVAL_S", "ReadBatcher"]

BATCH_INTERVAL_S = 0.010
"""Seconds from one beat to the next while more is asked all the time."""


class ReadBatcher:
    """Calls back in beats.

    Args:
        seconds: from one beat to the next, at least.
        on_error: told what a callback raises; the others of the batch are called all the same.

    Attributes:
        last: when the last beat was, by the clock of the event loop.
    """

    def __init__(
        self,
        seconds: float = BATCH_INTERVAL_S,
        on_error: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        self._interval = seconds
        self._on_error = on_error
        self.last_batch_at = -inf
        self._waiting: list[Callable[[], None]] = []
        self._timer: asyncio.TimerHandle | None = None

    def schedule(self, wake: Callable[[], None]) -> None:
        """Calls back at once where the last beat is long past, or else with the next one."""
        if self._timer is not None:
            self._waiting.append(wake)
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        due = self.last_batch_at + self._interval
        if now >= due:
            self.last_batch_at = now
            wake()
            return
        self._waiting.append(wake)
        self._timer = loop.call_at(due, self._run_batch)

    def _run_batch(self) -> None:
        self._timer, waiting, self._waiting = None, self._waiting, []
        self.last_batch_at = asyncio.get_running_loop().time()
        for wake in waiting:
            try:
                wake()
            except Exception as error:  # noqa: BLE001 - what one of them meets is not the others'
                self._on_error(error)

"""Schedules Python's garbage collection: of new objects regularly, and of all while nobody plays.

What tables and connections leave behind is freed at once, because it contains no reference cycles;
cycles come from errors and libraries. A full collection takes half a second with a thousand tables,
and everybody would wait for it. New objects are collected between two pieces of work, when nearly
all objects of the last one have been freed. Python's own trigger would fire in the middle of a
piece of work, with thousands of objects alive.

Even that takes milliseconds with a thousand tables in play, and finds nothing. So while collections
find nothing, most new objects are frozen without a collection, which costs nothing. After a
collection that finds something, the next ones are not skipped.
"""

import asyncio
import gc
from collections.abc import Callable

_GEN0_INTERVAL_S = 0.1
"""Seconds between two collections of new objects."""

_MAX_SKIPPED = 15
"""How many collections are skipped at most after one that has found nothing."""

_MIN_NEW_OBJECTS = 300
"""The number of new objects below which a collection waits for the next interval."""

_GEN0_THRESHOLD = 50_000
"""The number of new objects that triggers a collection in any case."""

_DISABLED = 1_000_000_000

_FULL_INTERVAL_S = 600.0
"""Seconds between two full collections, if the server is idle."""

_FULL_DEADLINE_S = 6 * 3600.0
"""Seconds after which a full collection runs in any case."""

_IDLE_AFTER_S = 0.5
"""Seconds without a request after which the server counts as idle, and between two checks."""


def _collect_and_freeze() -> None:
    """Runs a full collection, and freezes all remaining objects."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class GcScheduler:
    """Runs garbage collection when it disturbs nobody.

    Args:
        quiet_since: returns the time of the last request to a table, on the clock of the event
            loop.
        collect: runs a full collection.
    """

    def __init__(
        self, quiet_since: Callable[[], float], collect: Callable[[], object] = _collect_and_freeze
    ) -> None:
        self._last_active = quiet_since
        self._collect = collect
        self._last_full = 0.0
        self._to_skip = self._skipped = 0

    def start(self) -> None:
        """Starts the schedule, in the running event loop."""
        _collect_and_freeze()
        gc.set_threshold(_GEN0_THRESHOLD, _DISABLED, _DISABLED)
        self._collect_new()
        self._schedule_full()

    def _collect_new(self) -> None:
        """Collects the new objects, or skips the collection."""
        if gc.get_count()[0] >= _MIN_NEW_OBJECTS:
            if self._skipped < self._to_skip:
                self._skipped += 1
                gc.freeze()
            else:
                found = gc.collect(0)
                self._to_skip = 0 if found else min(_MAX_SKIPPED, 2 * self._to_skip + 1)
                self._skipped = 0
        asyncio.get_running_loop().call_later(_GEN0_INTERVAL_S, self._collect_new)

    def _schedule_full(self) -> None:
        loop = asyncio.get_running_loop()
        self._last_full = loop.time()
        loop.call_later(_FULL_INTERVAL_S, self._try_full)

    def _try_full(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now - self._last_active() >= _IDLE_AFTER_S or now - self._last_full >= _FULL_DEADLINE_S:
            self._collect()
            self._schedule_full()
        else:
            loop.call_later(_IDLE_AFTER_S, self._try_full)

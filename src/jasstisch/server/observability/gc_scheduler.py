"""When Python looks for garbage: what is new now and then, and all of it while nobody plays.

What tables and connections leave behind goes at once, for nothing in it refers back to itself; what
does comes from errors and libraries. To look through everything takes half a second where there are
a thousand tables, and everybody would wait for it. New objects are looked at between two pieces of
work, when nearly all that the last one has made is gone again; in the middle of one, where Python
would look by itself, there are thousands of them.

Even that takes milliseconds where a thousand tables play, and finds nothing. So while nothing is
found, most of what is new is set aside with all that is older, which costs nothing; where something
is found, everything new is looked at again.
"""

import asyncio
import gc
from collections.abc import Callable

__all__ = ["GcScheduler"]

GEN0_INTERVAL_S = 0.1
"""Seconds between two looks at new objects."""

MAX_SKIPPED = 15
"""So many looks are spared at most after one that has found nothing."""

MIN_NEW_OBJECTS = 300
"""Fewer new objects than this can wait for the next look."""

GEN0_THRESHOLD = 50_000
"""New objects after which they are looked at in any case, whatever is being done."""

DISABLED = 1_000_000_000

FULL_INTERVAL_S = 600.0
"""Seconds from one look at everything to the next, where there is a quiet moment."""

FULL_DEADLINE_S = 6 * 3600.0
"""Seconds after which everything is looked at in any case."""

IDLE_AFTER_S = 0.5
"""Seconds without a request after which the moment is quiet, and between two tries."""


def collect_and_freeze() -> None:
    """Looks at everything there is, and sets it aside."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class GcScheduler:
    """Has Python look for garbage when it disturbs nobody.

    Args:
        quiet_since: when something was last asked of a table, by the clock of the event loop.
        collect: looks at everything.
    """

    def __init__(
        self, quiet_since: Callable[[], float], collect: Callable[[], object] = collect_and_freeze
    ) -> None:
        self._last_active = quiet_since
        self._collect = collect
        self._last_full = 0.0
        self._to_skip = self._skipped = 0

    def start(self) -> None:
        """Begins, in the loop that runs."""
        collect_and_freeze()
        gc.set_threshold(GEN0_THRESHOLD, DISABLED, DISABLED)
        self._collect_new()
        self._schedule_full()

    def _collect_new(self) -> None:
        """Looks at what is new, or spares it."""
        if gc.get_count()[0] >= MIN_NEW_OBJECTS:
            if self._skipped < self._to_skip:
                self._skipped += 1
                gc.freeze()
            else:
                found = gc.collect(0)
                self._to_skip = 0 if found else min(MAX_SKIPPED, 2 * self._to_skip + 1)
                self._skipped = 0
        asyncio.get_running_loop().call_later(GEN0_INTERVAL_S, self._collect_new)

    def _schedule_full(self) -> None:
        loop = asyncio.get_running_loop()
        self._last_full = loop.time()
        loop.call_later(FULL_INTERVAL_S, self._try_full)

    def _try_full(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now - self._last_active() >= IDLE_AFTER_S or now - self._last_full >= FULL_DEADLINE_S:
            self._collect()
            self._schedule_full()
        else:
            loop.call_later(IDLE_AFTER_S, self._try_full)

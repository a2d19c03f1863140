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

__all__ = ["Rubbish"]

OFTEN = 0.1
"""Seconds between two looks at new objects."""

SPARED = 15
"""So many looks are spared at most after one that has found nothing."""

FEW = 300
"""Fewer new objects than this can wait for the next look."""

MANY = 50_000
"""New objects after which they are looked at in any case, whatever is being done."""

NEVER = 1_000_000_000

EVERY = 600.0
"""Seconds from one look at everything to the next, where there is a quiet moment."""

AT_LATEST = 6 * 3600.0
"""Seconds after which everything is looked at in any case."""

QUIET = 0.5
"""Seconds without a request after which the moment is quiet, and between two tries."""


def everything() -> None:
    """Looks at everything there is, and sets it aside."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Rubbish:
    """Has Python look for garbage when it disturbs nobody.

    Args:
        quiet_since: when something was last asked of a table, by the clock of the event loop.
        collect: looks at everything.
    """

    def __init__(
        self, quiet_since: Callable[[], float], collect: Callable[[], object] = everything
    ) -> None:
        self._quiet_since = quiet_since
        self._collect = collect
        self._last = 0.0
        self._to_spare = self._spared = 0

    def begin(self) -> None:
        """Begins, in the loop that runs."""
        everything()
        gc.set_threshold(MANY, NEVER, NEVER)
        self._look()
        self._wait()

    def _look(self) -> None:
        """Looks at what is new, or spares it."""
        if gc.get_count()[0] >= FEW:
            if self._spared < self._to_spare:
                self._spared += 1
                gc.freeze()
            else:
                found = gc.collect(0)
                self._to_spare = 0 if found else min(SPARED, 2 * self._to_spare + 1)
                self._spared = 0
        asyncio.get_running_loop().call_later(OFTEN, self._look)

    def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        loop.call_later(EVERY, self._try)

    def _try(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now - self._quiet_since() >= QUIET or now - self._last >= AT_LATEST:
            self._collect()
            self._wait()
        else:
            loop.call_later(QUIET, self._try)

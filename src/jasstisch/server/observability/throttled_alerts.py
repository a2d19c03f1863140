"""What the host is told of trouble from outside: limits that are hit, floods, wrong hosts.

Whoever attacks must not fill the disk with log lines besides, so each kind of trouble is told at
most once a second, with how often it happened since.
"""

import time
from collections import Counter
from collections.abc import Callable

from jasstisch.server.net import anonymize
from jasstisch.server.observability.structured_log import log

__all__ = ["AlertLog"]

MIN_INTERVAL_S = 1.0
"""Seconds between two lines of one kind."""

PREDECLARED = (
    ("limit_hit", "connections"),
    ("limit_hit", "sockets"),
    ("limit_hit", "live_tables"),
    ("bus_loss", "away"),
    ("bus_loss", "gap"),
)
"""What is counted from the beginning, at 0, so that the first time is an increase."""


class AlertLog:
    """Tells the log of trouble, sparingly.

    Args:
        now: seconds on a clock that never goes back.

    Attributes:
        counted: how often each kind of event has happened to what of that kind.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._last_logged: dict[str, float] = {}
        self._suppressed: Counter[str] = Counter()
        self.counts = Counter(dict.fromkeys(PREDECLARED, 0))

    def report(self, event: str, what: str, address: str = "") -> None:
        """Notes that something happened.

        Args:
            event: the kind of event, as it stands in the log.
            what: what of that kind, as the name of the limit: each has its own line a second.
            address: whose connection it was; the log says its network only.
        """
        self.counts[event, what] += 1
        kind = f"{event} {what}"
        now = self._now()
        if now - self._last_logged.get(kind, float("-inf")) < MIN_INTERVAL_S:
            self._suppressed[kind] += 1
            return
        self._last_logged[kind] = now
        details = {"network": anonymize(address)} if address else {}
        log.warning(event, what=what, times=1 + self._suppressed.pop(kind, 0), **details)

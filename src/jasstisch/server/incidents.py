"""What the host is told of trouble from outside: limits that are hit, floods, wrong hosts.

Whoever attacks must not fill the disk with log lines besides, so each kind of trouble is told at
most once a second, with how often it happened since.
"""

import time
from collections import Counter
from collections.abc import Callable

from jasstisch.server.addresses import network
from jasstisch.server.log import log

__all__ = ["Incidents"]

EVERY = 1.0
"""Seconds between two lines of one kind."""

WORTH_AN_ALARM = (
    ("limit_hit", "connections"),
    ("limit_hit", "sockets"),
    ("limit_hit", "live_tables"),
    ("bus_loss", "away"),
    ("bus_loss", "gap"),
)
"""What is counted from the beginning, at 0, so that the first time is an increase."""


class Incidents:
    """Tells the log of trouble, sparingly.

    Args:
        now: seconds on a clock that never goes back.

    Attributes:
        counted: how often each kind of event has happened to what of that kind.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._told: dict[str, float] = {}
        self._untold: Counter[str] = Counter()
        self.counted = Counter(dict.fromkeys(WORTH_AN_ALARM, 0))

    def note(self, event: str, what: str, address: str = "") -> None:
        """Notes that something happened.

        Args:
            event: the kind of event, as it stands in the log.
            what: what of that kind, as the name of the limit: each has its own line a second.
            address: whose connection it was; the log says its network only.
        """
        self.counted[event, what] += 1
        kind = f"{event} {what}"
        now = self._now()
        if now - self._told.get(kind, float("-inf")) < EVERY:
            self._untold[kind] += 1
            return
        self._told[kind] = now
        details = {"network": network(address)} if address else {}
        log.warning(event, what=what, times=1 + self._untold.pop(kind, 0), **details)

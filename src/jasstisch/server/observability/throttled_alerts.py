"""Rate-limited alerts about trouble from outside: limits that are hit, floods, wrong hosts.

An attacker must not be able to fill the disk with log lines. So each kind of alert is logged at
most once a second, with the number of occurrences since.
"""

import time
from collections import Counter
from collections.abc import Callable

from jasstisch.server.net import anonymize
from jasstisch.server.observability.structured_log import log

_MIN_INTERVAL_S = 1.0
"""Seconds between two lines of one kind."""

_PREDECLARED = (
    ("limit_hit", "connections"),
    ("limit_hit", "sockets"),
    ("limit_hit", "live_tables"),
    ("bus_loss", "away"),
    ("bus_loss", "gap"),
)
"""The alerts that are counted from the start with 0, so that the first one shows as an increase."""


class AlertLog:
    """Logs alerts, at a limited rate.

    Args:
        now: returns seconds on a monotonic clock.

    Attributes:
        counts: the number of occurrences, by event and subject.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._last_logged: dict[str, float] = {}
        self._suppressed: Counter[str] = Counter()
        self.counts = Counter(dict.fromkeys(_PREDECLARED, 0))

    def report(self, event: str, what: str, address: str = "") -> None:
        """Reports an occurrence.

        Args:
            event: the kind of event, as named in the log.
            what: the subject, such as the name of a limit; each has its own line a second.
            address: the address of the client; only its network is logged.
        """
        self.counts[event, what] += 1
        kind = f"{event} {what}"
        now = self._now()
        if now - self._last_logged.get(kind, float("-inf")) < _MIN_INTERVAL_S:
            self._suppressed[kind] += 1
            return
        self._last_logged[kind] = now
        details = {"network": anonymize(address)} if address else {}
        log.warning(event, what=what, times=1 + self._suppressed.pop(kind, 0), **details)

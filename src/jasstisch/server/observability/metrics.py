"""The counters and histograms of the server, as plain numbers.

Every move updates them, so an update is a plain addition; `server.http.prometheus` reads the
numbers on request. Nothing is counted by person, table or address.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

from msgspec import Struct

from jasstisch.server.observability.structured_log import log
from jasstisch.storage import FailureCause

_COMMIT_SECONDS_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_COMMIT_CHANGES_BOUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_LAG_SECONDS_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_WAIT_SECONDS_BOUNDS = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The bucket bounds of the histograms of durations, in seconds."""


class Histogram:
    """A histogram of a quantity.

    Args:
        bounds: the upper bound of each bucket, ascending; one more bucket lies beyond the last.

    Attributes:
        counts: the number of values in each bucket.
        total: the sum of all values.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Counts a value; only one thread at a time may do so."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class ServerMetrics:
    """The metrics of a server; the `CommitObserver` of its store.

    Counters for alerts exist from the start with value 0, because a series that appears with value
    1 shows no increase.

    Args:
        error_codes: the codes by which requests and messages may be refused.

    Attributes:
        requests: HTTP requests by kind (`api`, `page`, `watching`) and handshakes (`websocket`).
        messages: client messages by type.
        errors: requests and messages answered by an error, by its code.
        moves: committed actions in games, of people and bots.
        commits: the duration of commits, in seconds.
        changes: the number of changes in a commit.
        failed_commits: failed commits, by cause.
        loop_lag: the lag of the event loop, in seconds.
        queue_waits: how long tasks waited for a worker, in seconds.
    """

    def __init__(self, error_codes: Iterable[str] = ()) -> None:
        self.requests: Counter[str] = Counter()
        self.messages: Counter[type[Struct]] = Counter()
        self.errors = Counter(dict.fromkeys(error_codes, 0))
        self.moves = 0
        self.commits = Histogram(_COMMIT_SECONDS_BOUNDS)
        self.changes = Histogram(_COMMIT_CHANGES_BOUNDS)
        self.failed_commits = Counter(dict.fromkeys((*get_args(FailureCause), "unknown"), 0))
        self.loop_lag = Histogram(_LAG_SECONDS_BOUNDS)
        self.queue_waits = Histogram(_WAIT_SECONDS_BOUNDS)

    def on_committed(self, seconds: float, changes: int) -> None:
        """Counts a commit; see `storage.CommitObserver`."""
        self.commits.observe(seconds)
        self.changes.observe(changes)

    def on_commit_failed(self, cause: FailureCause | None) -> None:
        """Counts a failed commit; see `storage.CommitObserver`."""
        self.failed_commits[cause or "unknown"] += 1

    def on_vacuumed(self, seconds: float) -> None:
        """Logs a vacuum; see `storage.CommitObserver`."""
        log.info("store_vacuumed", seconds=round(seconds, 1))

    def on_vacuum_failed(self, cause: FailureCause | None) -> None:
        """Logs a failed vacuum; see `storage.CommitObserver`."""
        log.error("store_not_vacuumed", cause=cause or "unknown")

"""What the server counts of itself, in plain numbers.

Counting stands in the way of every move, so it is an addition and nothing more; `http.prometheus`
reads the numbers when somebody asks for them. Nothing here is counted by person, table or address.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

from msgspec import Struct

from jasstisch.storage import FailureCause

__all__ = ["Histogram", "ServerMetrics"]

COMMIT_SECONDS_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
COMMIT_CHANGES_BOUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
LAG_SECONDS_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
WAIT_SECONDS_BOUNDS = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Where one class of what is measured ends and the next begins."""


class Histogram:
    """How often a quantity was how large.

    Args:
        bounds: the largest value of each class, ascending; beyond the last there is one more.

    Attributes:
        counts: how many values fell into each class.
        total: the sum of all values.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Counts a value; one thread at a time may do so."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class ServerMetrics:
    """The numbers of a server; the `CommitWatcher` of its store.

    What is worth an alarm is there from the beginning, at 0: a figure that appears at 1 has not
    increased for whoever looks at increases.

    Args:
        error_codes: the codes by which requests and messages may be refused.

    Attributes:
        requests: HTTP requests by kind (`api`, `page`, `watching`) and handshakes (`websocket`).
        messages: messages of clients by their type.
        refused: requests and messages answered by an error, by its code.
        moves: actions in games that were committed, of people and computers.
        commits: how long commits took, in seconds.
        changes: how many changes shared a commit.
        failed_commits: commits that came to nothing, by cause.
        lag: seconds by which the event loop was late.
        waits: seconds that thoughts waited for a thinker.
    """

    def __init__(self, error_codes: Iterable[str] = ()) -> None:
        self.requests: Counter[str] = Counter()
        self.messages: Counter[type[Struct]] = Counter()
        self.errors = Counter(dict.fromkeys(error_codes, 0))
        self.moves = 0
        self.commits = Histogram(COMMIT_SECONDS_BOUNDS)
        self.changes = Histogram(COMMIT_CHANGES_BOUNDS)
        self.failed_commits = Counter(dict.fromkeys((*get_args(FailureCause), "unknown"), 0))
        self.loop_lag = Histogram(LAG_SECONDS_BOUNDS)
        self.queue_waits = Histogram(WAIT_SECONDS_BOUNDS)

    def committed(self, seconds: float, changes: int) -> None:
        """Counts a commit; see `store.CommitWatcher`."""
        self.commits.observe(seconds)
        self.changes.observe(changes)

    def failed(self, cause: FailureCause | None) -> None:
        """Counts a commit that came to nothing; see `store.CommitWatcher`."""
        self.failed_commits[cause or "unknown"] += 1

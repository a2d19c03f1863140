"""The usage that counts for all nodes of a cluster together: debits of buckets, and counts.

Each limit registers its buckets or its gauge here under a name. A single node ignores the records.
In a cluster, each node reports its debits and counts to the others (`cluster.usage_gossip`), which
add them to their own.
"""

from collections import Counter
from collections.abc import Callable

from jasstisch.server.limits.token_bucket import KeyedBuckets

_OnDebit = Callable[[str, int], None]
"""Applies a debit of another node: the key and the amount."""


class Gauge:
    """The current count for each key.

    Attributes:
        local: the counts of this node.
        remote: the counts of the other nodes, as last reported.
        changed: the keys whose local count has changed since the last report; None without a
            cluster.
    """

    __slots__ = ("changed", "local", "remote")

    def __init__(self) -> None:
        self.local: Counter[str] = Counter()
        self.remote: Counter[str] = Counter()
        self.changed: set[str] | None = None

    def __getitem__(self, key: str) -> int:
        """The count of a key on all nodes."""
        return self.local[key] + self.remote[key]

    def add(self, key: str) -> None:
        """Increments the local count of a key."""
        self.local[key] += 1
        if self.changed is not None:
            self.changed.add(key)

    def remove(self, key: str) -> None:
        """Decrements the local count of a key."""
        self.local[key] -= 1
        if not self.local[key]:
            del self.local[key]
        if self.changed is not None:
            self.changed.add(key)


class SharedUsage:
    """All usage that counts for the nodes together.

    Attributes:
        gauges: the gauges, by the name of their limit.
        recorded: the debits not reported yet, by limit and key.
        debits: the functions that apply the debits of other nodes, by limit.
    """

    def __init__(self) -> None:
        self.gauges: dict[str, Gauge] = {}
        self.recorded: dict[str, Counter[str]] = {}
        self.debits: dict[str, _OnDebit] = {}
        self._buckets: dict[str, tuple[KeyedBuckets, Callable[[], float]]] = {}

    def create_buckets(
        self, name: str, rate: float, burst: int, now: Callable[[], float]
    ) -> KeyedBuckets:
        """Creates buckets that are also debited by other nodes.

        Args:
            name: the name of the limit.
            rate: tokens a second for each key.
            burst: the capacity of each bucket.
            now: returns the time at which debits of other nodes are applied.
        """
        made = KeyedBuckets(rate, burst)
        self._buckets[name] = made, now

        def debit(key: str, times: int) -> None:
            made.bucket_for(key, now()).debit_remote(now(), times)

        self.debits[name] = debit
        return made

    def gauge(self, name: str) -> Gauge:
        """The gauge of a limit, created if necessary."""
        return self.gauges.setdefault(name, Gauge())

    def register_debit_handler(
        self, name: str, debit: _OnDebit
    ) -> Callable[[], Counter[str] | None]:
        """Registers another kind of debit.

        Args:
            name: the name of the limit.
            debit: applies a debit of another node.

        Returns:
            A function that returns where to record local debits; it returns None without a cluster.
        """
        self.debits[name] = debit
        return lambda: self.recorded.get(name)

    def start_recording(self) -> None:
        """Starts to record debits and changes for the other nodes."""
        for name in self.debits:
            self.recorded[name] = Counter()
        for name, (buckets, _) in self._buckets.items():
            buckets.recorded = self.recorded[name]
        for tally in self.gauges.values():
            tally.changed = set(tally.local)

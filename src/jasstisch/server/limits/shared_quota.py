"""What counts at all nodes of a server together: what has been taken, and how many there are.

Each limit registers its buckets or its tally here under a name. Where there is one node nobody asks
for them. Where there are several, each tells the others what it has taken and how many it has
(`nodes.spending`), and they count it as theirs.
"""

from collections import Counter
from collections.abc import Callable

from jasstisch.server.limits.token_bucket import KeyedBuckets

__all__ = ["Gauge", "SharedUsage"]

OnDebit = Callable[[str, int], None]
"""Counts what another node has taken under a key."""


class Gauge:
    """How many there are of each key.

    Attributes:
        here: at this node.
        elsewhere: at the others, as far as they have told.
        changed: whose number here has changed since it was told; None where nobody is told.
    """

    __slots__ = ("changed", "local", "remote")

    def __init__(self) -> None:
        self.local: Counter[str] = Counter()
        self.remote: Counter[str] = Counter()
        self.changed: set[str] | None = None

    def __getitem__(self, key: str) -> int:
        """How many there are at all nodes."""
        return self.local[key] + self.remote[key]

    def add(self, key: str) -> None:
        """One more is here."""
        self.local[key] += 1
        if self.changed is not None:
            self.changed.add(key)

    def remove(self, key: str) -> None:
        """One less is here."""
        self.local[key] -= 1
        if not self.local[key]:
            del self.local[key]
        if self.changed is not None:
            self.changed.add(key)


class SharedUsage:
    """All that counts at all nodes together.

    Attributes:
        tallies: how many there are, by the name of the limit.
        taken: what has been taken and is not told yet, by limit and key.
        debits: how what others have taken is counted, by limit.
    """

    def __init__(self) -> None:
        self.gauges: dict[str, Gauge] = {}
        self.recorded: dict[str, Counter[str]] = {}
        self.debits: dict[str, OnDebit] = {}
        self._buckets: dict[str, tuple[KeyedBuckets, Callable[[], float]]] = {}

    def buckets(self, name: str, rate: float, burst: int, now: Callable[[], float]) -> KeyedBuckets:
        """Buckets that are emptied by what is taken at any node.

        Args:
            name: of the limit.
            rate: things a second for each key.
            burst: things at once for each key.
            now: gives the time of what others have taken.
        """
        made = KeyedBuckets(rate, burst)
        self._buckets[name] = made, now

        def debit(key: str, times: int) -> None:
            made.bucket_for(key, now()).debit_remote(now(), times)

        self.debits[name] = debit
        return made

    def gauge(self, name: str) -> Gauge:
        """How many there are at all nodes of each key."""
        return self.gauges.setdefault(name, Gauge())

    def register_debit(self, name: str, debit: OnDebit) -> Callable[[], Counter[str] | None]:
        """Something else that is taken.

        Args:
            name: of the limit.
            debit: counts what others have taken.

        Returns:
            What gives where to note what is taken here; None while nobody is told.
        """
        self.debits[name] = debit
        return lambda: self.recorded.get(name)

    def start_recording(self) -> None:
        """From now on it is noted what others are to be told."""
        for name in self.debits:
            self.recorded[name] = Counter()
        for name, (buckets, _) in self._buckets.items():
            buckets.recorded = self.recorded[name]
        for tally in self.gauges.values():
            tally.changed = set(tally.local)

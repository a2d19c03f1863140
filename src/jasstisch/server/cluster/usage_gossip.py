"""What counts at all nodes together, told between them: what was taken, and how many there are.

Four times a second each node tells the others what it has taken from each bucket since, and where
the number of what it has under a key has changed. They take and add the same. So in the long run
nobody has more of several nodes than of one; within a quarter of a second he may have as much of
each. What is taken is told once and may be lost; how many there are is told again as a whole when
nodes meet, and when something was lost.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from jasstisch.server.cluster.messages import UsageReport
from jasstisch.server.limits import SharedUsage

__all__ = ["UsageGossip"]

MAX_KEYS_PER_REPORT = 2000
"""So many keys of a limit are told at once; others wait for the next time."""


class UsageGossip:
    """Tells what is spent here, and counts what is spent elsewhere.

    Args:
        shared: what counts at all nodes together.
        say: says something to a node.
    """

    def __init__(self, shared: SharedUsage, say: Callable[[str, UsageReport], bool]) -> None:
        self._shared = shared
        self._send = say
        self._remote_counts: dict[str, dict[str, Counter[str]]] = {}

    def send_changes(self, nodes: Iterable[str]) -> None:
        """Tells some nodes what has been spent since the last time."""
        spent = UsageReport(self._drain_debits(), self._drain_gauge_changes())
        if spent.taken or spent.there:
            for node in nodes:
                self._send(node, spent)

    def send_snapshot(self, node: str) -> None:
        """Tells a node how many there are of all."""
        there = {
            name: dict(tally.local.most_common(MAX_KEYS_PER_REPORT))
            for name, tally in self._shared.gauges.items()
            if tally.local
        }
        self._send(node, UsageReport({}, there, whole=True))

    def apply(self, node: str, spent: UsageReport) -> None:
        """Counts what a node has spent."""
        for name, taken in spent.taken.items():
            debit = self._shared.debits.get(name)
            if debit is not None:
                for key, times in taken.items():
                    debit(key, times)
        if spent.whole:
            self.remove_node(node)
        known = self._remote_counts.setdefault(node, {})
        for name, there in spent.there.items():
            self._update_gauge(name, known.setdefault(name, Counter()), there)

    def remove_node(self, node: str) -> None:
        """A node is gone, and all that was there."""
        for name, counted in self._remote_counts.pop(node, {}).items():
            self._update_gauge(name, counted, dict.fromkeys(counted, 0))

    def _update_gauge(self, name: str, known: Counter[str], there: dict[str, int]) -> None:
        tally = self._shared.gauges.get(name)
        if tally is None:
            return  # a newer node counts what this one does not know
        for key, number in there.items():
            tally.remote[key] += number - known[key]
            known[key] = number
            if not number:
                del known[key]
            if not tally.remote[key]:
                del tally.remote[key]

    def _drain_debits(self) -> dict[str, dict[str, int]]:
        told: dict[str, dict[str, int]] = {}
        for name, taken in self._shared.recorded.items():
            if taken:
                told[name] = {key: taken.pop(key) for key in list(taken)[:MAX_KEYS_PER_REPORT]}
        return told

    def _drain_gauge_changes(self) -> dict[str, dict[str, int]]:
        told: dict[str, dict[str, int]] = {}
        for name, tally in self._shared.gauges.items():
            if tally.changed:
                keys = [
                    tally.changed.pop() for _ in range(min(MAX_KEYS_PER_REPORT, len(tally.changed)))
                ]
                told[name] = {key: tally.local[key] for key in keys}
        return told

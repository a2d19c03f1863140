"""Shares rate-limit usage between nodes: the tokens taken, and the current counts.

Four times a second, each node sends the others what it has taken from each bucket since the last
report, and which of its counts have changed. The others apply the same debits and counts. So in the
long run, using several nodes gives a client no more than using one; within a quarter of a second,
the full amount is available at each node. Debits are sent once and may be lost. Counts are sent
again in full when nodes meet, and after a loss.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from jasstisch.server.cluster.messages import UsageReport
from jasstisch.server.limits import SharedUsage

_MAX_KEYS_PER_REPORT = 2000
"""How many keys of a limit one report holds; the others wait for the next report."""


class UsageGossip:
    """Reports the usage of this node, and applies the usage of others.

    Args:
        shared: the usage that counts for all nodes together.
        send: sends a message to a node.
    """

    def __init__(self, shared: SharedUsage, send: Callable[[str, UsageReport], bool]) -> None:
        self._shared = shared
        self._send = send
        self._remote_counts: dict[str, dict[str, Counter[str]]] = {}

    def send_changes(self, nodes: Iterable[str]) -> None:
        """Sends nodes the usage since the last report."""
        spent = UsageReport(self._drain_debits(), self._drain_gauge_changes())
        if spent.taken or spent.there:
            for node in nodes:
                self._send(node, spent)

    def send_snapshot(self, node: str) -> None:
        """Sends a node all current counts."""
        there = {
            name: dict(gauge.local.most_common(_MAX_KEYS_PER_REPORT))
            for name, gauge in self._shared.gauges.items()
            if gauge.local
        }
        self._send(node, UsageReport({}, there, whole=True))

    def apply(self, node: str, spent: UsageReport) -> None:
        """Applies the usage report of a node."""
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
        """Removes the counts of a node that has left."""
        for name, counted in self._remote_counts.pop(node, {}).items():
            self._update_gauge(name, counted, dict.fromkeys(counted, 0))

    def _update_gauge(self, name: str, known: Counter[str], counts: dict[str, int]) -> None:
        gauge = self._shared.gauges.get(name)
        if gauge is None:
            return  # a newer node counts what this one does not know
        for key, number in counts.items():
            gauge.remote[key] += number - known[key]
            known[key] = number
            if not number:
                del known[key]
            if not gauge.remote[key]:
                del gauge.remote[key]

    def _drain_debits(self) -> dict[str, dict[str, int]]:
        report: dict[str, dict[str, int]] = {}
        for name, taken in self._shared.recorded.items():
            if taken:
                report[name] = {key: taken.pop(key) for key in list(taken)[:_MAX_KEYS_PER_REPORT]}
        return report

    def _drain_gauge_changes(self) -> dict[str, dict[str, int]]:
        report: dict[str, dict[str, int]] = {}
        for name, gauge in self._shared.gauges.items():
            if gauge.changed:
                keys = [
                    gauge.changed.pop()
                    for _ in range(min(_MAX_KEYS_PER_REPORT, len(gauge.changed)))
                ]
                report[name] = {key: gauge.local[key] for key in keys}
        return report

"""What counts at all nodes together, told between them: what was taken, and how many there are.

Four times a second each node tells the others what it has taken from each bucket since, and where
the number of what it has under a key has changed. They take and add the same. So in the long run
nobody has more of several nodes than of one; within a quarter of a second he may have as much of
each. What is taken is told once and may be lost; how many there are is told again as a whole when
nodes meet, and when something was lost.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from jasstisch.server.nodes.talk import Spent
from jasstisch.server.shared import Shared

__all__ = ["Spending"]

MOST_TOLD = 2000
"""So many keys of a limit are told at once; others wait for the next time."""


class Spending:
    """Tells what is spent here, and counts what is spent elsewhere.

    Args:
        shared: what counts at all nodes together.
        say: says something to a node.
    """

    def __init__(self, shared: Shared, say: Callable[[str, Spent], bool]) -> None:
        self._shared = shared
        self._say = say
        self._elsewhere: dict[str, dict[str, Counter[str]]] = {}

    def tell(self, nodes: Iterable[str]) -> None:
        """Tells some nodes what has been spent since the last time."""
        spent = Spent(self._taken(), self._changed())
        if spent.taken or spent.there:
            for node in nodes:
                self._say(node, spent)

    def tell_all(self, node: str) -> None:
        """Tells a node how many there are of all."""
        there = {
            name: dict(tally.here.most_common(MOST_TOLD))
            for name, tally in self._shared.tallies.items()
            if tally.here
        }
        self._say(node, Spent({}, there, whole=True))

    def heard(self, node: str, spent: Spent) -> None:
        """Counts what a node has spent."""
        for name, taken in spent.taken.items():
            debit = self._shared.debits.get(name)
            if debit is not None:
                for key, times in taken.items():
                    debit(key, times)
        if spent.whole:
            self.gone(node)
        known = self._elsewhere.setdefault(node, {})
        for name, there in spent.there.items():
            self._count(name, known.setdefault(name, Counter()), there)

    def gone(self, node: str) -> None:
        """A node is gone, and all that was there."""
        for name, counted in self._elsewhere.pop(node, {}).items():
            self._count(name, counted, dict.fromkeys(counted, 0))

    def _count(self, name: str, known: Counter[str], there: dict[str, int]) -> None:
        tally = self._shared.tallies.get(name)
        if tally is None:
            return  # a newer node counts what this one does not know
        for key, number in there.items():
            tally.elsewhere[key] += number - known[key]
            known[key] = number
            if not number:
                del known[key]
            if not tally.elsewhere[key]:
                del tally.elsewhere[key]

    def _taken(self) -> dict[str, dict[str, int]]:
        told: dict[str, dict[str, int]] = {}
        for name, taken in self._shared.taken.items():
            if taken:
                told[name] = {key: taken.pop(key) for key in list(taken)[:MOST_TOLD]}
        return told

    def _changed(self) -> dict[str, dict[str, int]]:
        told: dict[str, dict[str, int]] = {}
        for name, tally in self._shared.tallies.items():
            if tally.changed:
                keys = [tally.changed.pop() for _ in range(min(MOST_TOLD, len(tally.changed)))]
                told[name] = {key: tally.here[key] for key in keys}
        return told

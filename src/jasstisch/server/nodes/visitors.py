"""Those who follow tables of this node from others: each a follower like a connection.

What several visitors of one node are told in one go travels once, with all their numbers.
"""

import asyncio
from collections.abc import Callable, Collection

from jasstisch.server.nodes.talk import Ask, Leave, Released, Talk, Told

__all__ = ["Visitor", "Visitors"]


class _Telling:
    """What visitors of one node are told, until it is said."""

    def __init__(self) -> None:
        self.told: list[tuple[list[int], bytes]] = []
        self._place: dict[int, int] = {}
        self._last: dict[int, int] = {}

    def add(self, number: int, text: bytes) -> None:
        """Tells one something, with others who are told the very same, in the order of each."""
        place = self._place.get(id(text), -1)
        if place <= self._last.get(number, -1):
            place = len(self.told)
            self.told.append(([], text))  # which also keeps the text, and so its id
            self._place[id(text)] = place
        self.told[place][0].append(number)
        self._last[number] = place


class Visitor:
    """Somebody at another node who asks something of a table here.

    Args:
        table: its id.
        person: who it is; None for somebody without an identity.
        tell: tells him something, under a number.

    Attributes:
        closed: he is gone.
        number: under which he is told.
    """

    def __init__(self, table: str, person: str | None, tell: Callable[[int, bytes], None]) -> None:
        self.table = table
        self.person = person
        self.closed = False
        self.number = 0
        self._tell = tell

    def send(self, text: bytes) -> None:
        """Tells him something, without waiting."""
        if not self.closed:
            self._tell(self.number, text)


class Visitors:
    """All visitors of a node.

    Args:
        say: says something to another node.
        leave: has a visitor no longer follow his table.
    """

    def __init__(self, say: Callable[[str, Talk], bool], leave: Callable[[Visitor], None]) -> None:
        self._say = say
        self._leave = leave
        self._of: dict[str, dict[int, Visitor]] = {}
        self._at: dict[str, set[tuple[str, int]]] = {}
        self._telling: dict[str, _Telling] = {}

    def of(self, node: str, ask: Ask) -> Visitor:
        """Who asks; from now on he is told under the number he asks for."""
        there = self._of.setdefault(node, {})
        visitor = there.get(ask.visitor)
        if visitor is None:

            def tell(number: int, text: bytes) -> None:
                self._tell(node, number, text)

            visitor = there[ask.visitor] = Visitor(ask.table, ask.person, tell)
            self._at.setdefault(ask.table, set()).add((node, ask.visitor))
        visitor.number = max(visitor.number, ask.number)
        return visitor

    def left(self, node: str, leave: Leave) -> None:
        """Some are gone."""
        for one in leave.visitors:
            self._let_go(node, one)

    def keep_only(self, node: str, visitors: Collection[int]) -> None:
        """There are none from a node but these."""
        for one in self._of.get(node, {}).keys() - set(visitors):
            self._let_go(node, one)

    def gone(self, node: str) -> set[str]:
        """A node is gone, and all its visitors; which tables they were at."""
        tables = {visitor.table for visitor in self._of.get(node, {}).values()}
        for one in list(self._of.get(node, ())):
            self._let_go(node, one)
        self._of.pop(node, None)
        self._telling.pop(node, None)
        return tables

    def all_gone(self) -> None:
        """This node is another from now on, which nobody visits."""
        for node in list(self._of):
            self.gone(node)

    def release(self, table: str) -> None:
        """A table has left memory: whoever follows it is to find it anew."""
        at = self._at.pop(table, set())
        for node in {node for node, _ in at}:
            self.flush(node)
            self._say(node, Released([table]))
        for node, one in at:
            self._of[node].pop(one).closed = True

    def flush(self, node: str) -> None:
        """Says what its visitors are told; before anything else is said to that node."""
        telling = self._telling.pop(node, None)
        for numbers, text in () if telling is None else telling.told:
            self._say(node, Told(numbers, text))

    def _tell(self, node: str, number: int, text: bytes) -> None:
        telling = self._telling.get(node)
        if telling is None:
            telling = self._telling[node] = _Telling()
            asyncio.get_running_loop().call_soon(self.flush, node)
        telling.add(number, text)

    def _let_go(self, node: str, one: int) -> None:
        visitor = self._of.get(node, {}).pop(one, None)
        if visitor is None:
            return
        at = self._at[visitor.table]
        at.discard((node, one))
        if not at:
            del self._at[visitor.table]
        visitor.closed = True
        self._leave(visitor)

"""Those who follow tables of this node from others: each a follower like a connection.

What several visitors of one node are told in one go travels once, with all their numbers.
"""

import asyncio
from collections.abc import Callable, Collection

from jasstisch.server.cluster.messages import (
    Deliver,
    ForwardedRequest,
    NodeMessage,
    TablesReleased,
    Unsubscribe,
)

__all__ = ["RemoteSubscriber", "RemoteSubscribers"]


class _OutgoingBatch:
    """What visitors of one node are told, until it is said."""

    def __init__(self) -> None:
        self.deliveries: list[tuple[list[int], bytes]] = []
        self._index_by_text: dict[int, int] = {}
        self._last_index: dict[int, int] = {}

    def add(self, number: int, text: bytes) -> None:
        """Tells one something, with others who are told the very same, in the order of each."""
        place = self._index_by_text.get(id(text), -1)
        if place <= self._last_index.get(number, -1):
            place = len(self.deliveries)
            self.deliveries.append(([], text))  # which also keeps the text, and so its id
            self._index_by_text[id(text)] = place
        self.deliveries[place][0].append(number)
        self._last_index[number] = place


class RemoteSubscriber:
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
        self.subscription_id = 0
        self._deliver = tell

    def send(self, text: bytes) -> None:
        """Tells him something, without waiting."""
        if not self.closed:
            self._deliver(self.subscription_id, text)


class RemoteSubscribers:
    """All visitors of a node.

    Args:
        say: says something to another node.
        leave: has a visitor no longer follow his table.
    """

    def __init__(
        self, say: Callable[[str, NodeMessage], bool], leave: Callable[[RemoteSubscriber], None]
    ) -> None:
        self._send = say
        self._on_removed = leave
        self._by_node: dict[str, dict[int, RemoteSubscriber]] = {}
        self._by_table: dict[str, set[tuple[str, int]]] = {}
        self._outgoing: dict[str, _OutgoingBatch] = {}

    def get_or_add(self, node: str, ask: ForwardedRequest) -> RemoteSubscriber:
        """Who asks; from now on he is told under the number he asks for."""
        there = self._by_node.setdefault(node, {})
        visitor = there.get(ask.visitor)
        if visitor is None:

            def tell(number: int, text: bytes) -> None:
                self._enqueue(node, number, text)

            visitor = there[ask.visitor] = RemoteSubscriber(ask.table, ask.person, tell)
            self._by_table.setdefault(ask.table, set()).add((node, ask.visitor))
        visitor.subscription_id = max(visitor.subscription_id, ask.number)
        return visitor

    def remove(self, node: str, leave: Unsubscribe) -> None:
        """Some are gone."""
        for one in leave.visitors:
            self._remove(node, one)

    def retain_only(self, node: str, visitors: Collection[int]) -> None:
        """There are none from a node but these."""
        for one in self._by_node.get(node, {}).keys() - set(visitors):
            self._remove(node, one)

    def remove_node(self, node: str) -> set[str]:
        """A node is gone, and all its visitors; which tables they were at."""
        tables = {visitor.table for visitor in self._by_node.get(node, {}).values()}
        for one in list(self._by_node.get(node, ())):
            self._remove(node, one)
        self._by_node.pop(node, None)
        self._outgoing.pop(node, None)
        return tables

    def clear(self) -> None:
        """This node is another from now on, which nobody visits."""
        for node in list(self._by_node):
            self.remove_node(node)

    def on_table_released(self, table: str) -> None:
        """A table has left memory: whoever follows it is to find it anew."""
        at = self._by_table.pop(table, set())
        for node in {node for node, _ in at}:
            self.flush(node)
            self._send(node, TablesReleased([table]))
        for node, one in at:
            self._by_node[node].pop(one).closed = True

    def flush(self, node: str) -> None:
        """Says what its visitors are told; before anything else is said to that node."""
        telling = self._outgoing.pop(node, None)
        for numbers, text in () if telling is None else telling.deliveries:
            self._send(node, Deliver(numbers, text))

    def _enqueue(self, node: str, number: int, text: bytes) -> None:
        telling = self._outgoing.get(node)
        if telling is None:
            telling = self._outgoing[node] = _OutgoingBatch()
            asyncio.get_running_loop().call_soon(self.flush, node)
        telling.add(number, text)

    def _remove(self, node: str, one: int) -> None:
        visitor = self._by_node.get(node, {}).pop(one, None)
        if visitor is None:
            return
        at = self._by_table[visitor.table]
        at.discard((node, one))
        if not at:
            del self._by_table[visitor.table]
        visitor.closed = True
        self._on_removed(visitor)

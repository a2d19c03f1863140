"""The subscribers from other nodes to tables of this node; each acts like a connection.

A message to several subscribers of one node is sent once, with all their subscription ids.
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


class _OutgoingBatch:
    """The messages for the subscribers of one node, until they are sent."""

    def __init__(self) -> None:
        self.deliveries: list[tuple[list[int], bytes]] = []
        self._index_by_text: dict[int, int] = {}
        self._last_index: dict[int, int] = {}

    def add(self, number: int, text: bytes) -> None:
        """Adds a message; it shares the delivery of an identical text if the order allows it."""
        place = self._index_by_text.get(id(text), -1)
        if place <= self._last_index.get(number, -1):
            place = len(self.deliveries)
            self.deliveries.append(([], text))  # which also keeps the text alive, and so its id
            self._index_by_text[id(text)] = place
        self.deliveries[place][0].append(number)
        self._last_index[number] = place


class RemoteSubscriber:
    """A subscriber or client at another node that uses a table of this node.

    Args:
        table: the table's id.
        person: the person; None for somebody without an identity.
        deliver: sends a message under a subscription id.

    Attributes:
        closed: whether the subscriber is gone.
        subscription_id: the id under which it receives messages.
    """

    def __init__(
        self, table: str, person: str | None, deliver: Callable[[int, bytes], None]
    ) -> None:
        self.table = table
        self.person = person
        self.closed = False
        self.subscription_id = 0
        self._deliver = deliver

    def send(self, text: bytes) -> None:
        """Sends an encoded message without waiting."""
        if not self.closed:
            self._deliver(self.subscription_id, text)


class RemoteSubscribers:
    """All remote subscribers of this node.

    Args:
        send: sends a message to another node.
        on_removed: called when a subscriber has been removed.
    """

    def __init__(
        self,
        send: Callable[[str, NodeMessage], bool],
        on_removed: Callable[[RemoteSubscriber], None],
    ) -> None:
        self._send = send
        self._on_removed = on_removed
        self._by_node: dict[str, dict[int, RemoteSubscriber]] = {}
        self._by_table: dict[str, set[tuple[str, int]]] = {}
        self._outgoing: dict[str, _OutgoingBatch] = {}

    def get_or_add(self, node: str, ask: ForwardedRequest) -> RemoteSubscriber:
        """The sender of a request, which receives messages under the request's id from now on."""
        subscribers = self._by_node.setdefault(node, {})
        subscriber = subscribers.get(ask.visitor)
        if subscriber is None:

            def deliver(number: int, text: bytes) -> None:
                self._enqueue(node, number, text)

            subscriber = subscribers[ask.visitor] = RemoteSubscriber(ask.table, ask.person, deliver)
            self._by_table.setdefault(ask.table, set()).add((node, ask.visitor))
        subscriber.subscription_id = max(subscriber.subscription_id, ask.number)
        return subscriber

    def remove(self, node: str, leave: Unsubscribe) -> None:
        """Removes some subscribers of a node."""
        for one in leave.visitors:
            self._remove(node, one)

    def retain_only(self, node: str, visitors: Collection[int]) -> None:
        """Removes all subscribers of a node but these."""
        for one in self._by_node.get(node, {}).keys() - set(visitors):
            self._remove(node, one)

    def remove_node(self, node: str) -> set[str]:
        """Removes all subscribers of a node that has left; returns their tables."""
        tables = {subscriber.table for subscriber in self._by_node.get(node, {}).values()}
        for one in list(self._by_node.get(node, ())):
            self._remove(node, one)
        self._by_node.pop(node, None)
        self._outgoing.pop(node, None)
        return tables

    def clear(self) -> None:
        """Removes all subscribers, because this node has a new id without any."""
        for node in list(self._by_node):
            self.remove_node(node)

    def on_table_released(self, table: str) -> None:
        """Has the subscribers of a table that left memory locate it again."""
        at = self._by_table.pop(table, set())
        for node in {node for node, _ in at}:
            self.flush(node)
            self._send(node, TablesReleased([table]))
        for node, one in at:
            self._by_node[node].pop(one).closed = True

    def flush(self, node: str) -> None:
        """Sends the messages for a node's subscribers; call it before other messages to it."""
        batch = self._outgoing.pop(node, None)
        for numbers, text in () if batch is None else batch.deliveries:
            self._send(node, Deliver(numbers, text))

    def _enqueue(self, node: str, number: int, text: bytes) -> None:
        batch = self._outgoing.get(node)
        if batch is None:
            batch = self._outgoing[node] = _OutgoingBatch()
            asyncio.get_running_loop().call_soon(self.flush, node)
        batch.add(number, text)

    def _remove(self, node: str, one: int) -> None:
        subscriber = self._by_node.get(node, {}).pop(one, None)
        if subscriber is None:
            return
        at = self._by_table[subscriber.table]
        at.discard((node, one))
        if not at:
            del self._by_table[subscriber.table]
        subscriber.closed = True
        self._on_removed(subscriber)

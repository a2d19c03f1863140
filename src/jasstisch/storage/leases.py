"""What a store promises in which several servers write: who may write a table, and since when.

Each server is a node. A table is written by the node that has leased it, until that node gives it
back or has not been heard of for `LEASE_SECONDS`. Each lease has a number, its epoch, one higher
whenever a table goes to another node; the append of events checks it in its own transaction, so
that a node which still believes it has a lease can write nothing. Time is that of the store alone.

A lease ends with its node: one word of a node keeps all that it has leased. What only one node may
do at a time is leased in the same way, under a name that no table can have, as `*retention`.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from msgspec import Struct

from jasstisch.storage.event_store import Conflict, StoreError

__all__ = [
    "LEASE_SECONDS",
    "RENEW_SECONDS",
    "FencedError",
    "Lease",
    "Leases",
    "NewerEventsError",
    "Node",
    "StoreInUseError",
]

LEASE_SECONDS = 3.0
"""So long after its last word the tables of a node may be leased by others."""

RENEW_SECONDS = 0.75
"""A node is heard of that often."""


class StoreInUseError(StoreError):
    """Another node uses this store, and nothing joins the two; the message says what to do."""


class FencedError(Conflict):
    """The node has lost the lease of this table, or its own; nothing has been kept."""


class NewerEventsError(StoreError):
    """The log of this table holds events that this node cannot read; another must have it."""


class Node(Struct, frozen=True):
    """A server, as the others know it.

    Attributes:
        id: 32 random hexadecimal digits, new at each start.
        name: what its host knows it by, as `tisch-1:4711`.
        joined: whether it has a bus to reach others by.
        talk: the version of what it says over the bus.
        events: the version of the events it can read.
    """

    id: str
    name: str
    joined: bool
    talk: int
    events: int


class Lease(Struct, frozen=True):
    """Who writes a table.

    Attributes:
        table: its id.
        node: the id of the node.
        epoch: one higher than that of the node before.
    """

    table: str
    node: str
    epoch: int


class Leases(Protocol):
    """The nodes of a store and what each of them writes. Every method may raise `StoreError`."""

    async def join(self, node: Node) -> bytes:
        """Enters as a node; from now on it must be renewed. What it was before it is no longer.

        Returns:
            A secret of 32 bytes that only those know who can read the store.

        Raises:
            AloneError: another node is there, and it or this one has no bus.
        """

    async def renew(self) -> Sequence[Node]:
        """Says that this node is there; all nodes that are, itself among them.

        Raises:
            FencedError: others have taken this node for gone. It must join again, by another id.
        """

    async def acquire(self, table: str) -> Lease:
        """Leases a table to this node, unless another has it; the lease that holds now.

        A table need not be there. From a node that has not been heard of only one takes over that
        has been heard of itself for `LEASE_SECONDS` without a break: after the store was away all
        nodes get that long to say a word.

        Raises:
            TooNewError: no other node has it, and this one could not read it.
            FencedError: others have taken this node for gone.
            StoreError: the store failed.
        """

    async def release(self, tables: Collection[str]) -> None:
        """Gives leases of this node back, so that others need not wait; others are left alone."""

    async def leave(self) -> None:
        """Gives all leases back; this node is one no longer."""

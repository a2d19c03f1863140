"""The interface of leases in a store shared by several servers: which node may write a table.

Each server is a node. A table is written by the node that has leased it, until the node releases
the lease or has not renewed itself for `LEASE_SECONDS`. Each lease has an epoch, a number that
increases whenever a table moves to another node. The append of events checks the epoch in its own
transaction, so that a node with a lost lease cannot write (fencing). Only the clock of the store
counts.

A lease ends with its node, and one renewal of a node extends all its leases. Tasks for only one
node at a time are leased in the same way, under a name that no table can have, such as
`*retention`.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from msgspec import Struct

from jasstisch.storage.errors import ConflictError, StoreError

LEASE_SECONDS = 3.0
"""The time after a node's last renewal at which others may lease its tables."""

RENEW_SECONDS = 0.75
"""The interval between renewals of a node."""


class StoreInUseError(StoreError):
    """Another node uses this store without a common bus; the message says what to do."""


class FencedError(ConflictError):
    """The node has lost the lease of this table, or its membership; nothing was stored."""


class NewerEventsError(StoreError):
    """The log holds events that this node cannot read; a newer node must write this table."""


class Node(Struct, frozen=True):
    """A server in the cluster.

    Attributes:
        id: 32 random hexadecimal digits, new at each start.
        name: its name for operators, such as `tisch-1:4711`.
        has_bus: whether it is connected to a bus.
        protocol_version: the version of its bus protocol.
        event_version: the version of the events it can read.
    """

    id: str
    name: str
    has_bus: bool
    protocol_version: int
    event_version: int


class Lease(Struct, frozen=True):
    """The right of a node to write a table.

    Attributes:
        table: the id of the table.
        node: the id of the node.
        epoch: a number one higher than that of the previous lease.
    """

    table: str
    node: str
    epoch: int


class Leases(Protocol):
    """The nodes of a store and their leases. Every method may raise `StoreError`."""

    async def join_cluster(self, node: Node) -> bytes:
        """Joins as a node, which must then be renewed; an earlier membership ends.

        Returns:
            A secret of 32 bytes, known only to those who can read the store.

        Raises:
            StoreInUseError: another node has joined, and it or this one has no bus.
        """

    async def renew_node(self) -> Sequence[Node]:
        """Renews this node; returns all live nodes, including itself.

        Raises:
            FencedError: other nodes have removed this node. It must join again with a new id.
        """

    async def acquire_lease(self, table: str) -> Lease:
        """Leases a table to this node unless another holds it; returns the lease in force.

        The table need not exist. Only a node that has itself been renewed without a break for
        `LEASE_SECONDS` may take over tables of an expired node. So after an outage of the store all
        nodes have that long to renew themselves.

        Raises:
            NewerEventsError: no other node has the table, and this one cannot read it.
            FencedError: other nodes have removed this node.
            StoreError: the store failed.
        """

    async def release_leases(self, tables: Collection[str]) -> None:
        """Releases leases of this node, so that others need not wait; ignores those of others."""

    async def leave_cluster(self) -> None:
        """Releases all leases and leaves the cluster."""

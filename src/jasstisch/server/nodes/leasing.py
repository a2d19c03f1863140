"""The leases of a node: asked for before a table is read, given back when it has left memory."""

import asyncio

from jasstisch.server.incidents import Incidents
from jasstisch.server.nodes.membership import Membership
from jasstisch.store import StoreError
from jasstisch.store.leases import Leases

__all__ = ["ElsewhereError", "Leasing"]

WORD_SECONDS = 2.0
"""So long it is waited until this node's own word holds, in seconds."""

GATHERING = 0.2
"""Seconds in which leases that are to be given back are gathered."""


class ElsewhereError(StoreError):
    """Another node has the table.

    Attributes:
        node: its id.
    """

    def __init__(self, node: str) -> None:
        super().__init__("another node has this table")
        self.node = node


class Leasing:
    """What this node has leased.

    Args:
        leases: where leases are kept.
        membership: whether this node is one.
        incidents: where trouble is noted.
    """

    def __init__(self, leases: Leases, membership: Membership, incidents: Incidents) -> None:
        self._leases = leases
        self._membership = membership
        self._incidents = incidents
        self._returned: set[str] = set()
        self._returning: asyncio.Task[None] | None = None
        self._on_their_way: frozenset[str] = frozenset()
        self._there = asyncio.Event()
        self._there.set()

    async def claim(self, table: str) -> str:
        """Leases a table, or a job, to this node.

        Returns:
            The id of this node, under which it has it now.

        Raises:
            ElsewhereError: another has it.
            StoreError: the store cannot tell, or this node is none now.
        """
        self._returned.discard(table)
        while table in self._on_their_way:
            await self._there.wait()
        if not await self._membership.word.settled(WORD_SECONDS):
            raise StoreError("this node cannot tell now which tables it has")
        lease = await self._leases.take(table)
        if lease.node != self._membership.me:
            raise ElsewhereError(lease.node)
        return lease.node

    def give_back(self, table: str) -> None:
        """Gives a lease back soon, unless it is claimed before."""
        self._returned.add(table)
        if self._returning is None or self._returning.done():
            self._returning = asyncio.create_task(self._return())

    async def _return(self) -> None:
        while self._returned:
            await asyncio.sleep(GATHERING)
            self._on_their_way, self._returned = frozenset(self._returned), set()
            self._there.clear()
            try:
                await self._leases.give_back(self._on_their_way)
            except StoreError:
                # They stay with this node until somebody asks it for them.
                self._incidents.note("lease_kept", "store")
            finally:
                self._on_their_way = frozenset()
                self._there.set()

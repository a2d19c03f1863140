"""Where a server finds its tables: in its own memory, or at other servers of the same store.

`TableRegistry` holds the tables in memory. A `TableDirectory` answers for all of them, wherever
they are: `LocalDirectory` for a server that has its store to itself, `ClusterNode` for one of
several.
"""

from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct

from jasstisch.server.api import messages
from jasstisch.server.tables.handle import TableHandle

__all__ = ["JoinCodeEntry", "PublicTableEntry", "TableDirectory"]


@dataclass(frozen=True, slots=True)
class JoinCodeEntry:
    """Where a join code leads.

    Attributes:
        table: the table's id.
        key: what its link has besides, if anything.
        until: seconds since 1970 until which the code is good.
    """

    table: str
    key: str | None
    until: float


class PublicTableEntry(Struct, frozen=True):
    """A published table as servers tell each other of it.

    Attributes:
        table: what everybody is told of it.
        host: the person whose table it is.
    """

    table: messages.PublicTable
    host: str


class TableDirectory(Protocol):
    """Finds, leases and deletes tables, at this server or at others of its store."""

    @property
    def shares_store(self) -> bool:
        """Whether other servers write to the same store."""

    async def get(self, table: str, address: str) -> TableHandle:
        """The table of this id; see `TableRegistry.get`."""

    def peek(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory, or it is known which server has it."""

    async def acquire_lease(self, table: str) -> str:
        """Leases a table to this server before it is read into memory.

        Returns:
            Under which name this server holds it, for `assert_same_node`.

        Raises:
            OwnedElsewhereError: another server has it.
            StoreError: that cannot be told now.
        """

    async def try_acquire_lease(self, table: str) -> bool:
        """Leases a table, or a job, unless another server has it; whether this one has it now.

        Raises:
            StoreError: that cannot be told now.
        """

    def assert_same_node(self, node: str) -> None:
        """Makes sure that a lease still holds.

        Args:
            node: what `acquire_lease` has returned.

        Raises:
            StoreError: it does not.
        """

    def release_lease(self, table: str) -> None:
        """Gives a lease back, unless it is acquired again before."""

    async def delete(self, table: str) -> bool:
        """Deletes a table, whoever has it; see `TableRegistry.delete`."""

    def on_table_evicted(self, table: str) -> None:
        """A table has left the memory of this server."""

    def on_link_revoked(self, table: str) -> None:
        """The link of a table of this server leads there no longer."""

    async def remote_public_tables(self) -> list[PublicTableEntry]:
        """The published tables of other servers, as far as these answer at once."""

    async def resolve_remote_join_code(self, code: str) -> JoinCodeEntry | None:
        """Where a code leads that another server has made, as far as these answer at once."""

    async def close(self) -> None:
        """Gives all tables back."""

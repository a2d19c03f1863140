"""Finds the tables of a server: in its own memory, or on other servers that share its store.

`TableRegistry` holds the tables in memory. A `TableDirectory` covers all tables, wherever they are:
`LocalDirectory` serves a single server, `ClusterNode` one server of several.
"""

from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct

from jasstisch.server.api import bodies
from jasstisch.server.tables.handle import TableHandle


@dataclass(frozen=True, slots=True)
class JoinCodeEntry:
    """The table to which a join code leads.

    Attributes:
        table: the table's id.
        key: the key in the table's link, if it has one.
        until: when the code expires, in seconds since 1970.
    """

    table: str
    key: str | None
    until: float


class PublicTableEntry(Struct, frozen=True):
    """A published table, as servers report it to each other.

    Attributes:
        table: the public information about the table.
        host: the person who is the host of the table.
    """

    table: bodies.PublicTable
    host: str


class TableDirectory(Protocol):
    """Finds, leases and deletes tables, on this server or on others that share its store."""

    @property
    def shares_store(self) -> bool:
        """Whether other servers write to the same store."""

    async def get_table(self, table: str, address: str) -> TableHandle:
        """The table of this id; see `TableRegistry.get_table`."""

    def peek_table(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory, or if the server that holds it is known."""

    async def acquire_lease(self, table: str) -> str:
        """Leases a table to this server before it is loaded into memory.

        Returns:
            The node id under which this server holds the lease, for `assert_lease_valid`.

        Raises:
            OwnedElsewhereError: another server holds the lease.
            StoreError: the lease cannot be acquired or checked now.
        """

    async def try_acquire_lease(self, table: str) -> bool:
        """Leases a table or a job unless another server holds it; returns whether it is ours.

        Raises:
            StoreError: the lease cannot be acquired or checked now.
        """

    def assert_lease_valid(self, node: str) -> None:
        """Checks that a lease is still valid.

        Args:
            node: the return value of `acquire_lease`.

        Raises:
            StoreError: the lease has ended.
        """

    def release_lease(self, table: str) -> None:
        """Releases a lease, unless it is acquired again first."""

    async def delete_table(self, table: str) -> bool:
        """Deletes a table on whichever server holds it; see `TableRegistry.delete_table`."""

    def on_table_evicted(self, table: str) -> None:
        """Called when a table has left the memory of this server without being deleted."""

    def on_link_revoked(self, table: str) -> None:
        """Called when the link of a table of this server is no longer valid."""

    async def remote_public_tables(self) -> list[PublicTableEntry]:
        """The published tables of other servers, as far as they answer in time."""

    async def resolve_remote_join_code(self, code: str) -> JoinCodeEntry | None:
        """The table of a join code created on another server, as far as servers answer in time."""

    async def close(self) -> None:
        """Releases all leases."""

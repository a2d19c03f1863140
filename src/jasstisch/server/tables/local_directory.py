"""The table directory of a single server: every table is in its own memory or store."""

from typing import Protocol

from jasstisch.server.tables.directory import JoinCodeEntry, PublicTableEntry
from jasstisch.server.tables.handle import TableHandle


class _LocalTables(Protocol):
    """The tables in the memory of this server, as `TableRegistry` holds them."""

    def get_local(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory."""

    async def load_local(self, table: str, address: str = "") -> TableHandle:
        """The table of this id, loaded from the store if necessary."""

    async def delete_local(self, table: str) -> bool:
        """Deletes a table; returns whether it existed."""


class LocalDirectory:
    """The `TableDirectory` of a single server; no other server can hold a lease."""

    _tables: _LocalTables

    def set_registry(self, tables: _LocalTables) -> None:
        """Sets the registry of this server; must be called before anything else."""
        self._tables = tables

    @property
    def shares_store(self) -> bool:
        """False: no other server writes to the store."""
        return False

    async def get_table(self, table: str, address: str) -> TableHandle:
        """The table of this id, loaded from the store if necessary."""
        return await self._tables.load_local(table, address)

    def peek_table(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory."""
        return self._tables.get_local(table)

    async def acquire_lease(self, _: str) -> str:
        """Does nothing: this server holds every table."""
        return ""

    async def try_acquire_lease(self, _: str) -> bool:
        """Returns True: this server holds every table and every job."""
        return True

    def assert_lease_valid(self, _: str) -> None:
        """Does nothing: no lease ends."""

    def release_lease(self, _: str) -> None:
        """Does nothing: no other server needs the lease."""

    async def delete_table(self, table: str) -> bool:
        """Deletes a table; returns whether it existed."""
        return await self._tables.delete_local(table)

    def on_table_evicted(self, _: str) -> None:
        """Does nothing: the next request loads the table again."""

    def on_link_revoked(self, _: str) -> None:
        """Does nothing: no other server keeps codes."""

    async def remote_public_tables(self) -> list[PublicTableEntry]:
        """Returns an empty list: there are no other servers."""
        return []

    async def resolve_remote_join_code(self, _: str) -> JoinCodeEntry | None:
        """Returns None: there are no other servers."""
        return None

    async def close(self) -> None:
        """Does nothing: there are no leases to release."""

"""The directory of a server that has its store to itself: every table is in its own memory."""

from typing import Protocol

from jasstisch.server.tables.directory import JoinCodeEntry, PublicTableEntry
from jasstisch.server.tables.handle import TableHandle

__all__ = ["LocalDirectory"]


class LocalTables(Protocol):
    """The tables in the memory of this server, as `TableRegistry` holds them."""

    def get_local(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory."""

    async def load_local(self, table: str, address: str = "") -> TableHandle:
        """The table of this id, read from the store if need be."""

    async def delete_local(self, table: str) -> bool:
        """Deletes a table; whether there was such a one."""


class LocalDirectory:
    """Implements `TableDirectory` for a single server; nobody else can hold a lease."""

    _tables: LocalTables

    def attach(self, tables: LocalTables) -> None:
        """Learns which tables those of this server are; before anything else is called."""
        self._tables = tables

    @property
    def shares_store(self) -> bool:
        """False: no other server writes to the store."""
        return False

    async def get(self, table: str, address: str) -> TableHandle:
        """The table of this id, read from the store if need be."""
        return await self._tables.load_local(table, address)

    def peek(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory."""
        return self._tables.get_local(table)

    async def acquire_lease(self, _: str) -> str:
        """Nothing: this server has every table."""
        return ""

    async def try_acquire_lease(self, _: str) -> bool:
        """True: this server has every table and every job."""
        return True

    def assert_same_node(self, _: str) -> None:
        """Nothing: no lease ends."""

    def release_lease(self, _: str) -> None:
        """Nothing: nobody else wants it."""

    async def delete(self, table: str) -> bool:
        """Deletes a table; whether there was such a one."""
        return await self._tables.delete_local(table)

    def on_table_evicted(self, _: str) -> None:
        """Nothing: whoever asks for the table next has it read again."""

    def on_link_revoked(self, _: str) -> None:
        """Nothing: nobody else keeps codes."""

    async def remote_public_tables(self) -> list[PublicTableEntry]:
        """None."""
        return []

    async def resolve_remote_join_code(self, _: str) -> JoinCodeEntry | None:
        """None."""
        return None

    async def close(self) -> None:
        """Nothing is held."""

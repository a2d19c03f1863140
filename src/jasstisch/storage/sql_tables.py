"""What a store holds, in parts that are alike in both kinds of databases."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Protocol

from msgspec import Struct

__all__ = ["BATCH_ROWS", "SQL_TABLES", "Rows", "SqlTable", "StoreTransaction"]

BATCH_ROWS = 1000
"""So many rows are carried at a time."""

Rows = Sequence[Sequence[Any]]


class SqlTable(Struct, frozen=True):
    """A table of the database.

    Attributes:
        name: what it is called.
        columns: its columns.
        order: those that tell each of its rows from all others.
        kept_only: whether what is left of deleted tables stands there too, which does not count.
    """

    name: str
    columns: tuple[str, ...]
    order: tuple[str, ...]
    kept_only: bool = False

    @property
    def query(self) -> str:
        """All its rows, in order."""
        where = "WHERE table_id IN (SELECT table_id FROM kept)" if self.kept_only else ""
        columns, order = ", ".join(self.columns), ", ".join(self.order)
        return f"SELECT {columns} FROM {self.name} {where} ORDER BY {order}"  # noqa: S608 - ours


SQL_TABLES = (
    SqlTable(
        "event",
        ("table_id", "version", "at", "body", "sum"),
        ("table_id", "version"),
        kept_only=True,
    ),
    SqlTable("kept", ("table_id", "touched", "finished"), ("table_id",)),
    SqlTable("analysis", ("table_id", "number", "body", "sum"), ("table_id", "number")),
    SqlTable("results", ("table_id", "version", "analyses", "body", "sum"), ("table_id",)),
    SqlTable("credential", ("hash", "person", "kind", "made", "used", "expires"), ("hash",)),
    SqlTable("named", ("person", "table_id"), ("person", "table_id")),
    SqlTable("forgotten", ("person",), ("person",)),
    SqlTable("banned", ("person", "since", "until", "reason"), ("person",)),
)
"""All that is worth keeping. What a layout adds to it belongs here too."""


class StoreTransaction(Protocol):
    """A store that nobody else uses, within a transaction."""

    async def is_empty(self) -> bool:
        """Whether it holds nothing at all."""

    def rows(self, part: SqlTable) -> AsyncGenerator[Rows, None]:
        """The rows of a part in order, some at a time."""

    async def add(self, part: SqlTable, rows: Rows) -> None:
        """Adds rows to a part."""

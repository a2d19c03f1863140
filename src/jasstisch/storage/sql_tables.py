"""The SQL tables of a store, as far as they are the same in SQLite and Postgres."""

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from typing import Any, Protocol

from msgspec import Struct

BATCH_ROWS = 1000
"""The number of rows copied at a time."""

Values = tuple[str | int | float | bytes | None, ...]

Statement = tuple[str, Values]
"""A statement with its values, which are numbered ?1, ?2 and so on."""

Rows = Sequence[Sequence[Any]]
"""The rows of a statement; their types follow from the columns."""

Steps = Generator[Statement, Rows, None]
"""A sequence of statements; the rows of each are sent back to the generator."""

Script = Callable[[], Steps]
"""Starts a change, again for each attempt."""


def script_of(*statements: Statement) -> Script:
    """A change of fixed statements, which is never refused."""

    def write() -> Steps:
        for statement in statements:  # noqa: UP028 - rows are sent, which a tuple does not take
            yield statement

    return write


class SqlTable(Struct, frozen=True):
    """A table of the database.

    Attributes:
        name: its name.
        columns: its columns.
        primary_key: the columns of its primary key.
        skips_deleted_tables: whether it may contain leftovers of deleted tables, which are not
            copied.
    """

    name: str
    columns: tuple[str, ...]
    primary_key: tuple[str, ...]
    skips_deleted_tables: bool = False

    @property
    def query(self) -> str:
        """The query for all its rows, in order."""
        where = "WHERE table_id IN (SELECT table_id FROM kept)" if self.skips_deleted_tables else ""
        columns, order = ", ".join(self.columns), ", ".join(self.primary_key)
        return f"SELECT {columns} FROM {self.name} {where} ORDER BY {order}"  # noqa: S608 - constants


SQL_TABLES = (
    SqlTable(
        "event",
        ("table_id", "version", "at", "body", "sum"),
        ("table_id", "version"),
        skips_deleted_tables=True,
    ),
    SqlTable("kept", ("table_id", "touched", "finished", "access", "access_sum"), ("table_id",)),
    SqlTable("analysis", ("table_id", "number", "body", "sum"), ("table_id", "number")),
    SqlTable("results", ("table_id", "version", "analyses", "body", "sum"), ("table_id",)),
    SqlTable(
        "credential", ("hash", "person", "kind", "made", "used", "expires", "maker"), ("hash",)
    ),
    SqlTable("named", ("person", "table_id"), ("person", "table_id")),
    SqlTable("forgotten", ("person",), ("person",)),
    SqlTable("abandoned", ("person", "since"), ("person",)),
    SqlTable("banned", ("person", "since", "until", "reason"), ("person",)),
    SqlTable("unlisted", ("line",), ("number",)),
)
"""All tables that are copied. A table added by a new schema version belongs here too."""


class StoreTransaction(Protocol):
    """A transaction on a store that no other process uses."""

    async def is_empty(self) -> bool:
        """Whether the store is empty."""

    def rows(self, part: SqlTable) -> AsyncGenerator[Rows, None]:
        """The rows of a table in order, in batches."""

    async def insert_rows(self, part: SqlTable, rows: Rows) -> None:
        """Adds rows to a table."""

    async def execute(self, statement: Statement) -> Rows:
        """Executes a statement with SQLite's numbering of values; returns its rows."""

"""What every event store promises, whatever it is made of."""

from collections.abc import Sequence
from typing import Protocol

from jasstisch.table.events import Event

__all__ = ["Conflict", "EventStore", "StoreError"]


class StoreError(Exception):
    """The store could not do it; nothing of the request has been kept."""


class Conflict(StoreError):  # noqa: N818 - it is a StoreError, and the word says which
    """Another writer has already written these versions of the table."""


class EventStore(Protocol):
    """A durable log of events for each table, versions from 1 without gaps."""

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Adds events to a table's log; once this returns they survive a crash.

        Args:
            table: the table's id.
            after: the version the writer knows; the first event becomes `after + 1`.
            events: one or more events; all of them are kept, or none.

        Raises:
            Conflict: the table's log does not end at `after`.
            StoreError: the disk or the database failed.
        """

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; empty for an unknown table.

        Raises:
            StoreError: they cannot be read.
        """

    async def count(self) -> int:
        """How many tables the store holds."""

    async def close(self) -> None:
        """Finishes what was asked for and lets the store go."""

"""What every event store promises, whatever it is made of."""

from collections.abc import Sequence
from typing import Protocol

from jasstisch.store.identities import IdentityStore
from jasstisch.table.events import Event
from jasstisch.table.state import Finished

__all__ = ["Conflict", "EventStore", "StoreError"]


class StoreError(Exception):
    """The store could not do it; nothing of the request has been kept."""


class Conflict(StoreError):  # noqa: N818 - it is a StoreError, and the word says which
    """Another writer has already written these versions of the table."""


class EventStore(Protocol):
    """A durable log of events for each table, versions from 1 without gaps.

    Where a `Gathered` stands, the events between the creation and it are kept no longer.
    """

    @property
    def identities(self) -> IdentityStore:
        """Where it is kept who is who; it knows who stands in the logs of the tables."""

    async def append(
        self, table: str, after: int, events: Sequence[Event], finished: Finished | None = None
    ) -> None:
        """Adds events to a table's log; once this returns they survive a crash.

        Args:
            table: the table's id.
            after: the version the writer knows; the first event becomes `after + 1`.
            events: one or more events; all of them are kept, or none.
            finished: what has been finished at the table by now, if the writer knows.

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

    async def untouched(self, finished: Finished | None, since: float, most: int) -> list[str]:
        """Tables to which nothing has been added since a time, those left alone longest first.

        Args:
            finished: what has been finished at them; None: those of which that is not known.
            since: seconds since 1970; an hour more or less does not count.
            most: how many of them at most.

        Raises:
            StoreError: they cannot be read.
        """

    async def note(self, table: str, finished: Finished) -> None:
        """Keeps what has been finished at a table, where that was not known.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def delete(self, table: str) -> bool:
        """Deletes a table; once this returns it is unknown, and its events go in small steps.

        Returns:
            Whether there was such a table.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def close(self) -> None:
        """Finishes what was asked for and lets the store go."""

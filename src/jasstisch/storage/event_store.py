"""What every event store promises, whatever it is made of."""

from collections.abc import Awaitable, Sequence
from typing import Protocol

from msgspec import Struct

from jasstisch.storage.failure_causes import FailureCause, classify_failure
from jasstisch.storage.identities import IdentityStore
from jasstisch.table.events import Event
from jasstisch.table.state import Progress

__all__ = [
    "CommitObserver",
    "Conflict",
    "CorruptionError",
    "EventStore",
    "OutcomeUnknownError",
    "StoreError",
    "StoredResults",
    "StoredTable",
]


class StoreError(Exception):
    """The store could not do it; unless it is a `NotKnownError`, nothing of it has been kept.

    Args:
        text: what could not be done.
        cause: why, where that is known and no other exception has led to this one.
    """

    def __init__(self, text: str = "", cause: FailureCause | None = None) -> None:
        super().__init__(text)
        self._cause = cause

    @property
    def cause(self) -> FailureCause | None:
        """Why it failed, as far as that can be told without reading a message."""
        return self._cause or (self.__cause__ and classify_failure(self.__cause__)) or None


class OutcomeUnknownError(StoreError):
    """It cannot be told whether this was kept; whoever wants to know reads what is there."""


class CommitObserver(Protocol):
    """Is told of each commit of a store; any thread may call it, one at a time."""

    def committed(self, seconds: float, changes: int) -> None:
        """So many changes were written in one transaction, which took so long."""

    def failed(self, cause: FailureCause | None) -> None:
        """A transaction came to nothing."""


class Conflict(StoreError):  # noqa: N818 - it is a StoreError, and the word says which
    """Another writer has already written these versions of the table."""


class CorruptionError(StoreError):
    """What is kept is not what was written; the message says what was found, and no card.

    Args:
        text: what was found.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, "damaged")


class StoredTable(Struct, frozen=True):
    """A table that a store holds.

    Attributes:
        table: its id.
        touched: seconds since 1970 when something was last added, to the hour.
        finished: what has been finished there; None where that is not known.
    """

    table: str
    touched: float
    finished: Progress | None


class StoredResults(Struct, frozen=True):
    """A table at which a match may be over.

    Attributes:
        table: its id.
        body: what has come of its matches, as it is to be read again; None where nothing is kept
            that holds for the table as it is now.
    """

    table: str
    body: bytes | None


class EventStore(Protocol):
    """A durable log of events for each table, versions from 1 without gaps.

    Where a `Gathered` stands, the events between the creation and it are kept no longer.
    """

    @property
    def identities(self) -> IdentityStore:
        """Where it is kept who is who; it knows who stands in the logs of the tables."""

    def observe_commits(self, watcher: CommitObserver) -> None:
        """Has a watcher told of each commit from now on, in place of any other."""

    def now(self) -> float:
        """Seconds since 1970, by the clock that all servers of the store share."""

    def append(
        self, table: str, after: int, events: Sequence[Event], finished: Progress | None = None
    ) -> Awaitable[None]:
        """Adds events to a table's log; once this has been awaited they survive a crash.

        Args:
            table: the table's id.
            after: the version the writer knows; the first event becomes `after + 1`.
            events: one or more events; all of them are kept, or none.
            finished: what has been finished at the table by now, if the writer knows.

        Raises:
            Conflict: the table's log does not end at `after`.
            NotKnownError: the database was lost in the middle, and cannot be asked what it holds.
            StoreError: the disk or the database failed.
        """

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; empty for an unknown table.

        Raises:
            DamagedError: something of them is missing or not as it was written.
            StoreError: they cannot be read.
        """

    async def list_tables(self, after: str, most: int) -> list[StoredTable]:
        """The tables there are, in the order of their ids.

        Args:
            after: those whose ids come after this text; "" for the first ones.
            most: how many of them at most; fewer only where there are no more.

        Raises:
            StoreError: they cannot be read.
        """

    async def count(self) -> int:
        """How many tables the store holds."""

    async def idle_tables(self, finished: Progress | None, since: float, most: int) -> list[str]:
        """Tables to which nothing has been added since a time, those left alone longest first.

        Where several servers write, those that another one has leased are in use and left out.

        Args:
            finished: what has been finished at them; None: those of which that is not known.
            since: seconds since 1970; an hour more or less does not count.
            most: how many of them at most.

        Raises:
            StoreError: they cannot be read.
        """

    async def set_progress(self, table: str, finished: Progress) -> None:
        """Keeps what has been finished at a table, where that was not known.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def delete(self, table: str) -> bool:
        """Deletes a table; once this returns it is unknown, and its events go in small steps.

        Returns:
            Whether there was such a table.

        Raises:
            StoreError: the disk or the database failed, or another server has leased the table; the
                message names that server.
        """

    async def save_analysis(self, table: str, number: int, body: bytes) -> None:
        """Keeps the analysis of a match with its table, in place of an older one.

        It goes with the table. Where that is gone by now, nothing is kept.

        Args:
            table: the table's id.
            number: which match of the table it is, from 1.
            body: the analysis, as it is to be read again.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; None where none is kept.

        Raises:
            DamagedError: it is not as it was written.
            StoreError: it cannot be read.
        """

    async def analysis_checksums(self, table: str) -> dict[int, int]:
        """The matches of a table of which an analysis is kept, in order, with its checksum.

        Raises:
            StoreError: they cannot be read.
        """

    async def save_results(self, table: str, version: int, analyses: int, body: bytes) -> None:
        """Keeps what has come of the matches of a table with it, in place of what was kept before.

        It goes with the table. Where that is gone by now, nothing is kept.

        Args:
            table: the table's id.
            version: how long its log was that it is made of.
            analyses: the sum of the checksums of the analyses that it is made of.
            body: what is kept, as it is to be read again.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def results_for(self, person: str, most: int, skipped: int) -> list[StoredResults]:
        """The tables in whose logs a person stands and at which a match may be over.

        Those touched last come first.

        Args:
            person: who.
            most: how many of them at most; fewer only where there are no more.
            skipped: so many of the first ones are left out.

        Raises:
            StoreError: they cannot be read.
        """

    async def event_times(self, table: str) -> dict[int, float]:
        """When each event of a table was added, by its version: seconds since 1970.

        None are told of an unknown table.

        Raises:
            StoreError: they cannot be read.
        """

    async def close(self) -> None:
        """Finishes what was asked for and lets the store go."""

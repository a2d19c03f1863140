"""The interface of an event store, and the structs it returns."""

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from jasstisch.storage.failure_causes import FailureCause
from jasstisch.storage.identities import IdentityStore
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.events import Event
from jasstisch.table.state import Progress

if TYPE_CHECKING:
    from jasstisch.storage.forgotten_list import ForgottenList


class CommitObserver(Protocol):
    """Observes the commits of a store; called from any thread, one call at a time."""

    def on_committed(self, seconds: float, changes: int) -> None:
        """A transaction with this number of changes was committed in this time."""

    def on_commit_failed(self, cause: FailureCause | None) -> None:
        """A transaction failed."""

    def on_vacuumed(self, seconds: float) -> None:
        """Nothing that was deleted is left in the files; writers waited for at most this time."""

    def on_vacuum_failed(self, cause: FailureCause | None) -> None:
        """The files could not be rewritten; it is tried again."""


class StoredTable(Struct, frozen=True):
    """A table in a store.

    Attributes:
        table: its id.
        last_event_at: the time of its last event in seconds since 1970, with a resolution of an
            hour.
        progress: its progress; None where it is unknown.
    """

    table: str
    last_event_at: float
    progress: Progress | None


class StoredResults(Struct, frozen=True):
    """The stored results of a table with possibly finished matches.

    Attributes:
        table: its id.
        body: the encoded results of its matches; None where none are stored or they are outdated.
    """

    table: str
    body: bytes | None


class EventStore(Protocol):
    """A durable log of events for each table, versions from 1 without gaps.

    The events between the creation and a `LobbyCompacted` event are deleted.
    """

    @property
    def identity_store(self) -> IdentityStore:
        """The identity store of this store; it also knows the people in the logs of tables."""

    def observe_commits(self, watcher: CommitObserver) -> None:
        """Reports each commit to an observer from now on, in place of an earlier one."""

    def record_forgetting(self, forgotten: "ForgottenList") -> None:
        """Lists what is forgotten and revoked from now on, once that is committed.

        It is what `forget_again` applies to a restored backup.
        """

    def now(self) -> float:
        """Seconds since 1970, by the clock that all servers of the store share."""

    def append(
        self,
        table: str,
        after: int,
        events: Sequence[Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> Awaitable[None]:
        """Appends events to a table's log; once this has been awaited they survive a crash.

        Args:
            table: the table's id.
            after: the version the writer knows; the first event becomes `after + 1`.
            events: one or more events, stored atomically.
            finished: the progress of the table, if the writer knows it.
            access: the access rules of the table, if the events change them.

        Raises:
            ConflictError: the table's log does not end at `after`.
            OutcomeUnknownError: the connection was lost during the commit, and the database cannot
                be asked for its result.
            StoreError: the disk or the database failed.
        """

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; empty for an unknown table.

        Raises:
            CorruptionError: an event is missing or was changed.
            StoreError: they cannot be read.
        """

    async def access_rules(self, table: str) -> AccessRules | None:
        """The access rules of a table, in a time that does not depend on its log.

        Returns:
            The rules; rules that admit everybody where they are unknown, so that the table itself
            must decide; None for an unknown table.

        Raises:
            StoreError: they cannot be read.
        """

    async def tables_without_access_rules(self, limit: int) -> list[str]:
        """Tables whose access rules are unknown.

        With several servers, tables leased by another server are left out.

        Raises:
            StoreError: they cannot be read.
        """

    async def set_access_rules(self, table: str, version: int, rules: AccessRules) -> None:
        """Stores the access rules of a table, where they are unknown.

        Args:
            table: the table's id.
            version: the version of the log from which they derive; nothing is stored if the log has
                grown meanwhile.
            rules: the rules.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def list_tables(self, after: str, limit: int) -> list[StoredTable]:
        """A page of the tables, in the order of their ids.

        Args:
            after: the page starts with the first id after this text; "" for the first page.
            limit: the size of the page; fewer are returned only at the end.

        Raises:
            StoreError: they cannot be read.
        """

    async def count_tables(self) -> int:
        """The number of tables in the store."""

    async def idle_tables(self, finished: Progress | None, since: float, limit: int) -> list[str]:
        """Tables without new events since a time, the longest idle first.

        With several servers, tables leased by another server are in use and left out.

        Args:
            finished: the progress of the tables; None for tables whose progress is unknown.
            since: seconds since 1970, accurate to an hour.
            limit: the maximum number of tables.

        Raises:
            StoreError: they cannot be read.
        """

    async def set_progress(self, table: str, finished: Progress) -> None:
        """Stores the progress of a table, where it was unknown.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def delete(self, table: str) -> bool:
        """Deletes a table; once this returns it is unknown, and its events are deleted in steps.

        Returns:
            Whether the table existed.

        Raises:
            StoreError: the disk or the database failed, or another server has leased the table; the
                message names that server.
        """

    async def rewrite(
        self, table: str, log: Sequence[Event], clean: Sequence[Event], access: AccessRules
    ) -> None:
        """Replaces events of a log that must no longer contain what they contained.

        The table's results are deleted, and those computed from the earlier log are refused from
        now on.

        Args:
            table: the table's id.
            log: the whole log as loaded.
            clean: the same number of events; the same objects where nothing is to change.
            access: the access rules that follow from them.

        Raises:
            ConflictError: the table's log has grown meanwhile.
            StoreError: the disk or the database failed.
        """

    async def count_rewrites(self, table: str) -> int:
        """How many times the log of a table has been rewritten; read it before the log."""

    async def save_analysis(self, table: str, number: int, body: bytes) -> None:
        """Stores the analysis of a match with its table, in place of an older one.

        It is deleted with the table. If the table has been deleted already, nothing is stored.

        Args:
            table: the table's id.
            number: number of the match at the table, from 1.
            body: the encoded analysis.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; None where none is stored.

        Raises:
            CorruptionError: it was changed.
            StoreError: it cannot be read.
        """

    async def analysis_checksums(self, table: str) -> dict[int, int]:
        """The matches of a table with a stored analysis, in order, with its checksum.

        Raises:
            StoreError: they cannot be read.
        """

    async def save_results(
        self, table: str, version: int, analyses: int, body: bytes, rewrites: int
    ) -> None:
        """Stores the results of a table's matches, in place of earlier ones.

        They are deleted with the table. If the table has been deleted already, or its log has been
        rewritten meanwhile, nothing is stored.

        Args:
            table: the table's id.
            version: the version of the log from which they were computed.
            analyses: the sum of the checksums of the analyses from which they were computed.
            body: the encoded results.
            rewrites: the number of rewrites, as counted before the log was read.

        Raises:
            StoreError: the disk or the database failed.
        """

    async def results_of_person(self, person: str, limit: int, skipped: int) -> list[StoredResults]:
        """The results of the tables whose logs contain a person and may have a finished match.

        The tables changed last come first.

        Args:
            person: the person.
            limit: the size of the page; fewer are returned only at the end.
            skipped: the number of tables to skip.

        Raises:
            StoreError: they cannot be read.
        """

    async def event_times(self, table: str) -> dict[int, float]:
        """The time of each event of a table, by version: seconds since 1970.

        Empty for an unknown table.

        Raises:
            StoreError: they cannot be read.
        """

    async def close(self) -> None:
        """Finishes pending operations and closes the store."""

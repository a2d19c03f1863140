"""A table as connections and calls know it, wherever it is in memory."""

from typing import Protocol

from jasstisch.match.record import Record
from jasstisch.server.tables.actor import OnAnswered, TableMessage
from jasstisch.server.tables.analysis_jobs import AnalysisStatus
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.table import Room, commands

__all__ = ["TableHandle"]


class TableHandle(Protocol):
    """A table in memory: here (`Live`), or as it is reached from here (`nodes.route`)."""

    @property
    def id(self) -> str:
        """Its id."""

    async def may_access(
        self, person: str | None, key: str | None, match: int | None = None
    ) -> bool:
        """Whether somebody with this key, or without one, may know of the table, and of a match.

        Raises:
            StoreError: that cannot be told now.
        """

    async def get_room(self) -> Room:
        """The room as last committed.

        Raises:
            StoreError: that cannot be told now.
        """

    async def get_room_for(self, person: str | None) -> Room:
        """The room as somebody may see it, who may be told of the table late.

        Raises:
            StoreError: that cannot be told now.
        """

    async def record(self) -> Record | None:
        """The record of the match that is over; None while one runs.

        Raises:
            StoreError: that cannot be told now.
        """

    async def analysis_status(self, match: int) -> AnalysisStatus:
        """How it stands with the analysis of a match of this table.

        Raises:
            StoreError: that cannot be told now.
        """

    async def request_analysis(self, match: int, person: str) -> AnalysisStatus:
        """Has a match analysed, unless that is under way; how it stands then.

        Args:
            match: its number at this table.
            person: who asks, and is charged for it.

        Raises:
            StoreError: it cannot be asked for now.
        """

    async def request(self, follower: Subscriber, message: TableMessage) -> bool:
        """Has a request done and answered; False where that is too much now.

        What it is False for has not been done.
        """

    def submit(self, follower: Subscriber, message: TableMessage, answered: OnAnswered) -> bool:
        """Has a request done, and tells when it is answered; False as for `ask`."""

    async def administer(self, command: commands.AdminCommand) -> None:
        """Has something done that only the server may; done twice it is the same.

        Raises:
            TableError: it cannot be done.
            StoreError: it could not be done now.
        """

    def unsubscribe(self, follower: Subscriber) -> None:
        """Stops telling a connection about this table."""

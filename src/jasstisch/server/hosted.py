"""A table as connections and calls know it, wherever it is in memory."""

from typing import Protocol

from jasstisch.record import Record
from jasstisch.server.analyst import AnalysisStanding
from jasstisch.server.audience import Follower
from jasstisch.server.live import Answered, TableMessage
from jasstisch.table import Room, commands

__all__ = ["Hosted"]


class Hosted(Protocol):
    """A table in memory: here (`Live`), or as it is reached from here (`nodes.route`)."""

    @property
    def id(self) -> str:
        """Its id."""

    async def admits(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether somebody with this key, or without one, may know of the table, and of a match.

        Raises:
            StoreError: that cannot be told now.
        """

    async def look(self) -> Room:
        """The room as last committed.

        Raises:
            StoreError: that cannot be told now.
        """

    async def look_as(self, person: str | None) -> Room:
        """The room as somebody may see it, who may be told of the table late.

        Raises:
            StoreError: that cannot be told now.
        """

    async def record(self) -> Record | None:
        """The record of the match that is over; None while one runs.

        Raises:
            StoreError: that cannot be told now.
        """

    async def analysis(self, match: int) -> AnalysisStanding:
        """How it stands with the analysis of a match of this table.

        Raises:
            StoreError: that cannot be told now.
        """

    async def analyse(self, match: int, person: str) -> AnalysisStanding:
        """Has a match analysed, unless that is under way; how it stands then.

        Args:
            match: its number at this table.
            person: who asks, and is charged for it.

        Raises:
            StoreError: it cannot be asked for now.
        """

    async def ask(self, follower: Follower, message: TableMessage) -> bool:
        """Has a request done and answered; False where that is too much now.

        What it is False for has not been done.
        """

    def post(self, follower: Follower, message: TableMessage, answered: Answered) -> bool:
        """Has a request done, and tells when it is answered; False as for `ask`."""

    async def operate(self, command: commands.Operating) -> None:
        """Has something done that only the server may; done twice it is the same.

        Raises:
            TableError: it cannot be done.
            StoreError: it could not be done now.
        """

    def leave(self, follower: Follower) -> None:
        """Stops telling a connection about this table."""

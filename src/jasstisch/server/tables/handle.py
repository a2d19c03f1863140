"""A table as connections and calls know it: what they may ask, wherever it is in memory."""

from collections.abc import Callable
from typing import Protocol

from jasstisch.match.record import Record
from jasstisch.server.api import messages
from jasstisch.server.tables.analysis_jobs import AnalysisStatus
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.table import Room, commands

__all__ = [
    "ERR_NO_SUCH_TABLE",
    "ERR_OUTCOME_UNKNOWN",
    "ERR_UNAVAILABLE",
    "NO_ACK",
    "OnAnswered",
    "TableHandle",
    "TableMessage",
]

TableMessage = (
    messages.Watch
    | messages.Unwatch
    | messages.Sit
    | messages.Stand
    | messages.Swap
    | messages.AnswerSwap
    | messages.WithdrawSwap
    | messages.Start
    | messages.Act
    | messages.ClaimRest
    | messages.Undo
    | messages.AnswerUndo
    | messages.WithdrawUndo
    | messages.Ready
    | messages.ResumeControl
    | messages.TakeOverFor
    | messages.SendPhrase
    | messages.SendChat
    | messages.SetEntryPolicy
    | messages.AnswerEntryRequest
    | messages.RevokeLink
    | messages.SetStartPolicy
    | messages.SetChatPolicy
    | messages.SetPublished
    | messages.SetSpectatorDelay
    | messages.ExtendTime
    | messages.Remove
    | messages.AssignSeat
    | messages.Close
    | messages.CommitContributions
    | messages.OpenContribution
    | messages.RequestHint
    | messages.SkipPause
)
"""What a client may ask of a table."""

NO_ACK = -1
"""The number of a request of which nobody wants to read that it is done."""

ERR_UNAVAILABLE = "the table cannot be reached now; try again"
"""What is told of a request that has not been done, as nobody can do it now."""

ERR_OUTCOME_UNKNOWN = "it is not known whether this was done; look at the table"
"""What is told of a request whose fate nobody knows."""

ERR_NO_SUCH_TABLE = "there is no table of this id"
"""What is told of a table that there is not, or not for whoever asks."""

OnAnswered = Callable[[bool], None]
"""Told once that a request is answered; or, by False, that it was not taken."""


class TableHandle(Protocol):
    """A table in memory: here (`TableActor`), or as it is reached from here (`TableProxy`)."""

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
        """Has a request done, and tells when it is answered; False as for `request`."""

    async def administer(self, command: commands.AdminCommand) -> None:
        """Has something done that only the server may; done twice it is the same.

        Raises:
            TableError: it cannot be done.
            StoreError: it could not be done now.
        """

    def unsubscribe(self, follower: Subscriber) -> None:
        """Stops telling a connection about this table."""

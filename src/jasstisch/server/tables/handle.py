"""The interface of a table for connections and requests, wherever the table is in memory."""

from collections.abc import Callable
from typing import Protocol

from jasstisch.match.record import Record
from jasstisch.server.api import messages
from jasstisch.server.tables.analysis_jobs import AnalysisStatus
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.table import RoomInfo, commands

TableMessage = (
    messages.Watch
    | messages.Unwatch
    | messages.Sit
    | messages.Stand
    | messages.SwapSeats
    | messages.AnswerSwap
    | messages.WithdrawSwap
    | messages.StartMatch
    | messages.Act
    | messages.ClaimRest
    | messages.Undo
    | messages.AnswerUndo
    | messages.WithdrawUndo
    | messages.Ready
    | messages.ResumeControl
    | messages.LetBotTakeOver
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
    | messages.RemovePerson
    | messages.AssignBot
    | messages.CloseTable
    | messages.CommitContributions
    | messages.OpenContribution
    | messages.RequestHint
    | messages.SkipPause
)
"""The messages that a client may send to a table."""

NO_ACK = -1
"""The sequence number of a request that needs no acknowledgement."""

ERR_UNAVAILABLE = "the table cannot be reached now; try again"
"""The error text for a request that was not executed because the table is unreachable."""

ERR_OUTCOME_UNKNOWN = "it is not known whether this was done; look at the table"
"""The error text for a request whose outcome is unknown."""

ERR_NO_SUCH_TABLE = "there is no table of this id"
"""The error text for a table that does not exist, or that the caller may not access."""

OnAnswered = Callable[[bool], None]
"""Called when a request has been answered (True) or was not accepted (False)."""


class TableHandle(Protocol):
    """A table in memory: a local one (`TableActor`) or a proxy of a remote one (`TableProxy`)."""

    @property
    def id(self) -> str:
        """The table's id."""

    async def may_access(
        self, person: str | None, key: str | None, match: int | None = None
    ) -> bool:
        """Whether a person, with or without a key, may access the table, and a match of it.

        Raises:
            StoreError: the table cannot be reached now.
        """

    async def get_room(self) -> RoomInfo:
        """The room as last committed.

        Raises:
            StoreError: the table cannot be reached now.
        """

    async def get_room_for(self, person: str | None) -> RoomInfo:
        """The room as a person may see it; spectators may see it with a delay.

        Raises:
            StoreError: the table cannot be reached now.
        """

    async def get_record(self) -> Record | None:
        """The record of the finished match; None while a match runs.

        Raises:
            StoreError: the table cannot be reached now.
        """

    async def analysis_status(self, match: int) -> AnalysisStatus:
        """The status of the analysis of a match of this table.

        Raises:
            StoreError: the table cannot be reached now.
        """

    async def request_analysis(self, match: int, person: str) -> AnalysisStatus:
        """Starts the analysis of a match, unless it is already running; returns its status.

        Args:
            match: the number of the match at this table.
            person: the person who requests the analysis and is billed for it.

        Raises:
            StoreError: the analysis cannot be requested now.
        """

    async def request(self, subscriber: Subscriber, message: TableMessage) -> bool:
        """Submits a request and waits until it is answered.

        Returns:
            False if the table accepts no request now; it has then not been executed.
        """

    def submit(self, subscriber: Subscriber, message: TableMessage, answered: OnAnswered) -> bool:
        """Submits a request and calls `answered` later; returns False as `request` does."""

    async def administer(self, command: commands.AdminCommand) -> None:
        """Executes a command that only the server may give; the command is idempotent.

        Raises:
            TableError: the command is not possible.
            StoreError: the command is not possible at the moment.
        """

    def has_subscriber(self, subscriber: Subscriber) -> bool:
        """Whether a connection is subscribed to the table, which has then admitted it."""

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Ends a connection's subscription to this table."""

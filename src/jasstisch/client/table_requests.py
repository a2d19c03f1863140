"""The requests of a player or host at a table: a method for each message."""

import asyncio
from typing import Literal, Protocol

from jasstisch.server.api import messages


class Connection(Protocol):
    """What a table needs of the connection to its server."""

    async def request(self, message: messages.ClientMessage) -> messages.Ack:
        """Sends a message and waits for the answer."""

    async def wait_for(self, event: asyncio.Event) -> None:
        """Waits for an event of a table."""


class TableRequests:
    """The requests at a table; each returns once the server has acknowledged it.

    Args:
        connection: the connection to the server.
        table: the table's id.

    Attributes:
        id: the table's id.
        last_hint: the last hint requested; None before.
    """

    def __init__(self, connection: Connection, table: str) -> None:
        self.id = table
        self.last_hint: messages.HintReply | None = None
        self._connection = connection

    async def sit(self, seat: int, name: str, face: int = 0, *, program: bool = False) -> None:
        """Takes a free seat with a nickname; a seated client moves and keeps its nickname.

        Args:
            seat: the seat.
            name: the nickname.
            face: the number of the face shown beside it, 0 for none.
            program: whether a program plays there, which everybody at the table sees.
        """
        await self._connection.request(messages.Sit(0, self.id, seat, name, face, program))

    async def stand(self) -> None:
        """Leaves the seat."""
        await self._connection.request(messages.Stand(0, self.id))

    async def swap(self, seat: int) -> None:
        """Swaps seats with a bot, or asks the person of that seat to swap."""
        await self._connection.request(messages.SwapSeats(0, self.id, seat))

    async def answer_swap(self, seat: int, *, accept: bool) -> None:
        """Accepts or declines the swap request of the person of that seat."""
        await self._connection.request(messages.AnswerSwap(0, self.id, seat, accept))

    async def withdraw_swap(self) -> None:
        """Withdraws the swap request."""
        await self._connection.request(messages.WithdrawSwap(0, self.id))

    async def start(self) -> None:
        """Starts the match."""
        await self._connection.request(messages.StartMatch(0, self.id))

    async def act(self, action: str, *, weis: bool = False) -> None:
        """Carries out an action of the game.

        Args:
            action: its text.
            weis: whether Weis are announced with the card wherever that is possible.
        """
        await self._connection.request(messages.Act(0, self.id, action, weis))

    async def claim_rest(self) -> None:
        """Claims all remaining tricks, where the turn allows it (`rest`)."""
        await self._connection.request(messages.ClaimRest(0, self.id))

    async def undo(self) -> None:
        """Undoes this client's last card (`undoable`), or asks the other people to agree."""
        await self._connection.request(messages.Undo(0, self.id))

    async def answer_undo(self, *, accept: bool) -> None:
        """Accepts or declines the undo request of another person (`undo` of the room)."""
        await self._connection.request(messages.AnswerUndo(0, self.id, accept))

    async def withdraw_undo(self) -> None:
        """Withdraws the undo request."""
        await self._connection.request(messages.WithdrawUndo(0, self.id))

    async def declare_ready(self) -> None:
        """Is ready for the next round or the rematch."""
        await self._connection.request(messages.Ready(0, self.id))

    async def resume_control(self) -> None:
        """Plays again after a bot has played for this client, as soon as that is allowed."""
        await self._connection.request(messages.ResumeControl(0, self.id))

    async def take_over_for(self, seat: int) -> None:
        """Lets a bot play for the person of a seat, who is `missing`."""
        await self._connection.request(messages.LetBotTakeOver(0, self.id, seat))

    async def skip_pause(self, *, to_end: bool = False) -> None:
        """Skips the pause of the bot on turn, or all pauses until the round is over.

        The first requires that no other person is present, the other that no person has any more
        actions in the round.
        """
        await self._connection.request(messages.SkipPause(0, self.id, to_end))

    async def say(self, phrase: messages.Phrase) -> None:
        """Says a predefined phrase to all at the table."""
        await self._connection.request(messages.SendPhrase(0, self.id, phrase))

    async def write(self, text: str) -> None:
        """Writes a chat line, where the host allows it."""
        await self._connection.request(messages.SendChat(0, self.id, text))

    # Requests of the host.

    async def set_entry_policy(self, entry: Literal["link", "host", "nobody"]) -> None:
        """Decides who may take a seat."""
        await self._connection.request(messages.SetEntryPolicy(0, self.id, entry))

    async def let_in(self, number: int, *, accept: bool) -> None:
        """Accepts or declines one of the entry `requests` of the room."""
        await self._connection.request(messages.AnswerEntryRequest(0, self.id, number, accept))

    async def revoke_link(self) -> None:
        """Revokes the link: people who have not sat here then need the room's new `key`."""
        await self._connection.request(messages.RevokeLink(0, self.id))

    async def set_start_policy(self, who: Literal["all", "host"]) -> None:
        """Decides who may start the match."""
        await self._connection.request(messages.SetStartPolicy(0, self.id, who))

    async def set_chat_policy(self, *, allowed: bool) -> None:
        """Decides whether people may write chat lines."""
        await self._connection.request(messages.SetChatPolicy(0, self.id, allowed))

    async def set_published(self, *, published: bool) -> None:
        """Decides whether the table is in the public list."""
        await self._connection.request(messages.SetPublished(0, self.id, published))

    async def set_spectator_delay(self, *, delayed: bool) -> None:
        """Decides whether spectators see the table with a delay of one trick."""
        await self._connection.request(messages.SetSpectatorDelay(0, self.id, delayed))

    async def extend_time(self, seat: int, *, extended: bool) -> None:
        """Gives the person of a seat three times the thinking time, or the normal time again."""
        await self._connection.request(messages.ExtendTime(0, self.id, seat, extended))

    async def remove(self, seat: int) -> None:
        """Removes the person of a seat."""
        await self._connection.request(messages.RemovePerson(0, self.id, seat))

    async def assign_seat(self, seat: int, bot: str | None) -> None:
        """Assigns a bot to a seat that no person holds, or opens the seat (None)."""
        await self._connection.request(messages.AssignBot(0, self.id, seat, bot))

    async def close(self) -> None:
        """Closes the table permanently."""
        await self._connection.request(messages.CloseTable(0, self.id))

    async def ask_hint(self) -> messages.HintReply:
        """Requests a hint from a strong bot; only at a table with hints."""
        await self._connection.request(messages.RequestHint(0, self.id))
        assert self.last_hint is not None  # it comes before the acknowledgement
        return self.last_hint

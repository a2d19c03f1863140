"""A small asyncio client of the table server, for bots and scripts.

It keeps a copy of every watched table up to date, reconnects after a lost connection, and then
requests only the events it missed. `docs/protocol.md` describes the messages.

    async with Client("http://127.0.0.1:8000") as client:
        made = await client.create("molotov", ["me", *["bot:greedy"] * 3], name="Anna", start=True)
        table = await client.watch(made.table)
        await table.play(jasstisch.bot("greedy"))
        print(table.view["standing"])
"""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import SplitResult, urlencode, urlsplit

from jasstisch.extras import require

require("server", "a client of the table server")

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

from jasstisch.bots import Bot
from jasstisch.fairness import (
    Announcement,
    PackCall,
    Participant,
    SendCommitments,
    SendOpening,
    VoidAttempt,
)
from jasstisch.server.api import COOKIE_NAME, LINK_KEY_HEADER, SECURE_COOKIE_NAME, bodies, messages
from jasstisch.table import DEFAULT_STAND_IN
from jasstisch.tutorials import get_tutorial

__all__ = ["NO_SERVER", "PASSING", "Client", "LostError", "RequestError", "Step", "WatchedTable"]

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
HTTP_TIMEOUT_S = 30.0
MIN_RECONNECT_DELAY_S, MAX_RECONNECT_DELAY_S = 0.1, 4.0
"""The first and the longest maximum delay between attempts to reconnect, in seconds. It is doubled
each time, and the delay is half of it on average."""

_chance = random.Random()  # noqa: S311 - delays are not secret

OVER = ("over", "closed")
"""The phases of a table in which no action is possible."""

PASSING = ("busy", "internal", "too_fast")
"""The error codes of temporary refusals, after which a later attempt may succeed."""

NO_SERVER = (OSError, HTTPException, WebSocketException, msgspec.MsgspecError)
"""The errors raised when no table server can be reached or answers, including `LostError`."""

_decoder: msgspec.json.Decoder[messages.ServerMessage] = msgspec.json.Decoder(
    messages.ServerMessage
)
_encode = msgspec.json.encode


class RequestError(Exception):
    """The server refused a request; nothing has changed.

    Attributes:
        code: the reason for programs; see `ErrorCode`.
        clause: the clause of the rules that forbids an action, else None.
        reason: the reason code for an action, else None.
        legal: the legal actions, where an action was refused.
    """

    def __init__(self, error: messages.ErrorMessage | bodies.ErrorBody) -> None:
        super().__init__(error.message)
        self.code = error.code
        detailed = error if isinstance(error, messages.ErrorMessage) else None
        self.clause = detailed.clause if detailed else None
        self.reason = detailed.reason if detailed else None
        self.legal = detailed.legal if detailed else []

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"


class LostError(ConnectionError):
    """The connection was lost before the answer, so the outcome of the request is unknown.

    The client reconnects automatically; the table's version shows what has happened.
    """


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a table after one event.

    Attributes:
        happened: the event; None where a full snapshot was received.
        version: the number of events of the table.
        seat: the client's seat, None for a spectator.
        room: the room.
        view: the view of the match; None before the first match.
        turn: the client's turn at that time, if any.
    """

    happened: messages.EventInfo | None
    version: int
    seat: int | None
    room: messages.Room
    view: dict[str, Any] | None
    turn: messages.Turn | None


class WatchedTable:
    """The up-to-date copy of a table, as far as this client may see it.

    Attributes:
        id: the table's id.
        key: the key of the link, where the host has revoked the first link.
        version: the number of events in the copy.
        seat: the client's seat, None for a spectator.
        room: the room, as a `Room`.
        view: the view of the match, a dict of the form of `View`; None before the first match.
        turn: the turn of this client; None when it is not its turn.
        hint: the present hint of a tutorial; None without one.
        advice: the last hint requested; None before.
        undoable: whether this client may ask to undo its last card.
        connected: the seats whose people have an open connection.
        preparing: the seats that wait for a bot that the server is still preparing.
        missing: the seats whose people have had no connection for a while.
        spectators: the number of connections that watch the table without a seat.
        partaker: this client's part in verifiable deals, which is automatic; its `witness`
            compares them with the record at the end.
        current: whether the copy is up to date; False from a lost connection until it has caught
            up.
        refusal: the error with which the server refused to continue the copy, else None. Pending
            waits for the table raise it.
    """

    def __init__(self, client: "Client", table: str, key: str | None = None) -> None:
        self.id = table
        self.key = key
        self.version = 0
        self.seat: int | None = None
        self._request: int | None = None
        self.turn: messages.Turn | None = None
        self.hint: messages.TutorialHint | None = None
        self.advice: messages.HintReply | None = None
        self.undoable = False
        self.connected: list[bool] = []
        self.preparing: list[bool] = []
        self.missing: list[bool] = []
        self.spectators = 0
        self.current = False
        self.refusal: RequestError | None = None
        self._client = client
        self._room: dict[str, Any] = {}
        self._view: dict[str, Any] | None = None
        self._changed = asyncio.Event()
        self.partaker: Participant | None = None
        self._listeners: list[asyncio.Queue[messages.Event | messages.Snapshot | None]] = []
        self._steps: list[asyncio.Queue[Step | None]] = []

    @property
    def room(self) -> messages.Room:
        """The seats and settings of the table."""
        return msgspec.convert(self._room, messages.Room)

    @property
    def request(self) -> int | None:
        """The number of this client's pending entry request; None where there is none."""
        known = (one["number"] for one in self._room["requests"])
        return self._request if self._request in known else None

    @property
    def phase(self) -> str:
        """The phase of the table: open, playing, between, over or closed."""
        return str(self._room["phase"])

    @property
    def view(self) -> dict[str, Any]:
        """The view of the match, as returned by `match.view(seat)`.

        Raises:
            LookupError: no match has begun.
        """
        if self._view is None:
            raise LookupError("no match has begun at this table")
        return self._view

    # Requests; each returns once the server has acknowledged it.

    async def sit(self, seat: int, name: str, face: int = 0, *, program: bool = False) -> None:
        """Takes a free seat with a nickname; a seated client moves and keeps its nickname.

        Args:
            seat: the seat.
            name: the nickname.
            face: the number of the face shown beside it, 0 for none.
            program: whether a program plays there, which everybody at the table sees.
        """
        await self._client.request(messages.Sit(0, self.id, seat, name, face, program))

    async def stand(self) -> None:
        """Leaves the seat."""
        await self._client.request(messages.Stand(0, self.id))

    async def swap(self, seat: int) -> None:
        """Swaps seats with a bot, or asks the person of that seat to swap."""
        await self._client.request(messages.Swap(0, self.id, seat))

    async def answer(self, seat: int, *, accept: bool) -> None:
        """Accepts or declines the swap request of the person of that seat."""
        await self._client.request(messages.AnswerSwap(0, self.id, seat, accept))

    async def withdraw(self) -> None:
        """Withdraws the swap request."""
        await self._client.request(messages.WithdrawSwap(0, self.id))

    async def start(self) -> None:
        """Starts the match."""
        await self._client.request(messages.Start(0, self.id))

    async def act(self, action: str) -> None:
        """Carries out an action of the game."""
        await self._client.request(messages.Act(0, self.id, action))

    async def take_rest(self) -> None:
        """Claims all remaining tricks, where the turn allows it (`rest`)."""
        await self._client.request(messages.ClaimRest(0, self.id))

    async def undo(self) -> None:
        """Undoes this client's last card (`undoable`), or asks the other people to agree."""
        await self._client.request(messages.Undo(0, self.id))

    async def answer_undo(self, *, accept: bool) -> None:
        """Accepts or declines the undo request of another person (`undo` of the room)."""
        await self._client.request(messages.AnswerUndo(0, self.id, accept))

    async def withdraw_undo(self) -> None:
        """Withdraws the undo request."""
        await self._client.request(messages.WithdrawUndo(0, self.id))

    async def ready(self) -> None:
        """Is ready for the next round or the rematch."""
        await self._client.request(messages.Ready(0, self.id))

    async def back(self) -> None:
        """Plays again after a bot has played for this client, as soon as that is allowed."""
        await self._client.request(messages.ResumeControl(0, self.id))

    async def cover(self, seat: int) -> None:
        """Lets a bot play for the person of a seat, who is `missing`."""
        await self._client.request(messages.TakeOverFor(0, self.id, seat))

    async def hurry(self, *, to_end: bool = False) -> None:
        """Skips the pause of the bot on turn, or all pauses until the round is over.

        The first requires that no other person is present, the other that no person has any more
        actions in the round.
        """
        await self._client.request(messages.SkipPause(0, self.id, to_end))

    async def say(self, phrase: messages.Phrase) -> None:
        """Says a predefined phrase to all at the table."""
        await self._client.request(messages.SendPhrase(0, self.id, phrase))

    async def write(self, text: str) -> None:
        """Writes a chat line, where the host allows it."""
        await self._client.request(messages.SendChat(0, self.id, text))

    # Requests of the host.

    async def admit(self, entry: Literal["link", "host", "nobody"]) -> None:
        """Decides who may take a seat."""
        await self._client.request(messages.SetEntryPolicy(0, self.id, entry))

    async def let_in(self, number: int, *, accept: bool) -> None:
        """Accepts or declines one of the entry `requests` of the room."""
        await self._client.request(messages.AnswerEntryRequest(0, self.id, number, accept))

    async def relink(self) -> None:
        """Revokes the link: people who have not sat here then need the room's new `key`."""
        await self._client.request(messages.RevokeLink(0, self.id))

    async def let_start(self, who: Literal["all", "host"]) -> None:
        """Decides who may start the match."""
        await self._client.request(messages.SetStartPolicy(0, self.id, who))

    async def let_write(self, *, allowed: bool) -> None:
        """Decides whether people may write chat lines."""
        await self._client.request(messages.SetChatPolicy(0, self.id, allowed))

    async def publish(self, *, published: bool) -> None:
        """Decides whether the table is in the public list."""
        await self._client.request(messages.SetPublished(0, self.id, published))

    async def delay(self, *, delayed: bool) -> None:
        """Decides whether spectators see the table with a delay of one trick."""
        await self._client.request(messages.SetSpectatorDelay(0, self.id, delayed))

    async def give_patience(self, seat: int, *, patient: bool) -> None:
        """Gives the person of a seat three times the thinking time, or the normal time again."""
        await self._client.request(messages.ExtendTime(0, self.id, seat, patient))

    async def remove(self, seat: int) -> None:
        """Removes the person of a seat."""
        await self._client.request(messages.Remove(0, self.id, seat))

    async def give(self, seat: int, bot: str | None) -> None:
        """Assigns a bot to a seat that no person holds, or opens the seat (None)."""
        await self._client.request(messages.AssignSeat(0, self.id, seat, bot))

    async def close(self) -> None:
        """Closes the table permanently."""
        await self._client.request(messages.Close(0, self.id))

    async def ask_hint(self) -> messages.HintReply:
        """Requests a hint from a strong bot; only at a table with hints."""
        await self._client.request(messages.RequestHint(0, self.id))
        assert self.advice is not None  # it comes before the acknowledgement
        return self.advice

    # Waiting.

    async def until(self, reached: Callable[["WatchedTable"], bool]) -> None:
        """Waits until the table satisfies a condition.

        Raises:
            LostError: the connection is lost permanently.
            RequestError: the table is no longer watched, see `refusal`.
        """
        while not reached(self):
            self._raise_if_unfollowed()
            self._changed.clear()
            await self._client.wait_for(self._changed)

    def _raise_if_unfollowed(self) -> None:
        if self.refusal is not None:
            raise self.refusal

    async def events(self) -> AsyncIterator[messages.Event | messages.Snapshot]:
        """The events and snapshots of the table from now on, until the client is closed.

        Raises:
            RequestError: the table is followed no longer, see `refusal`.
        """
        self._raise_if_unfollowed()
        queue: asyncio.Queue[messages.Event | messages.Snapshot | None] = asyncio.Queue()
        self._listeners.append(queue)
        try:
            while (message := await queue.get()) is not None:
                yield message
        finally:
            self._listeners.remove(queue)
        self._raise_if_unfollowed()

    async def steps(self) -> AsyncIterator[Step]:
        """The present state of the table and that after each event, until the client is closed.

        Raises:
            RequestError: the table is followed no longer, see `refusal`.
        """
        self._raise_if_unfollowed()
        queue: asyncio.Queue[Step | None] = asyncio.Queue()
        self._steps.append(queue)
        queue.put_nowait(self.now(None))
        try:
            while (step := await queue.get()) is not None:
                yield step
        finally:
            self._steps.remove(queue)
        self._raise_if_unfollowed()

    def now(self, happened: messages.EventInfo | None = None) -> Step:
        """The present state of the table, as a `Step`."""
        return Step(happened, self.version, self.seat, self.room, self._view, self.turn)

    async def play(self, bot: Bot, rng: random.Random | None = None) -> None:
        """Lets a bot play this client's seat until the match is over.

        Args:
            bot: the bot.
            rng: its random number generator.
        """
        rng = rng or random.Random()  # noqa: S311 - a bot's choices are not secrets
        while self.phase not in OVER:
            await self.until(WatchedTable.is_mine_to_move)
            version = self.version
            try:
                if self._can_resume_control():
                    await self.back()
                elif self._is_undo_vote_due():
                    await self.answer_undo(accept=True)
                elif self.turn is not None:
                    # In a thread: a long computation would otherwise time the connection out.
                    chosen = await asyncio.to_thread(bot.act, self.view, self.turn.legal, rng)
                    await self.act(chosen)
                elif self.phase == "between" or self._is_hint_unread():
                    await self.ready()
            except LostError:
                # Once the copy has caught up, it shows whether the request was carried out.
                continue
            except RequestError:
                # Refused because a stand-in acted first, after the thinking time: choose again.
                if self.version == version:
                    raise

    def is_mine_to_move(self) -> bool:
        """Whether this client is to act now, is to be ready, or never has to act again."""
        if not self.current or self.phase in OVER:
            return self.current
        if self._can_resume_control():
            return True
        if self.room.undo is not None:
            return self._is_undo_vote_due()
        if self.phase == "between" and self.seat is not None:
            return not self.room.seats[self.seat].ready
        return self.turn is not None or self._is_hint_unread()

    def _can_resume_control(self) -> bool:
        """Whether a bot plays for this client, which has not yet asked to play again."""
        if self.seat is None or self.phase != "playing":
            return False
        info = self.room.seats[self.seat]
        return info.away and not info.returning

    def _is_undo_vote_due(self) -> bool:
        """Whether an undo request awaits this client's answer."""
        undo = self.room.undo
        return undo is not None and self.seat in undo.awaited

    def _is_hint_unread(self) -> bool:
        return self.hint is not None and self.hint.wait

    # Updates, called by the client.

    def take(self, message: messages.Event | messages.Snapshot) -> bool:
        """Applies a message of the server; False when an earlier event is missing."""
        happened = message.event if isinstance(message, messages.Event) else None
        if isinstance(message, messages.Snapshot):
            self.seat = message.seat
            self._request = message.request
            self._room = msgspec.to_builtins(message.room)
            self._view = message.view
        elif message.version != self.version + 1:
            return message.version <= self.version
        else:
            self._room |= message.room
            if message.set or message.last or message.append:
                self._view = (self._view or {}) | message.set
            for key, item in message.last.items():
                assert self._view is not None
                self._view[key] = [*self._view[key][:-1], item]
            for key, items in message.append.items():
                assert self._view is not None
                self._view[key] = [*self._view[key], *items]
        self.version = message.version
        self.turn = message.turn
        self.hint = message.hint
        self.undoable = message.undoable
        self.wake()
        for queue in self._listeners:
            queue.put_nowait(message)
        for steps in self._steps:
            steps.put_nowait(self.now(happened))
        return True

    def contributions(
        self, *, whole: bool
    ) -> Sequence[messages.CommitContributions | messages.OpenContribution]:
        """The messages to send for this client's part in verifiable deals.

        Args:
            whole: whether a full snapshot was received, so that some state may have been missed.
        """
        if self._room.get("fair") is None:
            return ()
        fair = msgspec.convert(self._room["fair"], messages.FairDealState)
        if self.partaker is None:
            self.partaker = Participant(len(self._room["seats"]), secrets.token_bytes)
        wanted = self.partaker.react(
            Announcement.from_json(fair.announcement),
            fair.next_pack,
            None if fair.call is None else PackCall.from_json(fair.call),
            None if fair.void is None else VoidAttempt.from_json(fair.void),
            self.seat,
            whole=whole,
        )
        return [_contribution_message(self.id, one) for one in wanted]

    def wake(self) -> None:
        """Wakes all waits for a change."""
        self._changed.set()

    def end(self, refusal: RequestError | None = None) -> None:
        """Ends all waits."""
        self.refusal = refusal
        self.wake()
        for queue in self._listeners:
            queue.put_nowait(None)
        for steps in self._steps:
            steps.put_nowait(None)


def _error_from_response(status: int, text: bytes) -> Exception:
    """The exception for an HTTP error; a table server gives its reason in the body."""
    try:
        return RequestError(msgspec.json.decode(text, type=bodies.ErrorBody))
    except msgspec.MsgspecError:
        return ConnectionError(f"no table server answers there, but HTTP {status}")


def _parse_url(url: str) -> SplitResult:
    """Parses the URL of a server.

    Raises:
        ValueError: the URL is not valid.
    """
    wrong = ValueError(f"a server's address is like http://127.0.0.1:8000, not {url!r}")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        host.encode("idna")  # as the connection does: no label may be empty or too long
    except ValueError as error:
        raise wrong from error
    if not host or parts.scheme not in ("http", "https"):
        raise wrong
    return parts


def _contribution_message(
    table: str, wanted: SendCommitments | SendOpening
) -> messages.CommitContributions | messages.OpenContribution:
    match wanted:
        case SendCommitments(pack, commitments):
            return messages.CommitContributions(0, table, pack, [one.hex() for one in commitments])
        case SendOpening(pack, attempt, opening):
            return messages.OpenContribution(0, table, pack, attempt, opening.hex())


class Client:
    """A connection to a table server, under one identity.

    Args:
        url: the server's address, such as `http://127.0.0.1:8000`.
        token: the identity of an earlier session; without one, or if it is unknown, the server
            assigns a new identity.
        patience: seconds during which to try to reconnect after a lost connection.

    Attributes:
        token: the identity: keep it secret, and store it to return to the same seats.
    """

    def __init__(self, url: str, token: str | None = None, patience: float = 30.0) -> None:
        parts = _parse_url(url)
        self.token = token
        self.patience = patience
        self._secure = parts.scheme == "https"
        self._host = parts.netloc
        self._tables: dict[str, WatchedTable] = {}
        self._waiting: dict[int, asyncio.Future[messages.Ack]] = {}
        self._catching_up: dict[int, WatchedTable] = {}
        self._seq = 0
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._failure: LostError | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Gets an identity unless the token is valid, and connects.

        Raises:
            OSError: the server cannot be reached, or its answer cannot be decoded.
            RequestError: it accepts no more connections.
        """
        await self._http("POST", "/api/identity")
        self._socket = await self._connect()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Closes the connection; seats are kept."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._socket is not None:
            await self._socket.close()
        self._fail_all(LostError("the client is closed"))

    # REST.

    async def games(self) -> list[bodies.GameInfo]:
        """The games of the server, with their options."""
        return msgspec.json.decode(
            await self._http("GET", "/api/games"), type=list[bodies.GameInfo]
        )

    async def create(  # noqa: PLR0913 - one keyword for each part of `NewTable`
        self,
        game: str,
        seats: Sequence[str],
        *,
        name: str = "",
        face: int = 0,
        options: dict[str, int | str | None] | None = None,
        thinking_time: int | Literal["unlimited"] | None = None,
        pause: int = 0,
        start: bool = False,
        hints: bool = False,
        stand_in: str = DEFAULT_STAND_IN,
    ) -> bodies.CreatedTable:
        """Creates a table; see `NewTable` for the meaning of each part.

        Raises:
            RequestError: the server refused.
        """
        new = bodies.NewTable(
            game=game,
            seats=list(seats),
            options=options or {},
            name=name,
            face=face,
            thinking_time=thinking_time,
            pause=pause,
            start=start,
            hints=hints,
            stand_in=stand_in,
        )
        return await self.make(new)

    async def make(self, new: bodies.NewTable) -> bodies.CreatedTable:
        """Creates a table.

        Raises:
            RequestError: the server refused.
        """
        made = await self._http("POST", "/api/tables", _encode(new))
        return msgspec.json.decode(made, type=bodies.CreatedTable)

    async def learn(self, game: str, *, name: str = "", pause: int = 0) -> bodies.CreatedTable:
        """Creates a table that begins with the tutorial of a game for this client.

        Raises:
            RequestError: the server refused.
            GameError: the game has no tutorial.
        """
        players = len(get_tutorial(game).script)
        new = bodies.NewTable(
            game=game,
            seats=["me", *["bot:greedy"] * (players - 1)],
            name=name,
            pause=pause,
            start=True,
            guided=True,
        )
        return await self.make(new)

    async def room(self, table: str, key: str | None = None) -> messages.Room:
        """The room of a table, for everybody with the link; `key` as in `watch`."""
        body = await self._http("GET", f"/api/tables/{table}", key=key)
        return msgspec.json.decode(body, type=messages.Room)

    async def record(
        self, table: str, key: str | None = None, *, match: int | None = None
    ) -> dict[str, Any]:
        """The record of a finished match: the last one, or another by its number.

        Args:
            table: the table's id.
            key: as in `watch`.
            match: number of the match at the table, from 1.

        Raises:
            RequestError: the server refused.
        """
        which = "" if match is None else f"/matches/{match}"
        body = await self._http("GET", f"/api/tables/{table}{which}/record", key=key)
        return msgspec.json.decode(body, type=dict[str, Any])

    async def replay(
        self, table: str, match: int, seat: int | None = None, key: str | None = None
    ) -> messages.Replay:
        """The replay of a finished match, or of the finished rounds of a match in progress.

        Args:
            table: the table's id.
            match: number of the match at the table, from 1.
            seat: the seat whose view is shown; None for the client's own, the only one allowed
                until the match is over.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        query = "" if seat is None else f"?seat={seat}"
        path = f"/api/tables/{table}/matches/{match}/replay{query}"
        return msgspec.json.decode(await self._http("GET", path, key=key), type=messages.Replay)

    async def code(self, table: str, key: str | None = None) -> bodies.IssuedCode:
        """Creates a join code for a table, valid for some seconds; `key` as in `watch`.

        Raises:
            RequestError: the table does not exist, or too many codes were created.
        """
        body = await self._http("POST", f"/api/tables/{table}/code", key=key)
        return msgspec.json.decode(body, type=bodies.IssuedCode)

    async def invited(self, code: str) -> bodies.JoinCodeTarget:
        """The table of a join code.

        Raises:
            RequestError: the code is invalid or has expired.
        """
        body = await self._http("POST", "/api/codes", _encode(bodies.CodeInput(code)))
        return msgspec.json.decode(body, type=bodies.JoinCodeTarget)

    async def resume(
        self,
        table: str,
        match: int,
        step: int,
        *,
        name: str,
        seat: int | None = None,
        face: int = 0,
        key: str | None = None,
    ) -> bodies.CreatedTable:
        """Resumes a finished match from one of its steps, at a new table against bots.

        Args:
            table: the id of the match's table.
            match: number of the match at the table, from 1.
            step: the number of steps of its record to keep.
            name: the nickname to use.
            seat: the seat to take; None for the client's own seat, or else a seat that is to act.
            face: the face to use.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        wish = bodies.ResumeMatch(step, name, seat, face)
        path = f"/api/tables/{table}/matches/{match}/resume"
        body = await self._http("POST", path, _encode(wish), key=key)
        return msgspec.json.decode(body, type=bodies.CreatedTable)

    async def analysis(
        self, table: str, match: int, lang: str = "en", key: str | None = None
    ) -> bodies.AnalysisState:
        """The status of the analysis of a match, with the analysis once it is complete.

        Args:
            table: the table's id.
            match: number of the match at the table, from 1.
            lang: the language of its texts.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        return await self._analysis("GET", table, match, lang, key)

    async def analyse(
        self, table: str, match: int, lang: str = "en", key: str | None = None
    ) -> bodies.AnalysisState:
        """Requests the analysis of a match, unless it exists; returns the same as `analysis`.

        It takes the server a few seconds for each round: poll `analysis` until it is complete.

        Raises:
            RequestError: the server refused.
        """
        return await self._analysis("POST", table, match, lang, key)

    async def _analysis(
        self, method: str, table: str, match: int, lang: str, key: str | None
    ) -> bodies.AnalysisState:
        path = f"/api/tables/{table}/matches/{match}/analysis?lang={lang}"
        body = await self._http(method, path, key=key)
        return msgspec.json.decode(body, type=bodies.AnalysisState)

    async def matches(
        self, before: str | None = None, limit: int = 25, lang: str = "en"
    ) -> bodies.MatchHistoryPage:
        """The finished matches of this client, the latest first.

        Args:
            before: the `next` of the previous page, to get the page after it.
            limit: the size of the page, up to 100.
            lang: the language of the names of units.

        Raises:
            RequestError: the server refused.
        """
        query = urlencode({"limit": limit, "lang": lang} | ({"before": before} if before else {}))
        body = await self._http("GET", f"/api/me/matches?{query}")
        return msgspec.json.decode(body, type=bodies.MatchHistoryPage)

    async def _http(
        self, method: str, path: str, body: bytes | None = None, key: str | None = None
    ) -> bytes:
        return await asyncio.to_thread(self._http_blocking, method, path, body, key)

    def _http_blocking(self, method: str, path: str, body: bytes | None, key: str | None) -> bytes:
        kind = HTTPSConnection if self._secure else HTTPConnection
        connection = kind(self._host, timeout=HTTP_TIMEOUT_S)
        try:
            headers = self._headers("application/json")
            headers |= {} if key is None else {LINK_KEY_HEADER: key}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise _error_from_response(answer.status, text)
        for cookie in answer.msg.get_all("set-cookie") or []:
            key, _, value = cookie.partition(";")[0].partition("=")
            if key == self._cookie and value:
                self.token = value
        return text

    @property
    def _cookie(self) -> str:
        return SECURE_COOKIE_NAME if self._secure else COOKIE_NAME

    def _headers(self, content: str | None = None) -> dict[str, str]:
        headers = {} if content is None else {"Content-Type": content}
        return (
            headers if self.token is None else headers | {"Cookie": f"{self._cookie}={self.token}"}
        )

    # The WebSocket.

    async def watch(self, table: str, key: str | None = None) -> WatchedTable:
        """Watches a table.

        Args:
            table: its id.
            key: the key of the link, where the host has revoked the first link.

        Raises:
            RequestError: the table does not exist, or too many are watched.
        """
        watched = self._tables.setdefault(table, WatchedTable(self, table, key))
        since = watched.version or None
        try:
            await self.request(messages.Watch(0, table, since, watched.seat, watched.key))
        except RequestError:
            if not watched.version:
                del self._tables[table]
            raise
        watched.current = True
        return watched

    async def unwatch(self, table: str) -> None:
        """Stops watching a table; a seat there is kept."""
        await self.request(messages.Unwatch(0, table))
        self._tables.pop(table, None)

    async def request(self, message: messages.ClientMessage) -> messages.Ack:
        """Sends a message with a unique number and waits for the answer.

        Raises:
            RequestError: the server refused.
            LostError: the connection was lost before the answer came.
        """
        if self._failure is not None:
            raise self._failure
        if self._socket is None:
            raise LostError("the client is not connected")
        self._seq += 1
        answer: asyncio.Future[messages.Ack] = asyncio.get_running_loop().create_future()
        self._waiting[self._seq] = answer
        number = self._seq
        try:
            await self._socket.send(_encode(msgspec.structs.replace(message, seq=number)).decode())
            return await answer
        except ConnectionClosed:
            self._mark_stale()
            raise LostError("the connection was lost") from None
        finally:
            self._waiting.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # retrieved so that no warning follows if sending failed

    def _mark_stale(self) -> None:
        for table in self._tables.values():
            table.current = False
            table.wake()

    async def wait_for(self, event: asyncio.Event) -> None:
        """Waits for an event of a table.

        Raises:
            LostError: the connection is lost permanently.
        """
        if self._failure is not None:
            raise self._failure
        await event.wait()
        if self._failure is not None:
            raise self._failure

    async def _connect(self) -> ClientConnection:
        scheme = "wss" if self._secure else "ws"
        socket = await connect(
            f"{scheme}://{self._host}/ws",
            additional_headers=self._headers(),
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            proxy=None,
        )
        try:
            welcome = _decoder.decode(await socket.recv())
        except ConnectionClosed as error:
            raise LostError("the server ended the connection before it said anything") from error
        except msgspec.MsgspecError as error:
            await socket.close()
            raise LostError(f"the server says what this client cannot read: {error}") from error
        if isinstance(welcome, messages.ErrorMessage):
            await socket.close()
            raise RequestError(welcome)
        if not isinstance(welcome, messages.Welcome) or welcome.protocol != messages.PROTOCOL:
            await socket.close()
            raise LostError("the server speaks another protocol; update one of the two")
        return socket

    async def _run(self) -> None:
        """Reads until the connection is lost permanently."""
        try:
            while True:
                await self._read()
                self._mark_stale()
                for answer in self._waiting.values():
                    if not answer.done():
                        answer.set_exception(LostError("the connection was lost"))
                await self._reconnect()
        except LostError as error:
            self._fail_all(error)
        except msgspec.MsgspecError as error:
            self._fail_all(LostError(f"the server says what this client cannot read: {error}"))

    async def _read(self) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):
            async for text in self._socket:
                await self._dispatch(_decoder.decode(text))

    async def _reconnect(self) -> None:
        wait, waited = MIN_RECONNECT_DELAY_S, 0.0
        while True:
            # A random delay spreads the clients that reconnect to a restarted server.
            await asyncio.sleep(wait * _chance.random())
            try:
                self._socket = await self._connect()
                break
            except (OSError, RequestError, InvalidHandshake, ConnectionClosed, EOFError) as error:
                if isinstance(error, RequestError) and error.code == "banned":
                    raise LostError(str(error)) from error
                if waited >= self.patience:
                    raise LostError(f"the server cannot be reached: {error}") from error
            waited, wait = waited + wait / 2, min(2 * wait, MAX_RECONNECT_DELAY_S)
        for table in self._tables.values():
            await self._catch_up(table)

    async def _catch_up(self, table: WatchedTable) -> None:
        """Requests the missed events, without waiting for the answer."""
        assert self._socket is not None
        self._seq += 1
        self._catching_up[self._seq] = table
        watch = messages.Watch(self._seq, table.id, table.version or None, table.seat, table.key)
        with suppress(ConnectionClosed):
            await self._socket.send(_encode(watch).decode())

    async def _dispatch(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.Event() | messages.Snapshot():
                table = self._tables.get(message.table)
                if table is not None and not table.take(message):
                    await self._catch_up(table)
                elif table is not None and (
                    isinstance(message, messages.Snapshot) or "fair" in message.room
                ):
                    await self._contribute(table, whole=isinstance(message, messages.Snapshot))
            case messages.Presence() if message.table in self._tables:
                self._tables[message.table].connected = message.connected
                self._tables[message.table].preparing = message.preparing
                self._tables[message.table].spectators = message.spectators
                self._tables[message.table].missing = message.missing
                self._tables[message.table].wake()
            case messages.HintReply() if message.table in self._tables:
                self._tables[message.table].advice = message
            case messages.Ack():
                await self._on_ack(message)
            case messages.ErrorMessage():
                await self._on_error(message)
            case _:
                pass

    async def _contribute(self, table: WatchedTable, *, whole: bool) -> None:
        """Sends this client's contributions to the deals, without waiting for the answers."""
        assert self._socket is not None
        for wanted in table.contributions(whole=whole):
            self._seq += 1
            text = _encode(msgspec.structs.replace(wanted, seq=self._seq)).decode()
            with suppress(ConnectionClosed):
                await self._socket.send(text)

    async def _on_ack(self, ack: messages.Ack) -> None:
        caught_up = self._catching_up.pop(ack.seq, None)
        if caught_up is not None:
            caught_up.current = True
            caught_up.wake()
            if caught_up.partaker is not None:
                caught_up.partaker.resend()
                await self._contribute(caught_up, whole=False)
        answer = self._waiting.get(ack.seq)
        if answer is not None and not answer.done():
            answer.set_result(ack)

    async def _on_error(self, error: messages.ErrorMessage) -> None:
        if error.seq is None:
            # The server has evicted the table; it loads it again on request.
            table = self._tables.get(error.table or "")
            if table is not None:
                table.current = False
                table.wake()
                await self._catch_up(table)
        elif (behind := self._catching_up.pop(error.seq, None)) is not None:
            if error.code in PASSING and self._socket is not None:
                await self._socket.close()  # and reconnect from the beginning
            else:
                self._drop_table(behind, RequestError(error))
        else:
            answer = self._waiting.get(error.seq)
            if answer is not None and not answer.done():
                answer.set_exception(RequestError(error))

    def _drop_table(self, table: WatchedTable, refusal: RequestError) -> None:
        """Stops watching a table for which the server sends no more messages."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        table.current = False
        table.end(refusal)

    def _fail_all(self, error: LostError) -> None:
        self._failure = error
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        for table in self._tables.values():
            table.current = False
            table.end()

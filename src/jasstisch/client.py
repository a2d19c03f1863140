"""A small asyncio client of the table server, for bots and scripts.

It keeps a copy of every table it watches up to date, connects again after a lost connection and
then asks only for what it missed. `docs/protocol.md` describes what travels.

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
from jasstisch.server.api import COOKIE_NAME, LINK_KEY_HEADER, SECURE_COOKIE_NAME, messages
from jasstisch.table import DEFAULT_STAND_IN
from jasstisch.tutorials import get_tutorial

__all__ = ["NO_SERVER", "PASSING", "Client", "LostError", "RequestError", "Step", "WatchedTable"]

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
HTTP_TIMEOUT_S = 30.0
MIN_RECONNECT_DELAY_S, MAX_RECONNECT_DELAY_S = 0.1, 4.0
"""Seconds between attempts to connect again at most, doubled each time; half as many on average."""

_chance = random.Random()  # noqa: S311 - a moment is no secret

OVER = ("over", "closed")
"""Phases of a table in which there is nothing to do."""

PASSING = ("busy", "internal", "too_fast")
"""Codes of refusals that may not come again when the same is asked a little later."""

NO_SERVER = (OSError, HTTPException, WebSocketException, msgspec.MsgspecError)
"""What is raised where no table server can be reached, or none answers: `LostError` too."""

_decoder: msgspec.json.Decoder[messages.ServerMessage] = msgspec.json.Decoder(
    messages.ServerMessage
)
_encode = msgspec.json.encode


class RequestError(Exception):
    """The server refused a request; nothing has changed.

    Attributes:
        code: what was wrong, for programs; see `ErrorCode`.
        clause: the clause of the rule book that forbids an action, else None.
        reason: the reason code for an action, else None.
        legal: what may be done instead of a refused action.
    """

    def __init__(self, error: messages.ErrorMessage | messages.ErrorBody) -> None:
        super().__init__(error.message)
        self.code = error.code
        detailed = error if isinstance(error, messages.ErrorMessage) else None
        self.clause = detailed.clause if detailed else None
        self.reason = detailed.reason if detailed else None
        self.legal = detailed.legal if detailed else []

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"


class LostError(ConnectionError):
    """The connection was lost before the answer came: the request may or may not have been done.

    The client connects again by itself; the table's version tells what has happened.
    """


@dataclass(frozen=True, slots=True)
class Step:
    """A table as it stood after one thing that happened.

    Attributes:
        happened: what it was; None where the table was told whole.
        version: how many events it is made of.
        seat: the client's seat, None for a spectator.
        room: who sits where.
        view: the match; None before the first one.
        turn: what the client might do then.
    """

    happened: messages.EventInfo | None
    version: int
    seat: int | None
    room: messages.Room
    view: dict[str, Any] | None
    turn: messages.Turn | None


class WatchedTable:
    """A table as this client may see it, kept up to date.

    Attributes:
        id: the table's id.
        key: what the link has besides, where the host has renewed it.
        version: how many events the copy is made of.
        seat: the client's seat, None for a spectator.
        room: who sits where, as a `Room`.
        view: the match as a dict of the shape of `View`; None before the first match.
        turn: what may be done now; None when it is not this client's turn.
        hint: what the coach of a guided round says now; None when he is silent.
        advice: the last hint asked for; None before.
        undoable: one may ask to take one's last card back.
        connected: which seats' people have a connection open.
        preparing: which seats wait for a computer player that the server still makes ready.
        missing: which seats' people have had no connection for a while.
        spectators: how many connections follow the table without a seat.
        partaker: this client's part in the deals, which it takes by itself; its `witness` compares
            them with the record in the end.
        current: the copy is up to date; False from a lost connection until it has caught up.
        refusal: why the server would not have it caught up, and it is followed no longer; else
            None. Whoever waits for the table is told by it.
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
        """Who sits where, and the state of the table."""
        return msgspec.convert(self._room, messages.Room)

    @property
    def request(self) -> int | None:
        """The number by which the client asks the host for a seat; None while it does not."""
        known = (one["number"] for one in self._room["requests"])
        return self._request if self._request in known else None

    @property
    def phase(self) -> str:
        """The phase of the table: open, playing, between or over."""
        return str(self._room["phase"])

    @property
    def view(self) -> dict[str, Any]:
        """The match, as `match.view(seat)` gives it.

        Raises:
            LookupError: no match has begun.
        """
        if self._view is None:
            raise LookupError("no match has begun at this table")
        return self._view

    # Requests; each returns once the server has acknowledged it.

    async def sit(self, seat: int, name: str, face: int = 0, *, program: bool = False) -> None:
        """Takes a free seat under a nickname; whoever sits already moves and keeps his own.

        Args:
            seat: which.
            name: the nickname.
            face: the number of the face shown beside it, 0 for none.
            program: no person plays there but a program: everybody at the table sees it.
        """
        await self._client.request(messages.Sit(0, self.id, seat, name, face, program))

    async def stand(self) -> None:
        """Gives the seat up."""
        await self._client.request(messages.Stand(0, self.id))

    async def swap(self, seat: int) -> None:
        """Swaps seats with a computer, or asks the person of that seat to."""
        await self._client.request(messages.Swap(0, self.id, seat))

    async def answer(self, seat: int, *, accept: bool) -> None:
        """Accepts or declines to swap with the person of that seat, who asks for it."""
        await self._client.request(messages.AnswerSwap(0, self.id, seat, accept))

    async def withdraw(self) -> None:
        """Asks no longer to swap."""
        await self._client.request(messages.WithdrawSwap(0, self.id))

    async def start(self) -> None:
        """Begins the match."""
        await self._client.request(messages.Start(0, self.id))

    async def act(self, action: str) -> None:
        """Does an action of the game."""
        await self._client.request(messages.Act(0, self.id, action))

    async def take_rest(self) -> None:
        """Takes all tricks that are left, where they are one's own (`rest` of the turn)."""
        await self._client.request(messages.ClaimRest(0, self.id))

    async def undo(self) -> None:
        """Takes one's last card back (`undoable`), or asks the other people to agree."""
        await self._client.request(messages.Undo(0, self.id))

    async def answer_undo(self, *, accept: bool) -> None:
        """Agrees that whoever asks takes his last card back (`undo` of the room), or declines."""
        await self._client.request(messages.AnswerUndo(0, self.id, accept))

    async def withdraw_undo(self) -> None:
        """Asks no longer to take one's last card back."""
        await self._client.request(messages.WithdrawUndo(0, self.id))

    async def ready(self) -> None:
        """Asks for the next round, or for a rematch."""
        await self._client.request(messages.Ready(0, self.id))

    async def back(self) -> None:
        """Goes on after the computer has played for one, as soon as that may be."""
        await self._client.request(messages.ResumeControl(0, self.id))

    async def cover(self, seat: int) -> None:
        """Has the computer play for the person of a seat, who is `missing`."""
        await self._client.request(messages.TakeOverFor(0, self.id, seat))

    async def hurry(self, *, to_end: bool = False) -> None:
        """Has the computer that is to move do so at once, or all of them until the round is over.

        The first where nobody else is there, the other where nobody has anything to do any more.
        """
        await self._client.request(messages.SkipPause(0, self.id, to_end))

    async def say(self, phrase: messages.Phrase) -> None:
        """Says something to all at the table, by one of the phrases."""
        await self._client.request(messages.SendPhrase(0, self.id, phrase))

    async def write(self, text: str) -> None:
        """Says something in one's own words, on one line; where the host allows it."""
        await self._client.request(messages.SendChat(0, self.id, text))

    # Requests of the host.

    async def admit(self, entry: Literal["link", "host", "nobody"]) -> None:
        """Decides who may take a seat."""
        await self._client.request(messages.SetEntryPolicy(0, self.id, entry))

    async def let_in(self, number: int, *, accept: bool) -> None:
        """Answers one of the `requests` of the room."""
        await self._client.request(messages.AnswerEntryRequest(0, self.id, number, accept))

    async def relink(self) -> None:
        """Renews the link: the room's `key` is needed from now on by who has not sat here."""
        await self._client.request(messages.RevokeLink(0, self.id))

    async def let_start(self, who: Literal["all", "host"]) -> None:
        """Decides who may begin the match."""
        await self._client.request(messages.SetStartPolicy(0, self.id, who))

    async def let_write(self, *, allowed: bool) -> None:
        """Decides whether people may say something in their own words."""
        await self._client.request(messages.SetChatPolicy(0, self.id, allowed))

    async def publish(self, *, published: bool) -> None:
        """Decides whether the table stands in the list that everybody sees."""
        await self._client.request(messages.SetPublished(0, self.id, published))

    async def delay(self, *, delayed: bool) -> None:
        """Decides whether those who only watch see the table a trick late."""
        await self._client.request(messages.SetSpectatorDelay(0, self.id, delayed))

    async def give_patience(self, seat: int, *, patient: bool) -> None:
        """Gives the person of a seat three times the thinking time, or the usual one again."""
        await self._client.request(messages.ExtendTime(0, self.id, seat, patient))

    async def remove(self, seat: int) -> None:
        """Takes a seat away from its person."""
        await self._client.request(messages.Remove(0, self.id, seat))

    async def give(self, seat: int, bot: str | None) -> None:
        """Gives a seat that no person holds to a computer player, or opens it."""
        await self._client.request(messages.AssignSeat(0, self.id, seat, bot))

    async def close(self) -> None:
        """Closes the table for good."""
        await self._client.request(messages.Close(0, self.id))

    async def ask_hint(self) -> messages.HintReply:
        """What a strong player would do now; only at a table with hints."""
        await self._client.request(messages.RequestHint(0, self.id))
        assert self.advice is not None  # it comes before the acknowledgement
        return self.advice

    # Waiting.

    async def until(self, reached: Callable[["WatchedTable"], bool]) -> None:
        """Waits until the table is as wanted.

        Raises:
            LostError: the connection is lost for good.
            RequestError: the table is followed no longer, see `refusal`.
        """
        while not reached(self):
            self._raise_if_unfollowed()
            self._changed.clear()
            await self._client.wait_for(self._changed)

    def _raise_if_unfollowed(self) -> None:
        if self.refusal is not None:
            raise self.refusal

    async def events(self) -> AsyncIterator[messages.Event | messages.Snapshot]:
        """What happens at the table from now on, until the client is closed.

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
        """The table as it stands, and after each thing that happens, until the client is closed.

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
        """The table as it stands."""
        return Step(happened, self.version, self.seat, self.room, self._view, self.turn)

    async def play(self, bot: Bot, rng: random.Random | None = None) -> None:
        """Has a bot play this client's seat until the match is over.

        Args:
            bot: the bot.
            rng: its chance.
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
                    # In a thread: whoever thinks long would be taken for lost otherwise.
                    chosen = await asyncio.to_thread(bot.act, self.view, self.turn.legal, rng)
                    await self.act(chosen)
                elif self.phase == "between" or self._is_hint_unread():
                    await self.ready()
            except LostError:
                # Once the copy has caught up it shows whether the request had been done.
                continue
            except RequestError:
                # Refused because the computer was quicker, after the thinking time: choose anew.
                if self.version == version:
                    raise

    def is_mine_to_move(self) -> bool:
        """Whether it is this client's move now: an action, being ready, or nothing ever again."""
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
        """Whether the computer plays for this client, and nobody has asked to go on yet."""
        if self.seat is None or self.phase != "playing":
            return False
        info = self.room.seats[self.seat]
        return info.away and not info.returning

    def _is_undo_vote_due(self) -> bool:
        """Whether it is for this client to say whether somebody may take his last card back."""
        undo = self.room.undo
        return undo is not None and self.seat in undo.awaited

    def _is_hint_unread(self) -> bool:
        return self.hint is not None and self.hint.wait

    # Kept up to date by the client.

    def take(self, message: messages.Event | messages.Snapshot) -> bool:
        """Takes what the server tells; False when something before it is missing."""
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
        """What to send so that this client has its part in the deals, as they stand now.

        Args:
            whole: the table was told anew, so that something may have been missed.
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
        """Wakes whoever waits for a change."""
        self._changed.set()

    def end(self, refusal: RequestError | None = None) -> None:
        """Wakes everybody for the last time."""
        self.refusal = refusal
        self.wake()
        for queue in self._listeners:
            queue.put_nowait(None)
        for steps in self._steps:
            steps.put_nowait(None)


def _error_from_response(status: int, text: bytes) -> Exception:
    """What a server says with such a status; one of ours says why in words of its own."""
    try:
        return RequestError(msgspec.json.decode(text, type=messages.ErrorBody))
    except msgspec.MsgspecError:
        return ConnectionError(f"no table server answers there, but HTTP {status}")


def _parse_url(url: str) -> SplitResult:
    """The parts of a server's address.

    Raises:
        ValueError: it is none.
    """
    wrong = ValueError(f"a server's address is like http://127.0.0.1:8000, not {url!r}")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        host.encode("idna")  # as the connection asks for it: no part empty or too long
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
        token: the identity to come back with; the server gives a new one where there is none, and
            in place of one that it does not know.
        patience: seconds to try to connect again after a lost connection.

    Attributes:
        token: the identity: keep it secret, and keep it to come back to the same seats.
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
        """Gets an identity unless the token leads to one, and connects.

        Raises:
            OSError: the server cannot be reached, or says nothing that can be understood.
            RequestError: it has no room for another connection.
        """
        await self._http("POST", "/api/identity")
        self._socket = await self._connect()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Ends the connection; seats are kept."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._socket is not None:
            await self._socket.close()
        self._fail_all(LostError("the client is closed"))

    # REST.

    async def games(self) -> list[messages.GameInfo]:
        """The games that can be played there, with their options."""
        return msgspec.json.decode(
            await self._http("GET", "/api/games"), type=list[messages.GameInfo]
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
    ) -> messages.CreatedTable:
        """Makes a table; see `NewTable` for the meaning of each part.

        Raises:
            RequestError: the server refused.
        """
        new = messages.NewTable(
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

    async def make(self, new: messages.NewTable) -> messages.CreatedTable:
        """Makes a table.

        Raises:
            RequestError: the server refused.
        """
        made = await self._http("POST", "/api/tables", _encode(new))
        return msgspec.json.decode(made, type=messages.CreatedTable)

    async def learn(self, game: str, *, name: str = "", pause: int = 0) -> messages.CreatedTable:
        """Makes a table that begins with the guided round of a game, for this client to learn.

        Raises:
            RequestError: the server refused.
            GameError: the game has no guided round.
        """
        players = len(get_tutorial(game).script)
        new = messages.NewTable(
            game=game,
            seats=["me", *["bot:greedy"] * (players - 1)],
            name=name,
            pause=pause,
            start=True,
            guided=True,
        )
        return await self.make(new)

    async def room(self, table: str, key: str | None = None) -> messages.Room:
        """What everybody who has the link may know of a table; `key` as in `watch`."""
        body = await self._http("GET", f"/api/tables/{table}", key=key)
        return msgspec.json.decode(body, type=messages.Room)

    async def record(
        self, table: str, key: str | None = None, *, match: int | None = None
    ) -> dict[str, Any]:
        """The record of a match that is over: the last one, or another by its number.

        Args:
            table: the table's id.
            key: as in `watch`.
            match: which match of the table, from 1.

        Raises:
            RequestError: the server refused.
        """
        which = "" if match is None else f"/matches/{match}"
        body = await self._http("GET", f"/api/tables/{table}{which}/record", key=key)
        return msgspec.json.decode(body, type=dict[str, Any])

    async def replay(
        self, table: str, match: int, seat: int | None = None, key: str | None = None
    ) -> messages.Replay:
        """A match that is over, step by step, or the rounds that are while it is played.

        Args:
            table: the table's id.
            match: which match of the table, from 1.
            seat: whose view is told; None for one's own, the only one until the match is over.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        query = "" if seat is None else f"?seat={seat}"
        path = f"/api/tables/{table}/matches/{match}/replay{query}"
        return msgspec.json.decode(await self._http("GET", path, key=key), type=messages.Replay)

    async def code(self, table: str, key: str | None = None) -> messages.IssuedCode:
        """A short code for a table, and for how many seconds it is good; `key` as in `watch`.

        Raises:
            RequestError: there is no such table, or too many codes were made.
        """
        body = await self._http("POST", f"/api/tables/{table}/code", key=key)
        return msgspec.json.decode(body, type=messages.IssuedCode)

    async def invited(self, code: str) -> messages.JoinCodeTarget:
        """Where a short code for a table leads.

        Raises:
            RequestError: the code is not good, or no longer.
        """
        body = await self._http("POST", "/api/codes", _encode(messages.CodeInput(code)))
        return msgspec.json.decode(body, type=messages.JoinCodeTarget)

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
    ) -> messages.CreatedTable:
        """Plays on from a step of a match that is over, at a new table, against computers.

        Args:
            table: the id of the match's table.
            match: which match of the table, from 1.
            step: how many steps of its record had been done.
            name: the nickname to play under.
            seat: where to sit; None for the seat that one had, else that of who is to act.
            face: the face to play with.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        wish = messages.ResumeMatch(step, name, seat, face)
        path = f"/api/tables/{table}/matches/{match}/resume"
        body = await self._http("POST", path, _encode(wish), key=key)
        return msgspec.json.decode(body, type=messages.CreatedTable)

    async def analysis(
        self, table: str, match: int, lang: str = "en", key: str | None = None
    ) -> messages.AnalysisState:
        """How it stands with the analysis of a match, and the analysis where it is there.

        Args:
            table: the table's id.
            match: which match of the table, from 1.
            lang: the language of its texts.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        return await self._analysis("GET", table, match, lang, key)

    async def analyse(
        self, table: str, match: int, lang: str = "en", key: str | None = None
    ) -> messages.AnalysisState:
        """Has a match analysed, unless it is, and tells what `analysis` does.

        It takes the server a few seconds for each round: ask for the `analysis` until it is there.

        Raises:
            RequestError: the server refused.
        """
        return await self._analysis("POST", table, match, lang, key)

    async def _analysis(
        self, method: str, table: str, match: int, lang: str, key: str | None
    ) -> messages.AnalysisState:
        path = f"/api/tables/{table}/matches/{match}/analysis?lang={lang}"
        body = await self._http(method, path, key=key)
        return msgspec.json.decode(body, type=messages.AnalysisState)

    async def matches(
        self, before: str | None = None, limit: int = 25, lang: str = "en"
    ) -> messages.MatchHistoryPage:
        """The matches that this client has played and that are over, the latest first.

        Args:
            before: the `next` of what was told before, for those that follow it.
            limit: how many at most, up to 100.
            lang: in which language units are named.

        Raises:
            RequestError: the server refused.
        """
        query = urlencode({"limit": limit, "lang": lang} | ({"before": before} if before else {}))
        body = await self._http("GET", f"/api/me/matches?{query}")
        return msgspec.json.decode(body, type=messages.MatchHistoryPage)

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
        """Follows a table.

        Args:
            table: its id.
            key: what the link has besides, where the host has renewed it.

        Raises:
            RequestError: there is no such table, or too many are watched.
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
        """Stops following a table; a seat there is kept."""
        await self.request(messages.Unwatch(0, table))
        self._tables.pop(table, None)

    async def request(self, message: messages.ClientMessage) -> messages.Ack:
        """Sends a message under a number of its own and waits for the answer.

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
                answer.exception()  # known by now, also where it was lost before all was sent

    def _mark_stale(self) -> None:
        for table in self._tables.values():
            table.current = False
            table.wake()

    async def wait_for(self, event: asyncio.Event) -> None:
        """Waits for an event of a table.

        Raises:
            LostError: the connection is lost for good.
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
        """Reads until the connection is lost for good."""
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
            # All clients of a server that restarts come back, each at a moment of its own.
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
        """Asks for what was missed, without waiting for the answer."""
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
        """Takes this client's part in the deals, without waiting for the answers."""
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
            # The server has let the table go; it fetches it again when asked.
            table = self._tables.get(error.table or "")
            if table is not None:
                table.current = False
                table.wake()
                await self._catch_up(table)
        elif (behind := self._catching_up.pop(error.seq, None)) is not None:
            if error.code in PASSING and self._socket is not None:
                await self._socket.close()  # and try again from the beginning
            else:
                self._drop_table(behind, RequestError(error))
        else:
            answer = self._waiting.get(error.seq)
            if answer is not None and not answer.done():
                answer.set_exception(RequestError(error))

    def _drop_table(self, table: WatchedTable, refusal: RequestError) -> None:
        """Follows a table no longer, of which the server tells nothing any more."""
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

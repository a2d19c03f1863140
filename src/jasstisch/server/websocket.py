"""The WebSocket: one connection, any number of tables.

Every message is checked before it reaches a table and refused with a typed error. Messages out are
written at once; behind what a slow client has not read they wait in a bounded queue of their own,
so that it delays nobody. One that falls too far behind is disconnected and catches up when it
connects again.
"""

import asyncio
from collections import deque
from contextlib import AbstractContextManager, suppress
from typing import get_args

import msgspec

from jasstisch.server import messages
from jasstisch.server.asgi import DIRECT, Direct, Indirect, Message, Receive, Scope, Send
from jasstisch.server.audience import encode
from jasstisch.server.bucket import Bucket
from jasstisch.server.calls import DAMAGED, RefusedError
from jasstisch.server.front import Front
from jasstisch.server.gate import NO_PLACE, FullError, Gate, Held
from jasstisch.server.guesses import Guesses, TooManyGuessesError
from jasstisch.server.hall import BusyError, Hall, UnknownTableError
from jasstisch.server.handshake import PATH
from jasstisch.server.hosted import Hosted
from jasstisch.server.live import TableMessage
from jasstisch.server.log import failure, log
from jasstisch.server.request_ids import REQUEST
from jasstisch.server.security import under_tls
from jasstisch.server.shared import Tally
from jasstisch.store import DamagedError, StoreError

__all__ = ["Door", "show_out", "turn_away"]

TRY_AGAIN = 1013
NOT_WELCOME = 1008
"""Codes with which a connection is closed: try again later; against the rules."""

STRIKES = ("bad_message", "too_large", "too_fast")
"""Codes that count against a connection: no sound client earns many of them in a row."""

MOST_REASON = 123
"""Bytes of the reason in a close message."""

CLOSING_SECONDS = 2.0
"""How long a close message may take to go out."""

_decoder: msgspec.json.Decoder[messages.ClientMessage] = msgspec.json.Decoder(
    messages.ClientMessage
)


class _Envelope(msgspec.Struct):
    """What can still be told of a message that is not valid."""

    seq: int | None = None
    table: str | None = None


class _RefusedError(Exception):
    """A message that is answered by an error and goes no further."""

    def __init__(self, code: messages.ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: messages.ErrorCode = code


class Door:
    """Lets WebSocket connections in.

    Args:
        hall: the tables.
        front: how the server is reached.
        guesses: finds tables for people.
        gate: counts connections.
    """

    def __init__(self, hall: Hall, front: Front, guesses: Guesses, gate: Gate) -> None:
        self._hall = hall
        self._front = front
        self._guesses = guesses
        self._gate = gate
        # All together are counted here alone: that limit is of what one process bears.
        self._inside = Tally()
        self._persons = hall.services.shared.tally("connections_per_person")

    async def __call__(
        self, scope: Scope, receive: Receive, send: Send, running: AbstractContextManager[None]
    ) -> None:
        """Serves one connection from the handshake on: to its end, unless it goes on by itself.

        Args:
            scope: of ASGI, as the next two.
            receive: the next event.
            send: sends an event.
            running: the place it has while it lasts.

        Raises:
            FullError: there is no room.
        """
        with Held() as held:
            held.enter(running)
            await self._answer(scope, receive, send, held)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, held: Held) -> None:
        """Lets a connection in, or turns it away."""
        await receive()
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        address = scope["client"][0] if scope.get("client") else ""
        wrong = self._front.wrong_origin(headers)
        if scope["path"] != PATH:
            await turn_away(scope, send, 404, "not_found", f"the WebSocket is at {PATH}")
        elif wrong is not None:
            self._gate.incidents.note("request_refused", "origin", address)
            await turn_away(scope, send, 403, "forbidden_origin", wrong)
        else:
            try:
                await self._let_in(scope, headers, _direct(scope, receive, send), send, held)
            except FullError as error:
                await self._show_out(send, error.code, str(error))

    async def _show_out(
        self, send: Send, code: messages.ErrorCode, text: str, close: int = TRY_AGAIN
    ) -> None:
        self._hall.services.meters.refused[code] += 1
        await show_out(send, code, text, close)

    @property
    def inside(self) -> int:
        """How many connections there are."""
        return self._inside["all"]

    @property
    def people(self) -> int:
        """How many people they are of, as far as these are known."""
        return len(self._persons.here)

    def _counted(self, person: str | None, address: str) -> AbstractContextManager[None]:
        """Counts a connection for its person.

        Raises:
            FullError: there are as many as there may be.
        """
        if person is None:
            return NO_PLACE
        return self._gate.counted("connections_per_person", self._persons, person, address)

    async def _let_in(
        self,
        scope: Scope,
        headers: list[tuple[bytes, bytes]],
        direct: Direct,
        send: Send,
        held: Held,
    ) -> None:
        people, secure = self._hall.people, under_tls(scope["scheme"])
        address = scope["client"][0] if scope.get("client") else ""
        connection = _Connection(self._hall, self._guesses, self._gate, address, direct)
        held.enter(people.attending(headers, connection.end, secure=secure))
        try:
            holder = await people.holder(headers, secure=secure)
        except StoreError as error:
            log.error("store_failed", **failure(error))
            await self._show_out(send, "busy", "the server cannot tell who you are now")
            return
        except RefusedError as error:  # whoever is kept out
            await self._show_out(send, error.code, str(error), NOT_WELCOME)
            return
        connection.person = holder.person if holder else None
        held.enter(self._gate.counted("connections", self._inside, "all", address))
        held.enter(self._counted(connection.person, address))
        cookies = holder.cookies if holder else ()
        renewed = [(b"set-cookie", one.header.encode()) for one in cookies]
        await send({"type": "websocket.accept", "subprotocol": None, "headers": renewed})
        # What the handshake said is not kept for the hours that a connection lasts.
        headers.clear()
        scope["headers"] = headers
        await connection.serve(held.hand_over())


def _direct(scope: Scope, receive: Receive, send: Send) -> Direct:
    """How a WebSocket is heard and written, by the extension where there is one."""
    found: Direct | None = (scope.get("extensions") or {}).get(DIRECT)
    return found or Indirect(receive, send)


async def turn_away(
    scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
) -> None:
    """Refuses a handshake, with a body where the server can send one."""
    extension = "websocket.http.response"
    if extension not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": NOT_WELCOME, "reason": text})
        return
    body = msgspec.json.encode(messages.ErrorBody(code, text))
    headers = [(b"content-type", b"application/json")]
    await send({"type": f"{extension}.start", "status": status, "headers": headers})
    await send({"type": f"{extension}.body", "body": body})


async def show_out(send: Send, code: messages.ErrorCode, text: str, close: int = TRY_AGAIN) -> None:
    """Lets a connection in, says why there is no room for it, and closes it.

    A browser tells its page nothing of a handshake that fails, so that people would be told of a
    broken line while they have too many pages open.
    """
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    error = encode(messages.ErrorMessage(code, text))
    await send({"type": "websocket.send", "text": error.decode(), "bytes": None})
    await send({"type": "websocket.close", "code": close, "reason": within(text)})


def within(reason: str) -> str:
    """As much of a reason as a close message may hold: 123 bytes, by RFC 6455."""
    return reason.encode()[:MOST_REASON].decode(errors="ignore")


class _Connection:
    """One connection; the `Follower` of the tables it watches.

    Args:
        hall: the tables.
        guesses: finds tables for people.
        gate: counts connections.
        address: where it comes from.
        direct: writes and listens without waiting.
    """

    __slots__ = (
        *("person", "closed", "_hall", "_guesses", "_gate", "_address", "_limits", "_watched"),
        *("_direct", "_outgoing", "_waiting", "_writing", "_bucket", "_strikes", "_flooded"),
        *("_close", "_finished", "_held", "_meters", "_opening", "_request"),
    )

    def __init__(
        self, hall: Hall, guesses: Guesses, gate: Gate, address: str, direct: Direct
    ) -> None:
        limits = hall.services.limits
        self.person: str | None = None
        self.closed = False
        self._flooded = False
        self._hall = hall
        self._guesses = guesses
        self._gate = gate
        self._address = address
        self._request = REQUEST.get()
        self._limits = limits
        self._meters = hall.services.meters
        self._watched: tuple[str, ...] = ()
        self._direct = direct
        self._outgoing: deque[bytes] | None = None
        self._waiting = 0
        self._writing: asyncio.Task[None] | None = None
        self._bucket = Bucket(limits.messages_per_second, limits.burst, hall.services.now())
        self._strikes = 0
        self._close: tuple[int, str] | None = None
        self._finished = False
        self._held: Held | None = None
        self._opening: asyncio.Task[None] | None = None

    async def serve(self, held: Held) -> None:
        """Hears and is told until one side ends it; returns then, or before if it can go on so.

        Args:
            held: the places it has while it lasts.
        """
        self._held = held
        self.send(encode(messages.Welcome(messages.PROTOCOL, self.person is not None)))
        self._direct.listen(self._hear)
        if self._direct.stay():
            return
        try:
            await self._direct.finished()
        finally:
            await self._wind_up()

    async def _wind_up(self) -> None:
        """Leaves everything, and says why."""
        self.closed = True
        self._direct.stop()
        tasks = [task for task in (self._opening, self._writing) if task is not None]
        for task in tasks:
            task.cancel()
        for table in self._watched:
            live = self._hall.known(table)
            if live is not None:
                live.leave(self)
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._close is not None:
                code, reason = self._close
                with suppress(TimeoutError, OSError):
                    async with asyncio.timeout(CLOSING_SECONDS):
                        event = {"type": "websocket.close", "code": code, "reason": reason}
                        await self._direct.send(event)
        finally:
            if self._held is not None:
                self._held.__exit__()
        if self._flooded:
            self._gate.incidents.note("flood_closed", "messages", self._address)

    # Writing.

    def send(self, text: bytes) -> None:
        """Sends a message; ends the connection when too many wait already."""
        if self.closed or (self._outgoing is None and self._direct.write_now(text)):
            return
        if self._outgoing is None:
            self._outgoing = deque()
            self._writing = asyncio.create_task(self._write())
        most = self._limits.outgoing_bytes
        full = len(self._outgoing) >= self._limits.outgoing
        if full or (self._waiting and self._waiting + len(text) > most):
            log.info("client_too_slow")
            self._end(TRY_AGAIN, "you read too slowly; connect again and watch with since")
            return
        self._waiting += len(text)
        self._outgoing.append(text)

    def end(self, reason: str) -> None:
        """Ends the connection, for its device may come in no longer."""
        self._end(NOT_WELCOME, within(reason))

    def _end(self, code: int, reason: str) -> None:
        self.closed = True
        self._close = self._close or (code, reason)  # the first reason is the one
        self._finish()

    def _finish(self) -> None:
        if not self._finished:
            self._finished = True
            self._direct.finish(self._wind_up)

    async def _write(self) -> None:
        """Writes what could not be written at once, until nothing waits any more."""
        assert self._outgoing is not None
        try:
            while self._outgoing:
                text = self._outgoing.popleft()
                self._waiting -= len(text)
                event = {"type": "websocket.send", "text": text.decode(), "bytes": None}
                await self._direct.send(event)
        except Exception:  # noqa: BLE001 - the other side is gone, whatever it is called
            self._finish()
        else:
            self._outgoing = None

    # Hearing.

    def _hear(self, event: Message) -> bool:
        """Takes what the client says; whether it is ready for more."""
        if event["type"] != "websocket.receive":
            self._finish()
            return True
        if self.closed:
            return False
        text: str | None = event.get("text")
        # It is heard wherever it comes from, and the log tells of it under this connection's id.
        before = REQUEST.set(self._request)
        try:
            self._check_pace()
            return self._message(self._decoded(text), text)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._answer(text, error)
            return not self.closed
        finally:
            REQUEST.reset(before)

    def _answer(self, text: str | None, error: Exception) -> None:
        """Says what was wrong with a message."""
        if isinstance(error, _RefusedError):
            self._refuse(text, error.code, str(error))
        else:
            log.error("message_failed", **failure(error))
            self._refuse(text, "internal", "the server could not do this")

    def _answered(self, _: bool) -> None:
        """The last message has been answered."""
        self._strikes = 0
        if not self.closed:
            self._direct.go_on()

    def _check_pace(self) -> None:
        if not self._bucket.take(self._hall.services.now()):
            most = self._limits.messages_per_second
            raise _RefusedError("too_fast", f"at most {most:g} messages a second, please")

    def _decoded(self, text: str | None) -> messages.ClientMessage:
        if text is None:
            raise _RefusedError("bad_message", "messages are JSON texts, not binary")
        most = self._limits.message_bytes
        if len(text) > most or (not text.isascii() and len(text.encode()) > most):
            raise _RefusedError("too_large", f"a message has at most {most} bytes")
        try:
            return _decoder.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise _RefusedError("bad_message", _explained(error)) from None

    def _refuse(self, asked: str | None, code: messages.ErrorCode, text: str) -> None:
        self._meters.refused[code] += 1
        envelope = _envelope(asked)
        error = messages.ErrorMessage(code, text, seq=envelope.seq, table=envelope.table)
        self.send(encode(error))
        self._strikes += code in STRIKES
        if self._strikes > self._limits.strikes:
            self._flooded = True
            self._end(NOT_WELCOME, "too many bad messages")

    def _message(self, message: messages.ClientMessage, text: str | None) -> bool:
        """Has a message done; False while it is being done, and `_answered` is called."""
        self._meters.messages[type(message)] += 1
        if isinstance(message, messages.Ping):
            self.send(encode(messages.Pong(message.seq)))
            self._strikes = 0
            return True
        if isinstance(message, messages.Watch):
            self._check_watched(message.table)
        elif self.person is None and not isinstance(message, messages.Unwatch):
            need = "you came without an identity: POST /api/identity, then connect again"
            raise _RefusedError("no_identity", need)
        live = self._hall.known(message.table)
        if live is None:
            self._opening = asyncio.create_task(self._open(message, text))
        else:
            self._ask(live, message)
        return False

    async def _open(self, message: TableMessage, text: str | None) -> None:
        """Has a message done at a table that is not in memory, if there is such a one."""
        try:
            self._ask(await self._found(message.table), message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._answer(text, error)
            if not self.closed:
                self._direct.go_on()

    def _ask(self, live: Hosted, message: TableMessage) -> None:
        """Has a message done at a table.

        Raises:
            _RefusedError: too much is asked of that table.
        """
        if not live.post(self, message, self._answered):
            raise _RefusedError("busy", "too much is asked of this table; try again")
        match message:
            case messages.Watch(table=table):
                self._watched = (*self._but(table), table)
            case messages.Unwatch(table=table):
                self._watched = self._but(table)

    def _but(self, table: str) -> tuple[str, ...]:
        """The tables that are watched, but for one."""
        return tuple(one for one in self._watched if one != table)

    async def _found(self, table: str) -> Hosted:
        """The table of this id.

        Raises:
            _RefusedError: there is none, or it cannot be opened.
        """
        try:
            return await self._guesses.find(table, self._address)
        except UnknownTableError:
            raise _RefusedError("unknown_table", "there is no table of this id") from None
        except TooManyGuessesError as error:
            raise _RefusedError("too_fast", str(error)) from None
        except DamagedError:  # of which the hall has told the host
            raise _RefusedError("damaged", DAMAGED) from None
        except (BusyError, StoreError) as error:
            _log_unavailable(error)
            raise _RefusedError("busy", "the table cannot be opened now; try again") from None

    def _check_watched(self, table: str) -> None:
        most = self._limits.watched
        if table not in self._watched and len(self._watched) >= most:
            raise _RefusedError("limit", f"a connection can watch {most} tables; unwatch one")


def _log_unavailable(error: BusyError | StoreError) -> None:
    """Tells the host of a table that cannot be read; of a full server the hall does, sparingly."""
    if isinstance(error, StoreError):
        log.error("table_unavailable", **failure(error))


def _envelope(text: str | None) -> _Envelope:
    """Number and table of a message as far as they can be told, valid or not."""
    if text is None:
        return _Envelope()
    try:
        return msgspec.json.decode(text, type=_Envelope)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _Envelope()


KINDS = ", ".join(str(struct.__struct_config__.tag) for struct in get_args(messages.ClientMessage))


def _explained(error: Exception) -> str:
    """What is wrong with a message, and what is allowed, without repeating it at length."""
    if isinstance(error, RecursionError):
        return "the message is nested too deeply"
    text = str(error)[:300]
    if text.endswith("`$.type`"):
        return f"{text}; the types are {KINDS}"
    return text

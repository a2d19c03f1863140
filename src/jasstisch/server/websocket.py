"""The WebSocket: one connection, any number of tables.

Every message is checked before it reaches a table and refused with a typed error. Messages out are
written at once; behind what a slow client has not read they wait in a bounded queue of their own,
so that it delays nobody. One that falls too far behind is disconnected and catches up when it
connects again.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import get_args

import msgspec

from jasstisch.server import messages
from jasstisch.server.asgi import WRITE_NOW, Receive, Scope, Send, WriteNow
from jasstisch.server.audience import encode
from jasstisch.server.bucket import Bucket
from jasstisch.server.front import Front
from jasstisch.server.gate import FullError, Gate, Limit
from jasstisch.server.guesses import Guesses, TooManyGuessesError
from jasstisch.server.hall import BusyError, Hall, UnknownTableError
from jasstisch.server.log import failure, log
from jasstisch.server.security import under_tls
from jasstisch.store import StoreError

__all__ = ["Door", "show_out", "turn_away"]

TRY_AGAIN = 1013
NOT_WELCOME = 1008
"""Codes with which a connection is closed: try again later; against the rules."""

STRIKES = ("bad_message", "too_large", "too_fast")
"""Codes that count against a connection: no sound client earns many of them in a row."""

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
        self._inside: Counter[str] = Counter()
        self._persons: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection from the handshake to its end."""
        await receive()
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        address = scope["client"][0] if scope.get("client") else ""
        wrong = self._front.wrong_origin(headers)
        if scope["path"] != "/ws":
            await turn_away(scope, send, 404, "not_found", "the WebSocket is at /ws")
        elif wrong is not None:
            self._gate.incidents.note("request_refused", "origin", address)
            await turn_away(scope, send, 403, "forbidden_origin", wrong)
        else:
            try:
                await self._let_in(scope, headers, receive, send)
            except FullError as error:
                await show_out(send, error.code, str(error))

    @contextmanager
    def _counted(self, person: str | None, address: str) -> Iterator[None]:
        """Counts a connection in all, and for its person.

        Raises:
            FullError: there are as many as there may be.
        """
        with ExitStack() as places:
            counted = self._gate.counted
            places.enter_context(counted("connections", self._inside, "all", address))
            if person is not None:
                limit: Limit = "connections_per_person"
                places.enter_context(counted(limit, self._persons, person, address))
            yield

    async def _let_in(
        self, scope: Scope, headers: list[tuple[bytes, bytes]], receive: Receive, send: Send
    ) -> None:
        people, secure = self._hall.people, under_tls(scope["scheme"])
        address = scope["client"][0] if scope.get("client") else ""
        write: WriteNow = (scope.get("extensions") or {}).get(WRITE_NOW, _cannot_write)
        connection = _Connection(self._hall, self._guesses, address, write)
        with people.attending(headers, connection.forget, secure=secure):
            try:
                holder = await people.holder(headers, secure=secure)
            except StoreError as error:
                log.error("store_failed", **failure(error))
                await show_out(send, "busy", "the server cannot tell who you are now")
                return
            person = holder.person if holder else None
            with self._counted(person, address):
                cookies = holder.cookies if holder else ()
                renewed = [(b"set-cookie", one.header.encode()) for one in cookies]
                await send({"type": "websocket.accept", "subprotocol": None, "headers": renewed})
                connection.person = person
                await connection.serve(receive, send)
                if connection.flooded:
                    self._gate.incidents.note("flood_closed", "messages", address)


def _cannot_write(_: bytes) -> bool:
    """What is there where the server has no such extension."""
    return False


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


async def show_out(send: Send, code: messages.ErrorCode, text: str) -> None:
    """Lets a connection in, says why there is no room for it, and closes it.

    A browser tells its page nothing of a handshake that fails, so that people would be told of a
    broken line while they have too many pages open.
    """
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    error = encode(messages.ErrorMessage(code, text))
    await send({"type": "websocket.send", "text": error.decode(), "bytes": None})
    await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": text})


class _Connection:
    """One connection; the `Follower` of the tables it watches.

    Args:
        hall: the tables.
        guesses: finds tables for people.
        address: where it comes from.
        write_now: writes a text without waiting, where that can be done.
    """

    def __init__(self, hall: Hall, guesses: Guesses, address: str, write_now: WriteNow) -> None:
        limits = hall.services.limits
        self.person: str | None = None
        self.closed = False
        self.flooded = False
        self._hall = hall
        self._guesses = guesses
        self._address = address
        self._limits = limits
        self._watched: set[str] = set()
        self._write_now = write_now
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue(limits.outgoing)
        self._unsent = 0
        self._waiting = 0
        self._bucket = Bucket(limits.messages_per_second, limits.burst, hall.services.now())
        self._strikes = 0
        self._close: tuple[int, str] | None = None
        self._ended = asyncio.Event()

    async def serve(self, receive: Receive, send: Send) -> None:
        """Reads and writes until one side ends it."""
        welcome = messages.Welcome(messages.PROTOCOL, self.person is not None)
        self.send(encode(welcome))
        tasks = [
            asyncio.create_task(self._read(receive)),
            asyncio.create_task(self._write(send)),
            asyncio.create_task(self._ended.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.closed = True
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for table in self._watched:
                live = self._hall.known(table)
                if live is not None:
                    live.leave(self)
        if self._close is not None:
            code, reason = self._close
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await send({"type": "websocket.close", "code": code, "reason": reason})

    # Writing.

    def send(self, text: bytes) -> None:
        """Sends a message; ends the connection when too many wait already."""
        if self.closed or (not self._unsent and self._write_now(text)):
            return
        most = self._limits.outgoing_bytes
        if self._outgoing.full() or (self._waiting and self._waiting + len(text) > most):
            log.info("client_too_slow")
            self._end(TRY_AGAIN, "you read too slowly; connect again and watch with since")
            return
        self._waiting += len(text)
        self._unsent += 1
        self._outgoing.put_nowait(text)

    def forget(self) -> None:
        """Ends the connection, for its device is known no longer."""
        self._end(NOT_WELCOME, "this device has been forgotten")

    def _end(self, code: int, reason: str) -> None:
        self.closed = True
        self._close = (code, reason)
        self._ended.set()

    async def _write(self, send: Send) -> None:
        while True:
            text = await self._outgoing.get()
            self._waiting -= len(text)
            # A failed send means that the other side is gone; the reader learns of it too.
            await send({"type": "websocket.send", "text": text.decode(), "bytes": None})
            self._unsent -= 1

    # Reading.

    async def _read(self, receive: Receive) -> None:
        while not self.closed:
            event = await receive()
            if event["type"] != "websocket.receive":
                return
            text = event.get("text")
            try:
                self._check_pace()
                await self._message(self._decoded(text))
                self._strikes = 0
            except _RefusedError as error:
                self._refuse(text, error.code, str(error))
            except Exception as error:  # noqa: BLE001 - one message must not end the others
                log.error("message_failed", **failure(error))
                self._refuse(text, "internal", "the server could not do this")

    def _check_pace(self) -> None:
        if not self._bucket.take(self._hall.services.now()):
            most = self._limits.messages_per_second
            raise _RefusedError("too_fast", f"at most {most:g} messages a second, please")

    def _decoded(self, text: str | None) -> messages.ClientMessage:
        if text is None:
            raise _RefusedError("bad_message", "messages are JSON texts, not binary")
        most = self._limits.message_bytes
        if len(text) > most or len(text.encode()) > most:
            raise _RefusedError("too_large", f"a message has at most {most} bytes")
        try:
            return _decoder.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise _RefusedError("bad_message", _explained(error)) from None

    def _refuse(self, asked: str | None, code: messages.ErrorCode, text: str) -> None:
        envelope = _envelope(asked)
        error = messages.ErrorMessage(code, text, seq=envelope.seq, table=envelope.table)
        self.send(encode(error))
        self._strikes += code in STRIKES
        if self._strikes > self._limits.strikes:
            self.flooded = True
            self._end(NOT_WELCOME, "too many bad messages")

    async def _message(self, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.Ping):
            self.send(encode(messages.Pong(message.seq)))
            return
        if isinstance(message, messages.Watch):
            self._check_watched(message.table)
        elif self.person is None and not isinstance(message, messages.Unwatch):
            text = "you came without an identity: POST /api/identity, then connect again"
            raise _RefusedError("no_identity", text)
        try:
            live = await self._guesses.find(message.table, self._address)
        except UnknownTableError:
            raise _RefusedError("unknown_table", "there is no table of this id") from None
        except TooManyGuessesError as error:
            raise _RefusedError("too_fast", str(error)) from None
        except (BusyError, StoreError) as error:
            _log_unavailable(error)
            raise _RefusedError("busy", "the table cannot be opened now; try again") from None
        if isinstance(message, messages.Watch):
            self._watched.add(message.table)
        if not await live.ask(self, message):
            raise _RefusedError("busy", "too much is asked of this table; try again")
        if isinstance(message, messages.Unwatch):
            self._watched.discard(message.table)

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

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

from jasstisch.server.api import messages
from jasstisch.server.errors import (
    ERR_TABLE_DAMAGED,
    ApiError,
    EnumerationLimitError,
    ServerBusyError,
    TableNotFoundError,
)
from jasstisch.server.limits import (
    UNCOUNTED,
    ConnectionLimiter,
    Gauge,
    LimitReachedError,
    SlotStack,
    TokenBucket,
)
from jasstisch.server.net import (
    DIRECT_EXTENSION,
    WEBSOCKET_PATH,
    DirectWebSocket,
    Message,
    OriginPolicy,
    QueuedWebSocket,
    Receive,
    Scope,
    Send,
    is_https,
)
from jasstisch.server.observability import CURRENT_REQUEST_ID, describe_exception, log
from jasstisch.server.tables import (
    TableHandle,
    TableLookup,
    TableMessage,
    TableRegistry,
    encode_message,
)
from jasstisch.storage import CorruptionError, StoreError

__all__ = ["WebSocketEndpoint", "accept_and_close", "reject_handshake"]

CLOSE_TRY_AGAIN_LATER = 1013
CLOSE_POLICY_VIOLATION = 1008
"""Codes with which a connection is closed: try again later; against the rules."""

VIOLATIONS = ("bad_message", "too_large", "too_fast")
"""Codes that count against a connection: no sound client earns many of them in a row."""

MAX_CLOSE_REASON_BYTES = 123
"""Bytes of the reason in a close message."""

CLOSE_TIMEOUT_S = 2.0
"""How long a close message may take to go out."""

_decoder: msgspec.json.Decoder[messages.ClientMessage] = msgspec.json.Decoder(
    messages.ClientMessage
)


class _Envelope(msgspec.Struct):
    """What can still be told of a message that is not valid."""

    seq: int | None = None
    table: str | None = None


class _MessageError(Exception):
    """A message that is answered by an error and goes no further."""

    def __init__(self, code: messages.ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: messages.ErrorCode = code


class WebSocketEndpoint:
    """Lets WebSocket connections in.

    Args:
        hall: the tables.
        front: how the server is reached.
        guesses: finds tables for people.
        gate: counts connections.
    """

    def __init__(
        self,
        hall: TableRegistry,
        front: OriginPolicy,
        guesses: TableLookup,
        gate: ConnectionLimiter,
    ) -> None:
        self._registry = hall
        self._origins = front
        self._lookup = guesses
        self._limiter = gate
        # All together are counted here alone: that limit is of what one process bears.
        self._connections = Gauge()
        self._connections_by_person = hall.context.shared_usage.gauge("connections_per_person")

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
            LimitReachedError: there is no room.
        """
        with SlotStack() as held:
            held.enter(running)
            await self._handle_handshake(scope, receive, send, held)

    async def _handle_handshake(
        self, scope: Scope, receive: Receive, send: Send, held: SlotStack
    ) -> None:
        """Lets a connection in, or turns it away."""
        await receive()
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        address = scope["client"][0] if scope.get("client") else ""
        wrong = self._origins.origin_error(headers)
        if scope["path"] != WEBSOCKET_PATH:
            await reject_handshake(
                scope, send, 404, "not_found", f"the WebSocket is at {WEBSOCKET_PATH}"
            )
        elif wrong is not None:
            self._limiter.alerts.report("request_refused", "origin", address)
            await reject_handshake(scope, send, 403, "forbidden_origin", wrong)
        else:
            try:
                await self._accept(
                    scope, headers, _direct_websocket(scope, receive, send), send, held
                )
            except LimitReachedError as error:
                await self._accept_and_close(send, error.code, str(error))

    async def _accept_and_close(
        self, send: Send, code: messages.ErrorCode, text: str, close: int = CLOSE_TRY_AGAIN_LATER
    ) -> None:
        self._registry.context.metrics.errors[code] += 1
        await accept_and_close(send, code, text, close)

    @property
    def connection_count(self) -> int:
        """How many connections there are."""
        return self._connections["all"]

    @property
    def person_count(self) -> int:
        """How many people they are of, as far as these are known."""
        return len(self._connections_by_person.local)

    def _person_slot(self, person: str | None, address: str) -> AbstractContextManager[None]:
        """Counts a connection for its person.

        Raises:
            LimitReachedError: there are as many as there may be.
        """
        if person is None:
            return UNCOUNTED
        return self._limiter.slot(
            "connections_per_person", self._connections_by_person, person, address
        )

    async def _accept(
        self,
        scope: Scope,
        headers: list[tuple[bytes, bytes]],
        direct: DirectWebSocket,
        send: Send,
        held: SlotStack,
    ) -> None:
        people, secure = self._registry.identity_service, is_https(scope["scheme"])
        address = scope["client"][0] if scope.get("client") else ""
        connection = _Connection(self._registry, self._lookup, self._limiter, address, direct)
        held.enter(people.track_connection(headers, connection.end, secure=secure))
        try:
            holder = await people.authenticate(headers, secure=secure)
        except StoreError as error:
            log.error("store_failed", **describe_exception(error))
            await self._accept_and_close(send, "busy", "the server cannot tell who you are now")
            return
        except ApiError as error:  # whoever is kept out
            await self._accept_and_close(send, error.code, str(error), CLOSE_POLICY_VIOLATION)
            return
        connection.person = holder.person if holder else None
        held.enter(self._limiter.slot("connections", self._connections, "all", address))
        held.enter(self._person_slot(connection.person, address))
        cookies = holder.cookies if holder else ()
        renewed = [(b"set-cookie", one.header.encode()) for one in cookies]
        await send({"type": "websocket.accept", "subprotocol": None, "headers": renewed})
        # What the handshake said is not kept for the hours that a connection lasts.
        headers.clear()
        scope["headers"] = headers
        await connection.serve(held.transfer())


def _direct_websocket(scope: Scope, receive: Receive, send: Send) -> DirectWebSocket:
    """How a WebSocket is heard and written, by the extension where there is one."""
    found: DirectWebSocket | None = (scope.get("extensions") or {}).get(DIRECT_EXTENSION)
    return found or QueuedWebSocket(receive, send)


async def reject_handshake(
    scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
) -> None:
    """Refuses a handshake, with a body where the server can send one."""
    extension = "websocket.http.response"
    if extension not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": CLOSE_POLICY_VIOLATION, "reason": text})
        return
    body = msgspec.json.encode(messages.ErrorBody(code, text))
    headers = [(b"content-type", b"application/json")]
    await send({"type": f"{extension}.start", "status": status, "headers": headers})
    await send({"type": f"{extension}.body", "body": body})


async def accept_and_close(
    send: Send, code: messages.ErrorCode, text: str, close: int = CLOSE_TRY_AGAIN_LATER
) -> None:
    """Lets a connection in, says why there is no room for it, and closes it.

    A browser tells its page nothing of a handshake that fails, so that people would be told of a
    broken line while they have too many pages open.
    """
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    error = encode_message(messages.ErrorMessage(code, text))
    await send({"type": "websocket.send", "text": error.decode(), "bytes": None})
    await send({"type": "websocket.close", "code": close, "reason": truncate_reason(text)})


def truncate_reason(reason: str) -> str:
    """As much of a reason as a close message may hold: 123 bytes, by RFC 6455."""
    return reason.encode()[:MAX_CLOSE_REASON_BYTES].decode(errors="ignore")


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
        *(
            "person",
            "closed",
            "_registry",
            "_lookup",
            "_limiter",
            "_address",
            "_limits",
            "_watched",
        ),
        *(
            "_websocket",
            "_outgoing",
            "_outgoing_bytes",
            "_write_task",
            "_bucket",
            "_violations",
            "_flooded",
        ),
        *("_close_reason", "_closing", "_slots", "_metrics", "_open_task", "_request_id"),
    )

    def __init__(
        self,
        hall: TableRegistry,
        guesses: TableLookup,
        gate: ConnectionLimiter,
        address: str,
        direct: DirectWebSocket,
    ) -> None:
        limits = hall.context.limits
        self.person: str | None = None
        self.closed = False
        self._flooded = False
        self._registry = hall
        self._lookup = guesses
        self._limiter = gate
        self._address = address
        self._request_id = CURRENT_REQUEST_ID.get()
        self._limits = limits
        self._metrics = hall.context.metrics
        self._watched: tuple[str, ...] = ()
        self._websocket = direct
        self._outgoing: deque[bytes] | None = None
        self._outgoing_bytes = 0
        self._write_task: asyncio.Task[None] | None = None
        self._bucket = TokenBucket(limits.messages_per_second, limits.burst, hall.context.now())
        self._violations = 0
        self._close_reason: tuple[int, str] | None = None
        self._closing = False
        self._slots: SlotStack | None = None
        self._open_task: asyncio.Task[None] | None = None

    async def serve(self, held: SlotStack) -> None:
        """Hears and is told until one side ends it; returns then, or before if it can go on so.

        Args:
            held: the places it has while it lasts.
        """
        self._slots = held
        self.send(encode_message(messages.Welcome(messages.PROTOCOL, self.person is not None)))
        self._websocket.set_listener(self._on_message)
        if self._websocket.detach():
            return
        try:
            await self._websocket.wait_closed()
        finally:
            await self._shutdown()

    async def _shutdown(self) -> None:
        """Leaves everything, and says why."""
        self.closed = True
        self._websocket.remove_listener()
        tasks = [task for task in (self._open_task, self._write_task) if task is not None]
        for task in tasks:
            task.cancel()
        for table in self._watched:
            live = self._registry.peek(table)
            if live is not None:
                live.unsubscribe(self)
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._close_reason is not None:
                code, reason = self._close_reason
                with suppress(TimeoutError, OSError):
                    async with asyncio.timeout(CLOSE_TIMEOUT_S):
                        event = {"type": "websocket.close", "code": code, "reason": reason}
                        await self._websocket.send(event)
        finally:
            if self._slots is not None:
                self._slots.__exit__()
        if self._flooded:
            self._limiter.alerts.report("flood_closed", "messages", self._address)

    # Writing.

    def send(self, text: bytes) -> None:
        """Sends a message; ends the connection when too many wait already."""
        if self.closed or (self._outgoing is None and self._websocket.try_write(text)):
            return
        if self._outgoing is None:
            self._outgoing = deque()
            self._write_task = asyncio.create_task(self._write())
        most = self._limits.outgoing_bytes
        full = len(self._outgoing) >= self._limits.outgoing
        if full or (self._outgoing_bytes and self._outgoing_bytes + len(text) > most):
            log.info("client_too_slow")
            self._end_with(
                CLOSE_TRY_AGAIN_LATER, "you read too slowly; connect again and watch with since"
            )
            return
        self._outgoing_bytes += len(text)
        self._outgoing.append(text)

    def end(self, reason: str) -> None:
        """Ends the connection, for its device may come in no longer."""
        self._end_with(CLOSE_POLICY_VIOLATION, truncate_reason(reason))

    def _end_with(self, code: int, reason: str) -> None:
        self.closed = True
        self._close_reason = self._close_reason or (code, reason)  # the first reason is the one
        self._begin_shutdown()

    def _begin_shutdown(self) -> None:
        if not self._closing:
            self._closing = True
            self._websocket.close_after(self._shutdown)

    async def _write(self) -> None:
        """Writes what could not be written at once, until nothing waits any more."""
        assert self._outgoing is not None
        try:
            while self._outgoing:
                text = self._outgoing.popleft()
                self._outgoing_bytes -= len(text)
                event = {"type": "websocket.send", "text": text.decode(), "bytes": None}
                await self._websocket.send(event)
        except Exception:  # noqa: BLE001 - the other side is gone, whatever it is called
            self._begin_shutdown()
        else:
            self._outgoing = None

    # Hearing.

    def _on_message(self, event: Message) -> bool:
        """Takes what the client says; whether it is ready for more."""
        if event["type"] != "websocket.receive":
            self._begin_shutdown()
            return True
        if self.closed:
            return False
        text: str | None = event.get("text")
        # It is heard wherever it comes from, and the log tells of it under this connection's id.
        before = CURRENT_REQUEST_ID.set(self._request_id)
        try:
            self._check_rate()
            return self._handle(self._decode(text), text)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._send_error(text, error)
            return not self.closed
        finally:
            CURRENT_REQUEST_ID.reset(before)

    def _send_error(self, text: str | None, error: Exception) -> None:
        """Says what was wrong with a message."""
        if isinstance(error, _MessageError):
            self._reject(text, error.code, str(error))
        else:
            log.error("message_failed", **describe_exception(error))
            self._reject(text, "internal", "the server could not do this")

    def _on_answered(self, _: bool) -> None:
        """The last message has been answered."""
        self._violations = 0
        if not self.closed:
            self._websocket.resume()

    def _check_rate(self) -> None:
        if not self._bucket.try_take(self._registry.context.now()):
            most = self._limits.messages_per_second
            raise _MessageError("too_fast", f"at most {most:g} messages a second, please")

    def _decode(self, text: str | None) -> messages.ClientMessage:
        if text is None:
            raise _MessageError("bad_message", "messages are JSON texts, not binary")
        most = self._limits.message_bytes
        if len(text) > most or (not text.isascii() and len(text.encode()) > most):
            raise _MessageError("too_large", f"a message has at most {most} bytes")
        try:
            return _decoder.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise _MessageError("bad_message", _describe_error(error)) from None

    def _reject(self, asked: str | None, code: messages.ErrorCode, text: str) -> None:
        self._metrics.errors[code] += 1
        envelope = _decode_envelope(asked)
        error = messages.ErrorMessage(code, text, seq=envelope.seq, table=envelope.table)
        self.send(encode_message(error))
        self._violations += code in VIOLATIONS
        if self._violations > self._limits.strikes:
            self._flooded = True
            self._end_with(CLOSE_POLICY_VIOLATION, "too many bad messages")

    def _handle(self, message: messages.ClientMessage, text: str | None) -> bool:
        """Has a message done; False while it is being done, and `_answered` is called."""
        self._metrics.messages[type(message)] += 1
        if isinstance(message, messages.Ping):
            self.send(encode_message(messages.Pong(message.seq)))
            self._violations = 0
            return True
        if isinstance(message, messages.Watch):
            self._check_watch_limit(message.table)
        elif self.person is None and not isinstance(message, messages.Unwatch):
            need = "you came without an identity: POST /api/identity, then connect again"
            raise _MessageError("no_identity", need)
        live = self._registry.peek(message.table)
        if live is None:
            self._open_task = asyncio.create_task(self._load_and_submit(message, text))
        else:
            self._submit(live, message)
        return False

    async def _load_and_submit(self, message: TableMessage, text: str | None) -> None:
        """Has a message done at a table that is not in memory, if there is such a one."""
        try:
            self._submit(await self._find_table(message.table), message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._send_error(text, error)
            if not self.closed:
                self._websocket.resume()

    def _submit(self, live: TableHandle, message: TableMessage) -> None:
        """Has a message done at a table.

        Raises:
            _RefusedError: too much is asked of that table.
        """
        if not live.submit(self, message, self._on_answered):
            raise _MessageError("busy", "too much is asked of this table; try again")
        match message:
            case messages.Watch(table=table):
                self._watched = (*self._watched_without(table), table)
            case messages.Unwatch(table=table):
                self._watched = self._watched_without(table)

    def _watched_without(self, table: str) -> tuple[str, ...]:
        """The tables that are watched, but for one."""
        return tuple(one for one in self._watched if one != table)

    async def _find_table(self, table: str) -> TableHandle:
        """The table of this id.

        Raises:
            _RefusedError: there is none, or it cannot be opened.
        """
        try:
            return await self._lookup.find(table, self._address)
        except TableNotFoundError:
            raise _MessageError("unknown_table", "there is no table of this id") from None
        except EnumerationLimitError as error:
            raise _MessageError("too_fast", str(error)) from None
        except CorruptionError:  # of which the hall has told the host
            raise _MessageError("damaged", ERR_TABLE_DAMAGED) from None
        except (ServerBusyError, StoreError) as error:
            _log_unavailable(error)
            raise _MessageError("busy", "the table cannot be opened now; try again") from None

    def _check_watch_limit(self, table: str) -> None:
        most = self._limits.watched
        if table not in self._watched and len(self._watched) >= most:
            raise _MessageError("limit", f"a connection can watch {most} tables; unwatch one")


def _log_unavailable(error: ServerBusyError | StoreError) -> None:
    """Tells the host of a table that cannot be read; of a full server the hall does, sparingly."""
    if isinstance(error, StoreError):
        log.error("table_unavailable", **describe_exception(error))


def _decode_envelope(text: str | None) -> _Envelope:
    """Number and table of a message as far as they can be told, valid or not."""
    if text is None:
        return _Envelope()
    try:
        return msgspec.json.decode(text, type=_Envelope)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _Envelope()


MESSAGE_TYPES = ", ".join(
    str(struct.__struct_config__.tag) for struct in get_args(messages.ClientMessage)
)


def _describe_error(error: Exception) -> str:
    """What is wrong with a message, and what is allowed, without repeating it at length."""
    if isinstance(error, RecursionError):
        return "the message is nested too deeply"
    text = str(error)[:300]
    if text.endswith("`$.type`"):
        return f"{text}; the types are {MESSAGE_TYPES}"
    return text

"""A WebSocket connection, which may use any number of tables.

Every message is validated before it reaches a table; an invalid one is answered with a typed error.
Outgoing messages are written immediately. If a slow client has unread data, they wait in a bounded
queue of its own, so that it delays nobody else. A client that falls too far behind is disconnected
and catches up when it reconnects.
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
"""The codes with which a connection is closed: try again later, and policy violation."""

VIOLATIONS = ("bad_message", "too_large", "too_fast")
"""The error codes that count as violations; a correct client rarely causes several in a row."""

MAX_CLOSE_REASON_BYTES = 123
"""The maximum size of the reason in a close frame, in bytes."""

CLOSE_TIMEOUT_S = 2.0
"""How long sending a close frame may take, in seconds."""

_decoder: msgspec.json.Decoder[messages.ClientMessage] = msgspec.json.Decoder(
    messages.ClientMessage
)


class _Envelope(msgspec.Struct):
    """The fields of an invalid message that can still be read."""

    seq: int | None = None
    table: str | None = None


class _MessageError(Exception):
    """A message is rejected with an error and not processed further."""

    def __init__(self, code: messages.ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: messages.ErrorCode = code


class WebSocketEndpoint:
    """Accepts WebSocket connections.

    Args:
        registry: the tables.
        origins: the accepted hosts and origins.
        lookup: looks up tables for clients.
        limiter: limits the connections.
    """

    def __init__(
        self,
        registry: TableRegistry,
        origins: OriginPolicy,
        lookup: TableLookup,
        limiter: ConnectionLimiter,
    ) -> None:
        self._registry = registry
        self._origins = origins
        self._lookup = lookup
        self._limiter = limiter
        # The total is counted per process only, because the limit protects the process.
        self._connections = Gauge()
        self._connections_by_person = registry.context.shared_usage.gauge("connections_per_person")

    async def __call__(
        self, scope: Scope, receive: Receive, send: Send, running: AbstractContextManager[None]
    ) -> None:
        """Serves one connection from its handshake on, until it closes or is detached.

        Args:
            scope: the scope of ASGI.
            receive: receives an event of ASGI.
            send: sends an event of ASGI.
            running: the slot that the connection holds while it lasts.

        Raises:
            LimitReachedError: a connection limit is reached.
        """
        with SlotStack() as held:
            held.enter(running)
            await self._handle_handshake(scope, receive, send, held)

    async def _handle_handshake(
        self, scope: Scope, receive: Receive, send: Send, held: SlotStack
    ) -> None:
        """Accepts or rejects a handshake."""
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
        """The number of connections."""
        return self._connections["all"]

    @property
    def person_count(self) -> int:
        """The number of different people behind the connections, as far as known."""
        return len(self._connections_by_person.local)

    def _person_slot(self, person: str | None, address: str) -> AbstractContextManager[None]:
        """Counts a connection for its person.

        Raises:
            LimitReachedError: the person has too many connections.
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
        except ApiError as error:  # a banned person
            await self._accept_and_close(send, error.code, str(error), CLOSE_POLICY_VIOLATION)
            return
        connection.person = holder.person if holder else None
        held.enter(self._limiter.slot("connections", self._connections, "all", address))
        held.enter(self._person_slot(connection.person, address))
        cookies = holder.cookies if holder else ()
        renewed = [(b"set-cookie", one.header.encode()) for one in cookies]
        await send({"type": "websocket.accept", "subprotocol": None, "headers": renewed})
        # Free the data of the handshake, as the connection may last for hours.
        headers.clear()
        scope["headers"] = headers
        await connection.serve(held.transfer())


def _direct_websocket(scope: Scope, receive: Receive, send: Send) -> DirectWebSocket:
    """The direct interface of a WebSocket, from the ASGI extension if the server supports it."""
    found: DirectWebSocket | None = (scope.get("extensions") or {}).get(DIRECT_EXTENSION)
    return found or QueuedWebSocket(receive, send)


async def reject_handshake(
    scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
) -> None:
    """Rejects a handshake, with a body if the server can send one."""
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
    """Accepts a connection, sends the reason why it is refused, and closes it.

    A browser does not tell its page why a handshake failed, so people with too many open pages
    would see a network error instead.
    """
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    error = encode_message(messages.ErrorMessage(code, text))
    await send({"type": "websocket.send", "text": error.decode(), "bytes": None})
    await send({"type": "websocket.close", "code": close, "reason": truncate_reason(text)})


def truncate_reason(reason: str) -> str:
    """Truncates a reason to the size of a close frame: 123 bytes, by RFC 6455."""
    return reason.encode()[:MAX_CLOSE_REASON_BYTES].decode(errors="ignore")


class _Connection:
    """One connection; the `Subscriber` of the tables that it watches.

    Args:
        registry: the tables.
        lookup: looks up tables for clients.
        limiter: limits the connections.
        address: the address of the client.
        direct: writes and receives without waiting.
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
        registry: TableRegistry,
        lookup: TableLookup,
        limiter: ConnectionLimiter,
        address: str,
        direct: DirectWebSocket,
    ) -> None:
        limits = registry.context.limits
        self.person: str | None = None
        self.closed = False
        self._flooded = False
        self._registry = registry
        self._lookup = lookup
        self._limiter = limiter
        self._address = address
        self._request_id = CURRENT_REQUEST_ID.get()
        self._limits = limits
        self._metrics = registry.context.metrics
        self._watched: tuple[str, ...] = ()
        self._websocket = direct
        self._outgoing: deque[bytes] | None = None
        self._outgoing_bytes = 0
        self._write_task: asyncio.Task[None] | None = None
        self._bucket = TokenBucket(limits.messages_per_second, limits.burst, registry.context.now())
        self._violations = 0
        self._close_reason: tuple[int, str] | None = None
        self._closing = False
        self._slots: SlotStack | None = None
        self._open_task: asyncio.Task[None] | None = None

    async def serve(self, held: SlotStack) -> None:
        """Serves the connection until one side closes it, or until it continues without a task.

        Args:
            held: the slots that the connection holds while it lasts.
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
        """Ends all subscriptions and closes the connection with the reason."""
        self.closed = True
        self._websocket.remove_listener()
        tasks = [task for task in (self._open_task, self._write_task) if task is not None]
        for task in tasks:
            task.cancel()
        for table in self._watched:
            handle = self._registry.peek(table)
            if handle is not None:
                handle.unsubscribe(self)
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
        """Sends a message; closes the connection if too many messages wait already."""
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
        """Closes the connection, because its device is no longer admitted."""
        self._end_with(CLOSE_POLICY_VIOLATION, truncate_reason(reason))

    def _end_with(self, code: int, reason: str) -> None:
        self.closed = True
        self._close_reason = self._close_reason or (code, reason)  # the first reason counts
        self._begin_shutdown()

    def _begin_shutdown(self) -> None:
        if not self._closing:
            self._closing = True
            self._websocket.close_after(self._shutdown)

    async def _write(self) -> None:
        """Writes the queued messages until the queue is empty."""
        assert self._outgoing is not None
        try:
            while self._outgoing:
                text = self._outgoing.popleft()
                self._outgoing_bytes -= len(text)
                event = {"type": "websocket.send", "text": text.decode(), "bytes": None}
                await self._websocket.send(event)
        except Exception:  # noqa: BLE001 - the client is gone, whatever the type
            self._begin_shutdown()
        else:
            self._outgoing = None

    # Reading.

    def _on_message(self, event: Message) -> bool:
        """Processes a message of the client; returns whether it is ready for another."""
        if event["type"] != "websocket.receive":
            self._begin_shutdown()
            return True
        if self.closed:
            return False
        text: str | None = event.get("text")
        # The caller may run in another context; set the request id of this connection for the log.
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
        """Sends the error for an invalid message."""
        if isinstance(error, _MessageError):
            self._reject(text, error.code, str(error))
        else:
            log.error("message_failed", **describe_exception(error))
            self._reject(text, "internal", "the server could not do this")

    def _on_answered(self, _: bool) -> None:
        """Called when the last message has been answered."""
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
        """Handles a message; returns False if `_on_answered` will be called later."""
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
        handle = self._registry.peek(message.table)
        if handle is None:
            self._open_task = asyncio.create_task(self._load_and_submit(message, text))
        else:
            self._submit(handle, message)
        return False

    async def _load_and_submit(self, message: TableMessage, text: str | None) -> None:
        """Loads a table that is not in memory, and submits a message to it."""
        try:
            self._submit(await self._find_table(message.table), message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._send_error(text, error)
            if not self.closed:
                self._websocket.resume()

    def _submit(self, handle: TableHandle, message: TableMessage) -> None:
        """Submits a message to a table.

        Raises:
            _MessageError: the table is overloaded.
        """
        if not handle.submit(self, message, self._on_answered):
            raise _MessageError("busy", "too much is asked of this table; try again")
        match message:
            case messages.Watch(table=table):
                self._watched = (*self._watched_without(table), table)
            case messages.Unwatch(table=table):
                self._watched = self._watched_without(table)

    def _watched_without(self, table: str) -> tuple[str, ...]:
        """The watched tables without the given one."""
        return tuple(one for one in self._watched if one != table)

    async def _find_table(self, table: str) -> TableHandle:
        """The table of this id.

        Raises:
            _MessageError: the table does not exist, or cannot be loaded.
        """
        try:
            return await self._lookup.find(table, self._address)
        except TableNotFoundError:
            raise _MessageError("unknown_table", "there is no table of this id") from None
        except EnumerationLimitError as error:
            raise _MessageError("too_fast", str(error)) from None
        except CorruptionError:  # the registry has logged it
            raise _MessageError("damaged", ERR_TABLE_DAMAGED) from None
        except (ServerBusyError, StoreError) as error:
            _log_unavailable(error)
            raise _MessageError("busy", "the table cannot be opened now; try again") from None

    def _check_watch_limit(self, table: str) -> None:
        most = self._limits.watched
        if table not in self._watched and len(self._watched) >= most:
            raise _MessageError("limit", f"a connection can watch {most} tables; unwatch one")


def _log_unavailable(error: ServerBusyError | StoreError) -> None:
    """Logs that a table cannot be read; a full server is reported by the registry, rate-limited."""
    if isinstance(error, StoreError):
        log.error("table_unavailable", **describe_exception(error))


def _decode_envelope(text: str | None) -> _Envelope:
    """Reads the sequence number and table of a message, valid or not, as far as possible."""
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
    """Describes what is wrong with a message and what is allowed, without quoting it at length."""
    if isinstance(error, RecursionError):
        return "the message is nested too deeply"
    text = str(error)[:300]
    if text.endswith("`$.type`"):
        return f"{text}; the types are {MESSAGE_TYPES}"
    return text

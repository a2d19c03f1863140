"""The HTTP and WebSocket protocols of uvicorn, extended by limits on time, count and size.

uvicorn waits without limit for headers and bodies, and counts a connection only when its headers
are complete. It answers every ping however many pongs wait, and reads all received data at once.
Here, the connection limiter admits each connection, late requests are aborted, frames are counted,
and a connection yields to others after a kilobyte. tests/server/ws/test_uvicorn_protocols.py names
the internals of uvicorn that this depends on; pyproject.toml pins uvicorn to the versions that were
examined.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import GeneratorType
from typing import Any, Protocol, cast

import h11
import msgspec
import uvicorn
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import OPEN, SERVER
from websockets.protocol import Protocol as WebSocketProtocol
from websockets.streams import StreamReader

from jasstisch.server.api import messages
from jasstisch.server.limits import (
    ConnectionLimiter,
    Evictable,
    LimitReachedError,
    Limits,
    TokenBucket,
)
from jasstisch.server.net import (
    DIRECT_EXTENSION,
    WEBSOCKET_PATH,
    Handshake,
    Message,
    ReadBatcher,
    Receive,
    Scope,
    Send,
    handshake_response,
    parse_handshake,
)
from jasstisch.server.observability import REQUEST_ID_HEADER as REQUEST_ID
from jasstisch.server.observability import describe_exception, log, new_request_id

__all__ = ["LimitedHttpProtocol", "LimitedWebSocketProtocol", "ServerConfig"]

MAX_MESSAGE_BYTES = 256 * 1024
"""The size in bytes beyond which a message is not read; its connection is closed with code 1009.

It exceeds the limit for valid messages, so that one somewhat too large still gets a typed error.
"""

READ_CHUNK_BYTES = 1024
"""Bytes processed in one go: with the six bytes of a short frame or chunk, a millisecond."""

MAX_HEADER_LINES = 128
"""The maximum number of header lines of a request; the WebSocket library has the same limit."""

WRITE_FLUSH_BYTES = 64 * 1024
"""Bytes after which a write is flushed, because only then it shows whether the client reads."""

LISTEN_BACKLOG = 256
"""The backlog of connections to accept. All are accepted at once; more would stall the tables."""

HEAD_END = re.compile(rb"\n\r?\n")
"""The empty line after the headers."""

SHUTDOWN_TIMEOUT_S = 3
"""How long open connections may take to close when the server stops, in seconds."""

CLOSE_LINGER_S = 1.0
"""Seconds between the last message to a client and the end of its connection."""

SWEEPS_PER_PING = 8
"""How many times per ping interval silent connections are searched."""

MAX_BYTES_AFTER_CLOSE = 8 * 1024
"""Bytes still read after a close frame, as the client may have sent them before receiving it."""

CLOSE_TIMEOUT_S = 5.0
"""Seconds a client may take to answer a close frame."""

CLOSE_POLICY_VIOLATION = 1008

TEXT_FIN = 0x81
"""The first byte of a frame that holds a whole text (RFC 6455, 5.2)."""

LEN16, LEN64_FROM = 126, 65_536
"""The payload sizes from which the length of a frame takes two, or eight, more bytes."""

TEXT_LEN16_HEAD, TEXT_LEN64_HEAD = bytes((TEXT_FIN, LEN16)), bytes((TEXT_FIN, LEN16 + 1))
"""The first bytes of such a frame, before its length."""

MASK_BIT, MASKED_HEAD_BYTES = 0x80, 6
"""The mask bit in a client frame's second byte, and the header size of a short frame."""

PARSER_AT_FRAME_START = StreamReader.at_eof.__code__
"""The code object at which the parser waits between two frames."""

ERROR_HEADERS = ((b"content-type", b"application/json"), (b"connection", b"close"))


class _WriteCoalescer:
    """Collects the WebSockets to be flushed before the event loop waits again.

    Messages sent to one of them in one go, such as a change and an acknowledgement, are written at
    once.
    """

    def __init__(self) -> None:
        self._sockets: list[LimitedWebSocketProtocol] = []

    def add(self, one: "LimitedWebSocketProtocol") -> None:
        """Schedules a flush of a WebSocket."""
        if not self._sockets:
            one.loop.call_soon(self._flush)
        self._sockets.append(one)

    def _flush(self) -> None:
        due, self._sockets = self._sockets, []
        for one in due:
            one.flush_writes()


class LimitedApplication(Protocol):
    """An ASGI application with the limits for its connections.

    Attributes:
        limits: how much one connection may send.
        connection_limiter: limits the number of connections.
        read_batcher: schedules when received data is processed.
    """

    limits: Limits
    connection_limiter: ConnectionLimiter
    read_batcher: ReadBatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class ServerConfig(uvicorn.Config):
    """The configuration of uvicorn, shared by operators, tests and benchmarks.

    Args:
        app: the application, whose limits apply.
    """

    def __init__(self, app: LimitedApplication) -> None:
        super().__init__(
            app,
            http=LimitedHttpProtocol,
            ws=LimitedWebSocketProtocol,
            ws_per_message_deflate=False,  # compression of secrets leaks their sizes
            ws_max_size=MAX_MESSAGE_BYTES,
            log_config=None,
            access_log=False,  # the addresses of tables are secrets
            server_header=False,
            proxy_headers=False,  # the application interprets them
            backlog=LISTEN_BACKLOG,
            timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
        )
        self.connection_limiter = app.connection_limiter
        self.limits = app.limits
        self.write_coalescer = _WriteCoalescer()
        self.keepalive_sweeper = _KeepaliveSweeper()
        self.read_batcher = app.read_batcher


class _ObservedConnection(h11.Connection):
    """An h11 connection that reports a request's progress and counts its body's pieces."""

    def __init__(
        self, on_headers: Callable[[], None], on_request_end: Callable[[], None], pieces: int
    ) -> None:
        super().__init__(h11.SERVER)
        self._on_headers = on_headers
        self._on_end = on_request_end
        self._max_pieces = pieces
        self._pieces = 0

    def detach(self) -> None:
        """Drops the callbacks, so that no reference cycle keeps received data alive."""
        self._on_headers = self._on_end = _noop

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event of a request; see `h11.Connection.next_event`."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
            self._on_headers()
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > self._max_pieces:
                raise h11.RemoteProtocolError("too many pieces", error_status_hint=413)
        elif isinstance(event, h11.EndOfMessage):
            self._on_end()
        return event


def _noop() -> None:
    """The callback after `detach`."""


class LimitedHttpProtocol(H11Protocol):
    """An HTTP connection under the limits of the connection limiter and with timeouts."""

    def __init__(
        self,
        config: ServerConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limiter = config.connection_limiter
        self._limits = config.limits
        self.conn: _ObservedConnection = _ObservedConnection(
            self._on_headers, self._on_request_end, config.limits.body_pieces
        )
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._unread = bytearray()
        self._last = b""
        self._lines = 0
        self._partly = False
        self._received = True
        self._answered = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Registers the connection, or rejects it if a limit is reached."""
        super().connection_made(transport)
        try:
            self._limiter.admit(self, _format_address(self.client))
        except LimitReachedError as error:
            self._reject(error.status, error.code, str(error))
        else:
            self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection."""
        self._limiter.release(self)
        self._set_timer(None)
        self._stop_watching()
        super().connection_lost(exc)
        self.conn.detach()

    def evict(self) -> None:
        """Aborts the connection; see `connection_limiter.Evictable`."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Processes received data in pieces, and one request after the other."""
        handshake = parse_handshake(data, MAX_HEADER_LINES) if self._at_request_start() else None
        if handshake is not None:
            self._open_websocket(handshake, data)
            return
        self._unread += data
        self._read_on()

    def on_response_complete(self) -> None:
        """Waits for the next request."""
        self._answered = True
        if self._received:
            self._await_headers()
        super().on_response_complete()
        self._read_on()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hands the connection and its slot over to the WebSocket protocol.

        The WebSocket protocol could not detect that the client has not read the previous response.
        Only a client that pipelines requests can upgrade that early; no browser or proxy does.
        """
        if self.flow.write_paused:
            self._reject(400, "bad_message", "a WebSocket is opened once the last answer was read")
            return
        self._unread.clear()
        super().handle_websocket_upgrade(event)
        self._stop_tracking()

    def _at_request_start(self) -> bool:
        """Whether the next data starts a request."""
        between = self._received and self._answered and not (self._partly or self._unread)
        goes_on = not (self.transport.is_closing() or self.flow.write_paused)
        return between and goes_on and self.conn.our_state is h11.IDLE

    def _open_websocket(self, handshake: Handshake, head: bytes) -> None:
        """Hands the connection over in the same way, for a handshake that is already parsed."""
        self._unset_keepalive_if_required()
        self.connections.discard(self)
        protocol = LimitedWebSocketProtocol(
            cast("ServerConfig", self.config), self.server_state, self.app_state, self.loop
        )
        protocol.connection_made(self.transport)
        protocol.start_with(handshake, head)
        self.transport.set_protocol(protocol)
        self._stop_tracking()

    def _stop_tracking(self) -> None:
        """Stops the timers of the connection."""
        self._set_timer(None)
        self._stop_watching()
        self.conn.detach()

    def send_400_response(self, msg: str) -> None:
        """Rejects malformed HTTP, and aborts a request that waits for the rest of its body."""
        self._reject(400, "bad_message", msg)

    def pause_writing(self) -> None:
        """Starts to monitor whether the client reads the response."""
        super().pause_writing()
        self._watch_writing(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """The client reads again; before the connection closes, it must read the rest as well."""
        if not self.transport.is_closing():
            self._stop_watching()
        super().resume_writing()

    # Progress of a request.

    def _read_on(self) -> None:
        while self._unread and not self.transport.is_closing():
            if self._received and not self._answered:
                self.flow.pause_reading()
                return
            piece = self._next_chunk()
            if self._received:
                self._partly = True
                self._lines += piece.count(b"\n")
            if self._lines > MAX_HEADER_LINES:
                self._reject(431, "too_large", f"the head has more than {MAX_HEADER_LINES} lines")
            else:
                super().data_received(piece)

    def _next_chunk(self) -> bytes:
        """The next piece to process; of a request's head, nothing beyond its end."""
        size = READ_CHUNK_BYTES
        if self._received:
            end = HEAD_END.search(self._last + self._unread[:READ_CHUNK_BYTES])
            if end is not None:
                size = max(1, min(READ_CHUNK_BYTES, end.end() - len(self._last)))
        piece = bytes(self._unread[:size])
        del self._unread[:size]
        self._last = (self._last + piece)[-2:]
        return piece

    def _on_headers(self) -> None:
        self._limiter.mark_active(self)
        self._last = b""
        self._lines = 0
        self._received = self._answered = False
        self._set_timer(self._limits.body_seconds, self._on_timeout)

    def _on_request_end(self) -> None:
        self._received = True
        self._set_timer(None)
        if self._answered:
            self._await_headers()

    def _await_headers(self) -> None:
        self._partly = False
        self._lines = 0
        self._limiter.mark_idle(self)
        self._set_timer(self._limits.header_seconds, self._on_timeout)

    def _on_timeout(self) -> None:
        """Aborts a request that is late, or a response that is not read."""
        if self.transport.is_closing():
            self._watch_writing(self.transport.get_write_buffer_size())
        elif self._partly:
            self._limiter.alerts.report("request_late", "headers" if self._received else "body")
            self._reject(408, "bad_message", "the request did not come in time")
        else:
            self.transport.close()

    def _set_timer(self, seconds: float | None, then: Callable[[], None] | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if seconds is not None and then is not None:
            self._timer = self.loop.call_later(seconds, then)

    # Monitoring writes.

    def _watch_writing(self, left: int) -> None:
        """Aborts the connection if none of the unsent data is delivered for a while."""
        self._stop_watching()

        def look() -> None:
            now = self.transport.get_write_buffer_size()
            if now >= left:
                self.transport.abort()
            else:
                self._watch_writing(now)

        self._writing = self.loop.call_later(self._limits.header_seconds, look)

    def _stop_watching(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    def _reject(self, status: int, code: messages.ErrorCode, text: str) -> None:
        """Sends an error response, unless a response has started, and closes the connection."""
        if not self._answered:
            # Notify the task that waits for the rest of the request: it will not come.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = msgspec.json.encode(messages.ErrorBody(code, text))
            headers = [
                *ERROR_HEADERS,
                (b"content-length", str(len(body)).encode()),
                (REQUEST_ID, new_request_id().encode()),
            ]
            reason = HTTPStatus(status).phrase.encode()
            answer = h11.Response(status_code=status, headers=headers, reason=reason)
            asked_for_no_body = not self._answered and self.scope["method"] == "HEAD"
            data = h11.Data(data=b"" if asked_for_no_body else body)
            for event in (answer, data, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._watch_writing(self.transport.get_write_buffer_size())


class _EventQueue:
    """The queue of WebSocket events for the application, or its direct delivery to a listener.

    It replaces uvicorn's queue and has the methods that uvicorn uses.
    """

    __slots__ = ("_getter", "_listener", "_queue", "_ready")

    def __init__(self) -> None:
        self._queue: list[ASGIReceiveEvent] = []
        self._getter: asyncio.Future[None] | None = None
        self._listener: Callable[[Message], bool] | None = None
        self._ready = False

    @property
    def ready(self) -> bool:
        """Whether there is a listener that is ready for an event."""
        return self._ready and self._listener is not None

    @property
    def has_listener(self) -> bool:
        """Whether there is a listener."""
        return self._listener is not None

    def empty(self) -> bool:
        """Whether no event waits."""
        return not self._queue

    def put_nowait(self, event: ASGIReceiveEvent) -> None:
        """Delivers an event, or queues it until a listener is ready."""
        if self._listener is not None and (self._ready or event["type"] == "websocket.disconnect"):
            self._ready = self._listener(cast("Message", event))
            return
        self._queue.append(event)
        if self._getter is not None and not self._getter.done():
            self._getter.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """The next event; waits until there is one."""
        while not self._queue:
            self._getter = asyncio.get_running_loop().create_future()
            await self._getter
        return self._queue.pop(0)

    def set_listener(self, listener: Callable[[Message], bool]) -> None:
        """Sets the listener and delivers the queued events to it."""
        self._listener = listener
        self.resume()

    def remove_listener(self) -> None:
        """Removes the listener."""
        self._listener = _discard

    def resume(self) -> None:
        """Delivers queued events as long as the listener is ready."""
        self._ready = True
        while self._queue and self._ready:
            assert self._listener is not None
            self._ready = self._listener(cast("Message", self._queue.pop(0)))


def _discard(_: Message) -> bool:
    """The listener after the connection has ended."""
    return True


class _WritableEvent:
    """Whether a WebSocket is writable; an `asyncio.Event` that uses less memory.

    Attributes:
        is_set: whether the WebSocket is writable now.
    """

    __slots__ = ("_waiting", "is_set")

    def __init__(self) -> None:
        self.is_set = True
        self._waiting: tuple[asyncio.Future[None], ...] = ()

    def clear(self) -> None:
        """Marks the WebSocket as not writable."""
        self.is_set = False

    def set(self) -> None:
        """Marks the WebSocket as writable."""
        self.is_set = True
        waiting, self._waiting = self._waiting, ()
        for one in waiting:
            if not one.done():
                one.set_result(None)

    async def wait(self) -> None:
        """Waits until the WebSocket is writable."""
        if not self.is_set:
            ready = asyncio.get_running_loop().create_future()
            self._waiting = (*self._waiting, ready)
            await ready


class _KeepaliveSweeper:
    """Pings the WebSockets that have been silent for long.

    One sweep covers all of them, because a timer for each would take more memory than the rest of
    it.
    """

    def __init__(self) -> None:
        self._running = False

    def start(self, one: "LimitedWebSocketProtocol") -> None:
        """Adds a WebSocket; the sweeps run as long as there are any."""
        if not self._running:
            self._running = True
            self._schedule(one.loop, one.connections, one.ping_interval or 0.0)

    def _schedule(self, loop: asyncio.AbstractEventLoop, there: set[Any], interval: float) -> None:
        loop.call_later(interval / SWEEPS_PER_PING, self._sweep, loop, there, interval)

    def _sweep(self, loop: asyncio.AbstractEventLoop, there: set[Any], interval: float) -> None:
        sockets = [one for one in there if isinstance(one, LimitedWebSocketProtocol)]
        now = loop.time()
        for one in sockets:
            one.ping_if_silent(now)
        self._running = bool(sockets)
        if sockets:
            self._schedule(loop, there, interval)


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that counts control frames and fragments and processes data in pieces."""

    # The attributes added to those of uvicorn: in the instance dict they would double its size.
    __slots__ = (
        *("_limiter", "_limits", "_bucket", "_unread", "_fragments", "_expelled", "_after_close"),
        *(
            "_abort",
            "_write_coalescer",
            "_keepalive_sweeper",
            "_unwritten",
            "_last_received_at",
            "_detached",
        ),
        *("_read_batcher", "_read_scheduled", "_handshake"),
    )

    def __init__(
        self,
        config: ServerConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        limits = config.limits
        self.queue: _EventQueue = _EventQueue()  # type: ignore[assignment]
        self.writable: _WritableEvent = _WritableEvent()  # type: ignore[assignment]
        self.close_timeout = CLOSE_TIMEOUT_S
        self._limiter = config.connection_limiter
        self._limits = limits
        self._bucket = TokenBucket(limits.messages_per_second, limits.burst, self.loop.time())
        self._unread = bytearray()
        self._fragments = 0
        self._expelled = False
        self._after_close = 0
        self._abort: asyncio.TimerHandle | None = None
        self._write_coalescer = config.write_coalescer
        self._keepalive_sweeper = config.keepalive_sweeper
        self._read_batcher = config.read_batcher
        self._read_scheduled = False
        self._handshake: tuple[bytes, bytes] | None = None
        self._unwritten = b""
        self._last_received_at = 0.0
        self._detached = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes over the slot of the HTTP connection."""
        super().connection_made(transport)
        before = cast("Evictable", transport.get_protocol())
        self._limiter.replace(self, before, _format_address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection after the data received before its end has been processed."""
        self._limiter.release(self)
        if self._abort is not None:
            self._abort.cancel()
        if self._read_scheduled:
            self._run_scheduled_read()
        super().connection_lost(exc)

    def evict(self) -> None:
        """Aborts the connection; see `connection_limiter.Evictable`."""
        self.transport.abort()

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Processes received data in pieces, no faster than the application handles it."""
        if self._expelled:
            return
        self._last_received_at = self.loop.time()
        self._unread += data
        if self._detached and len(self._unread) < READ_CHUNK_BYTES:
            self._schedule_read()
            return
        self._read_on()
        if not self.handshake_initiated:
            # Headers that are valid in HTTP but not for the WebSocket library, such as more than
            # 128 of them.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self._abort_after(CLOSE_LINGER_S)
            self.transport.close()

    def _schedule_read(self) -> None:
        """Schedules the processing of received data in the next batch of all connections."""
        if not self._read_scheduled:
            self._read_scheduled = True
            self._read_batcher.schedule(self._run_scheduled_read)

    def _run_scheduled_read(self) -> None:
        self._read_scheduled = False
        if not self._expelled:
            self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        """The next event for the application; see ASGI."""
        event = await super().receive()
        if self._expelled:
            self._stop_reading()
        self._read_on()
        return event

    def handle_connect(self, event: Request) -> None:
        """Runs the application, with the extension to write and receive without waiting."""
        super().handle_connect(event)
        if not self.close_sent:
            self._run_direct()

    def start_with(self, handshake: Handshake, head: bytes) -> None:
        """Runs the application in the same way, for a handshake that is already parsed.

        Args:
            handshake: the parsed handshake.
            head: its bytes, which the library needs if the response does not open the WebSocket.
        """
        self._last_received_at = self.loop.time()
        self._handshake = handshake.key, head
        self.handshake_initiated = True
        self.scope = {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": self.root_path + WEBSOCKET_PATH,
            "raw_path": (self.root_path + WEBSOCKET_PATH).encode("ascii"),
            "query_string": b"",
            "headers": handshake.headers,
            "subprotocols": [],
            "state": self.app_state.copy(),
            "extensions": {"websocket.http.response": {}},
        }
        self._run_direct()
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def _run_direct(self) -> None:
        """Runs the application with direct writes and a direct listener."""
        extensions = cast("dict[str, object]", self.scope["extensions"])
        extensions[DIRECT_EXTENSION] = self

    def set_listener(self, listener: Callable[[Message], bool]) -> None:
        """Delivers events to a listener; see `DirectWebSocket`."""
        self.queue.set_listener(listener)
        self._read_more()

    def remove_listener(self) -> None:
        """Removes the listener; see `DirectWebSocket`."""
        self.queue.remove_listener()

    def detach(self) -> bool:
        """Keeps the connection open without a task; see `DirectWebSocket`."""
        self._detached = True
        return True

    def close_after(self, final: Callable[[], Awaitable[None]]) -> None:
        """Closes the connection after a final coroutine; see `DirectWebSocket`."""
        task = self.loop.create_task(self._close_after(final))
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    async def _close_after(self, final: Callable[[], Awaitable[None]]) -> None:
        try:
            await final()
        finally:
            self._close_with_deadline()

    async def wait_closed(self) -> None:
        """Returns at once: no task waits for a detached connection."""

    def resume(self) -> None:
        """Processes more data, as the listener is ready; see `DirectWebSocket`."""
        self.queue.resume()
        self._read_more()

    def _read_more(self) -> None:
        if self.read_paused and self.queue.empty() and not self._expelled:
            self.read_paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
        self._read_on()

    def send_receive_event_to_app(self) -> None:
        """Delivers a message to the application; reading pauses while one waits."""
        if not self.queue.has_listener:
            super().send_receive_event_to_app()
            return
        # Otherwise uvicorn would pause the transport each time.
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and not self.queue.empty() and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def try_write(self, text: bytes) -> bool:
        """Writes a text as one frame; returns False if it would block or the connection closes."""
        ready = self.handshake_complete and self.writable.is_set
        if not ready or self.close_sent or self.disconnected or self.conn.state is not OPEN:
            return False
        size = len(text)
        if size < LEN16:
            head = bytes((TEXT_FIN, size))
        elif size < LEN64_FROM:
            head = TEXT_LEN16_HEAD + size.to_bytes(2)
        else:
            head = TEXT_LEN64_HEAD + size.to_bytes(8)
        if not self._unwritten:
            self._write_coalescer.add(self)
            self._unwritten = head + text
            return True
        self._unwritten += head + text
        if len(self._unwritten) > WRITE_FLUSH_BYTES:
            self.flush_writes()
        return True

    def flush_writes(self) -> None:
        """Flushes the texts from `try_write`, unless the connection has ended meanwhile."""
        unwritten, self._unwritten = self._unwritten, b""
        if unwritten and not self.close_sent and not self.transport.is_closing():
            self.transport.write(unwritten)

    async def send(self, message: ASGISendEvent) -> None:
        """Sends an event of the application; see ASGI."""
        self.flush_writes()
        if not self._try_accept(message):
            await super().send(message)
            if message["type"] == "websocket.accept":
                self._drop_handshake()
        waits = self.read_paused and not self._expelled
        if waits and self.handshake_complete and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._read_on()

    def _try_accept(self, message: ASGISendEvent) -> bool:
        """Accepts the WebSocket if its handshake is already parsed; returns whether it did."""
        if self._handshake is None:
            return False
        (key, head), self._handshake = self._handshake, None
        if message["type"] != "websocket.accept" or message.get("subprotocol") is not None:
            # The library must send the response, so it has to parse the handshake after all.
            self.conn.receive_data(head)
            (self.request,) = cast("list[Request]", self.conn.events_received())
            self.response = self.conn.accept(self.request)
            return False
        if self.disconnected:
            raise ClientDisconnected
        if not self.transport.is_closing():
            self.handshake_complete = True
            # The library has not parsed anything yet; it starts with the frames.
            self.conn.state = OPEN
            self.conn.parser = WebSocketProtocol.parse(self.conn)
            next(self.conn.parser)
            headers = [*self.default_headers, *message.get("headers", ())]
            # Nothing was written before; the first message of the application goes out with the
            # response.
            self._unwritten = handshake_response(key, headers)
            self._write_coalescer.add(self)
            self.start_keepalive()
        return True

    def _drop_handshake(self) -> None:
        """Frees the data of the handshake: it is a third of the memory of an idle connection."""
        before = self.conn
        del self.request, self.response
        # No frame has been processed yet: they wait until here.
        self.conn = WebSocketProtocol(  # type: ignore[assignment]
            SERVER,
            state=before.state,
            max_size=self.config.ws_max_size,
            logger=cast("logging.Logger", before.logger),
        )

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self._expelled:
            if self.handshake_initiated and not self.handshake_complete:
                # Frames are counted after the handshake; until then they wait, and reading is
                # paused.
                self.read_paused = True
                self.transport.pause_reading()
                return
            if self._try_read_text_frame():
                continue
            piece = bytes(self._unread[:READ_CHUNK_BYTES])
            del self._unread[:READ_CHUNK_BYTES]
            self._after_close += len(piece) * self.close_sent
            if self._after_close > MAX_BYTES_AFTER_CLOSE:
                self._stop_reading()
            else:
                self._feed_parser(piece)

    def _feed_parser(self, piece: bytes) -> None:
        """Feeds data to the library; an exception ends this connection only.

        The caller may be a table, or the batch that processes other connections as well.
        """
        try:
            super().data_received(piece)
        except InvalidState:
            # The library cannot report the error, because the client's close was in the same data.
            self._abort_connection()
        except Exception as error:  # noqa: BLE001 - an unknown case must not affect the others
            log.error("frames_failed", **describe_exception(error))
            self._abort_connection()

    def _abort_connection(self) -> None:
        self._stop_reading()
        self.transport.abort()

    def _try_read_text_frame(self) -> bool:
        """Reads a text message that came as one complete frame, as nearly all messages do.

        The parser handles everything else, and also whatever comes within a frame or a message that
        it has begun.
        """
        data = self._unread
        if data[0] != TEXT_FIN or len(data) < MASKED_HEAD_BYTES or not self._between_messages():
            return False
        size, start = data[1] - MASK_BIT, MASKED_HEAD_BYTES
        if size == LEN16:
            size, start = int.from_bytes(data[2:4]), MASKED_HEAD_BYTES + 2
        elif size > LEN16:
            return False  # its length takes eight bytes
        if not 0 <= size < READ_CHUNK_BYTES or len(data) < start + size:
            return False
        frame = bytes(data[: start + size])
        del data[: start + size]
        text = apply_mask(frame[start:], frame[start - 4 : start])
        if self.close_sent or not (self.queue.ready and text.isascii()):
            self.frames = [text]
            self._fragments, self.curr_msg_data_type = 1, "text"
            self.send_receive_event_to_app()
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text.decode("ascii")})
        return True

    def _between_messages(self) -> bool:
        """Whether the parser waits for the first frame of a message."""
        conn = self.conn
        parser: Any = conn.parser
        waits = parser.gi_yieldfrom
        return (
            conn.state is OPEN
            and conn.current_size is None
            and isinstance(waits, GeneratorType)
            and waits.gi_code is PARSER_AT_FRAME_START
        )

    # Frames.

    def handle_text(self, event: Frame) -> None:
        """Handles the first frame of a text message."""
        self._fragments = 1
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Handles the first frame of a binary message."""
        self._fragments = 1
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Handles a continuation frame, unless the message has too many."""
        self._fragments += 1
        if self._fragments > self._limits.fragments:
            most = self._limits.fragments
            self._expel("fragments", f"a message comes in at most {most} frames")
        elif self._check_control_frame("fragments"):
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answers a ping, unless the client does not read the answers."""
        if not self._check_control_frame("pings"):
            return
        if self.transport.get_write_buffer_size() > self._limits.pong_bytes:
            self.conn.data_to_send()
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Handles the pong to our own ping; any other pong counts as a control frame."""
        asked = self.pending_ping_payload
        if (asked is not None and bytes(event.data) == asked) or self._check_control_frame("pongs"):
            super().handle_pong(event)

    def _check_control_frame(self, kind: str) -> bool:
        """Counts a control frame; closes the connection if there are too many."""
        if self._expelled:
            return False
        if self._bucket.try_take(self.loop.time()):
            return True
        most = self._limits.messages_per_second
        self._expel(kind, f"at most {most:g} pings, pongs and fragments a second, please")
        return False

    # Closing.

    def _expel(self, kind: str, reason: str) -> None:
        """Closes a connection that floods, and processes none of its frames any more."""
        if self._expelled:
            return
        self._stop_reading()
        self._limiter.alerts.report("flood_closed", kind, _format_address(self.client or ("", 0)))
        self.stop_keepalive()
        if self.conn.state is OPEN and not self.close_sent:
            self.conn.send_close(CLOSE_POLICY_VIOLATION, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait(
            {"type": "websocket.disconnect", "code": CLOSE_POLICY_VIOLATION, "reason": reason}
        )
        # Closing a socket with unread data sends a reset: give the client time to read the reason
        # before.
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(CLOSE_LINGER_S / 2, self.transport.close)
        self._abort_after(CLOSE_LINGER_S)

    def _stop_reading(self) -> None:
        self._expelled = True
        self._unread.clear()
        if not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    async def run_asgi(self) -> None:
        """Runs the application, and closes the connection afterwards unless it is detached."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self._detached = False
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        else:
            if not (self.handshake_complete or self.close_sent):
                self.logger.error("ASGI callable returned without completing handshake.")
                self.send_500_response()
        if self._detached:
            del self.scope  # nothing reads it after the start
            self.server = None
            # A dict that has grown is over-allocated; a copy is not.
            self.__dict__ = dict(self.__dict__)
        else:
            # The reference to this object would form a cycle.
            self.scope["extensions"] = {}
            self._close_with_deadline()

    def _close_with_deadline(self) -> None:
        """Closes the connection, at the latest after the time a client has to answer."""
        if self.close_timer is None:
            self.transport.close()
        self._abort_after(CLOSE_LINGER_S + (CLOSE_TIMEOUT_S if self.close_timer else 0.0))

    def schedule_ping(self) -> None:
        """Does nothing: the keep-alive sweep decides when to ping."""
        self._keepalive_sweeper.start(self)

    def ping_if_silent(self, now: float) -> None:
        """Sends a ping if the client has been silent for long."""
        interval = self.ping_interval
        if not interval or now < self._last_received_at + interval:
            return
        if self.handshake_complete and self.pong_timer is None:
            self.send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Closes a connection whose client no longer answers."""
        super().keepalive_timeout()
        self._abort_after(CLOSE_LINGER_S)

    def _abort_after(self, seconds: float) -> None:
        """Aborts the connection after a delay, even if the client reads nothing any more."""
        if self._abort is None and not self.disconnected:
            self._abort = self.loop.call_later(seconds, self.transport.abort)


def _format_address(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""

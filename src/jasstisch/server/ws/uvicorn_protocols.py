"""HTTP and WebSocket on the wire: uvicorn's protocols, with limits on time, number and size.

uvicorn waits for ever for headers and bodies, counts a connection when its headers are complete,
answers every ping however many pongs wait, and reads everything that has arrived in one go. Here
each connection passes the gate, what does not come in time is given up, frames are counted, and a
connection takes its turn after a kilobyte. What this relies on in uvicorn is what
tests/server/ws/test_uvicorn_protocols.py names; pyproject.toml holds uvicorn to the versions it
was read in.
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
"""A longer message is not read to its end: its connection is closed with code 1009.

This lies above what a message may have, so that one somewhat too large still gets a typed error.
"""

READ_CHUNK_BYTES = 1024
"""So many bytes are read in one go: at the six bytes of a short frame or chunk, a millisecond."""

MAX_HEADER_LINES = 128
"""Lines that the head of a request may have; the WebSocket allows no more either."""

WRITE_FLUSH_BYTES = 64 * 1024
"""So many bytes are written at once, for only then it is known whether the client reads."""

LISTEN_BACKLOG = 256
"""Connections that wait to be accepted. All of them are at once: more would stall the tables."""

HEAD_END = re.compile(rb"\n\r?\n")
"""The empty line after the headers."""

SHUTDOWN_TIMEOUT_S = 3
"""How long open connections may take to end when the server stops."""

CLOSE_LINGER_S = 1.0
"""Seconds between the last word to a client and the end of its connection, heard or not."""

SWEEPS_PER_PING = 8
"""So often in the time between two pings it is looked who has said nothing."""

MAX_BYTES_AFTER_CLOSE = 8 * 1024
"""Bytes that are still read of a client after a close, as it may have sent them before."""

CLOSE_TIMEOUT_S = 5.0
"""Seconds a client may take to answer a close."""

CLOSE_POLICY_VIOLATION = 1008

TEXT_FIN = 0x81
"""How a frame begins that holds a whole text (RFC 6455, 5.2)."""

LEN16, LEN64_FROM = 126, 65_536
"""From these sizes on, the length of a frame takes two bytes more, or eight."""

TEXT_LEN16_HEAD, TEXT_LEN64_HEAD = bytes((TEXT_FIN, LEN16)), bytes((TEXT_FIN, LEN16 + 1))
"""How such a frame begins, before its length."""

MASK_BIT, MASKED_HEAD_BYTES = 0x80, 6
"""How the second byte of a client's frame is marked, and the bytes before a short payload."""

PARSER_AT_FRAME_START = StreamReader.at_eof.__code__
"""Where the parser waits between two frames."""

ERROR_HEADERS = ((b"content-type", b"application/json"), (b"connection", b"close"))


class _WriteCoalescer:
    """The WebSockets to which something is to be written before the event loop waits again.

    What is told to one of them in one go, as a change and an acknowledgement, is written at once.
    """

    def __init__(self) -> None:
        self._sockets: list[LimitedWebSocketProtocol] = []

    def add(self, one: "LimitedWebSocketProtocol") -> None:
        """Has a WebSocket written to soon."""
        if not self._sockets:
            one.loop.call_soon(self._flush)
        self._sockets.append(one)

    def _flush(self) -> None:
        due, self._sockets = self._sockets, []
        for one in due:
            one.flush_writes()


class LimitedApplication(Protocol):
    """An ASGI application, with the limits under which its connections are read.

    Attributes:
        limits: how much one connection may send.
        connection_limiter: counts the connections, and turns away those that are too many.
        read_batcher: when what comes over them is read.
    """

    limits: Limits
    connection_limiter: ConnectionLimiter
    read_batcher: ReadBatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class ServerConfig(uvicorn.Config):
    """How uvicorn serves the application, the same for hosts, tests and measurements.

    Args:
        app: the application; its limits hold.
    """

    def __init__(self, app: LimitedApplication) -> None:
        super().__init__(
            app,
            http=LimitedHttpProtocol,
            ws=LimitedWebSocketProtocol,
            ws_per_message_deflate=False,  # deflate over secrets leaks their sizes
            ws_max_size=MAX_MESSAGE_BYTES,
            log_config=None,
            access_log=False,  # addresses of tables are secrets
            server_header=False,
            proxy_headers=False,  # the application reads them itself
            backlog=LISTEN_BACKLOG,
            timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
        )
        self.connection_limiter = app.connection_limiter
        self.limits = app.limits
        self.write_coalescer = _WriteCoalescer()
        self.keepalive_sweeper = _KeepaliveSweeper()
        self.read_batcher = app.read_batcher


class _ObservedConnection(h11.Connection):
    """Tells its protocol how far a request has come, and counts the pieces of its body."""

    def __init__(self, began: Callable[[], None], ended: Callable[[], None], pieces: int) -> None:
        super().__init__(h11.SERVER)
        self._on_headers = began
        self._on_end = ended
        self._max_pieces = pieces
        self._pieces = 0

    def detach(self) -> None:
        """Lets the protocol go, so that no cycle keeps what was received until it is collected."""
        self._on_headers = self._on_end = _noop

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next part of a request; see `h11.Connection.next_event`."""
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
    """What is done once nobody listens any more."""


class LimitedHttpProtocol(H11Protocol):
    """An HTTP connection that passes the gate and keeps to the times."""

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
        """Counts the connection, or tells it that there is no room."""
        super().connection_made(transport)
        try:
            self._limiter.admit(self, _format_address(self.client))
        except LimitReachedError as error:
            self._reject(error.status, error.code, str(error))
        else:
            self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._limiter.release(self)
        self._set_timer(None)
        self._stop_watching()
        super().connection_lost(exc)
        self.conn.detach()

    def evict(self) -> None:
        """Ends the connection at once; see `gate.Evictable`."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Reads what came, a piece at a time, and one request after the other."""
        found = parse_handshake(data, MAX_HEADER_LINES) if self._at_request_start() else None
        if found is not None:
            self._open_websocket(found, data)
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
        """Leaves the connection, and its place, to the WebSocket protocol.

        That would never learn that the answer before has not been read. Only who does not wait for
        an answer can open it so early, and no browser or proxy does.
        """
        if self.flow.write_paused:
            self._reject(400, "bad_message", "a WebSocket is opened once the last answer was read")
            return
        self._unread.clear()
        super().handle_websocket_upgrade(event)
        self._stop_tracking()

    def _at_request_start(self) -> bool:
        """Whether what comes now is the beginning of a request."""
        between = self._received and self._answered and not (self._partly or self._unread)
        goes_on = not (self.transport.is_closing() or self.flow.write_paused)
        return between and goes_on and self.conn.our_state is h11.IDLE

    def _open_websocket(self, found: Handshake, head: bytes) -> None:
        """Does the same where the handshake has been read already."""
        self._unset_keepalive_if_required()
        self.connections.discard(self)
        protocol = LimitedWebSocketProtocol(
            cast("ServerConfig", self.config), self.server_state, self.app_state, self.loop
        )
        protocol.connection_made(self.transport)
        protocol.start_with(found, head)
        self.transport.set_protocol(protocol)
        self._stop_tracking()

    def _stop_tracking(self) -> None:
        """Watches the connection no longer."""
        self._set_timer(None)
        self._stop_watching()
        self.conn.detach()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is no HTTP, and ends a call that waits for the rest of it."""
        self._reject(400, "bad_message", msg)

    def pause_writing(self) -> None:
        """Watches whether the client reads on."""
        super().pause_writing()
        self._watch_writing(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """The client has read on; of a connection that ends it must read the rest as well."""
        if not self.transport.is_closing():
            self._stop_watching()
        super().resume_writing()

    # How far a request has come.

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
        """What is read next: of the head of a request nothing beyond its end."""
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
        """Gives up what has not come in time, or an answer that is not read."""
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

    # What the client reads.

    def _watch_writing(self, left: int) -> None:
        """Ends the connection if nothing of what is left is delivered for a while."""
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
        """Answers with an error, unless an answer has begun, and ends the connection."""
        if not self._answered:
            # Whoever waits for the rest of the request learns that it will not come.
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
    """What the application is told of a WebSocket: when it asks, or at once where it listens.

    It stands for the queue of uvicorn, of which it has what is used there.
    """

    __slots__ = ("_getter", "_listener", "_queue", "_ready")

    def __init__(self) -> None:
        self._queue: list[ASGIReceiveEvent] = []
        self._getter: asyncio.Future[None] | None = None
        self._listener: Callable[[Message], bool] | None = None
        self._ready = False

    @property
    def ready(self) -> bool:
        """Whether somebody listens who is ready for a message now."""
        return self._ready and self._listener is not None

    @property
    def has_listener(self) -> bool:
        """Whether somebody listens."""
        return self._listener is not None

    def empty(self) -> bool:
        """Whether nothing waits to be told."""
        return not self._queue

    def put_nowait(self, event: ASGIReceiveEvent) -> None:
        """Tells an event, or keeps it until somebody is ready for it."""
        if self._listener is not None and (self._ready or event["type"] == "websocket.disconnect"):
            self._ready = self._listener(cast("Message", event))
            return
        self._queue.append(event)
        if self._getter is not None and not self._getter.done():
            self._getter.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """The next event, once there is one."""
        while not self._queue:
            self._getter = asyncio.get_running_loop().create_future()
            await self._getter
        return self._queue.pop(0)

    def set_listener(self, hear: Callable[[Message], bool]) -> None:
        """Tells everything from now on, and what waits already."""
        self._listener = hear
        self.resume()

    def remove_listener(self) -> None:
        """Tells nothing more."""
        self._listener = _discard

    def resume(self) -> None:
        """Tells what waits, as long as whoever listens is ready."""
        self._ready = True
        while self._queue and self._ready:
            assert self._listener is not None
            self._ready = self._listener(cast("Message", self._queue.pop(0)))


def _discard(_: Message) -> bool:
    """Listens in the place of who has gone."""
    return True


class _WritableEvent:
    """Whether a WebSocket may be written to; an `asyncio.Event` with room for many of them.

    Attributes:
        now: whether it may be written to now.
    """

    __slots__ = ("_waiting", "is_set")

    def __init__(self) -> None:
        self.is_set = True
        self._waiting: tuple[asyncio.Future[None], ...] = ()

    def clear(self) -> None:
        """From now on what is to be written waits."""
        self.is_set = False

    def set(self) -> None:
        """From now on it may be written to."""
        self.is_set = True
        waiting, self._waiting = self._waiting, ()
        for one in waiting:
            if not one.done():
                one.set_result(None)

    async def wait(self) -> None:
        """Waits until it may be written to."""
        if not self.is_set:
            ready = asyncio.get_running_loop().create_future()
            self._waiting = (*self._waiting, ready)
            await ready


class _KeepaliveSweeper:
    """Asks the WebSockets that have long said nothing whether they are still there.

    One goes round for all of them: a timer for each takes more room than all else that it needs.
    """

    def __init__(self) -> None:
        self._running = False

    def start(self, one: "LimitedWebSocketProtocol") -> None:
        """Goes round from now on, as long as there is anybody."""
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
    """A WebSocket whose control frames and fragments are counted, and which is read in pieces."""

    # What is not of uvicorn: with all of it the dict of each would be twice as large.
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
        """Takes the place that the HTTP connection has left."""
        super().connection_made(transport)
        before = cast("Evictable", transport.get_protocol())
        self._limiter.replace(self, before, _format_address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection, when what came before its end has been read."""
        self._limiter.release(self)
        if self._abort is not None:
            self._abort.cancel()
        if self._read_scheduled:
            self._run_scheduled_read()
        super().connection_lost(exc)

    def evict(self) -> None:
        """Ends the connection at once; see `gate.Evictable`."""
        self.transport.abort()

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Reads what came, a piece at a time, no further than the application keeps up."""
        if self._expelled:
            return
        self._last_received_at = self.loop.time()
        self._unread += data
        if self._detached and len(self._unread) < READ_CHUNK_BYTES:
            self._schedule_read()
            return
        self._read_on()
        if not self.handshake_initiated:
            # Headers that HTTP allows and the WebSocket does not, as more than 128 of them.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self._abort_after(CLOSE_LINGER_S)
            self.transport.close()

    def _schedule_read(self) -> None:
        """Has what came read with the next beat, together with what others have sent."""
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
        """Runs the application, which may also write and listen without waiting."""
        super().handle_connect(event)
        if not self.close_sent:
            self._run_direct()

    def start_with(self, found: Handshake, head: bytes) -> None:
        """Runs the application as well, where the handshake has been read already.

        Args:
            found: what was read.
            head: as it came, for the library, should the answer be none that opens the WebSocket.
        """
        self._last_received_at = self.loop.time()
        self._handshake = found.key, head
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
            "headers": found.headers,
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
        """Has the application write and listen without waiting."""
        extensions = cast("dict[str, object]", self.scope["extensions"])
        extensions[DIRECT_EXTENSION] = self

    def set_listener(self, hear: Callable[[Message], bool]) -> None:
        """Hands events over as they come; see `asgi.Direct`."""
        self.queue.set_listener(hear)
        self._read_more()

    def remove_listener(self) -> None:
        """Forgets who listens; see `asgi.Direct`."""
        self.queue.remove_listener()

    def detach(self) -> bool:
        """Goes on when the application has returned, without a task; see `asgi.Direct`."""
        self._detached = True
        return True

    def close_after(self, wind_up: Callable[[], Awaitable[None]]) -> None:
        """Ends the connection when this is done; see `asgi.Direct`."""
        task = self.loop.create_task(self._close_after(wind_up))
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    async def _close_after(self, wind_up: Callable[[], Awaitable[None]]) -> None:
        try:
            await wind_up()
        finally:
            self._close_with_deadline()

    async def wait_closed(self) -> None:
        """Nobody waits: it stays."""

    def resume(self) -> None:
        """Reads on, for whoever listens is ready; see `asgi.Direct`."""
        self.queue.resume()
        self._read_more()

    def _read_more(self) -> None:
        if self.read_paused and self.queue.empty() and not self._expelled:
            self.read_paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
        self._read_on()

    def send_receive_event_to_app(self) -> None:
        """Tells the application a message; nothing more is read while one waits to be told."""
        if not self.queue.has_listener:
            super().send_receive_event_to_app()
            return
        paused, self.read_paused = self.read_paused, True  # uvicorn would stop reading each time
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and not self.queue.empty() and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def try_write(self, text: bytes) -> bool:
        """Writes a text as one frame; False where it would have to wait, or comes too late."""
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
        """Writes what `write_now` has taken, unless the connection has ended meanwhile."""
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
        """Opens the WebSocket where its handshake has been read already; whether it has."""
        if self._handshake is None:
            return False
        (key, head), self._handshake = self._handshake, None
        if message["type"] != "websocket.accept" or message.get("subprotocol") is not None:
            # The library answers, for which it has to read the handshake after all.
            self.conn.receive_data(head)
            (self.request,) = cast("list[Request]", self.conn.events_received())
            self.response = self.conn.accept(self.request)
            return False
        if self.disconnected:
            raise ClientDisconnected
        if not self.transport.is_closing():
            self.handshake_complete = True
            # The library has read nothing yet: it begins with the frames.
            self.conn.state = OPEN
            self.conn.parser = WebSocketProtocol.parse(self.conn)
            next(self.conn.parser)
            headers = [*self.default_headers, *message.get("headers", ())]
            # Nothing was written before; what the application says first goes out together with it.
            self._unwritten = handshake_response(key, headers)
            self._write_coalescer.add(self)
            self.start_keepalive()
        return True

    def _drop_handshake(self) -> None:
        """Lets go of what the handshake said: it is a third of what an idle connection holds."""
        before = self.conn
        del self.request, self.response
        # No frame has been read yet: until here they wait.
        self.conn = WebSocketProtocol(  # type: ignore[assignment]
            SERVER,
            state=before.state,
            max_size=self.config.ws_max_size,
            logger=cast("logging.Logger", before.logger),
        )

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self._expelled:
            if self.handshake_initiated and not self.handshake_complete:
                # Frames count from the handshake on; until then they wait, and no more come.
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
        """Has the library read a piece; whatever it makes of it ends this connection at most.

        Who has it read may be a table, or the beat in which others are read as well.
        """
        try:
            super().data_received(piece)
        except InvalidState:
            # What it found wrong it cannot say, for the client has closed in the same piece.
            self._abort_connection()
        except Exception as error:  # noqa: BLE001 - a case we do not know must not end the others
            log.error("frames_failed", **describe_exception(error))
            self._abort_connection()

    def _abort_connection(self) -> None:
        self._stop_reading()
        self.transport.abort()

    def _try_read_text_frame(self) -> bool:
        """Reads a text that came whole and as one frame, which nearly all messages are.

        Everything else is left to the parser, and so is what comes in the middle of a frame or of
        a message that the parser has begun to read.
        """
        data = self._unread
        if data[0] != TEXT_FIN or len(data) < MASKED_HEAD_BYTES or not self._between_messages():
            return False
        size, start = data[1] - MASK_BIT, MASKED_HEAD_BYTES
        if size == LEN16:
            size, start = int.from_bytes(data[2:4]), MASKED_HEAD_BYTES + 2
        elif size > LEN16:
            return False  # its size takes eight bytes
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
        """Takes the first frame of a message."""
        self._fragments = 1
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Takes the first frame of a message in bytes."""
        self._fragments = 1
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Takes a further frame of a message, if they are not too many."""
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
        """Takes the answer to our own ping; any other counts."""
        asked = self.pending_ping_payload
        if (asked is not None and bytes(event.data) == asked) or self._check_control_frame("pongs"):
            super().handle_pong(event)

    def _check_control_frame(self, kind: str) -> bool:
        """Counts a frame that is no message of its own; ends the connection if it floods."""
        if self._expelled:
            return False
        if self._bucket.try_take(self.loop.time()):
            return True
        most = self._limits.messages_per_second
        self._expel(kind, f"at most {most:g} pings, pongs and fragments a second, please")
        return False

    # Ending.

    def _expel(self, kind: str, reason: str) -> None:
        """Closes a connection that floods, and reads no frame of it any more."""
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
        # An end with unread bytes is a reset: the client has a moment to read the reason before.
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
        """Runs the application for this connection, and ends it afterwards unless it stays."""
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
            del self.scope  # nobody asks again how it began
            self.server = None
            # A dict that has grown has room for twice as much; a copy has not.
            self.__dict__ = dict(self.__dict__)
        else:
            # It is this very connection, which would be kept by itself.
            self.scope["extensions"] = {}
            self._close_with_deadline()

    def _close_with_deadline(self) -> None:
        """Closes the connection, at the latest when its client has had time to do so."""
        if self.close_timer is None:
            self.transport.close()
        self._abort_after(CLOSE_LINGER_S + (CLOSE_TIMEOUT_S if self.close_timer else 0.0))

    def schedule_ping(self) -> None:
        """Leaves it to the rounds when it is asked next whether the other side is there."""
        self._keepalive_sweeper.start(self)

    def ping_if_silent(self, now: float) -> None:
        """Asks whether the other side is there, if it has long said nothing."""
        interval = self.ping_interval
        if not interval or now < self._last_received_at + interval:
            return
        if self.handshake_complete and self.pong_timer is None:
            self.send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Ends a connection whose other side no longer answers."""
        super().keepalive_timeout()
        self._abort_after(CLOSE_LINGER_S)

    def _abort_after(self, seconds: float) -> None:
        """Sees to it that the connection ends, also if its client reads nothing any more."""
        if self._abort is None and not self.disconnected:
            self._abort = self.loop.call_later(seconds, self.transport.abort)


def _format_address(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""

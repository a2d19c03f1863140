"""HTTP and WebSocket on the wire: uvicorn's protocols, with limits on time, number and size.

uvicorn waits for ever for headers and bodies, counts a connection when its headers are complete,
answers every ping however many pongs wait, and reads everything that has arrived in one go. Here
each connection passes the gate, what does not come in time is given up, frames are counted, and a
connection takes its turn after a kilobyte. What this relies on in uvicorn is what
tests/server/test_protocols.py names; pyproject.toml holds uvicorn to the versions it was read in.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import GeneratorType
from typing import Any, cast

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
from websockets.protocol import OPEN, SERVER, Protocol
from websockets.streams import StreamReader

from jasstisch.server import messages
from jasstisch.server.app import App
from jasstisch.server.asgi import DIRECT, Message
from jasstisch.server.bucket import Bucket
from jasstisch.server.gate import FullError, Guest
from jasstisch.server.handshake import PATH, Opening, accepted, opening
from jasstisch.server.log import failure, log
from jasstisch.server.request_ids import HEADER as REQUEST_ID
from jasstisch.server.request_ids import new_id

__all__ = ["Config", "HttpProtocol", "WebSocketProtocol"]

WHOLE_MESSAGE = 256 * 1024
"""A longer message is not read to its end: its connection is closed with code 1009.

This lies above what a message may have, so that one somewhat too large still gets a typed error.
"""

PIECE = 1024
"""So many bytes are read in one go: at the six bytes of a short frame or chunk, a millisecond."""

MOST_LINES = 128
"""Lines that the head of a request may have; the WebSocket allows no more either."""

MOST_UNWRITTEN = 64 * 1024
"""So many bytes are written at once, for only then it is known whether the client reads."""

BACKLOG = 256
"""Connections that wait to be accepted. All of them are at once: more would stall the tables."""

HEAD_END = re.compile(rb"\n\r?\n")
"""The empty line after the headers."""

CLOSING_SECONDS = 3
"""How long open connections may take to end when the server stops."""

LINGER = 1.0
"""Seconds between the last word to a client and the end of its connection, heard or not."""

ROUNDS = 8
"""So often in the time between two pings it is looked who has said nothing."""

AFTER_CLOSE = 8 * 1024
"""Bytes that are still read of a client after a close, as it may have sent them before."""

CLOSE_REPLY = 5.0
"""Seconds a client may take to answer a close."""

AGAINST_THE_RULES = 1008

WHOLE_TEXT = 0x81
"""How a frame begins that holds a whole text (RFC 6455, 5.2)."""

SHORT, LONG = 126, 65_536
"""From these sizes on, the length of a frame takes two bytes more, or eight."""

LONGER, LONGEST = bytes((WHOLE_TEXT, SHORT)), bytes((WHOLE_TEXT, SHORT + 1))
"""How such a frame begins, before its length."""

MASKED, MASKED_HEAD = 0x80, 6
"""How the second byte of a client's frame is marked, and the bytes before a short payload."""

FOR_A_FRAME = StreamReader.at_eof.__code__
"""Where the parser waits between two frames."""

HEADERS = ((b"content-type", b"application/json"), (b"connection", b"close"))


class _Outbox:
    """The WebSockets to which something is to be written before the event loop waits again.

    What is told to one of them in one go, as a change and an acknowledgement, is written at once.
    """

    def __init__(self) -> None:
        self._due: list[WebSocketProtocol] = []

    def add(self, one: "WebSocketProtocol") -> None:
        """Has a WebSocket written to soon."""
        if not self._due:
            one.loop.call_soon(self._write)
        self._due.append(one)

    def _write(self) -> None:
        due, self._due = self._due, []
        for one in due:
            one.write_out()


class Config(uvicorn.Config):
    """How uvicorn serves the application, the same for hosts, tests and measurements.

    Args:
        app: the application; its gate and its limits hold.
    """

    def __init__(self, app: App) -> None:
        super().__init__(
            app,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            ws_per_message_deflate=False,  # deflate over secrets leaks their sizes
            ws_max_size=WHOLE_MESSAGE,
            log_config=None,
            access_log=False,  # addresses of tables are secrets
            server_header=False,
            proxy_headers=False,  # the application reads them itself
            backlog=BACKLOG,
            timeout_graceful_shutdown=CLOSING_SECONDS,
        )
        self.gate = app.gate
        self.limits = app.limits
        self.outbox = _Outbox()
        self.rounds = _Rounds()
        self.pulse = app.pulse


class _Conversation(h11.Connection):
    """Tells its protocol how far a request has come, and counts the pieces of its body."""

    def __init__(self, began: Callable[[], None], ended: Callable[[], None], pieces: int) -> None:
        super().__init__(h11.SERVER)
        self._began = began
        self._ended = ended
        self._most = pieces
        self._pieces = 0

    def forget(self) -> None:
        """Lets the protocol go, so that no cycle keeps what was received until it is collected."""
        self._began = self._ended = _nothing

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next part of a request; see `h11.Connection.next_event`."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
            self._began()
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > self._most:
                raise h11.RemoteProtocolError("too many pieces", error_status_hint=413)
        elif isinstance(event, h11.EndOfMessage):
            self._ended()
        return event


def _nothing() -> None:
    """What is done once nobody listens any more."""


class HttpProtocol(H11Protocol):
    """An HTTP connection that passes the gate and keeps to the times."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._gate = config.gate
        self._limits = config.limits
        self.conn: _Conversation = _Conversation(
            self._began, self._ended, config.limits.body_pieces
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
            self._gate.enter(self, _address(self.client))
        except FullError as error:
            self._refuse(error.status, error.code, str(error))
        else:
            self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._gate.leave(self)
        self._set_timer(None)
        self._stop_watching()
        super().connection_lost(exc)
        self.conn.forget()

    def make_room(self) -> None:
        """Ends the connection at once; see `gate.Guest`."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Reads what came, a piece at a time, and one request after the other."""
        found = opening(data, MOST_LINES) if self._waits() else None
        if found is not None:
            self._open(found, data)
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
            self._refuse(400, "bad_message", "a WebSocket is opened once the last answer was read")
            return
        self._unread.clear()
        super().handle_websocket_upgrade(event)
        self._forget()

    def _waits(self) -> bool:
        """Whether what comes now is the beginning of a request."""
        between = self._received and self._answered and not (self._partly or self._unread)
        goes_on = not (self.transport.is_closing() or self.flow.write_paused)
        return between and goes_on and self.conn.our_state is h11.IDLE

    def _open(self, found: Opening, head: bytes) -> None:
        """Does the same where the handshake has been read already."""
        self._unset_keepalive_if_required()
        self.connections.discard(self)
        protocol = WebSocketProtocol(
            cast("Config", self.config), self.server_state, self.app_state, self.loop
        )
        protocol.connection_made(self.transport)
        protocol.begin(found, head)
        self.transport.set_protocol(protocol)
        self._forget()

    def _forget(self) -> None:
        """Watches the connection no longer."""
        self._set_timer(None)
        self._stop_watching()
        self.conn.forget()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is no HTTP, and ends a call that waits for the rest of it."""
        self._refuse(400, "bad_message", msg)

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
            piece = self._next_piece()
            if self._received:
                self._partly = True
                self._lines += piece.count(b"\n")
            if self._lines > MOST_LINES:
                self._refuse(431, "too_large", f"the head has more than {MOST_LINES} lines")
            else:
                super().data_received(piece)

    def _next_piece(self) -> bytes:
        """What is read next: of the head of a request nothing beyond its end."""
        size = PIECE
        if self._received:
            end = HEAD_END.search(self._last + self._unread[:PIECE])
            if end is not None:
                size = max(1, min(PIECE, end.end() - len(self._last)))
        piece = bytes(self._unread[:size])
        del self._unread[:size]
        self._last = (self._last + piece)[-2:]
        return piece

    def _began(self) -> None:
        self._gate.work(self)
        self._last = b""
        self._lines = 0
        self._received = self._answered = False
        self._set_timer(self._limits.body_seconds, self._late)

    def _ended(self) -> None:
        self._received = True
        self._set_timer(None)
        if self._answered:
            self._await_headers()

    def _await_headers(self) -> None:
        self._partly = False
        self._lines = 0
        self._gate.wait(self)
        self._set_timer(self._limits.header_seconds, self._late)

    def _late(self) -> None:
        """Gives up what has not come in time, or an answer that is not read."""
        if self.transport.is_closing():
            self._watch_writing(self.transport.get_write_buffer_size())
        elif self._partly:
            self._gate.incidents.note("request_late", "headers" if self._received else "body")
            self._refuse(408, "bad_message", "the request did not come in time")
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

    def _refuse(self, status: int, code: messages.ErrorCode, text: str) -> None:
        """Answers with an error, unless an answer has begun, and ends the connection."""
        if not self._answered:
            # Whoever waits for the rest of the request learns that it will not come.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = msgspec.json.encode(messages.ErrorBody(code, text))
            headers = [
                *HEADERS,
                (b"content-length", str(len(body)).encode()),
                (REQUEST_ID, new_id().encode()),
            ]
            reason = HTTPStatus(status).phrase.encode()
            answer = h11.Response(status_code=status, headers=headers, reason=reason)
            asked_for_no_body = not self._answered and self.scope["method"] == "HEAD"
            data = h11.Data(data=b"" if asked_for_no_body else body)
            for event in (answer, data, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._watch_writing(self.transport.get_write_buffer_size())


class _Events:
    """What the application is told of a WebSocket: when it asks, or at once where it listens.

    It stands for the queue of uvicorn, of which it has what is used there.
    """

    __slots__ = ("_asking", "_hear", "_ready", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[ASGIReceiveEvent] = []
        self._asking: asyncio.Future[None] | None = None
        self._hear: Callable[[Message], bool] | None = None
        self._ready = False

    @property
    def ready(self) -> bool:
        """Whether somebody listens who is ready for a message now."""
        return self._ready and self._hear is not None

    @property
    def heard(self) -> bool:
        """Whether somebody listens."""
        return self._hear is not None

    def empty(self) -> bool:
        """Whether nothing waits to be told."""
        return not self._waiting

    def put_nowait(self, event: ASGIReceiveEvent) -> None:
        """Tells an event, or keeps it until somebody is ready for it."""
        if self._hear is not None and (self._ready or event["type"] == "websocket.disconnect"):
            self._ready = self._hear(cast("Message", event))
            return
        self._waiting.append(event)
        if self._asking is not None and not self._asking.done():
            self._asking.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """The next event, once there is one."""
        while not self._waiting:
            self._asking = asyncio.get_running_loop().create_future()
            await self._asking
        return self._waiting.pop(0)

    def listen(self, hear: Callable[[Message], bool]) -> None:
        """Tells everything from now on, and what waits already."""
        self._hear = hear
        self.go_on()

    def stop(self) -> None:
        """Tells nothing more."""
        self._hear = _nothing_heard

    def go_on(self) -> None:
        """Tells what waits, as long as whoever listens is ready."""
        self._ready = True
        while self._waiting and self._ready:
            assert self._hear is not None
            self._ready = self._hear(cast("Message", self._waiting.pop(0)))


def _nothing_heard(_: Message) -> bool:
    """Listens in the place of who has gone."""
    return True


class _Writable:
    """Whether a WebSocket may be written to; an `asyncio.Event` with room for many of them.

    Attributes:
        now: whether it may be written to now.
    """

    __slots__ = ("_waiting", "now")

    def __init__(self) -> None:
        self.now = True
        self._waiting: tuple[asyncio.Future[None], ...] = ()

    def clear(self) -> None:
        """From now on what is to be written waits."""
        self.now = False

    def set(self) -> None:
        """From now on it may be written to."""
        self.now = True
        waiting, self._waiting = self._waiting, ()
        for one in waiting:
            if not one.done():
                one.set_result(None)

    async def wait(self) -> None:
        """Waits until it may be written to."""
        if not self.now:
            ready = asyncio.get_running_loop().create_future()
            self._waiting = (*self._waiting, ready)
            await ready


class _Rounds:
    """Asks the WebSockets that have long said nothing whether they are still there.

    One goes round for all of them: a timer for each takes more room than all else that it needs.
    """

    def __init__(self) -> None:
        self._going = False

    def begin(self, one: "WebSocketProtocol") -> None:
        """Goes round from now on, as long as there is anybody."""
        if not self._going:
            self._going = True
            self._wait(one.loop, one.connections, one.ping_interval or 0.0)

    def _wait(self, loop: asyncio.AbstractEventLoop, there: set[Any], interval: float) -> None:
        loop.call_later(interval / ROUNDS, self._go, loop, there, interval)

    def _go(self, loop: asyncio.AbstractEventLoop, there: set[Any], interval: float) -> None:
        sockets = [one for one in there if isinstance(one, WebSocketProtocol)]
        now = loop.time()
        for one in sockets:
            one.ask_if_silent(now)
        self._going = bool(sockets)
        if sockets:
            self._wait(loop, there, interval)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose control frames and fragments are counted, and which is read in pieces."""

    # What is not of uvicorn: with all of it the dict of each would be twice as large.
    __slots__ = (
        *("_gate", "_limits", "_bucket", "_unread", "_fragments", "_turned_out", "_after_close"),
        *("_abort", "_outbox", "_rounds", "_unwritten", "_heard_at", "_stays"),
        *("_pulse", "_due", "_opening"),
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        limits = config.limits
        self.queue: _Events = _Events()  # type: ignore[assignment]
        self.writable: _Writable = _Writable()  # type: ignore[assignment]
        self.close_timeout = CLOSE_REPLY
        self._gate = config.gate
        self._limits = limits
        self._bucket = Bucket(limits.messages_per_second, limits.burst, self.loop.time())
        self._unread = bytearray()
        self._fragments = 0
        self._turned_out = False
        self._after_close = 0
        self._abort: asyncio.TimerHandle | None = None
        self._outbox = config.outbox
        self._rounds = config.rounds
        self._pulse = config.pulse
        self._due = False
        self._opening: tuple[bytes, bytes] | None = None
        self._unwritten = b""
        self._heard_at = 0.0
        self._stays = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the place that the HTTP connection has left."""
        super().connection_made(transport)
        before = cast("Guest", transport.get_protocol())
        self._gate.take_over(self, before, _address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection, when what came before its end has been read."""
        self._gate.leave(self)
        if self._abort is not None:
            self._abort.cancel()
        if self._due:
            self._read_due()
        super().connection_lost(exc)

    def make_room(self) -> None:
        """Ends the connection at once; see `gate.Guest`."""
        self.transport.abort()

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Reads what came, a piece at a time, no further than the application keeps up."""
        if self._turned_out:
            return
        self._heard_at = self.loop.time()
        self._unread += data
        if self._stays and len(self._unread) < PIECE:
            self._read_soon()
            return
        self._read_on()
        if not self.handshake_initiated:
            # Headers that HTTP allows and the WebSocket does not, as more than 128 of them.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self._end_after(LINGER)
            self.transport.close()

    def _read_soon(self) -> None:
        """Has what came read with the next beat, together with what others have sent."""
        if not self._due:
            self._due = True
            self._pulse.soon(self._read_due)

    def _read_due(self) -> None:
        self._due = False
        if not self._turned_out:
            self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        """The next event for the application; see ASGI."""
        event = await super().receive()
        if self._turned_out:
            self._stop_reading()
        self._read_on()
        return event

    def handle_connect(self, event: Request) -> None:
        """Runs the application, which may also write and listen without waiting."""
        super().handle_connect(event)
        if not self.close_sent:
            self._go_direct()

    def begin(self, found: Opening, head: bytes) -> None:
        """Runs the application as well, where the handshake has been read already.

        Args:
            found: what was read.
            head: as it came, for the library, should the answer be none that opens the WebSocket.
        """
        self._heard_at = self.loop.time()
        self._opening = found.key, head
        self.handshake_initiated = True
        self.scope = {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": self.root_path + PATH,
            "raw_path": (self.root_path + PATH).encode("ascii"),
            "query_string": b"",
            "headers": found.headers,
            "subprotocols": [],
            "state": self.app_state.copy(),
            "extensions": {"websocket.http.response": {}},
        }
        self._go_direct()
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def _go_direct(self) -> None:
        """Has the application write and listen without waiting."""
        extensions = cast("dict[str, object]", self.scope["extensions"])
        extensions[DIRECT] = self

    def listen(self, hear: Callable[[Message], bool]) -> None:
        """Hands events over as they come; see `asgi.Direct`."""
        self.queue.listen(hear)
        self._read_more()

    def stop(self) -> None:
        """Forgets who listens; see `asgi.Direct`."""
        self.queue.stop()

    def stay(self) -> bool:
        """Goes on when the application has returned, without a task; see `asgi.Direct`."""
        self._stays = True
        return True

    def finish(self, wind_up: Callable[[], Awaitable[None]]) -> None:
        """Ends the connection when this is done; see `asgi.Direct`."""
        task = self.loop.create_task(self._wind_up(wind_up))
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    async def _wind_up(self, wind_up: Callable[[], Awaitable[None]]) -> None:
        try:
            await wind_up()
        finally:
            self._end()

    async def finished(self) -> None:
        """Nobody waits: it stays."""

    def go_on(self) -> None:
        """Reads on, for whoever listens is ready; see `asgi.Direct`."""
        self.queue.go_on()
        self._read_more()

    def _read_more(self) -> None:
        if self.read_paused and self.queue.empty() and not self._turned_out:
            self.read_paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
        self._read_on()

    def send_receive_event_to_app(self) -> None:
        """Tells the application a message; nothing more is read while one waits to be told."""
        if not self.queue.heard:
            super().send_receive_event_to_app()
            return
        paused, self.read_paused = self.read_paused, True  # uvicorn would stop reading each time
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and not self.queue.empty() and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def write_now(self, text: bytes) -> bool:
        """Writes a text as one frame; False where it would have to wait, or comes too late."""
        ready = self.handshake_complete and self.writable.now
        if not ready or self.close_sent or self.disconnected or self.conn.state is not OPEN:
            return False
        size = len(text)
        if size < SHORT:
            head = bytes((WHOLE_TEXT, size))
        elif size < LONG:
            head = LONGER + size.to_bytes(2)
        else:
            head = LONGEST + size.to_bytes(8)
        if not self._unwritten:
            self._outbox.add(self)
            self._unwritten = head + text
            return True
        self._unwritten += head + text
        if len(self._unwritten) > MOST_UNWRITTEN:
            self.write_out()
        return True

    def write_out(self) -> None:
        """Writes what `write_now` has taken, unless the connection has ended meanwhile."""
        unwritten, self._unwritten = self._unwritten, b""
        if unwritten and not self.close_sent and not self.transport.is_closing():
            self.transport.write(unwritten)

    async def send(self, message: ASGISendEvent) -> None:
        """Sends an event of the application; see ASGI."""
        self.write_out()
        if not self._accept(message):
            await super().send(message)
            if message["type"] == "websocket.accept":
                self._forget_handshake()
        waits = self.read_paused and not self._turned_out
        if waits and self.handshake_complete and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._read_on()

    def _accept(self, message: ASGISendEvent) -> bool:
        """Opens the WebSocket where its handshake has been read already; whether it has."""
        if self._opening is None:
            return False
        (key, head), self._opening = self._opening, None
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
            self.conn.parser = Protocol.parse(self.conn)
            next(self.conn.parser)
            headers = [*self.default_headers, *message.get("headers", ())]
            # Nothing was written before; what the application says first goes out together with it.
            self._unwritten = accepted(key, headers)
            self._outbox.add(self)
            self.start_keepalive()
        return True

    def _forget_handshake(self) -> None:
        """Lets go of what the handshake said: it is a third of what an idle connection holds."""
        before = self.conn
        del self.request, self.response
        # No frame has been read yet: until here they wait.
        self.conn = Protocol(  # type: ignore[assignment]
            SERVER,
            state=before.state,
            max_size=self.config.ws_max_size,
            logger=cast("logging.Logger", before.logger),
        )

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self._turned_out:
            if self.handshake_initiated and not self.handshake_complete:
                # Frames count from the handshake on; until then they wait, and no more come.
                self.read_paused = True
                self.transport.pause_reading()
                return
            if self._read_text():
                continue
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            self._after_close += len(piece) * self.close_sent
            if self._after_close > AFTER_CLOSE:
                self._stop_reading()
            else:
                self._hand_on(piece)

    def _hand_on(self, piece: bytes) -> None:
        """Has the library read a piece; whatever it makes of it ends this connection at most.

        Who has it read may be a table, or the beat in which others are read as well.
        """
        try:
            super().data_received(piece)
        except InvalidState:
            # What it found wrong it cannot say, for the client has closed in the same piece.
            self._cut_off()
        except Exception as error:  # noqa: BLE001 - a case we do not know must not end the others
            log.error("frames_failed", **failure(error))
            self._cut_off()

    def _cut_off(self) -> None:
        self._stop_reading()
        self.transport.abort()

    def _read_text(self) -> bool:
        """Reads a text that came whole and as one frame, which nearly all messages are.

        Everything else is left to the parser, and so is what comes in the middle of a frame or of
        a message that the parser has begun to read.
        """
        data = self._unread
        if data[0] != WHOLE_TEXT or len(data) < MASKED_HEAD or not self._between_messages():
            return False
        size, start = data[1] - MASKED, MASKED_HEAD
        if size == SHORT:
            size, start = int.from_bytes(data[2:4]), MASKED_HEAD + 2
        elif size > SHORT:
            return False  # its size takes eight bytes
        if not 0 <= size < PIECE or len(data) < start + size:
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
            and waits.gi_code is FOR_A_FRAME
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
            self._turn_out("fragments", f"a message comes in at most {most} frames")
        elif self._is_allowed("fragments"):
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answers a ping, unless the client does not read the answers."""
        if not self._is_allowed("pings"):
            return
        if self.transport.get_write_buffer_size() > self._limits.pong_bytes:
            self.conn.data_to_send()
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Takes the answer to our own ping; any other counts."""
        asked = self.pending_ping_payload
        if (asked is not None and bytes(event.data) == asked) or self._is_allowed("pongs"):
            super().handle_pong(event)

    def _is_allowed(self, kind: str) -> bool:
        """Counts a frame that is no message of its own; ends the connection if it floods."""
        if self._turned_out:
            return False
        if self._bucket.take(self.loop.time()):
            return True
        most = self._limits.messages_per_second
        self._turn_out(kind, f"at most {most:g} pings, pongs and fragments a second, please")
        return False

    # Ending.

    def _turn_out(self, kind: str, reason: str) -> None:
        """Closes a connection that floods, and reads no frame of it any more."""
        if self._turned_out:
            return
        self._stop_reading()
        self._gate.incidents.note("flood_closed", kind, _address(self.client or ("", 0)))
        self.stop_keepalive()
        if self.conn.state is OPEN and not self.close_sent:
            self.conn.send_close(AGAINST_THE_RULES, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait(
            {"type": "websocket.disconnect", "code": AGAINST_THE_RULES, "reason": reason}
        )
        # An end with unread bytes is a reset: the client has a moment to read the reason before.
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(LINGER / 2, self.transport.close)
        self._end_after(LINGER)

    def _stop_reading(self) -> None:
        self._turned_out = True
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
            self._stays = False
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        else:
            if not (self.handshake_complete or self.close_sent):
                self.logger.error("ASGI callable returned without completing handshake.")
                self.send_500_response()
        if self._stays:
            del self.scope  # nobody asks again how it began
            self.server = None
            # A dict that has grown has room for twice as much; a copy has not.
            self.__dict__ = dict(self.__dict__)
        else:
            # It is this very connection, which would be kept by itself.
            self.scope["extensions"] = {}
            self._end()

    def _end(self) -> None:
        """Closes the connection, at the latest when its client has had time to do so."""
        if self.close_timer is None:
            self.transport.close()
        self._end_after(LINGER + (CLOSE_REPLY if self.close_timer else 0.0))

    def schedule_ping(self) -> None:
        """Leaves it to the rounds when it is asked next whether the other side is there."""
        self._rounds.begin(self)

    def ask_if_silent(self, now: float) -> None:
        """Asks whether the other side is there, if it has long said nothing."""
        interval = self.ping_interval
        if not interval or now < self._heard_at + interval:
            return
        if self.handshake_complete and self.pong_timer is None:
            self.send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Ends a connection whose other side no longer answers."""
        super().keepalive_timeout()
        self._end_after(LINGER)

    def _end_after(self, seconds: float) -> None:
        """Sees to it that the connection ends, also if its client reads nothing any more."""
        if self._abort is None and not self.disconnected:
            self._abort = self.loop.call_later(seconds, self.transport.abort)


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""

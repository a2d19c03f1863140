"""HTTP and WebSocket on the wire: uvicorn's protocols, with limits on time, number and size.

uvicorn waits for ever for headers and bodies, counts a connection when its headers are complete,
answers every ping however many pongs wait, and reads everything that has arrived in one go. Here
each connection passes the gate, what does not come in time is given up, frames are counted, and a
connection takes its turn after a kilobyte. What this relies on in uvicorn is what
tests/server/test_protocols.py names; pyproject.toml holds uvicorn to the versions it was read in.
"""

import asyncio
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

import h11
import msgspec
import uvicorn
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from jasstisch.server import messages
from jasstisch.server.app import App
from jasstisch.server.asgi import WRITE_NOW
from jasstisch.server.bucket import Bucket
from jasstisch.server.gate import FullError, Guest

__all__ = ["Config", "HttpProtocol", "WebSocketProtocol"]

WHOLE_MESSAGE = 256 * 1024
"""A longer message is not read to its end: its connection is closed with code 1009.

This lies above what a message may have, so that one somewhat too large still gets a typed error.
"""

PIECE = 1024
"""So many bytes are read in one go: at the six bytes of a short frame or chunk, a millisecond."""

MOST_LINES = 128
"""Lines that the head of a request may have; the WebSocket allows no more either."""

BACKLOG = 256
"""Connections that wait to be accepted. All of them are at once: more would stall the tables."""

HEAD_END = re.compile(rb"\n\r?\n")
"""The empty line after the headers."""

CLOSING_SECONDS = 3
"""How long open connections may take to end when the server stops."""

LINGER = 1.0
"""Seconds between the last word to a client and the end of its connection, heard or not."""

AFTER_CLOSE = 8 * 1024
"""Bytes that are still read of a client after a close, as it may have sent them before."""

CLOSE_REPLY = 5.0
"""Seconds a client may take to answer a close."""

AGAINST_THE_RULES = 1008

WHOLE_TEXT = 0x81
"""How a frame begins that holds a whole text (RFC 6455, 5.2)."""

SHORT, LONG = 126, 65_536
"""From these sizes on, the length of a frame takes two bytes more, or eight."""

HEADERS = ((b"content-type", b"application/json"), (b"connection", b"close"))


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
        """Leaves the connection, and its place, to the WebSocket protocol."""
        self._set_timer(None)
        self._stop_watching()
        self._unread.clear()
        super().handle_websocket_upgrade(event)

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
            headers = [*HEADERS, (b"content-length", str(len(body)).encode())]
            reason = HTTPStatus(status).phrase.encode()
            answer = h11.Response(status_code=status, headers=headers, reason=reason)
            asked_for_no_body = not self._answered and self.scope["method"] == "HEAD"
            data = h11.Data(data=b"" if asked_for_no_body else body)
            for event in (answer, data, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._watch_writing(self.transport.get_write_buffer_size())


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose control frames and fragments are counted, and which is read in pieces."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        limits = config.limits
        self.close_timeout = CLOSE_REPLY
        self._gate = config.gate
        self._limits = limits
        self._bucket = Bucket(limits.messages_per_second, limits.burst, self.loop.time())
        self._unread = bytearray()
        self._fragments = 0
        self._turned_out = False
        self._after_close = 0
        self._abort: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the place that the HTTP connection has left."""
        super().connection_made(transport)
        before = cast("Guest", transport.get_protocol())
        self._gate.take_over(self, before, _address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._gate.leave(self)
        if self._abort is not None:
            self._abort.cancel()
        super().connection_lost(exc)

    def make_room(self) -> None:
        """Ends the connection at once; see `gate.Guest`."""
        self.transport.abort()

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Reads what came, a piece at a time, no further than the application keeps up."""
        if self._turned_out:
            return
        self._unread += data
        self._read_on()
        if not self.handshake_initiated:
            # Headers that HTTP allows and the WebSocket does not, as more than 128 of them.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self._end_after(LINGER)
            self.transport.close()

    async def receive(self) -> ASGIReceiveEvent:
        """The next event for the application; see ASGI."""
        event = await super().receive()
        if self._turned_out:
            self._stop_reading()
        self._read_on()
        return event

    def handle_connect(self, event: Request) -> None:
        """Runs the application, which may also write without waiting."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast("dict[str, object]", self.scope["extensions"])
            extensions[WRITE_NOW] = self.write_now

    def write_now(self, text: bytes) -> bool:
        """Writes a text as one frame; False where it would have to wait, or comes too late."""
        ready = self.handshake_complete and self.writable.is_set()
        if not ready or self.close_sent or self.disconnected or self.conn.state is not OPEN:
            return False
        size = len(text)
        if size < SHORT:
            head = bytes((WHOLE_TEXT, size))
        elif size < LONG:
            head = bytes((WHOLE_TEXT, SHORT)) + size.to_bytes(2)
        else:
            head = bytes((WHOLE_TEXT, SHORT + 1)) + size.to_bytes(8)
        self.transport.write(head + text)
        return True

    async def send(self, message: ASGISendEvent) -> None:
        """Sends an event of the application; see ASGI."""
        await super().send(message)
        waits = self.read_paused and not self._turned_out
        if waits and self.handshake_complete and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._read_on()

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self._turned_out:
            if self.handshake_initiated and not self.handshake_complete:
                # Frames count from the handshake on; until then they wait, and no more come.
                self.read_paused = True
                self.transport.pause_reading()
                return
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            self._after_close += len(piece) * self.close_sent
            if self._after_close > AFTER_CLOSE:
                self._stop_reading()
            else:
                super().data_received(piece)

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
        self._gate.incidents.note("flood_closed", kind, _address(self.scope["client"]))
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
        """Runs the application for this connection, and ends it afterwards."""
        try:
            await super().run_asgi()
        finally:
            self._end_after(LINGER + (CLOSE_REPLY if self.close_timer else 0.0))

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

"""The WebSocket protocol, with direct reads and writes: no task waits for a connection.

Messages are passed on, and written, in the call in which they arrive. What arrives is processed in
pieces, no faster than the application handles it, and under load together with that of others.
"""

import asyncio
from collections.abc import Awaitable, Callable
from types import GeneratorType
from typing import Any, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.protocol import Protocol as WebSocketProtocol
from websockets.streams import StreamReader

from jasstisch.server.net import (
    DIRECT_EXTENSION,
    WEBSOCKET_PATH,
    Handshake,
    Message,
    handshake_response,
)
from jasstisch.server.observability import describe_exception, log
from jasstisch.server.ws.uvicorn_protocols.event_queue import EventQueue, WritabilityFlag
from jasstisch.server.ws.uvicorn_protocols.protocol_config import READ_CHUNK_BYTES, ProtocolConfig
from jasstisch.server.ws.uvicorn_protocols.text_frames import take_text_frame, text_frame_head

_WRITE_FLUSH_BYTES = 64 * 1024
"""Bytes after which a write is flushed, because only then it shows whether the client reads."""

CLOSE_LINGER_S = 1.0
"""Seconds between the last message to a client and the end of its connection."""

_MAX_BYTES_AFTER_CLOSE = 8 * 1024
"""Bytes still read after a close frame, as the client may have sent them before receiving it."""

_CLOSE_TIMEOUT_S = 5.0
"""Seconds a client may take to answer a close frame."""

_PARSER_AT_FRAME_START = StreamReader.at_eof.__code__
"""The code object at which the parser waits between two frames."""


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket without tasks; the `DirectWebSocket` in the scope of the application."""

    # The attributes added to those of uvicorn: in the instance dict they would double its size.
    __slots__ = (
        *("_unread", "_reading_ended", "_after_close", "_abort", "_write_coalescer", "_unwritten"),
        *("_last_received_at", "_detached", "_read_batcher", "_read_scheduled", "_handshake"),
    )

    def __init__(
        self,
        config: ProtocolConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.queue: EventQueue = EventQueue()  # type: ignore[assignment]
        self.writable: WritabilityFlag = WritabilityFlag()  # type: ignore[assignment]
        self.close_timeout = _CLOSE_TIMEOUT_S
        self._unread = bytearray()
        self._reading_ended = False
        self._after_close = 0
        self._abort: asyncio.TimerHandle | None = None
        self._write_coalescer = config.write_coalescer
        self._read_batcher = config.read_batcher
        self._read_scheduled = False
        self._handshake: tuple[bytes, bytes] | None = None
        self._unwritten = b""
        self._last_received_at = 0.0
        self._detached = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the connection after the data received before its end has been processed."""
        if self._abort is not None:
            self._abort.cancel()
        if self._read_scheduled:
            self._run_scheduled_read()
        super().connection_lost(exc)

    # Opening.

    def handle_connect(self, event: Request) -> None:
        """Runs the application, with the extension to write and receive without waiting."""
        super().handle_connect(event)
        if not self.close_sent:
            self._offer_direct()

    def handle_parsed_handshake(self, handshake: Handshake, head: bytes) -> None:
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
        self._offer_direct()
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def _offer_direct(self) -> None:
        """Offers direct writes and a direct listener to the application."""
        extensions = cast("dict[str, object]", self.scope["extensions"])
        extensions[DIRECT_EXTENSION] = self

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

    # The interface of `DirectWebSocket`.

    def set_listener(self, listener: Callable[[Message], bool]) -> None:
        """Delivers events to a listener; see `DirectWebSocket`."""
        self.queue.set_listener(listener)
        self._read_more()

    def remove_listener(self) -> None:
        """Removes the listener; see `DirectWebSocket`."""
        self.queue.remove_listener()

    def detach(self) -> None:
        """Keeps the connection open without a task; see `DirectWebSocket`."""
        self._detached = True

    def run_then_close(self, final: Callable[[], Awaitable[None]]) -> None:
        """Closes the connection after a final coroutine; see `DirectWebSocket`."""
        task = self.loop.create_task(self._close_after(final))
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    async def _close_after(self, final: Callable[[], Awaitable[None]]) -> None:
        try:
            await final()
        finally:
            self._close_with_deadline()

    def resume(self) -> None:
        """Processes more data, as the listener is ready; see `DirectWebSocket`."""
        self.queue.resume()
        self._read_more()

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Processes received data in pieces, no faster than the application handles it."""
        if self._reading_ended:
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
        if not self._reading_ended:
            self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        """The next event for the application; see ASGI."""
        event = await super().receive()
        if self._reading_ended:
            self._stop_reading()
        self._read_on()
        return event

    def _read_more(self) -> None:
        if self.read_paused and self.queue.empty() and not self._reading_ended:
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

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self._reading_ended:
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
            if self._after_close > _MAX_BYTES_AFTER_CLOSE:
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
        if not self._between_messages():
            return False
        text = take_text_frame(self._unread, READ_CHUNK_BYTES)
        if text is None:
            return False
        if self.close_sent or not (self.queue.is_listener_ready and text.isascii()):
            self.frames, self.curr_msg_data_type = [text], "text"
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
            and waits.gi_code is _PARSER_AT_FRAME_START
        )

    # Writing.

    def try_write(self, text: bytes) -> bool:
        """Writes a text as one frame; returns False if it would block or the connection closes."""
        ready = self.handshake_complete and self.writable.is_set
        if not ready or self.close_sent or self.disconnected or self.conn.state is not OPEN:
            return False
        if not self._unwritten:
            self._write_coalescer.add(self)
        self._unwritten += text_frame_head(len(text)) + text
        if len(self._unwritten) > _WRITE_FLUSH_BYTES:
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
        waits = self.read_paused and not self._reading_ended
        if waits and self.handshake_complete and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._read_on()

    # Closing.

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
        self._abort_after(CLOSE_LINGER_S + (_CLOSE_TIMEOUT_S if self.close_timer else 0.0))

    def _stop_reading(self) -> None:
        self._reading_ended = True
        self._unread.clear()
        if not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def _abort_after(self, seconds: float) -> None:
        """Aborts the connection after a delay, even if the client reads nothing any more."""
        if self._abort is None and not self.disconnected:
            self._abort = self.loop.call_later(seconds, self.transport.abort)

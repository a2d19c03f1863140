"""The HTTP protocol: admits connections, and limits the time and size of their requests."""

import asyncio
from http import HTTPStatus
from typing import Any, cast

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from jasstisch.server.api import bodies, messages
from jasstisch.server.limits import LimitReachedError
from jasstisch.server.net import Handshake, parse_handshake
from jasstisch.server.observability import REQUEST_ID_HEADER, new_request_id
from jasstisch.server.ws.uvicorn_protocols.protocol_config import (
    MAX_HEADER_LINES,
    READ_CHUNK_BYTES,
    ProtocolConfig,
    format_address,
)
from jasstisch.server.ws.uvicorn_protocols.receive_buffer import ReceiveBuffer
from jasstisch.server.ws.uvicorn_protocols.request_parser import RequestParser
from jasstisch.server.ws.uvicorn_protocols.websocket_protocol import LimitedWebSocketProtocol
from jasstisch.server.ws.uvicorn_protocols.write_watchdog import WriteWatchdog

_ERROR_HEADERS = ((b"content-type", b"application/json"), (b"connection", b"close"))


class LimitedHttpProtocol(H11Protocol):
    """An HTTP connection under the limits of the connection limiter and with timeouts."""

    def __init__(
        self,
        config: ProtocolConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limiter = config.connection_limiter
        self._limits = config.limits
        self.conn: RequestParser = RequestParser(
            self._on_headers, self._on_request_end, config.limits.body_pieces
        )
        self._timer: asyncio.TimerHandle | None = None
        self._unread = ReceiveBuffer(READ_CHUNK_BYTES)
        self._partly = False
        self._received = True
        self._answered = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Registers the connection, or rejects it if a limit is reached."""
        super().connection_made(transport)
        self._write_watchdog = WriteWatchdog(transport, self._limits.header_seconds)
        try:
            self._limiter.admit(self, format_address(self.client))
        except LimitReachedError as error:
            self._reject(error.status, error.code, str(error))
        else:
            self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection."""
        self._limiter.release(self)
        self._stop_tracking()
        super().connection_lost(exc)

    def evict(self) -> None:
        """Aborts the connection; see `connection_limiter.Evictable`."""
        self.transport.abort()

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Processes received data in pieces, and one request after the other."""
        handshake = parse_handshake(data, MAX_HEADER_LINES) if self._at_request_start() else None
        if handshake is not None:
            self._open_websocket(handshake, data)
            return
        self._unread.add(data)
        self._read_on()

    def _read_on(self) -> None:
        while self._unread and not self.transport.is_closing():
            if not self._received:
                super().data_received(self._unread.take_body_piece())
            elif not self._answered:
                self.flow.pause_reading()
                return
            else:
                self._partly = True
                piece = self._unread.take_head_piece()
                if self._unread.head_lines > MAX_HEADER_LINES:
                    text = f"the head has more than {MAX_HEADER_LINES} lines"
                    self._reject(431, "too_large", text)
                else:
                    super().data_received(piece)

    def send_400_response(self, msg: str) -> None:
        """Rejects malformed HTTP, and aborts a request that waits for the rest of its body."""
        self._reject(400, "bad_message", msg)

    # Opening a WebSocket.

    def _at_request_start(self) -> bool:
        """Whether the next data starts a request."""
        between = self._received and self._answered and not (self._partly or self._unread)
        goes_on = not (self.transport.is_closing() or self.flow.write_paused)
        return between and goes_on and self.conn.our_state is h11.IDLE

    def _open_websocket(self, handshake: Handshake, head: bytes) -> None:
        """Hands the connection and its slot over, for a handshake that is already parsed."""
        self._unset_keepalive_if_required()
        self.connections.discard(self)
        protocol = LimitedWebSocketProtocol(
            cast("ProtocolConfig", self.config), self.server_state, self.app_state, self.loop
        )
        protocol.connection_made(self.transport)
        protocol.handle_parsed_handshake(handshake, head)
        self.transport.set_protocol(protocol)
        self._stop_tracking()

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

    def _stop_tracking(self) -> None:
        """Stops the timers of the connection."""
        self._set_timer(None)
        self._write_watchdog.stop()
        self.conn.drop_callbacks()

    # Progress of a request.

    def _await_headers(self) -> None:
        self._partly = False
        self._unread.start_head()
        self._limiter.mark_idle(self)
        self._set_timer(self._limits.header_seconds)

    def _on_headers(self) -> None:
        self._limiter.mark_active(self)
        self._unread.start_head()
        self._received = self._answered = False
        self._set_timer(self._limits.body_seconds)

    def _on_request_end(self) -> None:
        self._received = True
        self._set_timer(None)
        if self._answered:
            self._await_headers()

    def on_response_complete(self) -> None:
        """Waits for the next request."""
        self._answered = True
        if self._received:
            self._await_headers()
        super().on_response_complete()
        self._read_on()

    def _on_timeout(self) -> None:
        """Aborts a request that is late, or a response that is not read."""
        if self.transport.is_closing():
            self._write_watchdog.start()
        elif self._partly:
            self._limiter.alerts.report("request_late", "headers" if self._received else "body")
            self._reject(408, "bad_message", "the request did not come in time")
        else:
            self.transport.close()

    def _set_timer(self, seconds: float | None) -> None:
        """Sets the deadline of what is awaited now; None for no deadline."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._on_timeout)

    # Writing.

    def pause_writing(self) -> None:
        """Starts to monitor whether the client reads the response."""
        super().pause_writing()
        self._write_watchdog.start()

    def resume_writing(self) -> None:
        """The client reads again; before the connection closes, it must read the rest as well."""
        if not self.transport.is_closing():
            self._write_watchdog.stop()
        super().resume_writing()

    def _reject(self, status: int, code: messages.ErrorCode, text: str) -> None:
        """Sends an error response, unless a response has started, and closes the connection."""
        if not self._answered:
            # Notify the task that waits for the rest of the request: it will not come.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = msgspec.json.encode(bodies.ErrorBody(code, text))
            headers = [
                *_ERROR_HEADERS,
                (b"content-length", str(len(body)).encode()),
                (REQUEST_ID_HEADER, new_request_id().encode()),
            ]
            reason = HTTPStatus(status).phrase.encode()
            answer = h11.Response(status_code=status, headers=headers, reason=reason)
            asked_for_no_body = not self._answered and self.scope["method"] == "HEAD"
            data = h11.Data(data=b"" if asked_for_no_body else body)
            for event in (answer, data, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._write_watchdog.start()

"""The WebSocket protocol of the server: admits connections, and limits frames that are no messages.

A client that sends too many pings, pongs or fragments is closed with a reason. One that has been
silent for long is pinged, and closed if it does not answer.
"""

import asyncio
from functools import partial
from typing import Any, cast

from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.protocol import OPEN

from jasstisch.server.limits import Evictable, TokenBucket
from jasstisch.server.ws.uvicorn_protocols.direct_websocket import (
    CLOSE_LINGER_S,
    DirectWebSocketProtocol,
)
from jasstisch.server.ws.uvicorn_protocols.protocol_config import ProtocolConfig, format_address

_CLOSE_POLICY_VIOLATION = 1008


class LimitedWebSocketProtocol(DirectWebSocketProtocol):
    """A WebSocket under the limits of the connection limiter that counts its control frames."""

    __slots__ = ("_bucket", "_fragments", "_keepalive_sweeper", "_limiter", "_limits")

    def __init__(
        self,
        config: ProtocolConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        limits = config.limits
        self._limiter = config.connection_limiter
        self._limits = limits
        self._bucket = TokenBucket(
            limits.messages_per_second, limits.message_burst, self.loop.time()
        )
        self._fragments = 0
        self._keepalive_sweeper = config.keepalive_sweeper

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes over the slot of the HTTP connection."""
        super().connection_made(transport)
        before = cast("Evictable", transport.get_protocol())
        self._limiter.replace(self, before, format_address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregisters the connection."""
        self._limiter.release(self)
        super().connection_lost(exc)

    def evict(self) -> None:
        """Aborts the connection; see `connection_limiter.Evictable`."""
        self.transport.abort()

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
        if self.transport.get_write_buffer_size() > self._limits.max_unsent_bytes_for_pong:
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
        if self._reading_ended:
            return False
        if self._bucket.try_take(self.loop.time()):
            return True
        most = self._limits.messages_per_second
        self._expel(kind, f"at most {most:g} pings, pongs and fragments a second, please")
        return False

    def _expel(self, kind: str, reason: str) -> None:
        """Closes a connection that floods, and processes none of its frames any more."""
        if self._reading_ended:
            return
        self._stop_reading()
        self._limiter.alerts.report("flood_closed", kind, format_address(self.client or ("", 0)))
        self.stop_keepalive()
        if self.conn.state is OPEN and not self.close_sent:
            self.conn.send_close(_CLOSE_POLICY_VIOLATION, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait(
            {"type": "websocket.disconnect", "code": _CLOSE_POLICY_VIOLATION, "reason": reason}
        )
        # Closing a socket with unread data sends a reset: give the client time to read the reason
        # before.
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(CLOSE_LINGER_S / 2, self.transport.close)
        self._abort_after(CLOSE_LINGER_S)

    # Silent clients.

    def schedule_ping(self) -> None:
        """Leaves it to the keep-alive sweep when to ping."""
        self._keepalive_sweeper.start(
            self.ping_interval or 0.0, partial(_websockets_of, self.connections)
        )

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


def _websockets_of(connections: set[Any]) -> list[LimitedWebSocketProtocol]:
    return [one for one in connections if isinstance(one, LimitedWebSocketProtocol)]

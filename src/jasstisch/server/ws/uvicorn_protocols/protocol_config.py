"""The settings and services that the protocols of all connections share."""

import asyncio
from typing import Protocol

import uvicorn

from jasstisch.server.limits import ConnectionLimiter, Limits
from jasstisch.server.net import ReadBatcher, Receive, Scope, Send
from jasstisch.server.ws.uvicorn_protocols.keepalive import KeepaliveSweeper
from jasstisch.server.ws.uvicorn_protocols.write_coalescer import WriteCoalescer

MAX_MESSAGE_BYTES = 256 * 1024
"""The size in bytes beyond which a message is not read; its connection is closed with code 1009.

It exceeds the limit for valid messages, so that one somewhat too large still gets a typed error.
"""

READ_CHUNK_BYTES = 1024
"""Bytes processed in one go: with the six bytes of a short frame or chunk, a millisecond."""

MAX_HEADER_LINES = 128
"""The maximum number of header lines of a request; the WebSocket library has the same limit."""

LISTEN_BACKLOG = 256
"""The backlog of connections to accept. All are accepted at once; more would stall the tables."""

SHUTDOWN_TIMEOUT_S = 3
"""How long open connections may take to close when the server stops, in seconds."""


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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""


class ProtocolConfig(uvicorn.Config):
    """The configuration of uvicorn, with the services that the protocols use.

    Args:
        app: the application, whose limits apply.
        http: the protocol of HTTP connections.
        ws: the protocol of WebSockets.
    """

    def __init__(
        self, app: LimitedApplication, http: type[asyncio.Protocol], ws: type[asyncio.Protocol]
    ) -> None:
        super().__init__(
            app,
            http=http,
            ws=ws,
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
        self.read_batcher = app.read_batcher
        self.write_coalescer = WriteCoalescer()
        self.keepalive_sweeper = KeepaliveSweeper()


def format_address(client: tuple[str, int] | None) -> str:
    """The address of a client; "" if it has none."""
    return client[0] if client else ""

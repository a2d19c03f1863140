"""The WebSocket: how a connection is accepted, read, written and closed.

It checks the wire protocol and its limits; messages are decided on by the tables. Begin with
`connection`.
"""

from jasstisch.server.ws.connection import WebSocketEndpoint, accept_and_close, reject_handshake
from jasstisch.server.ws.uvicorn_protocols import LISTEN_BACKLOG, ServerConfig

__all__ = [
    "LISTEN_BACKLOG",
    "ServerConfig",
    "WebSocketEndpoint",
    "accept_and_close",
    "reject_handshake",
]

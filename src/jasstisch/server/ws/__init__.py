"""The WebSocket layer: accepts, reads, writes and closes connections.

It checks the wire protocol and its limits; the tables decide about the messages. Start reading with
`endpoint`, then `connection`.
"""

from jasstisch.server.ws.endpoint import WebSocketEndpoint
from jasstisch.server.ws.refusals import accept_and_close, reject_handshake
from jasstisch.server.ws.uvicorn_protocols import LISTEN_BACKLOG, ServerConfig

__all__ = [
    "LISTEN_BACKLOG",
    "ServerConfig",
    "WebSocketEndpoint",
    "accept_and_close",
    "reject_handshake",
]

"""The network layer below authentication: addresses, origins and handshakes.

The package imports no other part of the server and refuses nothing by itself. Start reading with
`client_address`, then `origins`.
"""

from jasstisch.server.net.asgi import (
    DIRECT_EXTENSION,
    Application,
    DirectWebSocket,
    Message,
    Receive,
    Scope,
    Send,
    is_https,
)
from jasstisch.server.net.client_address import (
    LOOPBACK,
    TrustedProxies,
    anonymize,
    parse_address,
    rate_limit_key,
)
from jasstisch.server.net.exact_timer import ExactTimer
from jasstisch.server.net.fast_handshake import (
    WEBSOCKET_PATH,
    Handshake,
    handshake_response,
    parse_handshake,
)
from jasstisch.server.net.origins import Origin, OriginPolicy
from jasstisch.server.net.read_batcher import ReadBatcher

__all__ = [
    "DIRECT_EXTENSION",
    "LOOPBACK",
    "WEBSOCKET_PATH",
    "Application",
    "DirectWebSocket",
    "ExactTimer",
    "Handshake",
    "Message",
    "Origin",
    "OriginPolicy",
    "ReadBatcher",
    "Receive",
    "Scope",
    "Send",
    "TrustedProxies",
    "anonymize",
    "handshake_response",
    "is_https",
    "parse_address",
    "parse_handshake",
    "rate_limit_key",
]

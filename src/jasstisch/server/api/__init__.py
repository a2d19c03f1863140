"""The public protocol as data: every REST and WebSocket message as a struct.

JSON Schema, AsyncAPI, OpenAPI and the view schemas are generated from the structs; the package
sends and receives nothing. Start reading with `messages`.

`asyncapi` and `openapi` are imported only where they are used.
"""

from jasstisch.server.api import bodies, messages
from jasstisch.server.api.analysis_texts import reason_text, unit_text
from jasstisch.server.api.auth_names import COOKIE_NAME, LINK_KEY_HEADER, SECURE_COOKIE_NAME
from jasstisch.server.api.bodies import SiteConfig
from jasstisch.server.api.messages import PROTOCOL, ErrorCode, RoomInfo, SeatInfo

__all__ = [
    "COOKIE_NAME",
    "LINK_KEY_HEADER",
    "PROTOCOL",
    "SECURE_COOKIE_NAME",
    "ErrorCode",
    "RoomInfo",
    "SeatInfo",
    "SiteConfig",
    "asyncapi",
    "bodies",
    "messages",
    "openapi",
    "reason_text",
    "unit_text",
]

"""How a WebSocket is refused: before its handshake, or with a message and a close code."""

import msgspec

from jasstisch.server.api import bodies, messages
from jasstisch.server.net import Send
from jasstisch.server.tables import encode_message

CLOSE_TRY_AGAIN_LATER = 1013
CLOSE_POLICY_VIOLATION = 1008
"""The codes with which a connection is closed: try again later, and policy violation."""

_MAX_CLOSE_REASON_BYTES = 123
"""The maximum size of the reason in a close frame, in bytes."""


async def reject_handshake(send: Send, status: int, code: messages.ErrorCode, text: str) -> None:
    """Rejects a handshake with an error body."""
    body = msgspec.json.encode(bodies.ErrorBody(code, text))
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})


async def accept_and_close(
    send: Send, code: messages.ErrorCode, text: str, close: int = CLOSE_TRY_AGAIN_LATER
) -> None:
    """Accepts a connection, sends the reason why it is refused, and closes it.

    A browser does not tell its page why a handshake failed, so people with too many open pages
    would see a network error instead.
    """
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    error = encode_message(messages.ErrorMessage(code, text))
    await send({"type": "websocket.send", "text": error.decode(), "bytes": None})
    await send({"type": "websocket.close", "code": close, "reason": truncate_reason(text)})


def truncate_reason(reason: str) -> str:
    """Truncates a reason to the size of a close frame: 123 bytes, by RFC 6455."""
    return reason.encode()[:_MAX_CLOSE_REASON_BYTES].decode(errors="ignore")

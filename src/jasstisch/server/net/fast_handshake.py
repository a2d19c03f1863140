"""A fast parser for the WebSocket opening handshake, for requests in the form browsers send.

After a restart, thousands of clients reconnect at the same moment. The general parsers of HTTP and
of the WebSocket library, one after the other, took a third of the time for each of them. This
parser accepts only handshakes that are unambiguous. All others go to the general parsers, which
also report what is wrong with them (RFC 6455, 4.2).
"""

import re
from base64 import b64encode
from hashlib import sha1
from typing import NamedTuple

WEBSOCKET_PATH = "/ws"
"""The path of the WebSocket."""

_REQUEST_LINE = f"GET {WEBSOCKET_PATH} HTTP/1.1\r\n".encode()

_MAX_HANDSHAKE_BYTES = 4096
"""The maximum size of a handshake for this parser, in bytes."""

_HEADER_LINES = re.compile(
    rb"(?:[A-Za-z0-9!#$%&'*+.^_`|~-]+:[ ]?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+\r\n"
)
"""Headers whose values must be non-empty ASCII."""

_REQUIRED_HEADERS: dict[bytes, re.Pattern[bytes]] = {
    b"host": re.compile(rb".+"),
    b"upgrade": re.compile(rb"websocket", re.IGNORECASE),
    b"connection": re.compile(rb"(?:keep-alive, *)?upgrade", re.IGNORECASE),
    b"sec-websocket-version": re.compile(rb"13"),
    b"sec-websocket-key": re.compile(rb"[A-Za-z0-9+/]{21}[AQgw]=="),
}
"""The headers that every handshake has, and their required values."""

_UNSUPPORTED_HEADERS = frozenset(
    (b"content-length", b"transfer-encoding", b"expect", b"sec-websocket-protocol")
)
"""Headers that would change how a request is parsed or answered."""

_WEBSOCKET_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""The GUID that is appended to the client's key (RFC 6455, 1.3)."""

_RESPONSE_START = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
)


class Handshake(NamedTuple):
    """An unambiguous handshake.

    Attributes:
        headers: its headers, with lower-case names.
        key: the client's key, to be hashed in the response.
    """

    headers: list[tuple[bytes, bytes]]
    key: bytes


def parse_handshake(head: bytes, limit: int) -> Handshake | None:
    """Parses a handshake that arrived completely and alone; None for everything else.

    Args:
        head: the received bytes.
        limit: the maximum number of lines.
    """
    whole = (
        len(head) <= _MAX_HANDSHAKE_BYTES
        and head.startswith(_REQUEST_LINE)
        and head.endswith(b"\r\n\r\n")
    )
    if not whole or _HEADER_LINES.fullmatch(head, len(_REQUEST_LINE)) is None:
        return None
    lines = head[len(_REQUEST_LINE) : -4].split(b"\r\n")
    if len(lines) + 2 > limit:
        return None
    found: dict[bytes, bytes] = {}
    for line in lines:
        name, _, value = line.partition(b":")
        found[name.lower()] = value.removeprefix(b" ")
    if len(found) < len(lines) or not _UNSUPPORTED_HEADERS.isdisjoint(found):
        return None  # a repeated header may have another meaning
    for name, pattern in _REQUIRED_HEADERS.items():
        if not pattern.fullmatch(found.get(name, b"")):
            return None
    return Handshake(list(found.items()), found[b"sec-websocket-key"])


def handshake_response(key: bytes, headers: list[tuple[bytes, bytes]]) -> bytes:
    """The response that opens the WebSocket.

    Args:
        key: the client's key.
        headers: additional headers.
    """
    digest = b64encode(sha1(key + _WEBSOCKET_GUID, usedforsecurity=False).digest())
    lines = [b"%b: %b\r\n" % header for header in headers]
    return b"%bSec-WebSocket-Accept: %b\r\n%b\r\n" % (_RESPONSE_START, digest, b"".join(lines))

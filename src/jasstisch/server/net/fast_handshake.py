"""The opening handshake of a WebSocket, read at one go where it is as browsers send it.

After a restart thousands come back at the same moment, and the general readers of HTTP and of the
WebSocket, one after the other, took a third of what each of them cost. Only what is beyond doubt is
read here; all else goes to those readers, who also say what is wrong with it (RFC 6455, 4.2).
"""

import re
from base64 import b64encode
from hashlib import sha1
from typing import NamedTuple

__all__ = ["WEBSOCKET_PATH", "Handshake", "handshake_response", "parse_handshake"]

WEBSOCKET_PATH = "/ws"
"""Where the WebSocket is."""

REQUEST_LINE = f"GET {WEBSOCKET_PATH} HTTP/1.1\r\n".encode()

MAX_HANDSHAKE_BYTES = 4096
"""Bytes of a handshake that is read here."""

HEADER_LINES = re.compile(
    rb"(?:[A-Za-z0-9!#$%&'*+.^_`|~-]+:[ ]?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+\r\n"
)
"""Headers whose values are of plain ASCII, none of them empty."""

REQUIRED_HEADERS: dict[bytes, re.Pattern[bytes]] = {
    b"host": re.compile(rb".+"),
    b"upgrade": re.compile(rb"websocket", re.IGNORECASE),
    b"connection": re.compile(rb"(?:keep-alive, *)?upgrade", re.IGNORECASE),
    b"sec-websocket-version": re.compile(rb"13"),
    b"sec-websocket-key": re.compile(rb"[A-Za-z0-9+/]{21}[AQgw]=="),
}
"""What each handshake has, and how."""

UNSUPPORTED_HEADERS = frozenset(
    (b"content-length", b"transfer-encoding", b"expect", b"sec-websocket-protocol")
)
"""Headers that would have a request read otherwise, or answered."""

WEBSOCKET_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What the key of the client is joined with (RFC 6455, 1.3)."""

RESPONSE_START = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
)


class Handshake(NamedTuple):
    """A handshake that is beyond doubt.

    Attributes:
        headers: its headers, their names in small letters.
        key: what the client wants to see digested.
    """

    headers: list[tuple[bytes, bytes]]
    key: bytes


def parse_handshake(head: bytes, most: int) -> Handshake | None:
    """Reads a handshake that came whole and alone; None for everything else.

    Args:
        head: what came.
        most: lines it may have.
    """
    whole = (
        len(head) <= MAX_HANDSHAKE_BYTES
        and head.startswith(REQUEST_LINE)
        and head.endswith(b"\r\n\r\n")
    )
    if not whole or HEADER_LINES.fullmatch(head, len(REQUEST_LINE)) is None:
        return None
    lines = head[len(REQUEST_LINE) : -4].split(b"\r\n")
    if len(lines) + 2 > most:
        return None
    found: dict[bytes, bytes] = {}
    for line in lines:
        name, _, value = line.partition(b":")
        found[name.lower()] = value.removeprefix(b" ")
    if len(found) < len(lines) or not UNSUPPORTED_HEADERS.isdisjoint(found):
        return None  # what is said twice may be meant otherwise
    for name, pattern in REQUIRED_HEADERS.items():
        if not pattern.fullmatch(found.get(name, b"")):
            return None
    return Handshake(list(found.items()), found[b"sec-websocket-key"])


def handshake_response(key: bytes, headers: list[tuple[bytes, bytes]]) -> bytes:
    """The answer that opens the WebSocket.

    Args:
        key: the client's.
        headers: what is said besides.
    """
    digest = b64encode(sha1(key + WEBSOCKET_GUID, usedforsecurity=False).digest())
    lines = [b"%b: %b\r\n" % header for header in headers]
    return b"%bSec-WebSocket-Accept: %b\r\n%b\r\n" % (RESPONSE_START, digest, b"".join(lines))

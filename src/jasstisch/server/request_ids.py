"""The id of a request, by which its log lines, and those of a proxy, are found.

A new one is made for each request and each WebSocket, unless a trusted proxy has given it one.
"""

import re
import secrets
from collections.abc import Iterable
from contextvars import ContextVar

__all__ = ["HEADER", "REQUEST", "new_id", "request_id"]

HEADER = b"x-request-id"

SOUND = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,100}")
"""What proxies make: letters and digits, in groups at most. Anything else could forge a line."""

REQUEST: ContextVar[str] = ContextVar("jasstisch_request", default="")
"""The id of the request that is served; empty outside of any."""


def request_id(headers: Iterable[tuple[bytes, bytes]], *, trusted: bool) -> str:
    """The id of a request.

    Args:
        headers: those of the request.
        trusted: whether a trusted proxy sends it, whose id is kept if it is sound.
    """
    if trusted:
        given = [value for name, value in headers if name == HEADER]
        if given and SOUND.fullmatch(given[-1]):
            return given[-1].decode()
    return new_id()


def new_id() -> str:
    """A new id."""
    return secrets.token_hex(8)

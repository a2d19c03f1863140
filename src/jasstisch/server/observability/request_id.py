"""The id of a request, by which its log lines, and those of a proxy, are found.

A new one is made for each request and each WebSocket, unless a trusted proxy has given it one.
"""

import re
import secrets
from collections.abc import Iterable
from contextvars import ContextVar

__all__ = ["CURRENT_REQUEST_ID", "REQUEST_ID_HEADER", "new_request_id", "resolve_request_id"]

REQUEST_ID_HEADER = b"x-request-id"

VALID_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,100}")
"""What proxies make: letters and digits, in groups at most. Anything else could forge a line."""

CURRENT_REQUEST_ID: ContextVar[str] = ContextVar("jasstisch_request", default="")
"""The id of the request that is served; empty outside of any."""


def resolve_request_id(headers: Iterable[tuple[bytes, bytes]], *, trusted: bool) -> str:
    """The id of a request.

    Args:
        headers: those of the request.
        trusted: whether a trusted proxy sends it, whose id is kept if it is sound.
    """
    if trusted:
        given = [value for name, value in headers if name == REQUEST_ID_HEADER]
        if given and VALID_REQUEST_ID.fullmatch(given[-1]):
            return given[-1].decode()
    return new_request_id()


def new_request_id() -> str:
    """A new id."""
    return secrets.token_hex(8)

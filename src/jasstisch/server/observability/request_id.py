"""The id of a request, which identifies its log lines and those of a proxy.

Each request and each WebSocket gets a new id, unless a trusted proxy has assigned one.
"""

import re
import secrets
from collections.abc import Iterable
from contextvars import ContextVar

REQUEST_ID_HEADER = b"x-request-id"

_VALID_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,100}")
"""The form of ids that proxies assign. Anything else could forge a log line."""

CURRENT_REQUEST_ID: ContextVar[str] = ContextVar("jasstisch_request", default="")
"""The id of the current request; empty outside of one."""


def resolve_request_id(headers: Iterable[tuple[bytes, bytes]], *, trusted: bool) -> str:
    """The id of a request.

    Args:
        headers: the headers of the request.
        trusted: whether a trusted proxy sends it, whose id is kept if it is valid.
    """
    if trusted:
        given = [value for name, value in headers if name == REQUEST_ID_HEADER]
        if given and _VALID_REQUEST_ID.fullmatch(given[-1]):
            return given[-1].decode()
    return new_request_id()


def new_request_id() -> str:
    """A new id."""
    return secrets.token_hex(8)

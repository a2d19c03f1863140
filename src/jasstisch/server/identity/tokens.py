"""Tokens: what a browser shows to be known again, without any account.

The token is known to the browser alone. The server gives it out, keeps its SHA-256 and finds it by
that; a token that was not given out leads nowhere. Neither is ever logged or put into an address.
"""

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from jasstisch.server.api import COOKIE_NAME, SECURE_COOKIE_NAME

__all__ = [
    "PresentedToken",
    "SetCookie",
    "extract_token",
    "hash_token",
    "new_link_key",
    "new_table_id",
    "new_token",
]

COOKIE_MAX_AGE_S = 400 * 24 * 3600
"""Seconds a browser keeps the cookie: the longest that browsers allow."""

_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")


class SetCookie(NamedTuple):
    """A cookie as the server sets it.

    Attributes:
        name: its name.
        token: the token it holds, "" to have the browser drop it.
    """

    name: str
    token: str

    @property
    def max_age(self) -> int:
        """How long the browser keeps it."""
        return COOKIE_MAX_AGE_S if self.token else 0

    @property
    def secure(self) -> bool:
        """Whether it may be sent under TLS only."""
        return self.name == SECURE_COOKIE_NAME

    @property
    def header(self) -> str:
        """The value of the `Set-Cookie` header."""
        attributes = f"Max-Age={self.max_age}; Path=/; HttpOnly; SameSite=Strict"
        return f"{self.name}={self.token}; {attributes}{'; Secure' if self.secure else ''}"


class PresentedToken(NamedTuple):
    """A token as a request shows it.

    Attributes:
        token: the token; its form is checked.
        stale: it came under the name of the other kind of connection and is to be renamed.
    """

    token: str
    stale: bool


def new_token() -> str:
    """A fresh token of 32 random bytes, in 43 characters."""
    return secrets.token_urlsafe(32)


def new_table_id() -> str:
    """A fresh table id of 16 random bytes, in 22 characters."""
    return secrets.token_urlsafe(16)


def new_link_key() -> str:
    """A fresh key of a table's link, of 9 random bytes, in 12 characters."""
    return secrets.token_urlsafe(9)


def hash_token(token: str) -> str:
    """The SHA-256 of a token: what is kept of it, and what tables call whom it was first given."""
    return sha256(token.encode()).hexdigest()


def extract_token(headers: Iterable[tuple[bytes, bytes]], *, secure: bool) -> PresentedToken | None:
    """The token that a request shows; None without a well-formed one.

    Under TLS the cookie of a server that had none yet is taken too, if there is no other.

    Args:
        headers: the request's.
        secure: whether it came under TLS.
    """
    found: dict[str, str] = {}
    for name, value in headers:
        if name != b"cookie":
            continue
        for part in value.decode("latin-1").split(";"):
            key, _, token = part.strip().partition("=")
            if key in (COOKIE_NAME, SECURE_COOKIE_NAME) and _TOKEN_PATTERN.fullmatch(token):
                found.setdefault(key, token)
    if secure and SECURE_COOKIE_NAME in found:
        return PresentedToken(found[SECURE_COOKIE_NAME], stale=False)
    return PresentedToken(found[COOKIE_NAME], stale=secure) if COOKIE_NAME in found else None

"""Tokens: what a browser shows to be known again, without any account.

The token is known to the browser alone. The server gives it out, keeps its SHA-256 and finds it by
that; a token that was not given out leads nowhere. Neither is ever logged or put into an address.
"""

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

__all__ = [
    "COOKIE",
    "SECURE_COOKIE",
    "TABLE_KEY",
    "Cookie",
    "Shown",
    "new_key",
    "new_table_id",
    "new_token",
    "person",
    "shown_token",
]

COOKIE = "jasstisch"
"""Name of the cookie that holds the token where there is no TLS."""

SECURE_COOKIE = "__Host-jasstisch"
"""Its name under TLS: a browser takes it from this very host alone, and shows it under TLS only."""

TABLE_KEY = "Jasstisch-Key"
"""The header in which a call shows the key of a table's renewed link: it belongs in no URL."""

LIFETIME = 400 * 24 * 3600
"""Seconds a browser keeps the cookie: the longest that browsers allow."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Cookie(NamedTuple):
    """A cookie as the server sets it.

    Attributes:
        name: its name.
        token: the token it holds, "" to have the browser drop it.
    """

    name: str
    token: str

    @property
    def seconds(self) -> int:
        """How long the browser keeps it."""
        return LIFETIME if self.token else 0

    @property
    def secure(self) -> bool:
        """Whether it may be sent under TLS only."""
        return self.name == SECURE_COOKIE

    @property
    def header(self) -> str:
        """The value of the `Set-Cookie` header."""
        attributes = f"Max-Age={self.seconds}; Path=/; HttpOnly; SameSite=Strict"
        return f"{self.name}={self.token}; {attributes}{'; Secure' if self.secure else ''}"


class Shown(NamedTuple):
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


def new_key() -> str:
    """A fresh key of a table's link, of 9 random bytes, in 12 characters."""
    return secrets.token_urlsafe(9)


def person(token: str) -> str:
    """The SHA-256 of a token: what is kept of it, and what tables call whom it was first given."""
    return sha256(token.encode()).hexdigest()


def shown_token(headers: Iterable[tuple[bytes, bytes]], *, secure: bool) -> Shown | None:
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
            if key in (COOKIE, SECURE_COOKIE) and _TOKEN.fullmatch(token):
                found.setdefault(key, token)
    if secure and SECURE_COOKIE in found:
        return Shown(found[SECURE_COOKIE], stale=False)
    return Shown(found[COOKIE], stale=secure) if COOKIE in found else None

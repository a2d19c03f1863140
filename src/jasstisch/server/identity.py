"""Who somebody is: the holder of an unguessable token in a cookie, without any account.

The token is known to the browser alone. The server keeps and compares its SHA-256 only, and
neither is ever logged or put into an address.
"""

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256

__all__ = ["COOKIE", "cookie_header", "new_key", "new_table_id", "new_token", "person", "person_of"]

COOKIE = "jasstisch"
"""Name of the cookie that holds the token."""

LIFETIME = 400 * 24 * 3600
"""Seconds a browser keeps the cookie: the longest that browsers allow."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


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
    """The name under which the holder of a token is known to tables: its SHA-256."""
    return sha256(token.encode()).hexdigest()


def person_of(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Who sent a request with these headers; None without a well-formed token."""
    for name, value in headers:
        if name != b"cookie":
            continue
        for part in value.decode("latin-1").split(";"):
            key, _, token = part.strip().partition("=")
            if key == COOKIE and _TOKEN.fullmatch(token):
                return person(token)
    return None


def cookie_header(token: str, *, secure: bool) -> str:
    """The value of the `Set-Cookie` header that gives a browser its token."""
    attributes = f"Max-Age={LIFETIME}; Path=/; HttpOnly; SameSite=Strict"
    return f"{COOKIE}={token}; {attributes}{'; Secure' if secure else ''}"

"""Tokens: what a browser presents in order to be recognized, without an account.

Only the browser knows the token. The server issues it, stores its SHA-256 and finds the person by
that; a token that was not issued is worthless. Tokens and hashes are never logged or put into an
address.
"""

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from jasstisch.server.api import COOKIE_NAME, SECURE_COOKIE_NAME

_COOKIE_MAX_AGE_S = 400 * 24 * 3600
"""How long a browser keeps the cookie, in seconds: the maximum that browsers allow."""

_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")


class SetCookie(NamedTuple):
    """A cookie to set.

    Attributes:
        name: its name.
        token: the token in it; "" makes the browser delete the cookie.
    """

    name: str
    token: str

    @property
    def max_age(self) -> int:
        """How long the browser keeps the cookie, in seconds."""
        return _COOKIE_MAX_AGE_S if self.token else 0

    @property
    def secure(self) -> bool:
        """Whether the cookie may be sent over TLS only."""
        return self.name == SECURE_COOKIE_NAME

    @property
    def header(self) -> str:
        """The value of the `Set-Cookie` header."""
        attributes = f"Max-Age={self.max_age}; Path=/; HttpOnly; SameSite=Strict"
        return f"{self.name}={self.token}; {attributes}{'; Secure' if self.secure else ''}"


class PresentedToken(NamedTuple):
    """The token that a request presents.

    Attributes:
        token: the token; its form has been checked.
        needs_cookie_rename: whether it came under the cookie name for the other kind of connection
            and must be renamed.
    """

    token: str
    needs_cookie_rename: bool


def new_token() -> str:
    """A new token of 32 random bytes, in 43 characters."""
    return secrets.token_urlsafe(32)


def new_table_id() -> str:
    """A new table id of 16 random bytes, in 22 characters."""
    return secrets.token_urlsafe(16)


def new_link_key() -> str:
    """A new key for a table's link, of 9 random bytes, in 12 characters."""
    return secrets.token_urlsafe(9)


def hash_token(token: str) -> str:
    """The SHA-256 of a token: the stored form, and the id of the person who first received it."""
    return sha256(token.encode()).hexdigest()


def extract_token(headers: Iterable[tuple[bytes, bytes]], *, secure: bool) -> PresentedToken | None:
    """The token that a request presents; None without a well-formed one.

    Over TLS, the cookie that the server set before it had TLS is accepted too, if there is no
    other.

    Args:
        headers: the headers of the request.
        secure: whether the request came over TLS.
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
        return PresentedToken(found[SECURE_COOKIE_NAME], needs_cookie_rename=False)
    return (
        PresentedToken(found[COOKIE_NAME], needs_cookie_rename=secure)
        if COOKIE_NAME in found
        else None
    )

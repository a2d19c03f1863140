"""What a browser is told not to do with our pages, and whose pages may talk to us."""

from collections.abc import Iterable
from urllib.parse import urlsplit

__all__ = ["HEADERS", "same_origin"]

# Styles may stand in attributes, because the client places cards by them; scripts may not.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    # The id of a table is the secret of its link: it must not travel in a Referer.
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
"""Headers of every HTTP answer."""


def same_origin(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a request comes from a page of this server, or from no web page at all.

    A browser always tells the origin of a page that opens a WebSocket or posts something; programs
    send none. The origin must name the very host the request was sent to.
    """
    found = {name: value.decode("latin-1") for name, value in headers}
    origin = found.get(b"origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    host = found.get(b"host", "").lower()
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.lower() == host

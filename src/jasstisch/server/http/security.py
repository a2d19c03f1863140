"""What a browser is told not to do with our pages, and how it is told to come."""

from collections.abc import Sequence
from functools import cache

from jasstisch.server.net import is_https

__all__ = ["security_headers"]

# Styles may stand in attributes, because the client places cards by them; scripts may not, but for
# those that are known by their hashes.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

Headers = tuple[tuple[bytes, bytes], ...]

COMMON_HEADERS: Headers = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    # The id of a table is the secret of its link: it must not travel in a Referer.
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)

# For a year, and for this name alone: what else its owner serves below it is not our business.
HSTS_HEADERS: Headers = ((b"strict-transport-security", b"max-age=31536000"),)

# Who may know a table, and what it looks like, changes by the second.
API_HEADERS: Headers = ((b"cache-control", b"no-store"),)


def security_headers(scheme: str, *, api: bool, scripts: Sequence[str] = ()) -> Headers:
    """The headers that every answer to a request has.

    Args:
        scheme: the scheme of the request.
        api: whether it is a call of a program, not for a file.
        scripts: the hashes of scripts that stand in the page and may run.
    """
    policy = (b"content-security-policy", _content_security_policy(tuple(scripts)))
    return (
        (policy, *COMMON_HEADERS)
        + (HSTS_HEADERS if is_https(scheme) else ())
        + (API_HEADERS if api else ())
    )


@cache
def _content_security_policy(scripts: tuple[str, ...]) -> bytes:
    return CONTENT_SECURITY_POLICY.format(scripts=" ".join(("'self'", *scripts))).encode()

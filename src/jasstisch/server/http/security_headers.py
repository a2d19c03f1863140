"""The security headers of responses: content security policy, referrer policy and HTTPS."""

from collections.abc import Sequence
from functools import cache

from jasstisch.server.net import is_https

# Inline styles are allowed, because the client positions cards with them. Scripts are not, except
# those with known hashes.
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

_Headers = tuple[tuple[bytes, bytes], ...]

_COMMON_HEADERS: _Headers = (
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)

_DOCUMENT_HEADERS: _Headers = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    # The id of a table is the secret of its link, so it must not be sent in a Referer header.
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)

# For a year, and for this name alone: its subdomains may belong to other services.
_HSTS_HEADERS: _Headers = ((b"strict-transport-security", b"max-age=31536000"),)


def security_headers(
    scheme: str, scripts: Sequence[str] = (), *, embedded: bool = False
) -> _Headers:
    """The security headers of a response.

    Args:
        scheme: the scheme of the request.
        scripts: the hashes of the inline scripts that may run.
        embedded: whether it is a script, a style sheet or a font, to which the policies of the
            document apply that embeds it.
    """
    headers = _COMMON_HEADERS + (_HSTS_HEADERS if is_https(scheme) else ())
    if embedded:
        return headers
    policy = (b"content-security-policy", _content_security_policy(tuple(scripts)))
    return (*headers, *_DOCUMENT_HEADERS, policy)


@cache
def _content_security_policy(scripts: tuple[str, ...]) -> bytes:
    return _CONTENT_SECURITY_POLICY.format(scripts=" ".join(("'self'", *scripts))).encode()

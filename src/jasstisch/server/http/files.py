"""Static files: content types, caching, entity tags and compression.

A browser that has a file sends its entity tag and learns whether the file is unchanged. Files that
can be compressed are compressed once.
"""

import gzip
from functools import cached_property
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from jasstisch.server.net import Scope, Send

__all__ = [
    "CACHE_IMMUTABLE",
    "CACHE_ONE_DAY",
    "CACHE_REVALIDATE",
    "File",
    "Headers",
    "send_file",
    "send_text",
]

COMPRESSIBLE_TYPES = ("text/", "application/javascript", "application/json", "image/svg+xml")
CACHE_IMMUTABLE = b"public, max-age=31536000, immutable"
CACHE_ONE_DAY = b"public, max-age=86400"
CACHE_REVALIDATE = b"no-cache"
"""May be cached, but is revalidated on each use."""

MIME_TYPE_OVERRIDES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
}
"""Content types that differ between systems."""

Headers = list[tuple[bytes, bytes]]


class File:
    """A file in memory.

    Args:
        name: the name, whose suffix determines the content type.
        body: the content.
        cached: the value of `Cache-Control`.
        varies: the request headers on which the content depends, besides `Accept-Encoding`.
    """

    def __init__(self, name: str, body: bytes, cached: bytes, *varies: bytes) -> None:
        self.body = body
        kind = (
            MIME_TYPE_OVERRIDES.get(Path(name).suffix)
            or guess_type(name)[0]
            or "application/octet-stream"
        )
        self.compressible = kind.startswith(COMPRESSIBLE_TYPES)
        self.etag = f'"{sha256(self.body).hexdigest()[:32]}"'.encode()
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        self.headers: Headers = [
            (b"content-type", (kind + charset).encode()),
            (b"cache-control", cached),
            (b"etag", self.etag),
            (b"vary", b", ".join((b"accept-encoding", *varies))),
        ]

    @cached_property
    def compressed(self) -> bytes:
        """The compressed content."""
        return gzip.compress(self.body, 6, mtime=0)


async def send_file(scope: Scope, send: Send, file: File, *, status: int = 200) -> None:
    """Sends a file, or the response that the browser's copy is unchanged."""
    asked = dict(scope["headers"])
    if status == 200 and asked.get(b"if-none-match") == file.etag:
        await _send(scope, send, 304, file.headers, b"")
    elif file.compressible and b"gzip" in asked.get(b"accept-encoding", b""):
        headers = [*file.headers, (b"content-encoding", b"gzip")]
        await _send(scope, send, status, headers, file.compressed)
    else:
        await _send(scope, send, status, file.headers, file.body)


async def send_text(
    scope: Scope, send: Send, status: int, text: bytes, headers: Headers | None = None
) -> None:
    """Sends a short text for people."""
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await _send(scope, send, status, [*(headers or []), plain], text)


async def _send(scope: Scope, send: Send, status: int, headers: Headers, body: bytes) -> None:
    all_headers = list(headers)
    if status != 304:
        all_headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    content = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": content, "more_body": False})

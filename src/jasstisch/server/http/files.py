"""Static files: content types, caching, entity tags and compression.

A browser that has a file sends its entity tag and learns whether the file is unchanged. Files that
can be compressed are compressed once.
"""

import gzip
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from starlette.responses import Response

from jasstisch.server.net import Scope

_COMPRESSIBLE_TYPES = ("text/", "application/javascript", "application/json", "image/svg+xml")
CACHE_IMMUTABLE = "public, max-age=31536000, immutable"
CACHE_ONE_DAY = "public, max-age=86400"
CACHE_REVALIDATE = "no-cache"
"""May be cached, but is revalidated on each use."""

_MIME_TYPE_OVERRIDES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
}
"""Content types that differ between systems."""


class File:
    """A file in memory.

    Args:
        name: the name, whose suffix determines the content type.
        body: the content.
        cached: the value of `Cache-Control`.
        varies: the request headers on which the content depends, besides `Accept-Encoding`.
    """

    def __init__(self, name: str, body: bytes, cached: str, *varies: str) -> None:
        self.body = body
        kind = (
            _MIME_TYPE_OVERRIDES.get(Path(name).suffix)
            or guess_type(name)[0]
            or "application/octet-stream"
        )
        self.compressible = kind.startswith(_COMPRESSIBLE_TYPES)
        self.etag = f'"{sha256(self.body).hexdigest()[:32]}"'
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        self.headers = {
            "content-type": kind + charset,
            "cache-control": cached,
            "etag": self.etag,
            "vary": ", ".join(("accept-encoding", *varies)),
        }

    @cached_property
    def compressed_content(self) -> bytes:
        """The compressed content."""
        return gzip.compress(self.body, 6, mtime=0)


def file_response(scope: Scope, file: File, status: int = 200) -> Response:
    """The response with a file, or the one that the browser's copy is unchanged."""
    asked = dict(scope["headers"])
    if status == 200 and asked.get(b"if-none-match") == file.etag.encode():
        return Response(status_code=304, headers=file.headers)
    if file.compressible and b"gzip" in asked.get(b"accept-encoding", b""):
        return Response(
            file.compressed_content, status, {**file.headers, "content-encoding": "gzip"}
        )
    return Response(file.body, status, file.headers)


def text_response(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    """The response with a short text for people."""
    return Response(text, status, {**(headers or {}), "content-type": "text/plain; charset=utf-8"})

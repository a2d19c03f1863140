"""Files in memory, and responses like files: content types, caching, entity tags, compression.

A browser that has a file sends its entity tag and learns whether the file is unchanged. Files that
can be compressed are compressed once: with Brotli by the build, with gzip here.
"""

import gzip
import re
from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from starlette.responses import Response

from jasstisch.server.net import Scope

_ENCODING = re.compile(r"([a-z]+)(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?")

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


_CACHED_DOCUMENTS = 128
"""The number of documents that are kept in memory with their compressed forms."""


class File:
    """A file in memory.

    Args:
        kind: the media type.
        body: the content.
        cached: the value of `Cache-Control`.
        varies: the request headers on which the content depends, besides `Accept-Encoding`.
        brotli: the content compressed with Brotli, if the build has done so.
    """

    def __init__(
        self, kind: str, body: bytes, cached: str, *varies: str, brotli: bytes | None = None
    ) -> None:
        self.body = body
        self._brotli = brotli
        self._compressible = kind.startswith(_COMPRESSIBLE_TYPES) or kind.endswith("+json")
        self.etag = f'"{sha256(self.body).hexdigest()[:32]}"'
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        self.headers = {
            "content-type": kind + charset,
            "cache-control": cached,
            # What is immutable is never revalidated.
            **({} if cached == CACHE_IMMUTABLE else {"etag": self.etag}),
            "vary": ", ".join(("accept-encoding", *varies)),
        }

    def encoded(self, accepted: Collection[str]) -> tuple[str | None, bytes]:
        """The content in the best of the accepted encodings, after its name; None for as it is."""
        if self._brotli is not None and "br" in accepted:
            return "br", self._brotli
        if self._compressible and "gzip" in accepted:
            return "gzip", self._gzip
        return None, self.body

    @cached_property
    def _gzip(self) -> bytes:
        return gzip.compress(self.body, 9, mtime=0)


@lru_cache(_CACHED_DOCUMENTS)
def document(body: bytes, kind: str = "application/json", cached: str = CACHE_REVALIDATE) -> File:
    """A public document of the API as a file. The same one is compressed once."""
    return File(kind, body, cached)


def media_type(name: str) -> str:
    """The media type of a file with this name."""
    suffix = Path(name).suffix
    return _MIME_TYPE_OVERRIDES.get(suffix) or guess_type(name)[0] or "application/octet-stream"


def file_response(scope: Scope, file: File, status: int = 200) -> Response:
    """The response with a file, or the one that the browser's copy is unchanged."""
    asked = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if status == 200 and file.etag in _entity_tags(asked.get(b"if-none-match", "")):
        return Response(status_code=304, headers=file.headers)
    name, body = file.encoded(_accepted_encodings(asked.get(b"accept-encoding", "")))
    return Response(body, status, file.headers | ({"content-encoding": name} if name else {}))


def _entity_tags(header: str) -> set[str]:
    """The tags in an `If-None-Match` header; a proxy that compresses makes ours weak ones."""
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}


def _accepted_encodings(header: str) -> set[str]:
    """The encodings in an `Accept-Encoding` header, without those of weight 0."""
    found = (_ENCODING.fullmatch(part.strip()) for part in header.lower().split(","))
    return {one[1] for one in found if one and float(one[2] or 1) > 0}


def text_response(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    """The response with a short text for people."""
    return Response(text, status, {**(headers or {}), "content-type": "text/plain; charset=utf-8"})

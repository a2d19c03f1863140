"""Serves the built web client from memory.

Browsers revalidate every file, unless its name contains a hash of its content, so that a page of an
older build never meets a newer server. Pictures, which messengers fetch too, are cached for a day.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
from starlette.responses import Response

from jasstisch.server.http.files import (
    CACHE_IMMUTABLE,
    CACHE_ONE_DAY,
    CACHE_REVALIDATE,
    File,
    file_response,
    text_response,
)
from jasstisch.server.http.link_previews import LinkPreviews, PreviewText
from jasstisch.server.net import Origin, OriginPolicy, Receive, Scope, Send
from jasstisch.server.page_languages import LANGUAGES

CLIENT_FOLDER = Path(__file__).parents[1] / "static"
"""The folder of the built web client."""

_NOT_BUILT = """Jasstisch is running, but its web client has not been built.

In a checkout, `make play` builds it and starts the server. A package that was built where there is
no Node.js has none: install a release, or build the package in a checkout.
Programs find the server's interface at /api/docs/openapi.json and /ws.
"""

_PREVIEW_PLACEHOLDER = b"<!-- preview -->"
"""The placeholder for the preview tags in the built page."""

_PREVIEW_TEXTS_PATH = "/previews.json"
"""The path of the preview texts in the build."""

_CACHED_PAGES = 32
"""The number of cached pages with their tags: two for each language and name of the server."""


class StaticClient:
    """Serves the files of a folder, and the start page at every address of the client.

    Args:
        folder: the built client; it need not exist.
        origins: the accepted hosts and origins.
        languages: the languages that the operator offers.
    """

    def __init__(
        self,
        folder: Path = CLIENT_FOLDER,
        origins: OriginPolicy | None = None,
        languages: Sequence[str] = LANGUAGES,
    ) -> None:
        self._origins = origins or OriginPolicy()
        self._files: dict[str, File] = {}
        words: dict[str, PreviewText] = {}
        if (folder / "index.html").is_file():
            for path in folder.rglob("*"):
                if path.is_file():
                    name = path.relative_to(folder).as_posix()
                    self._files[f"/{name}"] = File(name, path.read_bytes(), _cache_control(name))
        if (file := self._files.pop(_PREVIEW_TEXTS_PATH, None)) is not None:
            words = msgspec.json.decode(file.body, type=dict[str, PreviewText])
        self._previews = LinkPreviews(words, languages) if words else None
        self._with_tags = lru_cache(_CACHED_PAGES)(_with_tags)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one HTTP request."""
        await self.response(scope)(scope, receive, send)

    def response(self, scope: Scope) -> Response:
        """The response to a request."""
        if scope["method"] not in ("GET", "HEAD"):
            return text_response(405, "Only GET and HEAD.\n", {"allow": "GET, HEAD"})
        path = scope["path"]
        page = path in ("/", "/index.html", "/me") or path.startswith("/t/")
        file = self._page_for(scope) if page else self._files.get(path)
        if file is not None:
            return file_response(scope, file)
        if page:
            return text_response(503, _NOT_BUILT)
        if _accepts_html(scope) and (start := self._page_for(scope)) is not None:
            return file_response(scope, start, 404)  # the client shows a friendly error
        return text_response(404, "There is nothing at this address.\n")

    def _page_for(self, scope: Scope) -> File | None:
        """The page with the preview for this client; None if no client has been built."""
        start, previews = self._files.get("/index.html"), self._previews
        if start is None or previews is None:
            return start
        language, site = previews.negotiate_language(scope), self._origins.public_origin(scope)
        table = scope["path"].startswith("/t/")
        return self._with_tags(start.body, previews, language, site, table=table)


def _with_tags(
    page: bytes, previews: LinkPreviews, language: str, site: Origin | None, *, table: bool
) -> File:
    tags = previews.meta_tags(language, site, table=table)
    return File(
        "index.html",
        page.replace(_PREVIEW_PLACEHOLDER, tags.encode()),
        CACHE_REVALIDATE,
        "accept-language",
    )


def _cache_control(name: str) -> str:
    """The cache policy of a file; the build adds hashes to the names of files in assets/."""
    if name.startswith("assets/"):
        return CACHE_IMMUTABLE
    return CACHE_ONE_DAY if name.endswith(".png") else CACHE_REVALIDATE


def _accepts_html(scope: Scope) -> bool:
    """Whether a browser requests a page for a person."""
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")

"""Serves the built web client from memory.

Browsers revalidate every file, unless its name contains a hash of its content, so that a page of an
older build never meets a newer server. Pictures, which messengers fetch too, are cached for a day.

The page contains what the client needs before it can ask for anything: the operator's configuration
and the names of the games, as JSON. Its inline script, which fetches the rest, is allowed by hash.
"""

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec
from starlette.responses import Response

from jasstisch.server.api import bodies
from jasstisch.server.http.files import (
    CACHE_IMMUTABLE,
    CACHE_ONE_DAY,
    CACHE_REVALIDATE,
    File,
    file_response,
    media_type,
    text_response,
)
from jasstisch.server.http.link_previews import LinkPreviews, PreviewText
from jasstisch.server.net import OriginPolicy, Receive, Scope, Send

CLIENT_FOLDER = Path(__file__).parents[1] / "static"
"""The folder of the built web client."""

_NOT_BUILT = """Jasstisch is running, but its web client has not been built.

In a checkout, `make play` builds it and starts the server. A package that was built where there is
no Node.js has none: install a release, or build the package in a checkout.
Programs find the server's interface at /api/docs/openapi.json and /ws.
"""

_PREVIEW_PLACEHOLDER = b"<!-- preview -->"
"""The placeholder for the preview tags in the built page."""

_CONFIG_PLACEHOLDER = b"<!-- config -->"
"""The placeholder for the configuration in the built page."""

_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

_BROTLI_SUFFIX = ".br"
"""The end of the name of a file that the build has compressed with Brotli."""

_PREVIEW_TEXTS_PATH = "/previews.json"
"""The path of the preview texts in the build."""

_CACHED_PAGES = 32
"""The number of cached pages with their tags: two for each language and name of the server."""


class StaticClient:
    """Serves the files of a folder, and the start page at every address of the client.

    Args:
        config: gives the configuration of the page, once the games are known.
        folder: the built client; it need not exist.
        origins: the accepted hosts and origins.

    Attributes:
        scripts: the hashes of the inline scripts of the page, for the content security policy.
    """

    def __init__(
        self,
        config: Callable[[], bodies.PageConfig],
        folder: Path = CLIENT_FOLDER,
        origins: OriginPolicy | None = None,
    ) -> None:
        self._config = config
        self._origins = origins or OriginPolicy()
        self._files: dict[str, File] = {}
        words: dict[str, PreviewText] = {}
        if (folder / "index.html").is_file():
            for path in folder.rglob("*"):
                if path.is_file() and path.suffix != _BROTLI_SUFFIX:
                    name = path.relative_to(folder).as_posix()
                    self._files[f"/{name}"] = _read(name, path)
        if (file := self._files.pop(_PREVIEW_TEXTS_PATH, None)) is not None:
            words = msgspec.json.decode(file.body, type=dict[str, PreviewText])
        self._preview_texts = words
        self._page = lru_cache(_CACHED_PAGES)(_page)
        start = self._files.get("/index.html")
        self.scripts = () if start is None else _script_hashes(start.body)

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
        start = self._files.get("/index.html")
        if start is None:
            return None
        tags = ""
        config = self._config()
        if self._preview_texts:
            previews = LinkPreviews(self._preview_texts, config.languages)
            language, site = previews.negotiate_language(scope), self._origins.public_origin(scope)
            tags = previews.meta_tags(language, site, table=scope["path"].startswith("/t/"))
        return self._page(start.body, tags, _as_element(config))


def is_embedded(path: str) -> bool:
    """Whether a path is that of a script, a style sheet or a font of the client."""
    return path.startswith("/assets/") and path.endswith((".js", ".css", ".woff2"))


def _page(page: bytes, tags: str, config: bytes) -> File:
    """The page with the tags of its preview, and with its configuration."""
    body = page.replace(_PREVIEW_PLACEHOLDER, tags.encode()).replace(_CONFIG_PLACEHOLDER, config)
    return File("text/html", body, CACHE_REVALIDATE, "accept-language")


def _as_element(config: bodies.PageConfig) -> bytes:
    """The configuration as an element of the page; no text in it ends the element."""
    told = msgspec.json.encode(config).replace(b"<", rb"\u003c")
    return b'<script type="application/json" id="config">%s</script>' % told


def _script_hashes(page: bytes) -> tuple[str, ...]:
    """The hashes of the inline scripts of a page, as sources of a content security policy."""
    found = _INLINE_SCRIPT.findall(page)
    return tuple(f"'sha256-{b64encode(sha256(one).digest()).decode()}'" for one in found)


def _read(name: str, path: Path) -> File:
    """A file of the build, with its compressed form if there is one."""
    compressed = path.with_name(path.name + _BROTLI_SUFFIX)
    brotli = compressed.read_bytes() if compressed.is_file() else None
    return File(media_type(name), path.read_bytes(), _cache_control(name), brotli=brotli)


def _cache_control(name: str) -> str:
    """The cache policy of a file; the build adds hashes to the names of files in assets/."""
    if name.startswith("assets/"):
        return CACHE_IMMUTABLE
    return CACHE_ONE_DAY if name.endswith(".png") else CACHE_REVALIDATE


def _accepts_html(scope: Scope) -> bool:
    """Whether a browser requests a page for a person."""
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")

"""The built web client, kept in memory: a request names a known file or gets nothing.

Browsers ask for everything anew at each visit, unless its name changes with its content, so that no
page of an older build meets a newer server. Pictures, which messengers fetch too, may be a day old.
"""

import gzip
from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

import msgspec

from jasstisch.server import LANGUAGES
from jasstisch.server.asgi import Receive, Scope, Send
from jasstisch.server.front import Front, Site
from jasstisch.server.previews import Previews, Words

__all__ = ["CLIENT", "StaticClient"]

CLIENT = Path(__file__).parent / "static"
"""Where the build of the web client is put."""

NOT_BUILT = b"""Jasstisch is running, but its web client has not been built.

In a checkout, `make play` builds it and starts the server.
Programs find the server's interface at /api/docs/openapi.json and /ws.
"""

COMPRESSED = ("text/", "application/javascript", "application/json", "image/svg+xml")
FOREVER = b"public, max-age=31536000, immutable"
A_DAY = b"public, max-age=86400"
NEVER = b"no-cache"

MARK = b"<!-- preview -->"
"""Where the tags of a preview go in the built page."""

WORDS = "/previews.json"
"""Where the build puts what previews say."""

PAGES = 32
"""Pages kept with their tags: two for each language and name of the server."""

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
"""Types that machines disagree about."""

Headers = list[tuple[bytes, bytes]]


class _File:
    def __init__(self, name: str, body: bytes, cached: bytes, *varies: bytes) -> None:
        self.body = body
        kind = TYPES.get(Path(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        self.compressible = kind.startswith(COMPRESSED)
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
        return gzip.compress(self.body, 6, mtime=0)


class StaticClient:
    """Serves the files below a folder, and the start page at every address of the client.

    Args:
        folder: the built client; it need not exist.
        front: how the server is reached.
        languages: those that the host offers.
    """

    def __init__(
        self,
        folder: Path = CLIENT,
        front: Front | None = None,
        languages: Sequence[str] = LANGUAGES,
    ) -> None:
        self._front = front or Front()
        self._files: dict[str, _File] = {}
        words: dict[str, Words] = {}
        if (folder / "index.html").is_file():
            for path in folder.rglob("*"):
                if path.is_file():
                    name = path.relative_to(folder).as_posix()
                    self._files[f"/{name}"] = _File(name, path.read_bytes(), _caching(name))
        if (told := self._files.pop(WORDS, None)) is not None:
            words = msgspec.json.decode(told.body, type=dict[str, Words])
        self._previews = Previews(words, languages) if words else None
        self._with_tags = lru_cache(PAGES)(_with_tags)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one HTTP request."""
        if scope["method"] not in ("GET", "HEAD"):
            await self._send(scope, send, 405, [(b"allow", b"GET, HEAD")], b"Only GET and HEAD.\n")
            return
        path = scope["path"]
        page = path in ("/", "/index.html", "/me") or path.startswith("/t/")
        file = self._page_for(scope) if page else self._files.get(path)
        if file is not None:
            await self._send_file(scope, send, file)
        elif page:
            await self._send(scope, send, 503, [], NOT_BUILT)
        elif _wants_page(scope) and (start := self._page_for(scope)) is not None:
            await self._send_file(scope, send, start, status=404)  # the client says so nicely
        else:
            await self._send(scope, send, 404, [], b"There is nothing at this address.\n")

    def _page_for(self, scope: Scope) -> _File | None:
        """The page, with the preview for this caller; None where no client has been built."""
        start, previews = self._files.get("/index.html"), self._previews
        if start is None or previews is None:
            return start
        language, site = previews.language(scope), self._front.site(scope)
        table = scope["path"].startswith("/t/")
        return self._with_tags(start.body, previews, language, site, table=table)

    async def _send_file(self, scope: Scope, send: Send, file: _File, *, status: int = 200) -> None:
        asked = dict(scope["headers"])
        if status == 200 and asked.get(b"if-none-match") == file.etag:
            await self._send(scope, send, 304, file.headers, b"")
        elif file.compressible and b"gzip" in asked.get(b"accept-encoding", b""):
            headers = [*file.headers, (b"content-encoding", b"gzip")]
            await self._send(scope, send, status, headers, file.compressed)
        else:
            await self._send(scope, send, status, file.headers, file.body)

    async def _send(
        self, scope: Scope, send: Send, status: int, headers: Headers, body: bytes
    ) -> None:
        all_headers = list(headers)
        if not any(name == b"content-type" for name, _ in headers):
            all_headers.append((b"content-type", b"text/plain; charset=utf-8"))
        if status != 304:
            all_headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": all_headers})
        content = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": content, "more_body": False})


def _with_tags(
    page: bytes, previews: Previews, language: str, site: Site | None, *, table: bool
) -> _File:
    tags = previews.tags(language, site, table=table)
    return _File("index.html", page.replace(MARK, tags.encode()), NEVER, b"accept-language")


def _caching(name: str) -> bytes:
    """How long a file may be kept; the build puts a hash into the names of what lies in assets/."""
    if name.startswith("assets/"):
        return FOREVER
    return A_DAY if name.endswith(".png") else NEVER


def _wants_page(scope: Scope) -> bool:
    """Whether a browser asks for something to show to a person."""
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")

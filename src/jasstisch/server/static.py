"""The built web client, kept in memory: a request names a known file or gets nothing."""

import gzip
from functools import cached_property
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from jasstisch.server.asgi import Receive, Scope, Send

__all__ = ["CLIENT", "StaticClient"]

CLIENT = Path(__file__).parent / "static"
"""Where the build of the web client is put."""

NOT_BUILT = b"""Jasstisch is running, but its web client has not been built.

In a checkout, `make play` builds it and starts the server.
Programs find the server's interface at /api/docs/openapi.json and /ws.
"""

COMPRESSED = ("text/", "application/javascript", "application/json", "image/svg+xml")
FOREVER = b"public, max-age=31536000, immutable"
NEVER = b"no-cache"

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
"""Types that machines disagree about."""

Headers = list[tuple[bytes, bytes]]


class _File:
    def __init__(self, path: Path, *, hashed: bool) -> None:
        self.body = path.read_bytes()
        kind = TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
        self.compressible = kind.startswith(COMPRESSED)
        self.etag = f'"{sha256(self.body).hexdigest()[:32]}"'.encode()
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        self.headers: Headers = [
            (b"content-type", (kind + charset).encode()),
            (b"cache-control", FOREVER if hashed else NEVER),
            (b"etag", self.etag),
            (b"vary", b"accept-encoding"),
        ]

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.body, 6, mtime=0)


class StaticClient:
    """Serves the files below a folder, and the start page at every address of the client.

    Args:
        folder: the built client; it need not exist.
    """

    def __init__(self, folder: Path = CLIENT) -> None:
        self._files: dict[str, _File] = {}
        if (folder / "index.html").is_file():
            for path in folder.rglob("*"):
                if path.is_file():
                    name = path.relative_to(folder).as_posix()
                    # The build puts a hash into the names of what lies in assets/.
                    self._files[f"/{name}"] = _File(path, hashed=name.startswith("assets/"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one HTTP request."""
        if scope["method"] not in ("GET", "HEAD"):
            await self._send(scope, send, 405, [(b"allow", b"GET, HEAD")], b"Only GET and HEAD.\n")
            return
        path = scope["path"]
        page = path == "/" or path.startswith("/t/")
        file = self._files.get("/index.html" if page else path)
        if file is not None:
            await self._send_file(scope, send, file)
        elif page:
            await self._send(scope, send, 503, [], NOT_BUILT)
        elif _wants_page(scope) and (start := self._files.get("/index.html")) is not None:
            await self._send_file(scope, send, start, status=404)  # the client says so nicely
        else:
            await self._send(scope, send, 404, [], b"There is nothing at this address.\n")

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


def _wants_page(scope: Scope) -> bool:
    """Whether a browser asks for something to show to a person."""
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")

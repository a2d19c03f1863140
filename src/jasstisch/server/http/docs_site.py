"""The documentation as a site, below `/docs`: the files that `tools.docs_site` has built.

The files are read on the first request, because most servers never get one. The pages contain
scripts of their own, which `security_headers` allows by their hashes.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from starlette.responses import Response

from jasstisch.server.http.files import (
    CACHE_IMMUTABLE,
    CACHE_REVALIDATE,
    File,
    file_response,
    media_type,
    text_response,
)
from jasstisch.server.net import Receive, Scope, Send

DOCS_FOLDER = Path(__file__).parents[1] / "site"
"""The folder of the built documentation."""

PREFIX = "/docs"
"""The path prefix of the documentation."""

_SCRIPT_HASHES_FILE = "scripts.txt"
"""The file with the hashes of the scripts in the pages."""

_NOT_BUILT = """This server has no documentation: it has not been built.

In a checkout, `make docs` builds it; every release has it.
"""

_CACHED_FILES = 64
"""The number of recently requested files in memory; all files are a few megabytes."""


class DocsSite:
    """Serves the pages of the documentation.

    Args:
        otherwise: the response to requests for other pages.
        folder: the built site; it need not exist.

    Attributes:
        scripts: the hashes of the scripts in the pages, for the content security policy.
    """

    def __init__(self, otherwise: Callable[[Scope], Response], folder: Path = DOCS_FOLDER) -> None:
        self._fallback = otherwise
        self._folder = folder
        self._names = {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        }
        known = _SCRIPT_HASHES_FILE in self._names
        self.scripts = (
            tuple((folder / _SCRIPT_HASHES_FILE).read_text("ascii").split()) if known else ()
        )
        self._file = lru_cache(_CACHED_FILES)(self._read)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one HTTP request."""
        await self._response(scope)(scope, receive, send)

    def _response(self, scope: Scope) -> Response:
        path: str = scope["path"].removeprefix(PREFIX)
        if scope["method"] not in ("GET", "HEAD"):
            return text_response(405, "Only GET and HEAD.\n", {"allow": "GET, HEAD"})
        if not self._names:
            return text_response(503, _NOT_BUILT)
        if (name := self._resolve(path)) is not None:
            return file_response(scope, self._file(name))
        if self._resolve(f"{path}/") is not None:
            # The relative links in a page need an address that ends with a slash.
            there = path.rpartition("/")[2] or PREFIX.removeprefix("/")
            return text_response(308, "It is here, with a slash.\n", {"location": f"{there}/"})
        return self._fallback(scope)

    def _resolve(self, path: str) -> str | None:
        """The file at a path below `PREFIX`; None if there is none."""
        name = path.removeprefix("/")
        if path.endswith("/"):
            name += "index.html"
        return name if path and name in self._names else None

    def _read(self, name: str) -> File:
        hashed = name.startswith("assets/") and not name.startswith("assets/images/")
        return File(
            media_type(name),
            (self._folder / name).read_bytes(),
            CACHE_IMMUTABLE if hashed else CACHE_REVALIDATE,
        )


def is_docs_path(path: str) -> bool:
    """Whether a path belongs to the documentation."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")

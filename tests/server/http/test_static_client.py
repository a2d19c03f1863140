"""Static files of the web client: routes, caching, compression, and no other file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.server.raw_socket import raw_get
from tests.server.running_server import rest_client, running_server

pytestmark = pytest.mark.outside

PAGE = "<!doctype html><title>Jasstisch</title>" + "<p>Jass" * 500


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A built client, next to a file that must not be served."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "index-3f2a.js").write_text("export {}")
    (folder / "assets" / "font-77aa.woff2").write_bytes(b"wOF2")
    (folder / "manifest.webmanifest").write_text("{}")
    (folder / "sw.js").write_text("self")
    (folder / "icon-192.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.txt").write_text("the secret")
    return folder


@pytest_asyncio.fixture
async def address(tmp_path: Path, built: Path) -> AsyncIterator[str]:
    async with running_server(tmp_path, client=built) as url:
        yield url


@pytest.mark.parametrize("path", ["/", "/me", "/t/AbCdEfGhIjKlMnOpQrStUv", "/index.html"])
async def test_every_client_route_serves_the_page(address: str, path: str) -> None:
    async with rest_client(address) as web:
        answer = await web.get(path)
        assert answer.status_code == 200
        assert answer.text == PAGE
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-encoding"] == "gzip"
        plain = await web.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.text == PAGE


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/assets/index-3f2a.js", "text/javascript; charset=utf-8"),
        ("/assets/font-77aa.woff2", "font/woff2"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/icon-192.png", "image/png"),
    ],
)
async def test_files_have_content_types_and_hashed_names_are_immutable(
    address: str, path: str, kind: str
) -> None:
    async with rest_client(address) as web:
        answer = await web.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
        assert ("immutable" in answer.headers["cache-control"]) == path.startswith("/assets/")
        unnamed = path.endswith((".webmanifest", "sw.js"))
        assert (answer.headers["cache-control"] == "no-cache") == unnamed
        head = await web.head(path)
        assert (head.status_code, head.content) == (200, b"")
        again = await web.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert (await web.post(path)).status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "//etc/passwd",
        "/assets/..\\..\\secret.txt",
        "/t/../../secret.txt",
        "/assets/",
        "/assets",
        "/secret.txt",
        "/index.html%00.js",
        "/t",
        "/nothing",
    ],
)
async def test_path_traversal_is_refused(tmp_path: Path, built: Path, path: str) -> None:
    async with running_server(tmp_path, client=built) as url:
        answer = await raw_get(url, path)
    assert b"the secret" not in answer
    assert b"root:" not in answer
    status = int(answer.split()[1])
    # Everything below /t/ is the client's own address and shows its page.
    assert status == (200 if path.startswith("/t/") else 404)


async def test_a_browser_at_an_unknown_path_gets_the_error_page(
    tmp_path: Path, built: Path
) -> None:
    async with (
        running_server(tmp_path, client=built) as url,
        rest_client(url, headers={"accept": "text/html,*/*"}) as web,
    ):
        answer = await web.get("/nothing-here")
        assert answer.status_code == 404
        assert answer.text == (await web.get("/")).text
        program = await web.get("/nothing-here", headers={"accept": "application/json"})
        assert program.status_code == 404
        assert program.headers["content-type"] == "text/plain; charset=utf-8"


async def test_without_a_build_the_page_tells_how_to_make_one(url: str) -> None:
    async with rest_client(url) as web:
        answer = await web.get("/")
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert "make play" in answer.text

"""Static files of the web client: routes, caching, compression, and no other file."""

import gzip
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

import jasstisch as jt
from jasstisch.server.api.bodies import PageConfig, SiteConfig
from jasstisch.server.context import ServerContext
from jasstisch.server.main import create_app
from jasstisch.storage import SqliteStore
from tests.server.raw_socket import raw_get
from tests.server.running_server import rest_client, running_app, running_server

pytestmark = pytest.mark.outside

SCRIPT = "let begun = 1 < 2;"
PAGE = (
    f"<!doctype html><title>Jasstisch</title><!-- config --><script>{SCRIPT}</script>"
    + "<p>Jass" * 500
)
GREETING = {"en": "</script><!-- <b>Welcome</b>"}
CONFIG = re.compile('<script type="application/json" id="config">(.*?)</script>')


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A built client, next to a file that must not be served."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "index-3f2a.js").write_text("export {}")
    (folder / "assets" / "index-3f2a.js.br").write_bytes(b"by Brotli")
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
        assert CONFIG.sub("<!-- config -->", answer.text) == PAGE
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-encoding"] == "gzip"
        plain = await web.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.text == answer.text


async def test_the_page_has_its_configuration_and_allows_its_own_script(
    tmp_path: Path, built: Path
) -> None:
    site = SiteConfig(["fr", "en"], GREETING)
    store = SqliteStore(tmp_path / "tables.sqlite3")
    app = create_app(ServerContext(store), built, site_config=site)
    async with running_app(app) as url, rest_client(url) as web:
        page, house = await web.get("/"), await web.get("/api/house")
        file = await web.get("/api/games")
    (told,) = CONFIG.findall(page.text)
    config = msgspec.json.decode(told, type=PageConfig)
    assert config == msgspec.json.decode(house.content, type=PageConfig)
    assert (config.languages, config.greeting) == (["fr", "en"], GREETING)
    assert sorted(config.games) == sorted(jt.games())
    digest = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in page.headers["content-security-policy"]
    assert "script-src 'self';" in file.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [
        ("gzip, deflate, br", "br", b"by Brotli"),
        ("br;q=1.0", "br", b"by Brotli"),
        ("br;q=0, gzip", "gzip", b"export {}"),
        ("gzip;q=0.5", "gzip", b"export {}"),
        ("zbr, x-gzip", None, b"export {}"),
        ("identity", None, b"export {}"),
        ("", None, b"export {}"),
    ],
)
async def test_a_file_comes_in_the_best_encoding_that_is_accepted(
    address: str, accepted: str, encoding: str | None, body: bytes
) -> None:
    path = "/assets/index-3f2a.js"
    answer = await raw_get(address, path, f"Accept-Encoding: {accepted}")
    head, _, content = answer.partition(b"\r\n\r\n")
    headers = dict(line.lower().split(b": ", 1) for line in head.splitlines()[1:])
    assert headers.get(b"content-encoding", b"").decode() == (encoding or "")
    assert (gzip.decompress(content) if encoding == "gzip" else content) == body
    assert headers[b"vary"] == b"accept-encoding"
    assert b"404" in (await raw_get(address, f"{path}.br")).splitlines()[0]


async def test_only_documents_carry_the_policies_of_documents(address: str) -> None:
    async with rest_client(address) as web:
        for path in ("/", "/sw.js", "/icon-192.png", "/assets/none", "/api/games"):
            headers = (await web.get(path)).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["cross-origin-opener-policy"] == "same-origin"
        for path in ("/assets/index-3f2a.js", "/assets/font-77aa.woff2", "/assets/none.css"):
            headers = (await web.get(path)).headers
            assert "content-security-policy" not in headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_tag_that_a_proxy_has_weakened_still_names_the_file(address: str) -> None:
    async with rest_client(address) as web:
        for path in ("/", "/sw.js", "/api/games", "/api/catalogue/de"):
            tag = (await web.get(path)).headers["etag"]
            for known in (tag, f"W/{tag}", f'"other", W/{tag}'):
                again = await web.get(path, headers={"If-None-Match": known})
                assert (again.status_code, again.content) == (304, b"")
            assert (await web.get(path, headers={"If-None-Match": '"other"'})).status_code == 200


async def test_only_public_documents_of_the_api_are_compressed(address: str) -> None:
    async with rest_client(address) as web:
        for path in ("/api/games", "/api/words/de/schieber", "/api/sheets/jass/de", "/api/docs"):
            answer = await web.get(path)
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["cache-control"] == "no-cache"
        for path in ("/api/tables", "/api/identity", "/api/me/matches", "/api/nothing"):
            answer = await web.get(path)
            assert "content-encoding" not in answer.headers
            assert answer.headers["cache-control"] == "no-store"


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
        if not path.startswith("/assets/"):
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

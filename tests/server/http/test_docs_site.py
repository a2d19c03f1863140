"""The documentation site under /docs: pages, their scripts, and no other file."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from tests.server.raw_socket import raw_get
from tests.server.running_server import rest_client, running_server

pytestmark = pytest.mark.outside

START = "<!doctype html><title>Docs</title><script>1</script>" + "<p>Jass" * 500
HASH = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A built site, next to a file that must not be served."""
    folder = tmp_path / "site"
    (folder / "bots").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(START)
    (folder / "bots" / "index.html").write_text("<title>Bots</title>")
    (folder / "assets" / "main.3f2a.css").write_text("a {}")
    (folder / "search.json").write_text("{}")
    (folder / "scripts.txt").write_text(f"{HASH}\n")
    (tmp_path / "secret.txt").write_text("the secret")
    return folder


@pytest_asyncio.fixture
async def web(tmp_path: Path, built: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        running_server(tmp_path, documentation=built) as url,
        rest_client(url) as client,
    ):
        yield client


async def test_pages_are_served_under_docs(web: httpx2.AsyncClient) -> None:
    start = await web.get("/docs/")
    assert (start.status_code, start.text) == (200, START)
    assert start.headers["content-type"] == "text/html; charset=utf-8"
    assert (start.headers["cache-control"], start.headers["content-encoding"]) == (
        "no-cache",
        "gzip",
    )
    again = await web.get("/docs/", headers={"If-None-Match": start.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" in (await web.get("/docs/assets/main.3f2a.css")).headers["cache-control"]
    assert (await web.get("/docs/search.json")).json() == {}
    assert (await web.post("/docs/")).status_code == 405


@pytest.mark.parametrize("path", ["/docs", "/docs/bots"])
async def test_a_url_without_trailing_slash_redirects(web: httpx2.AsyncClient, path: str) -> None:
    answer = await web.get(path)
    assert answer.status_code == 308
    assert (await web.get(path, follow_redirects=True)).url.path == f"{path}/"


async def test_csp_allows_the_scripts_of_docs_pages_only(
    web: httpx2.AsyncClient,
) -> None:
    policy = (await web.get("/docs/")).headers["content-security-policy"]
    assert f"script-src 'self' {HASH};" in policy
    for path in ("/", "/docsy", "/t/docs", "/api/games"):
        policy = (await web.get(path)).headers["content-security-policy"]
        assert "script-src 'self';" in policy


@pytest.mark.parametrize(
    "path",
    [
        "/docs/../../secret.txt",
        "/docs/../secret.txt",
        "/docs/%2e%2e/secret.txt",
        "/docs/..%2fsecret.txt",
        "/docs//etc/passwd",
        "/docs/bots/index.html%00",
        "/docs/nothing",
        "/docs/nothing/",
        "/docs/assets",
        "/docs/assets/",
        "/docs//",
    ],
)
async def test_path_traversal_is_refused(tmp_path: Path, built: Path, path: str) -> None:
    async with running_server(tmp_path, documentation=built) as url:
        answer = await raw_get(url, path)
    assert b"the secret" not in answer
    assert b"root:" not in answer
    assert int(answer.split()[1]) == 404


async def test_a_browser_at_an_unknown_page_gets_the_clients_error_page(
    tmp_path: Path, built: Path
) -> None:
    client = tmp_path / "client"
    client.mkdir()
    (client / "index.html").write_text("<title>Jasstisch</title>")
    async with (
        running_server(tmp_path, client=client, documentation=built) as url,
        rest_client(url, headers={"accept": "text/html"}) as web,
    ):
        answer = await web.get("/docs/nothing/")
        assert (answer.status_code, answer.text) == (404, "<title>Jasstisch</title>")


async def test_without_a_build_the_page_tells_how_to_make_one(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, rest_client(url) as web:
        answer = await web.get("/docs/")
        assert answer.status_code == 503
        assert "make docs" in answer.text

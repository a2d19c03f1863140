"""Link previews in messengers: in four languages, and without data of the table."""

import html
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import msgspec
import pytest
import pytest_asyncio

from jasstisch.server import LANGUAGES
from jasstisch.server.api.auth_names import COOKIE_NAME
from jasstisch.server.api.bodies import SiteConfig
from jasstisch.server.context import ServerContext
from jasstisch.server.http.link_previews import LinkPreviews, PreviewText
from jasstisch.server.main import create_app
from jasstisch.server.net.origins import Origin, OriginPolicy
from jasstisch.storage import SqliteStore
from tests.server.running_server import (
    TOKEN,
    register_tokens,
    rest_client,
    running_app,
    running_server,
)

PAGE = '<!doctype html><html lang="de"><head>\n    <!-- preview -->\n  </head><body></body></html>'
NASTY = '"><script>alert(1)</script>'
WORDS = {
    lang: PreviewText(
        f"start {lang}", f"text {lang}", f"table {lang}", f"sit {lang}", f"cards {lang}"
    )
    for lang in LANGUAGES
}
NOWHERE = "/t/AbCdEfGhIjKlMnOpQrStUv"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A built client with the texts of its previews."""
    folder = tmp_path / "client"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "previews.json").write_bytes(msgspec.json.encode(WORDS))
    return folder


@pytest_asyncio.fixture
async def web(tmp_path: Path, built: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        running_server(tmp_path, client=built) as url,
        rest_client(url) as client,
    ):
        yield client


def tags(page: str) -> dict[str, str]:
    """The meta tags of a page by name."""
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />', page)
    return {name: html.unescape(content) for name, content in found}


@pytest.mark.outside
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_the_link_sets_the_language_of_its_preview(
    web: httpx2.AsyncClient, lang: str
) -> None:
    answer = await web.get(f"{NOWHERE}?lang={lang}", headers={"accept-language": "xx"})
    told = tags(answer.text)
    assert (told["og:title"], told["og:description"]) == (f"table {lang}", f"sit {lang}")
    assert told["og:locale"].startswith(lang)
    start = tags((await web.get(f"/?lang={lang}")).text)
    assert (start["og:title"], start["description"]) == (f"start {lang}", f"text {lang}")


@pytest.mark.outside
@pytest.mark.parametrize(
    ("query", "header", "lang"),
    [
        ("", "fr-CH,fr;q=0.9,en;q=0.8", "fr"),
        ("", "en;q=0.3, it ; q=0.7, rm", "it"),
        ("", "en;q=0, *;q=0.1", "en"),
        ("", "", "en"),
        ("", ";;q=,,en;q=2;q=x", "en"),
        ("?lang=xx", "it", "it"),
        ("?lang=en&lang=fr", "it", "en"),
        ("?lang=%22%3E%3Cscript%3E&x=%ff%00", "", "en"),
    ],
)
async def test_without_a_language_in_the_link_the_accept_language_header_counts(
    web: httpx2.AsyncClient, query: str, header: str, lang: str
) -> None:
    answer = await web.get(f"/{query}", headers={"accept-language": header})
    assert tags(answer.text)["og:title"] == f"start {lang}"
    assert "accept-language" in answer.headers["vary"]
    assert "<script" not in answer.text


@pytest.mark.outside
async def test_a_preview_reveals_nothing_about_the_table(
    web: httpx2.AsyncClient,
) -> None:
    new = {"game": "molotov", "seats": ["me", "open", "open", "open"], "name": "Anneliese"}
    made = await web.post("/api/tables", json=new, headers={"cookie": f"{COOKIE_NAME}={TOKEN}"})
    assert made.status_code == 201, made.text
    table = made.json()["table"]
    real, guess = await web.get(f"/t/{table}?lang=fr"), await web.get(f"{NOWHERE}?lang=fr")
    assert real.content == guess.content
    differing = {"x-request-id", "date"}
    assert {name: value for name, value in real.headers.items() if name not in differing} == {
        name: value for name, value in guess.headers.items() if name not in differing
    }
    for told in (table, "Anneliese", "molotov", NOWHERE):
        assert told not in real.text
    assert "og:url" not in tags(real.text)


@pytest.mark.outside
@pytest.mark.parametrize(
    ("public", "host", "site"),
    [
        ("https://jass.example.org", "127.0.0.1", "https://jass.example.org"),
        (None, "tisch.local:8000", "http://tisch.local:8000"),
        (None, "TISCH:80", "http://tisch"),
    ],
)
async def test_urls_in_previews_are_absolute_and_use_the_public_name(
    tmp_path: Path, built: Path, public: str | None, host: str, site: str
) -> None:
    front = OriginPolicy(configured_origin=Origin.parse(public) if public else None)
    async with (
        running_server(tmp_path, client=built, front=front) as url,
        rest_client(url, headers={"host": host}) as web,
    ):
        start, table = tags((await web.get("/")).text), tags((await web.get(NOWHERE)).text)
    assert start["og:url"] == f"{site}/"
    assert start["og:image"] == table["og:image"] == f"{site}/preview.png"
    assert table["twitter:card"] == "summary_large_image"


@pytest.mark.outside
async def test_only_languages_enabled_by_the_operator_are_used(tmp_path: Path, built: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    await register_tokens(store)
    app = create_app(ServerContext(store), built, site_config=SiteConfig(["fr", "it"], {}))
    async with running_app(app) as url, rest_client(url) as web:
        for query, title in (("", "start fr"), ("?lang=de", "start fr"), ("?lang=it", "start it")):
            assert tags((await web.get(f"/{query}")).text)["og:title"] == title


@pytest.mark.outside
async def test_preview_texts_are_not_served_as_client_files(web: httpx2.AsyncClient) -> None:
    assert (await web.get("/previews.json")).status_code == 404
    page = await web.get("/", headers={"accept-language": "it"})
    again = {"accept-language": "it", "if-none-match": page.headers["etag"]}
    assert (await web.get("/", headers=again)).status_code == 304
    other = {**again, "accept-language": "fr"}
    assert (await web.get("/", headers=other)).status_code == 200


def test_texts_and_server_name_are_escaped() -> None:
    words = PreviewText(NASTY, NASTY, NASTY, NASTY, NASTY)
    head = LinkPreviews({"de": words}, ["de"]).meta_tags("de", Origin("https", NASTY), table=False)
    assert "<script" not in head
    assert tags(head)["og:title"] == NASTY
    assert tags(head)["og:image"] == f"https://{NASTY}/preview.png"


def test_without_a_public_url_there_is_no_picture() -> None:
    assert not any(
        "image" in name
        for name in tags(LinkPreviews(WORDS, ["de"]).meta_tags("de", None, table=True))
    )


# The pictures and the manifest as they are in the page's sources.

PUBLIC = Path(__file__).parents[3] / "web" / "public"


def size(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG."""
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_the_preview_picture_has_the_size_and_weight_messengers_expect() -> None:
    assert size(PUBLIC / "preview.png") == (1200, 630)
    assert (PUBLIC / "preview.png").stat().st_size < 300_000


def test_the_manifest_declares_the_real_icon_sizes() -> None:
    manifest = json.loads((PUBLIC / "manifest.webmanifest").read_text(encoding="utf-8"))
    kinds = {(icon.get("purpose"), icon["sizes"]) for icon in manifest["icons"]}
    assert kinds == {(kind, f"{n}x{n}") for kind in (None, "maskable") for n in (192, 512)}
    for icon in manifest["icons"]:
        assert "x".join(map(str, size(PUBLIC / icon["src"].lstrip("/")))) == icon["sizes"]

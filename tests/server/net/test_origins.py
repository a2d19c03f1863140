"""Host names the server answers to, and origins that may connect."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jasstisch.server.api import bodies
from jasstisch.server.net.client_address import TrustedProxies
from jasstisch.server.net.origins import Origin, OriginPolicy
from tests.server.raw_socket import parse_refusal, raw_connection, upgrade_request
from tests.server.running_server import rest_client, running_server

PUBLIC = OriginPolicy(configured_origin=Origin.parse("https://jass.example.org/"), hostname="tisch")
OPEN = OriginPolicy(listen_host="0.0.0.0", hostname="tisch.verein.example")


def request_to(host: str | bytes | None, *, scheme: str = "http", **more: str) -> dict[str, Any]:
    """A request to a host, as received on 192.168.1.5."""
    headers = [(name.encode(), value.encode()) for name, value in more.items()]
    if host is not None:
        headers.append((b"host", host.encode() if isinstance(host, str) else host))
    return {
        "type": "http",
        "scheme": scheme,
        "headers": headers,
        "server": ("192.168.1.5", 8000),
        "client": ("192.168.1.77", 4711),
    }


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1:8000", "[::1]:8000"),
        *("192.168.1.5:8000", "10.1.2.3", "[2001:db8::5]:8000"),  # as reached through a router
        *("tisch", "raspberrypi:8000", "raspberrypi.local", "pc.lan", "jass.fritz.box:8000"),
        *("tisch.verein.example", None),
    ],
)
def test_local_network_names_are_accepted(host: str | None) -> None:
    assert OPEN.host_error(request_to(host)) is None


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "local.evil.example", "192.168.1.5.evil.example"),
        *("", " ", "a b", "evil.example@localhost", "localhost:port", b"\xff", "[::1"),
    ],
)
def test_a_public_name_is_refused_with_the_allowed_ones(host: str) -> None:
    text = OPEN.host_error(request_to(host))
    assert text is not None
    assert "Host" in text
    assert "--public-url" in text


def test_over_tls_any_host_name_is_accepted() -> None:
    assert OPEN.host_error(request_to("jass.example.org", scheme="https")) is None


@pytest.mark.parametrize(("host", "port"), [("evil.example:8000", 8000), ("evil.example", 80)])
def test_a_rebinding_page_cannot_claim_tls(host: str, port: int) -> None:
    """A browser here connects from the loopback, as a proxy does, and pages may set the header."""
    scope = request_to(host, **{"x-forwarded-proto": "https"})
    scope |= {"client": ("127.0.0.1", 4711), "server": ("127.0.0.1", port)}
    OPEN.resolve_client(scope)
    assert OPEN.host_error(scope) is not None


@pytest.mark.parametrize(
    "host",
    ["jass.example.org", "JASS.example.org:443", "localhost:8000", "127.0.0.1", "192.168.1.5:8000"],
)
def test_the_public_url_and_loopback_are_accepted(host: str) -> None:
    assert PUBLIC.host_error(request_to(host)) is None


@pytest.mark.parametrize(
    "host", ["evil.example", "www.jass.example.org", "tisch", "pc.lan", "192.168.1.6", "10.0.0.1"]
)
def test_with_a_public_url_other_names_are_refused(host: str) -> None:
    for scheme in ("http", "https"):
        text = PUBLIC.host_error(request_to(host, scheme=scheme))
        assert text is not None
        assert "https://jass.example.org" in text


def test_the_listen_address_is_accepted() -> None:
    front = OriginPolicy(listen_host="jass.verein.example")
    assert front.host_error(request_to("jass.verein.example:8000")) is None


@pytest.mark.parametrize(
    ("front", "host", "origin", "allowed"),
    [
        (OPEN, "pc.lan:8000", "http://pc.lan:8000", True),
        (OPEN, "pc.lan", "http://pc.lan:80", True),
        (OPEN, "pc.lan:8000", "http://pc.lan", False),
        (OPEN, "pc.lan:8000", "null", False),
        (OPEN, "pc.lan:8000", "http://pc.lan:8000.evil.example", False),
        (OPEN, "pc.lan:8000", "http://[", False),
        (PUBLIC, "jass.example.org", "https://jass.example.org", True),
        (PUBLIC, "jass.example.org", "http://jass.example.org", False),
        (PUBLIC, "jass.example.org", "https://jass.example.org:8443", False),
        # A proxy that does not hand the host on.
        (PUBLIC, "127.0.0.1:8000", "https://jass.example.org", True),
        (PUBLIC, "localhost:8000", "http://localhost:8000", True),
        (PUBLIC, "localhost:8000", "https://evil.example", False),
    ],
)
def test_cross_origin_pages_are_refused(
    front: OriginPolicy, host: str, origin: str, allowed: bool
) -> None:
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    text = front.origin_error(headers)
    assert (text is None) == allowed
    if text is not None:
        assert "Origin" in text
        assert origin in text
        assert "--public-url" in text
        assert (host if front is OPEN else "https://jass.example.org") in text


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_any_header_bytes_are_handled(host: bytes, origin: bytes) -> None:
    for front in (OPEN, PUBLIC):
        front.host_error(request_to(host))
        front.origin_error([(b"host", host), (b"origin", origin)])


@pytest.mark.parametrize(
    "wrong",
    [
        "jass.example.org",
        "ftp://jass.example.org",
        "https://",
        "https://a/b",
        "https://a?b",
        "http://[",
    ],
)
def test_an_invalid_public_url_is_named(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no public address; it looks like"):
        Origin.parse(wrong)


@pytest.mark.parametrize(
    ("front", "scope", "scheme"),
    [
        (OPEN, request_to("pc.lan"), "http"),
        (OPEN, request_to("pc.lan", **{"x-forwarded-proto": "https"}), "http"),
        (PUBLIC, request_to("jass.example.org"), "https"),
        (PUBLIC, request_to("127.0.0.1", origin="https://jass.example.org"), "https"),
        (PUBLIC, request_to("localhost"), "http"),
        (
            OriginPolicy(proxies=TrustedProxies(["192.168.1.77"])),
            request_to("pc.lan", **{"x-forwarded-proto": "https"}),
            "https",
        ),
    ],
)
def test_the_scheme_of_the_client_counts(
    front: OriginPolicy, scope: dict[str, Any], scheme: str
) -> None:
    front.resolve_client(scope)
    assert scope["scheme"] == scheme
    socket = scope | {"type": "websocket", "scheme": "ws"}
    front.resolve_client(socket)
    assert socket["scheme"] == scheme.replace("http", "ws")


# --- at the running server -----------------------------------------------------------------------


@pytest.mark.outside
async def test_a_foreign_host_is_refused_on_every_route(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running_server(tmp_path) as url, rest_client(url) as web:
        for path in ("/", "/api/games", "/t/x"):
            answer = await web.get(path, headers={"Host": "evil.example"})
            assert answer.status_code == 421
            assert "evil.example" in answer.text
            assert "--public-url" in answer.text
            assert answer.headers["x-frame-options"] == "DENY"
        assert (await web.head("/", headers={"Host": "evil.example"})).status_code == 421
        body = (await web.get("/api/games", headers={"Host": "evil.example"})).content
        assert msgspec.json.decode(body, type=bodies.ErrorBody).code == "forbidden_origin"
        async with raw_connection(url) as socket:
            await socket.send(upgrade_request(url, host="evil.example"))
            assert parse_refusal(await socket.read_rest())[0] == 421
    output = capsys.readouterr().out
    assert 1 <= output.count("request_refused") <= 2  # one line a second
    assert "evil.example" not in output


@pytest.mark.outside
async def test_a_public_https_url_sets_secure_cookies_and_hsts(
    tmp_path: Path,
) -> None:
    async with (
        running_server(tmp_path, front=PUBLIC) as url,
        rest_client(url) as web,
    ):
        origin = {"Host": "jass.example.org", "Origin": "https://jass.example.org"}
        answer = await web.post("/api/identity", headers=origin)
        assert answer.status_code == 204
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"].startswith("max-age=31536000")
        answer = await web.post("/api/identity", headers={"Cookie": "none"})
        assert "Secure" not in answer.headers["set-cookie"]
        assert "strict-transport-security" not in answer.headers
        async with raw_connection(url) as socket:
            origin_line = "Origin: https://jass.example.org"
            await socket.send(upgrade_request(url, origin_line, host="jass.example.org"))
            assert b" 101 " in await socket.read_first_line()


@pytest.mark.outside
async def test_a_refused_origin_is_told_the_expected_one(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, rest_client(url) as web:
        answer = await web.post("/api/identity", headers={"Origin": "https://evil.example"})
        message = answer.json()["message"]
        assert "Origin" in message
        assert "https://evil.example" in message
        assert url.removeprefix("http://") in message


@pytest.mark.outside
async def test_responses_about_tables_are_not_cached(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, rest_client(url) as web:
        for path in ("/api/tables", "/api/nothing", "/api/tables/" + "x" * 22):
            assert (await web.get(path)).headers["cache-control"] == "no-store"
        answer = await web.get("/api/games", headers={"Host": "evil.example"})
        assert answer.headers["cache-control"] == "no-store"

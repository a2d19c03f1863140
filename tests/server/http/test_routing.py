"""Routing of requests, and decoding of parameters and bodies."""

from collections.abc import AsyncIterator

import httpx2
import msgspec
import pytest
import pytest_asyncio

from jasstisch.server.api import bodies
from tests.server.running_server import rest_client

pytestmark = pytest.mark.outside

TABLE = "x" * 22


@pytest_asyncio.fixture
async def web(url: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with rest_client(url) as client:
        yield client


def refusal(answer: httpx2.Response) -> tuple[int, str, str]:
    body = msgspec.json.decode(answer.content, type=bodies.ErrorBody)
    return answer.status_code, body.code, body.message


@pytest.mark.parametrize(
    "path", ["/api/house/", "/api//house", "/api/house//", "/api/%68ouse", "/api/house%2F"]
)
async def test_repeated_slashes_and_escapes_are_normalised(
    web: httpx2.AsyncClient, path: str
) -> None:
    answer = await web.get(path)
    assert (answer.status_code, answer.json()["greeting"]) == (200, {})


@pytest.mark.parametrize(
    "path",
    [
        *("/api", "/api/", "/api/House", "/api/house/x", "/api/house%0A", "/api/house%00"),
        *("/api/docs/swagger", "/api/words", f"/api/tables/{TABLE}/matches"),
    ],
)
async def test_unknown_paths_are_not_found(web: httpx2.AsyncClient, path: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        assert refusal(await web.request(method, path)) == (404, "not_found", "Not Found")


async def test_unsupported_methods_are_refused_with_the_allowed_ones(
    web: httpx2.AsyncClient,
) -> None:
    for method in ("DELETE", "PUT", "PATCH", "FROB"):
        found = refusal(await web.request(method, "/api/house"))
        assert found == (405, "bad_message", "Method Not Allowed")
    assert (await web.head("/api/house")).status_code == 405
    for path, methods in [("/api/house", "GET, OPTIONS"), ("/api/tables", "GET, OPTIONS, POST")]:
        answer = await web.options(path)
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["allow"] == methods


@pytest.mark.parametrize("number", ["x", "1.0", "1e0", "0x1", "9" * 5000])
async def test_a_non_numeric_path_parameter_is_not_found(
    web: httpx2.AsyncClient, number: str
) -> None:
    answer = await web.get(f"/api/tables/{TABLE}/matches/{number}/replay")
    assert refusal(answer) == (404, "not_found", "Not Found")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("limit=0", "limit: Expected `int` >= 1"),
        ("limit=x", "limit: Expected `int`, got `str`"),
        ("limit=", "limit: Expected `int`, got `str`"),
        ("limit=5&limit=101", "limit: Expected `int` <= 100"),
        (
            "limit=0&lang=123456789",
            "limit: Expected `int` >= 1; lang: Expected `str` of length <= 8",
        ),
    ],
)
async def test_every_invalid_parameter_is_named(
    web: httpx2.AsyncClient, query: str, message: str
) -> None:
    answer = await web.get(f"/api/me/matches?{query}")
    assert refusal(answer) == (400, "bad_message", message)


async def test_the_last_of_repeated_parameters_counts(web: httpx2.AsyncClient) -> None:
    assert (await web.get("/api/me/matches?limit=101&limit=5&other=1")).status_code == 200


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "data: the body is empty"),
        (b"null", "data: Expected `object`, got `null`"),
        (b"{}", "data: Object missing required field `code`"),
        (b'{"code": 5}', "code: Expected `str`, got `int`"),
        (b'{"code": "x", "zebra": 1}', "data: Object contains unknown field `zebra`"),
        (b"{", "Input data was truncated"),
        (b"{} x", "JSON is malformed: trailing characters (byte 4)"),
    ],
)
async def test_invalid_bodies_are_refused_by_field(
    web: httpx2.AsyncClient, body: bytes, message: str
) -> None:
    answer = await web.post("/api/codes", content=body)
    assert refusal(answer) == (400, "bad_message", message)


async def test_a_body_is_read_as_json_whatever_its_content_type(web: httpx2.AsyncClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/x-msgpack"):
        answer = await web.post(
            "/api/codes", content=b'{"code": "0000"}', headers={"Content-Type": kind}
        )
        assert refusal(answer)[:2] == (400, "bad_code")


async def test_the_size_limit_applies_to_chunked_bodies(web: httpx2.AsyncClient) -> None:
    async def pieces(size: int) -> AsyncIterator[bytes]:
        yield b'{"code": "0000"'
        for _ in range(size):
            yield b" " * 1000
        yield b"}"

    assert refusal(await web.post("/api/codes", content=pieces(5)))[:2] == (400, "bad_code")
    found = refusal(await web.post("/api/codes", content=pieces(20)))
    assert found == (413, "too_large", "Request Entity Too Large")

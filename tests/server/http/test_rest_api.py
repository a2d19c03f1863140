"""REST endpoints and their refusals."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
import pytest_asyncio

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.client import Client, RequestError
from jasstisch.server.api import bodies, messages
from jasstisch.server.limits.server_limits import Limits
from tests.server.running_server import rest_client, running_server

pytestmark = pytest.mark.outside

TABLE: dict[str, Any] = {"game": "molotov", "seats": ["me", "open", "bot:greedy"], "name": "Anna"}


@pytest_asyncio.fixture
async def web(url: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with rest_client(url) as client:
        yield client


def refused(answer: httpx2.Response, status: int, code: str) -> str:
    """Checks a refusal; returns its message."""
    body = msgspec.json.decode(answer.content, type=bodies.ErrorBody)
    assert (answer.status_code, body.code) == (status, code), answer.text
    return body.message


async def test_every_listed_option_value_makes_a_table(tmp_path: Path) -> None:
    limits = Limits(new_tables_per_minute=10**9, running_per_person=10**9)
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
    ):
        await make_every_table(web)


async def make_every_table(web: httpx2.AsyncClient) -> None:
    """Makes a table with every listed value of each option of every game."""
    games = msgspec.json.decode((await web.get("/api/games")).content, type=list[bodies.GameInfo])
    assert [game.name for game in games] == list(jt.games())
    for game in games:
        told = {option.name: option.default for option in game.options}
        assert told == dict(jt.game(game.name).options)
        for option in game.options:
            values = option.values or [option.min, option.max]
            for value in values:
                players = value if option.name == "players" else told["players"]
                assert isinstance(players, int)
                answer = await web.post(
                    "/api/tables",
                    json={
                        "game": game.name,
                        "seats": ["open"] * players,
                        "options": {option.name: value},
                    },
                )
                assert answer.status_code == 201, answer.text


async def test_a_table_can_be_created_and_read(web: httpx2.AsyncClient) -> None:
    answer = await web.post("/api/tables", json=TABLE | {"options": {"target": 3}})
    assert answer.status_code == 201
    made = msgspec.json.decode(answer.content, type=bodies.CreatedTable)
    assert made.seat == 0
    assert len(made.table) == 22
    answer = await web.get(f"/api/tables/{made.table}")
    room = msgspec.json.decode(answer.content, type=messages.RoomInfo)
    assert (room.table, room.game, room.phase) == (made.table, "molotov", "open")
    assert room.options == dict(jt.game("molotov", players=3, target=3).options)
    assert [seat.kind for seat in room.seats] == ["person", "open", "computer"]
    assert room.seats[0].name == "Anna"


async def test_the_cookie_is_http_only_and_bound_to_this_server(
    web: httpx2.AsyncClient,
) -> None:
    answer = await web.post("/api/identity")
    assert answer.status_code == 204
    cookie = answer.headers["set-cookie"]
    parts = {part.strip().lower() for part in cookie.split(";")}
    assert {"httponly", "samesite=strict", "path=/", "max-age=34560000"} <= parts
    assert "secure" not in parts
    assert len(web.cookies["jasstisch"]) == 43
    again = await web.post("/api/identity")
    assert "set-cookie" not in again.headers
    assert "set-cookie" not in (await web.post("/api/tables", json=TABLE)).headers
    secure = await web.post(
        "/api/identity", headers={"X-Forwarded-Proto": "https", "Cookie": "jasstisch=bad"}
    )
    assert "Secure" in secure.headers["set-cookie"]


@pytest.mark.parametrize(
    ("change", "code", "names"),
    [
        ({"game": "poker"}, "bad_option", "the games are"),
        ({"seats": ["me"]}, "bad_message", "length"),
        ({"seats": ["me"] * 3}, "bad_option", "only one seat"),
        ({"seats": ["me", "open", "bot:nobody"]}, "bad_option", "bot:greedy"),
        ({"seats": ["me", "open", "greedy"]}, "bad_option", "me, open"),
        ({"seats": ["me", "open"]}, "bad_option", "players"),
        ({"seats": ["open"] * 3, "start": True}, "bad_option", "me"),
        ({"options": {"players": 4}}, "bad_option", "4 players"),
        ({"options": {"rounds": 3}}, "bad_option", "no option"),
        ({"options": {"target": 21}}, "bad_option", "1 to 20"),
        ({"options": {"target": True}}, "bad_message", "options"),
        ({"options": {"target": 3.5}}, "bad_message", "options"),
        ({"name": ""}, "bad_name", "visible"),
        ({"name": 5}, "bad_message", "name"),
        ({"thinking_time": 1}, "bad_message", "thinking_time"),
        ({"pause": 4000}, "bad_message", "pause"),
        ({"secret": 1}, "bad_message", "secret"),
    ],
)
async def test_invalid_table_options_are_refused_by_name(
    web: httpx2.AsyncClient, change: dict[str, Any], code: str, names: str
) -> None:
    answer = await web.post("/api/tables", json=TABLE | change)
    assert names in refused(answer, 400, code)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 10_000, b"1e999", b"\x00"),
        # No UTF-8: in a value, in a key, cut short, a surrogate, more than a byte order mark.
        *(b'{"game":"\xff"}', b'{"\xc3":1}', b'{"name":"\xe2\x82"}', b'"\xed\xa0\x80"'),
        *('{"game":"molotov"}'.encode("utf-16"), "{}".encode("utf-8-sig"), b'"\xf4\x90\x80\x80"'),
    ],
)
async def test_a_malformed_body_is_refused(web: httpx2.AsyncClient, body: bytes) -> None:
    answer = await web.post(
        "/api/tables", content=body, headers={"Content-Type": "application/json"}
    )
    refused(answer, 400, "bad_message")


async def test_invalid_utf_8_is_reported(web: httpx2.AsyncClient) -> None:
    body = msgspec.json.encode(TABLE).replace(b"Anna", b"Ann\xe4")
    answer = await web.post(
        "/api/tables", content=body, headers={"Content-Type": "application/json"}
    )
    assert "UTF-8" in refused(answer, 400, "bad_message")


async def test_a_body_of_the_wrong_json_type_is_refused(web: httpx2.AsyncClient) -> None:
    refused(await web.post("/api/tables", data=TABLE), 400, "bad_message")
    refused(await web.post("/api/tables", files={"game": b"molotov"}), 400, "bad_message")


async def test_a_body_that_is_too_large_is_refused(web: httpx2.AsyncClient) -> None:
    refused(await web.post("/api/tables", json=TABLE | {"name": "x" * 20_000}), 413, "too_large")


async def test_cross_origin_requests_cannot_change_anything(
    web: httpx2.AsyncClient, url: str
) -> None:
    for origin in ("https://evil.example", "null"):
        headers = {"Origin": origin}
        refused(await web.post("/api/tables", json=TABLE, headers=headers), 403, "forbidden_origin")
        refused(await web.post("/api/identity", headers=headers), 403, "forbidden_origin")
    answer = await web.post("/api/tables", json=TABLE, headers={"Origin": url})
    assert answer.status_code == 201


async def test_unknown_tables_and_paths_are_not_found(web: httpx2.AsyncClient) -> None:
    refused(await web.get("/api/tables/" + "x" * 22), 404, "unknown_table")
    refused(await web.get("/api/tables/" + "x" * 22 + "/record"), 404, "unknown_table")
    refused(await web.get("/api/nothing"), 404, "not_found")
    for name in ("x" * 40, "x", "x" * 21 + ".", "%00" * 22, "%ff" * 16, "é" * 22):
        refused(await web.get(f"/api/tables/{name}"), 404, "unknown_table")
    refused(await web.delete("/api/games"), 405, "bad_message")


async def test_the_record_is_available_after_the_match(web: httpx2.AsyncClient, url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "molotov", ["me", "open", "open"], name="Anna", options={"target": 1}, start=True
        )
        answer = await web.get(f"/api/tables/{made.table}/record")
        refused(answer, 409, "wrong_phase")
        await (await anna.watch(made.table)).play(bot("random"))
        answer = await web.get(f"/api/tables/{made.table}/record")
        assert jt.Match.from_record(answer.json()).over


async def test_the_key_of_a_renewed_link_gives_access_like_a_seat(
    url: str,
) -> None:
    async with Client(url) as anna, Client(url) as watching:
        made = await anna.create_table(
            "molotov", TABLE["seats"], options={"target": 1}, name="Anna", start=True
        )
        table = await anna.watch(made.table)
        await table.revoke_link()
        await table.play(bot("random"))
        for key in (None, "another"):
            for call in (watching.get_room, watching.record):
                with pytest.raises(RequestError, match="no table of this id"):
                    await call(made.table, key)
        key = table.room.key
        assert await watching.get_room(made.table, key) == table.room
        assert await watching.record(made.table, key) == await anna.record(made.table)


async def test_table_creation_is_rate_limited_by_address(tmp_path: Path) -> None:
    limits = Limits(new_tables_per_minute=3)
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
    ):
        for _ in range(3):
            assert (await web.post("/api/tables", json=TABLE)).status_code == 201
        refused(await web.post("/api/tables", json=TABLE), 429, "too_fast")


async def test_a_full_server_refuses_new_tables(tmp_path: Path) -> None:
    limits = Limits(tables=2)
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
    ):
        for _ in range(2):
            assert (await web.post("/api/tables", json=TABLE)).status_code == 201
        refused(await web.post("/api/tables", json=TABLE), 503, "busy")
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
    ):
        refused(await web.post("/api/tables", json=TABLE), 503, "busy")


async def test_the_openapi_description_lists_every_endpoint(web: httpx2.AsyncClient) -> None:
    described = (await web.get("/api/docs/openapi.json")).json()
    assert set(described["paths"]) == {
        "/api/catalogue/{lang}",
        "/api/codes",
        "/api/docs/asyncapi.json",
        "/api/games",
        "/api/games/{name}",
        "/api/house",
        "/api/identity",
        "/api/identity/forget",
        "/api/identity/forget-me",
        "/api/identity/link",
        "/api/identity/recovery",
        "/api/identity/take",
        "/api/me/export",
        "/api/me/matches",
        "/api/sheets/{name}/{lang}",
        "/api/tables",
        "/api/tables/{table}",
        "/api/tables/{table}/code",
        "/api/tables/{table}/matches/{match}/analysis",
        "/api/tables/{table}/matches/{match}/record",
        "/api/tables/{table}/matches/{match}/replay",
        "/api/tables/{table}/matches/{match}/resume",
        "/api/tables/{table}/record",
        "/api/tables/{table}/report",
        "/api/words/{lang}/{name}",
    }
    assert {"NewTable", "RoomInfo", "ErrorBody"} <= set(described["components"]["schemas"])


@pytest.mark.parametrize("path", ["/", "/t/x", "/api/games", "/api/nothing", "/nothing"])
async def test_responses_carry_security_headers(web: httpx2.AsyncClient, path: str) -> None:
    headers = (await web.get(path)).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"

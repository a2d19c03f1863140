"""A table that is hidden from somebody answers them as an id that does not exist, in every way.

A table is hidden from people whose link has been renewed, and from those whom the host has removed.
Each way to ask for a table is tried with one of these, in memory and in the store, and with none,
while limits are reached and while they are not. No answer reads the log of a hidden table, which
may take any time.
"""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import msgspec
import pytest

from jasstisch.client import Client
from jasstisch.server.api import LINK_KEY_HEADER, messages, openapi
from jasstisch.server.api.auth_names import COOKIE_NAME
from jasstisch.server.http.routes import api_routes
from jasstisch.server.identity import new_table_id
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.tables import JoinCodes, lookup
from jasstisch.server.tables.join_codes import _WRONG_BURST
from tests.docs.test_protocol import CLIENT, MESSAGES, TAGS
from tests.server.running_server import (
    OTHER_TOKEN,
    THIRD_TOKEN,
    TOKEN,
    rest_client,
    running_server,
    websocket,
)
from tests.server.tables.test_lookup import CountingStore
from tests.server.websocket_requests import SEATS, send_and_read

pytestmark = pytest.mark.outside

Answer = tuple[Any, ...]


class Visitor(NamedTuple):
    """Somebody from whom a table is hidden, at an address of their own.

    Attributes:
        web: a client of the server.
        address: the address.
        token: the token.
    """

    web: httpx2.AsyncClient
    address: str
    token: str = OTHER_TOKEN

    async def request(self, method: str, path: str, body: object) -> Answer:
        """Sends a request; returns what a client can compare in the response."""
        cookie = f"{COOKIE_NAME}={self.token}"
        headers = {"X-Forwarded-For": self.address, "Cookie": cookie, LINK_KEY_HEADER: "old"}
        answer = await self.web.request(method, path, json=body, headers=headers)
        shown = {name for name in answer.headers if name not in ("date", "x-request-id")}
        return answer.status_code, answer.text, {name: answer.headers[name] for name in shown}

    async def look_at(self, table: str) -> Answer:
        """Asks for the room of a table."""
        return await self.request("get", f"/api/tables/{table}", None)


Way = Callable[[Visitor, str, int], Awaitable[list[Answer]]]
"""Asks for a table so many times in a row; returns the answers, without the table's id."""

BODIES: dict[str, Any] = {
    "/api/tables/{table}/report": {"seat": 0},
    "/api/tables/{table}/matches/{match}/resume": {"step": 0, "name": "Reto"},
}
"""The bodies of requests that have one."""


def rest_way(method: str, path: str) -> Way:
    async def ask(visitor: Visitor, table: str, times: int) -> list[Answer]:
        where, body = path.format(table=table, match=1), BODIES.get(path)
        return [await visitor.request(method, where, body) for _ in range(times)]

    return ask


def message_way(example: dict[str, Any]) -> Way:
    async def ask(visitor: Visitor, table: str, times: int) -> list[Answer]:
        told: list[Answer] = []
        forwarded = {"X_Forwarded_For": visitor.address}
        async with websocket(str(visitor.web.base_url), OTHER_TOKEN, **forwarded) as socket:
            for _ in range(times):
                answer, before = await send_and_read(socket, **example | {"table": table, "seq": 7})
                text = msgspec.json.encode([*before, answer]).decode()
                told.append((text.replace(table, "TABLE"),))
        return told

    return ask


def every_way() -> dict[str, Way]:
    """All requests of the REST interface and all messages that name a table."""
    paths = openapi.document(one.operation for one in api_routes())["paths"]
    ways = {
        f"{method} {path}": rest_way(method, path)
        for path, methods in paths.items()
        if "{table}" in path
        for method in methods
    }
    examples = [msgspec.json.decode(text) for text in MESSAGES]
    return ways | {
        one["type"]: message_way(one)
        for one in examples
        if TAGS[one["type"]] in CLIENT and "table" in one
    }


WAYS = every_way()

STATES = ("stored", "renewed", "removed")
"""What hides a table: its link was renewed before the server started, or now; or the host has
removed the visitor, and renewed the link."""


def test_every_message_that_names_a_table_is_a_way_to_ask_for_it() -> None:
    named = {one.__struct_config__.tag for one in CLIENT if "table" in one.__struct_fields__}
    assert named <= WAYS.keys()
    assert len(named) > 30


async def hide_tables(url: str, *states: str) -> list[str]:
    """Tables in memory that are hidden from the visitor, in these ways."""
    tables = []
    async with Client(url, TOKEN) as anna, Client(url, OTHER_TOKEN) as reto:
        for state in states:
            hosted = await anna.watch((await anna.create_table("molotov", SEATS, name="A")).table)
            if state == "removed":
                await (await reto.watch(hosted.id)).sit(1, "Reto")
                await hosted.remove(1)
            await hosted.revoke_link()
            tables.append(hosted.id)
    return tables


class Hidden:
    """The hidden tables of a test.

    Attributes:
        stored: as many tables in the store as there are ways.
        in_memory: a table in memory for each state.
    """

    def __init__(self, stored: list[str]) -> None:
        self.stored = stored
        self.in_memory: dict[str, str] = {}

    async def add_to_memory(self, url: str, *states: str) -> None:
        """Hides tables that this server has in memory."""
        self.in_memory = dict(zip(states, await hide_tables(url, *states), strict=True))

    def tables(self, state: str) -> Iterator[tuple[str, Way, str]]:
        """The name of each way, the way, and a table for it."""
        for (name, way), stored in zip(WAYS.items(), self.stored, strict=True):
            in_memory = self.in_memory.get(state) or new_table_id()
            yield name, way, stored if state == "stored" else in_memory


async def hidden_in_store(folder: Path) -> Hidden:
    """Hidden tables that no server has in memory."""
    limits = Limits(message_burst=10**6, max_watched_tables=len(WAYS))
    async with running_server(folder, limits=limits) as url:
        return Hidden(await hide_tables(url, *["stored"] * len(WAYS)))


@pytest.fixture(autouse=True)
def _answer_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "_REFUSAL_STEP_S", 1e-4)


async def test_hidden_tables_answer_and_count_as_ids_that_do_not_exist(tmp_path: Path) -> None:
    hidden = await hidden_in_store(tmp_path)
    store = CountingStore(tmp_path / "tables.sqlite3")
    limits = Limits(unknown_tables_per_minute=1, idle_seconds=1e9)
    addresses = (f"10.0.{number // 250}.{number % 250}" for number in count())
    async with (
        running_server(tmp_path, limits=limits, store=store) as url,
        rest_client(url) as web,
    ):
        await hidden.add_to_memory(url, "renewed", "removed")

        async def answers(state: str) -> dict[str, list[Any]]:
            """The answers to each way below and beyond the limit, and to another request then."""
            told: dict[str, list[Any]] = {}
            for name, way, table in hidden.tables(state):
                visitor, before = Visitor(web, next(addresses)), (store.asked, store.loaded)
                told[name] = [*await way(visitor, table, 2)]
                told[name] += await WAYS["get /api/tables/{table}"](visitor, new_table_id(), 1)
                asked, loaded = before
                told[name].append((store.asked - asked, store.loaded - loaded))
            return told

        expected = await answers("none")
        for below, beyond, other, look_ups in expected.values():
            assert "unknown_table" in str(below)
            assert "too_fast" in str(beyond)
            assert "too_fast" in str(other)
            assert look_ups == (1, 0)
        for state in STATES:
            assert await answers(state) == expected, state


MANY = 10**6

IN_USE = 3
"""How many tables are in use from the visitor's address."""


@pytest.mark.parametrize(
    ("limits", "states"),
    [
        (Limits(unknown_tables_per_minute=MANY, running_per_address=IN_USE), STATES),
        (Limits(unknown_tables_per_minute=MANY, live_tables=IN_USE + 2), STATES),
        (Limits(unknown_tables_per_minute=MANY, max_waiting_requests=0), ["stored"]),
    ],
    ids=["tables of an address", "tables in memory", "requests to a table"],
)
async def test_hidden_tables_meet_every_limit_as_ids_that_do_not_exist(
    tmp_path: Path, limits: Limits, states: Sequence[str]
) -> None:
    hidden = await hidden_in_store(tmp_path)
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(running_server(tmp_path, limits=limits))
        visitor = Visitor(await stack.enter_async_context(rest_client(url)), "10.0.0.1")
        if len(states) > 1:
            await hidden.add_to_memory(url, "renewed", "removed")
            for table in hidden.in_memory.values():
                await stack.enter_async_context(following(url, TOKEN, table))
            for _ in range(IN_USE):
                table = await created_at(visitor)
                await stack.enter_async_context(following(url, THIRD_TOKEN, table))
            # The limit is reached: it meets the host.
            status, *_ = await visitor._replace(token=TOKEN).look_at(hidden.stored[0])
            assert status == 503

        async def answers(state: str) -> dict[str, list[Answer]]:
            return {name: await way(visitor, table, 1) for name, way, table in hidden.tables(state)}

        expected = await answers("none")
        assert all("unknown_table" in str(answer) for answer in expected.values())
        for state in states:
            assert await answers(state) == expected, state


async def test_a_code_of_a_hidden_table_answers_and_counts_as_a_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on a server that another one could not tell of the renewed link.
    monkeypatch.setattr(JoinCodes, "revoke", lambda *_: None)
    store = CountingStore(tmp_path / "tables.sqlite3")
    limits = Limits(idle_seconds=1e9)
    async with (
        running_server(tmp_path, limits=limits, store=store) as url,
        rest_client(url) as web,
    ):
        async with Client(url, TOKEN) as anna:
            hosted = await anna.watch((await anna.create_table("molotov", SEATS, name="A")).table)
            made = await web.post(f"/api/tables/{hosted.id}/code")
            await hosted.revoke_link()

        async def answers(code: str, address: str) -> list[Any]:
            asked, loaded = store.asked, store.loaded
            visitor, tries = Visitor(web, address), range(_WRONG_BURST + 1)
            told = [await visitor.request("post", "/api/codes", {"code": code}) for _ in tries]
            return [*told, (store.asked - asked, store.loaded - loaded)]

        expected = await answers("000000", "10.0.0.1")
        assert [("bad_code" in text, "too_fast" in text) for _, text, _ in expected[:-1]] == [
            *[(True, False)] * _WRONG_BURST,
            (False, True),
        ]
        assert expected[-1] == (_WRONG_BURST, 0)
        assert await answers(made.json()["code"], "10.0.0.2") == expected


async def test_a_damaged_table_that_is_hidden_answers_as_an_id_that_does_not_exist(
    tmp_path: Path,
) -> None:
    hidden = await hidden_in_store(tmp_path)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as connection:
        connection.execute("UPDATE event SET body = x'7b7d' WHERE version > 1")
        connection.commit()
    limits = Limits(unknown_tables_per_minute=MANY)
    async with running_server(tmp_path, limits=limits) as url, rest_client(url) as web:
        visitor = Visitor(web, "10.0.0.1")
        for name, way, table in hidden.tables("stored"):
            assert await way(visitor, table, 1) == await way(visitor, new_table_id(), 1), name
        assert "damaged" in str(await visitor._replace(token=TOKEN).look_at(hidden.stored[0]))


async def test_a_hidden_table_does_not_use_up_the_tables_of_an_address(tmp_path: Path) -> None:
    hidden = await hidden_in_store(tmp_path)
    limits = Limits(running_per_address=1, idle_seconds=1e9)
    async with running_server(tmp_path, limits=limits) as url, rest_client(url) as web:
        visitor = Visitor(web, "10.0.0.1")
        ((status, *_),) = await WAYS["get /api/tables/{table}"](visitor, hidden.stored[0], 1)
        assert status == 404
        await created_at(visitor)


@asynccontextmanager
async def following(url: str, token: str, table: str) -> AsyncIterator[None]:
    """Keeps a table in use."""
    async with websocket(url, token) as socket:
        answer, _ = await send_and_read(socket, type="watch", seq=1, table=table)
        assert isinstance(answer, messages.Ack)
        yield


async def created_at(visitor: Visitor) -> str:
    """A table of somebody else at the visitor's address."""
    headers = {"X-Forwarded-For": visitor.address, "Cookie": f"{COOKIE_NAME}={THIRD_TOKEN}"}
    new = {"game": "molotov", "seats": SEATS, "name": "Beat"}
    answer = await visitor.web.post("/api/tables", json=new, headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])

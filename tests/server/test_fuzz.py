"""Fuzzing: the server answers any input with typed errors and keeps running."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.server.api import bodies, messages
from jasstisch.server.limits.server_limits import Limits
from tests.server.raw_socket import raw_connection
from tests.server.running_server import TOKEN, running_server, websocket
from tests.server.websocket_requests import decode, new_table, send_and_read
from tests.support.example_counts import examples

pytestmark = pytest.mark.outside

LIMITS = Limits(
    message_burst=10**9,
    max_refused_messages=10**9,
    new_tables_per_minute=10**9,
    unknown_tables_per_minute=10**9,
    request_burst=10**9,
)
JSON = {"Content-Type": "application/json"}
MANY = settings(
    max_examples=examples(40, 5), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class ServerThread:
    """A server in a thread of its own, for tests with many examples."""

    def __init__(self, url: str, table: str, loop: asyncio.AbstractEventLoop) -> None:
        self.url = url
        self.table = table
        self.web = httpx2.Client(base_url=url, verify=False, trust_env=False)
        self._loop = loop

    def do(self, coroutine: Any) -> Any:
        """Runs a coroutine in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    ready: Future[ServerThread] = Future()
    over: list[asyncio.Event] = []

    async def main() -> None:
        end = asyncio.Event()
        over.append(end)
        async with running_server(tmp_path_factory.mktemp("fuzz"), limits=LIMITS) as url:
            table = await new_table(url, start=True, seats=["me", "open", "open", "open"])
            ready.set_result(ServerThread(url, table, asyncio.get_running_loop()))
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    running = ready.result(20)
    yield running
    running.web.close()
    running._loop.call_soon_threadsafe(over[0].set)
    thread.join(20)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
KINDS = [struct.__struct_config__.tag for struct in messages.ClientMessage.__args__]
actions = st.one_of(
    st.text(max_size=30),
    st.builds("play {}{}".format, st.sampled_from("6789TJQKA2x"), st.sampled_from("CDHSX")),
    st.builds("bid {}".format, st.integers(-5, 200)),
    st.sampled_from(["JC", "play", "PLAY  jc", "lay 3C 7D KD as J", "doubt", "drop", "rob"]),
)


def near_valid(table: str) -> st.SearchStrategy[dict[str, Any]]:
    """Protocol messages with a few wrong, missing or additional fields."""
    fields = {
        "type": st.sampled_from(KINDS) | json_values,
        "seq": st.integers(0, 2**53) | json_values,
        "table": st.just(table) | st.text(max_size=30) | json_values,
    }
    more = {
        "action": actions | json_values,
        "seat": st.integers(-1, 16) | json_values,
        "accept": st.booleans() | json_values,
        "since": st.none() | st.integers(0, 400) | json_values,
        "name": st.text(max_size=70) | json_values,
        "face": st.integers(-1, 25) | json_values,
        "phrase": st.sampled_from(["hello", "trump"]) | json_values,
        "text": st.text(max_size=600) | json_values,
        "allowed": st.booleans() | json_values,
        "program": st.booleans() | json_values,
        "extra": json_values,
    }
    return st.fixed_dictionaries(fields, optional=more)


async def send_and_see(url: str, *texts: str | bytes) -> None:
    """Sends texts; checks that each response is a protocol message and the server still runs."""
    async with websocket(url, TOKEN) as socket:
        for text in texts:
            await socket.send(text)
        await socket.send('{"type":"ping","seq":424242}')
        while True:
            got = decode.decode(await socket.recv())
            assert not (isinstance(got, messages.ErrorMessage) and got.code == "internal")
            if got == messages.Pong(424242):
                return


@MANY
@given(data=st.binary(max_size=300))
def test_any_bytes_get_a_response(running: ServerThread, data: bytes) -> None:
    running.do(send_and_see(running.url, data))


@MANY
@given(text=st.text(max_size=300))
def test_any_text_gets_a_response(running: ServerThread, text: str) -> None:
    running.do(send_and_see(running.url, text))


@MANY
@given(value=json_values)
def test_any_json_gets_a_response(running: ServerThread, value: object) -> None:
    running.do(send_and_see(running.url, msgspec.json.encode(value).decode()))


@settings(MANY, max_examples=examples(60, 12))
@given(data=st.data())
def test_nearly_valid_messages_get_a_response(running: ServerThread, data: st.DataObject) -> None:
    sent = data.draw(st.lists(near_valid(running.table), min_size=1, max_size=5))
    texts = [msgspec.json.encode(one).decode() for one in sent]
    running.do(send_and_see(running.url, *texts))


@MANY
@given(cut=st.data())
def test_truncated_and_spliced_messages_get_a_response(
    running: ServerThread, cut: st.DataObject
) -> None:
    text = msgspec.json.encode(
        {"type": "act", "seq": 1, "table": running.table, "action": "play JC"}
    ).decode()
    start, end = cut.draw(st.integers(0, len(text))), cut.draw(st.integers(0, len(text)))
    running.do(send_and_see(running.url, text[:start], text[:start] + text[end:]))


def test_the_table_can_still_be_watched_after_fuzzing(running: ServerThread) -> None:
    async def look() -> None:
        async with websocket(running.url, TOKEN) as socket:
            done, before = await send_and_read(socket, type="watch", seq=1, table=running.table)
            assert isinstance(done, messages.Ack)
            assert isinstance(before[0], messages.Snapshot)

    running.do(look())


NEW_TABLE = b'{"game":"molotov","seats":["me","open","open"],"name":"Anna","options":{"target":3}}'
spliced = st.builds(
    lambda at, data, drop: NEW_TABLE[:at] + data + NEW_TABLE[at + drop :],
    st.integers(0, len(NEW_TABLE)),
    st.binary(min_size=1, max_size=4) | st.integers(128, 255).map(lambda byte: bytes([byte])),
    st.integers(0, 3),
)
"""A good body with a few bytes changed, many of which are no UTF-8."""

JSON_KIND = JSON["Content-Type"]
KINDS_OF_BODY = [
    *(JSON_KIND, f"{JSON_KIND}; charset=utf-16", "application/msgpack", "text/plain"),
    *("multipart/form-data", "multipart/form-data; boundary=x"),
    "application/x-www-form-urlencoded",
]
kinds = st.sampled_from(KINDS_OF_BODY) | st.text(
    st.characters(min_codepoint=33, max_codepoint=126), max_size=30
)


@MANY
@given(body=st.binary(max_size=200) | json_values.map(msgspec.json.encode))
def test_any_http_body_gets_a_typed_response(running: ServerThread, body: bytes) -> None:
    got = running.web.post("/api/tables", content=body, headers=JSON)
    assert got.status_code == 400
    msgspec.json.decode(got.content, type=bodies.ErrorBody)


@settings(MANY, max_examples=examples(100, 25))
@given(body=spliced | st.binary(max_size=60), kind=kinds)
def test_any_content_type_gets_a_response(running: ServerThread, body: bytes, kind: str) -> None:
    got = running.web.post("/api/tables", content=body, headers={"Content-Type": kind})
    assert got.status_code in {201, 400}, got.text
    if got.status_code == 400:
        msgspec.json.decode(got.content, type=bodies.ErrorBody)


@settings(MANY, max_examples=examples(60, 12))
@given(
    data=st.binary(max_size=80),
    start=st.sampled_from(
        [
            *(b"", b"GET ", b"GET / HTTP/1.1\r\n", b"GET /api/games?", b"GET /ws HTTP/1.1\r\n"),
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n",
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
        ]
    ),
)
def test_any_bytes_on_a_socket_get_a_response_or_a_close(
    running: ServerThread, start: bytes, data: bytes
) -> None:
    async def say() -> bytes:
        async with raw_connection(running.url) as connection:
            await connection.send(start + data + b"\r\n\r\n")
            connection.writer.write_eof()
            return await connection.read_rest()

    assert b" 500 " not in running.do(say()).partition(b"\r\n")[0]
    assert running.web.get("/api/nothing").status_code == 404


@MANY
@given(data=st.data())
def test_nearly_valid_tables_are_made_or_refused(
    running: ServerThread, data: st.DataObject
) -> None:
    wanted = data.draw(
        st.fixed_dictionaries(
            {
                "game": st.sampled_from(["molotov", "differenzler", "molotow"]) | json_values,
                "seats": st.lists(
                    st.sampled_from(["me", "open", "bot:greedy", "bot:random", "bot:", ""]),
                    max_size=8,
                )
                | json_values,
            },
            optional={
                "options": st.dictionaries(
                    st.sampled_from(["players", "rounds", "target", "dealer", "x"]),
                    st.none() | st.integers(-2, 20) | st.text(max_size=9),
                    max_size=3,
                )
                | json_values,
                "name": st.text(max_size=30) | json_values,
                "thinking_time": st.none() | st.integers(-1, 5000) | json_values,
                "pause": st.integers(-1, 5000) | json_values,
                "start": st.booleans() | json_values,
                "extra": json_values,
            },
        )
    )
    got = running.web.post("/api/tables", content=msgspec.json.encode(wanted), headers=JSON)
    if got.status_code == 201:
        msgspec.json.decode(got.content, type=bodies.CreatedTable)
    else:
        assert got.status_code == 400
        msgspec.json.decode(got.content, type=bodies.ErrorBody)


@MANY
@given(path=st.text(max_size=40))
def test_any_url_gets_a_response(running: ServerThread, path: str) -> None:
    with contextlib.suppress(httpx2.InvalidURL):
        for start in ("/", "/api/", "/api/tables/", "/assets/"):
            got = running.web.get(start + path)
            assert got.status_code in {200, 307, 400, 404, 405, 503}

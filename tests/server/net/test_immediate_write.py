"""Immediate socket writes: complete, in order, and never after a close."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_app
from jasstisch.server.net.asgi import DIRECT_EXTENSION, Receive, Scope, Send
from jasstisch.server.ws.uvicorn_protocols.websocket_protocol import LimitedWebSocketProtocol
from jasstisch.storage import SqliteStore
from tests.server.raw_socket import (
    CLOSE,
    TEXT,
    RawConnection,
    client_frame,
    parse_refusal,
    raw_connection,
    upgrade_request,
)
from tests.server.running_server import running_app, running_server, websocket
from tests.server.websocket_requests import read_message

pytestmark = pytest.mark.outside

Write = Callable[[bytes], bool]

ACCEPT: dict[str, object] = {"type": "websocket.accept", "subprotocol": None, "headers": []}
SIZES = [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 200_000]
"""Around 126 and 65 536 a frame begins otherwise (RFC 6455, 5.2)."""


class ControlledApp:
    """A server that hands each WebSocket to the test."""

    def __init__(self, data: Path) -> None:
        context = ServerContext(SqliteStore(data / "tables.sqlite3"))
        self._app = create_app(context, data / "no-client")
        self.limits = self._app.limits
        self.connection_limiter = self._app.connection_limiter
        self.read_batcher = self._app.read_batcher
        self.ends: asyncio.Queue[tuple[Write, Receive, Send]] = asyncio.Queue()
        self.over = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accepts a WebSocket when the test does, and holds it until the test ends."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        await receive()
        await self.ends.put((scope["extensions"][DIRECT_EXTENSION].try_write, receive, send))
        await self.over.wait()


@asynccontextmanager
async def saying(data: Path) -> AsyncIterator[tuple[ControlledApp, str]]:
    """A server that sends what the test wants; yields it with its address."""
    app = ControlledApp(data)
    async with running_app(app) as url:
        try:
            yield app, url
        finally:
            app.over.set()


def text_of(size: int) -> bytes:
    """A text of `size` bytes, with letters of one and two bytes."""
    return ("ä" * (size // 2) + "x" * (size % 2)).encode()


async def test_texts_of_all_sizes_arrive_unchanged(tmp_path: Path) -> None:
    async with saying(tmp_path) as (app, url):
        coming = connect(url.replace("http", "ws", 1) + "/ws", compression=None, proxy=None)
        opening = asyncio.ensure_future(coming.__aenter__())
        write, receive, send = await app.ends.get()
        await send(ACCEPT)
        client = await opening
        for size in SIZES:
            assert write(text_of(size))
            assert await client.recv() == text_of(size).decode()
            # It has been read, so that nothing waits before the next.
            await client.send("read")
            assert (await receive())["text"] == "read"
        await client.close()


@asynccontextmanager
async def let_in(
    app: ControlledApp, url: str
) -> AsyncIterator[tuple[RawConnection, Write, Receive, Send]]:
    """Both ends of an open WebSocket."""
    async with raw_connection(url) as connection:
        await connection.send(upgrade_request(url))
        write, receive, send = await app.ends.get()
        assert not write(b"too early")
        await send(ACCEPT)
        assert (await connection.read_head()).startswith(b"HTTP/1.1 101")
        yield connection, write, receive, send


async def test_nothing_is_written_before_the_handshake_or_after_a_server_close(
    tmp_path: Path,
) -> None:
    async with saying(tmp_path) as (app, url), let_in(app, url) as (client, write, _, send):
        assert write(b"in time")
        await send({"type": "websocket.close", "code": 1000, "reason": ""})
        assert not write(b"too late")
        assert await client.read_frame() == (TEXT, b"in time")
        assert (await client.read_frame())[0] == CLOSE
        await client.send(client_frame(CLOSE, b"\x03\xe8"))
        assert await client.read_rest() == b""
        assert not write(b"too late")


async def test_nothing_is_written_after_a_client_close(tmp_path: Path) -> None:
    async with saying(tmp_path) as (app, url), let_in(app, url) as (client, write, receive, _):
        await client.send(client_frame(CLOSE, b"\x03\xe8"))
        assert (await receive())["type"] == "websocket.disconnect"
        assert not write(b"too late")
        assert (await client.read_frame())[0] == CLOSE
        assert await client.read_rest() == b""


async def test_nothing_is_written_to_a_rejected_or_lost_client(tmp_path: Path) -> None:
    async with saying(tmp_path) as (app, url):
        async with let_in(app, url) as (client, write, receive, _):
            await client.send(b"\xff" * 8)  # no frame at all
            assert (await receive())["type"] == "websocket.disconnect"
            assert not write(b"too late")
            assert (await client.read_frame())[0] == CLOSE
            assert await client.read_rest() == b""
        async with let_in(app, url) as (client, write, receive, _):
            client.writer.transport.abort()
            assert (await receive())["type"] == "websocket.disconnect"
            assert not write(b"too late")


PATIENT = Limits(
    messages_per_second=10**9,
    message_burst=10**9,
    max_outgoing_messages=10**9,
    outgoing_bytes=10**9,
    max_refused_messages=10**9,
)


ASKED = 1000
"""So many answers are more than can lie between a server and a client that does not read; so many
questions are less."""


@pytest.fixture
def immediate_writes(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[bool]]:
    """Returns for each text since the last call whether it was written immediately."""
    kept: list[bool] = []
    write = LimitedWebSocketProtocol.try_write

    def noted(self: LimitedWebSocketProtocol, text: bytes) -> bool:
        kept.append(write(self, text))
        return kept[-1]

    monkeypatch.setattr(LimitedWebSocketProtocol, "try_write", noted)

    def told() -> list[bool]:
        since = list(kept)
        kept.clear()
        return since

    return told


async def ask(client: ClientConnection, numbers: range) -> None:
    """Requests unknown tables; each response is long."""
    for number in numbers:
        await client.send(msgspec.json.encode({"type": "all", "seq": number}).decode())


async def answered(client: ClientConnection, count: int) -> list[int | None]:
    """The ids of so many responses."""
    found = []
    for _ in range(count):
        got = await read_message(client)
        assert isinstance(got, messages.ErrorMessage)
        found.append(got.seq)
    return found


async def test_a_reader_that_pauses_gets_everything_in_order(
    tmp_path: Path, immediate_writes: Callable[[], list[bool]]
) -> None:
    async with (
        running_server(tmp_path, limits=PATIENT, send_buffer=8192) as url,
        websocket(url) as client,
    ):
        client.transport.pause_reading()
        immediate_writes()
        await ask(client, range(ASKED))
        ways: list[bool] = []
        while False not in ways:  # from there on they wait, one after the other
            assert len(ways) < ASKED
            await asyncio.sleep(0)
            ways += immediate_writes()
        client.transport.resume_reading()
        asking = asyncio.create_task(ask(client, range(ASKED, 3 * ASKED)))
        assert await answered(client, 3 * ASKED) == list(range(3 * ASKED))
        await asking
        immediate_writes()
        await client.send('{"type":"ping","seq":7}')
        assert await read_message(client) == messages.Pong(7)
        assert immediate_writes() == [True]


class LargeResponseApp(ControlledApp):
    """A server whose HTTP responses exceed the buffer of a connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response at once, whether or not it is read."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        length = (b"content-length", str(LONG_ANSWER).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": bytes(LONG_ANSWER), "more_body": False})


LONG_ANSWER = 8 * 1024 * 1024


def long_request(url: str) -> bytes:
    """The request for such a response."""
    return f"GET /long HTTP/1.1\r\nHost: {url.partition('//')[2]}\r\n\r\n".encode()


@pytest.mark.parametrize("pieces", [1, 2], ids=["read at one go", "read by the library"])
async def test_no_websocket_opens_behind_an_unread_response(tmp_path: Path, pieces: int) -> None:
    app = LargeResponseApp(tmp_path)
    async with running_app(app) as url, raw_connection(url) as client:
        await client.send(long_request(url))
        await client.read_head()
        request = upgrade_request(url)
        cut = len(request) // pieces
        await client.send(request[:cut])
        await asyncio.sleep(0.05)
        await client.send(request[cut:])
        await client.reader.readexactly(LONG_ANSWER)
        status, body = parse_refusal(await client.read_rest())
        assert (status, body.code) == (400, "bad_message")
        assert app.ends.empty()


async def test_a_websocket_opens_behind_a_response_that_was_read(tmp_path: Path) -> None:
    app = LargeResponseApp(tmp_path)
    async with running_app(app) as url, raw_connection(url) as client:
        await client.send(long_request(url))
        await client.read_head()
        await client.reader.readexactly(LONG_ANSWER)
        await client.send(upgrade_request(url))
        write, _, send = await app.ends.get()
        await send(ACCEPT)
        assert (await client.read_head()).startswith(b"HTTP/1.1 101")
        assert write(b"text")
        assert await client.read_frame() == (TEXT, b"text")
        app.over.set()

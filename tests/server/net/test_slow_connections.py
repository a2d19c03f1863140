"""Slow, idle and excess connections do not shut others out."""

import asyncio
import contextlib
import gc
import sys
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.net.client_address import TrustedProxies
from jasstisch.server.net.origins import OriginPolicy
from jasstisch.server.ws.uvicorn_protocols.http_protocol import LimitedHttpProtocol
from tests.server.raw_socket import (
    RawConnection,
    parse_refusal,
    raw_connection,
    raw_websocket,
    upgrade_request,
)
from tests.server.running_server import (
    OTHER_TOKEN,
    ServerProcess,
    rest_client,
    running_server,
    unwelcomed_websocket,
    websocket,
)
from tests.server.websocket_requests import read_message

pytestmark = pytest.mark.outside

QUICK = Limits(header_seconds=0.1, body_seconds=0.1)
HALF = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
WHOLE = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
NO_PROXY = OriginPolicy(proxies=TrustedProxies([]))
"""Everybody is counted by the address of the connection, also on this machine."""


async def ends(connection: RawConnection) -> bytes:
    """All bytes until the server closes the connection; fails if it does not."""
    said = await connection.read_rest()
    assert connection.reader.at_eof() or connection.reader.exception(), "it goes on"
    return said


async def answered(connection: RawConnection) -> bytes:
    """The status line of a response whose body is read, too."""
    head = await connection.read_head()
    size = next(
        int(line.split(b":")[1])
        for line in head.lower().splitlines()
        if line.startswith(b"content-length")
    )
    await connection.reader.readexactly(size)
    return head.splitlines()[0]


async def test_missing_headers_time_out(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=QUICK) as url, raw_connection(url) as half:
        await half.send(HALF)
        status, body = parse_refusal(await ends(half))
        assert (status, body.code) == (408, "bad_message")


async def test_headers_sent_byte_by_byte_time_out(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=QUICK) as url, raw_connection(url) as half:
        await half.send(HALF)

        async def dribble() -> None:
            while True:
                await half.send(b"a")
                await asyncio.sleep(0.01)

        dribbling = asyncio.create_task(dribble())
        assert (await ends(half)).startswith(b"HTTP/1.1 408")
        dribbling.cancel()


async def test_a_silent_connection_is_closed_without_a_response(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=QUICK) as url, raw_connection(url) as silent:
        assert await ends(silent) == b""


async def test_the_header_timeout_applies_to_later_requests(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=QUICK) as url, raw_connection(url) as kept:
        for _ in range(3):
            await kept.send(WHOLE)
            assert b" 404 " in await answered(kept)
        await kept.send(HALF)
        assert (await ends(kept)).startswith(b"HTTP/1.1 408")


async def test_a_missing_body_times_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with running_server(tmp_path, limits=QUICK) as url:
        for body in (b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"):
            async with raw_connection(url) as half:
                await half.send(
                    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n"
                    b"Content-Type: application/json\r\n" + body
                )
                status, refused = parse_refusal(await ends(half))
                assert (status, refused.code) == (408, "bad_message")
    output = capsys.readouterr()
    assert "call_failed" not in output.out + output.err
    assert "library" not in output.out + output.err


async def test_a_slow_body_times_out(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path, limits=Limits(body_pieces=20)) as url,
        raw_connection(url) as crumbs,
    ):
        await crumbs.send(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 1000
        )
        status, refused = parse_refusal(await ends(crumbs))
        assert (status, refused.code) == (400, "bad_message")


async def test_an_unread_response_times_out(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("x" * 4_000_000)
    limits = Limits(header_seconds=0.1, connections_per_address=1)
    async with (
        running_server(
            tmp_path, send_buffer=4096, limits=limits, front=NO_PROXY, client=tmp_path / "web"
        ) as url,
        raw_connection(url) as deaf,
    ):
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await deaf.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2)
        await welcome(url)  # its place was the only one
        deaf.writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert len(await ends(deaf)) < 4_000_000


async def welcome(url: str) -> None:
    """Reconnects until there is room; the server notices closed connections with some delay."""
    async with asyncio.timeout(30):
        while True:
            async with raw_connection(url) as other:
                await other.send(WHOLE)
                if b" 404 " in await other.read_first_line():
                    return
            await asyncio.sleep(0.01)


async def test_incomplete_requests_are_evicted_for_others(tmp_path: Path) -> None:
    limits = Limits(sockets=20)
    async with (
        running_server(tmp_path, limits=limits) as url,
        websocket(url) as playing,
        contextlib.AsyncExitStack() as stack,
    ):
        halves = [await stack.enter_async_context(raw_connection(url)) for _ in range(60)]
        for half in halves:
            await half.send(HALF)
        async with rest_client(url) as web:
            assert (await web.get("/api/nothing")).status_code == 404
        assert await ends(halves[0]) == b""
        await playing.send('{"type":"ping","seq":1}')
        assert await playing.recv() == '{"type":"pong","seq":1}'


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of descriptors")
async def test_more_incomplete_requests_than_descriptors_do_not_block_others(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path, descriptors=(100, 300))
    try:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(350):
                half = await stack.enter_async_context(raw_connection(server.url))
                await half.send(HALF)
            async with rest_client(server.url, timeout=60) as web:
                assert (await web.get("/api/nothing")).status_code == 404
    finally:
        said = server.stop()
    assert '"sockets"' in said
    assert "limit_hit" in said


async def test_connections_are_limited_by_address(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=3)
    async with running_server(tmp_path, limits=limits, front=NO_PROXY) as url, raw_websocket(url):
        async with raw_websocket(url), raw_websocket(url), raw_connection(url) as fourth:
            status, body = parse_refusal(await ends(fourth))
            assert (status, body.code) == (429, "limit")
            assert "address" in body.message
        await welcome(url)


async def test_an_address_at_its_limit_evicts_its_own_waiting_connections(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=2)
    async with (
        running_server(tmp_path, limits=limits, front=NO_PROXY) as url,
        raw_connection(url) as first,
        raw_connection(url) as second,
    ):
        await first.send(HALF)
        await second.send(WHOLE)
        assert b" 404 " in await answered(second)
        async with websocket(url) as third:
            assert await ends(first) == b""
            await third.send('{"type":"ping","seq":1}')
            assert await third.recv() == '{"type":"pong","seq":1}'


async def turned_away(coming: AbstractAsyncContextManager[ClientConnection]) -> str:
    """The reason for refusing a WebSocket, which is accepted, told and closed."""
    async with coming as socket:
        told = await read_message(socket)
        assert isinstance(told, messages.ErrorMessage)
        assert (told.code, told.seq, told.table) == ("limit", None, None)
        with pytest.raises(ConnectionClosed) as caught:
            await socket.recv()
    assert caught.value.rcvd is not None
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1013, told.message)
    return told.message


async def test_connections_behind_a_proxy_count_by_forwarded_address(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=2)
    async with running_server(tmp_path, limits=limits) as url, contextlib.AsyncExitStack() as stack:

        async def come(named: str) -> None:
            await stack.enter_async_context(websocket(url, X_Forwarded_For=named))

        for named in ("192.0.2.1", "203.0.113.9, 192.0.2.1", "192.0.2.2"):
            await come(named)
        for named in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"):
            await come(named)
        for named in ("192.0.2.1", "8.8.8.8, 192.0.2.1", "2001:db8::ffff:1"):
            assert "address" in await turned_away(unwelcomed_websocket(url, X_Forwarded_For=named))
            async with rest_client(url) as web:
                answer = await web.get("/api/nothing", headers={"X-Forwarded-For": named})
                assert answer.status_code == 429
                assert answer.json()["code"] == "limit"


async def test_forwarded_addresses_from_untrusted_peers_are_ignored(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=1)
    async with (
        running_server(tmp_path, limits=limits, front=NO_PROXY) as url,
        websocket(url, X_Forwarded_For="192.0.2.1"),
    ):
        with pytest.raises(InvalidStatus) as caught:
            async with websocket(url, X_Forwarded_For="192.0.2.2"):
                pass
        assert caught.value.response.status_code == 429


async def test_requests_are_rate_limited_by_address(tmp_path: Path) -> None:
    limits = Limits(requests_per_second=1, request_burst=5)
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
    ):
        for path in ("/", "/api/nothing", "/t/x", "/", "/api/nothing"):
            assert (await web.get(path)).status_code in (404, 503)
        refused = [await web.get(path) for path in ("/api/games", "/")]
        assert [one.status_code for one in refused] == [429, 429]
        assert refused[0].json()["code"] == "limit"
        assert {one.headers["connection"] for one in refused} == {"close"}
        other = {"X-Forwarded-For": "192.0.2.1"}
        assert (await web.get("/api/nothing", headers=other)).status_code == 404


async def test_connections_are_limited_by_person(tmp_path: Path) -> None:
    limits = Limits(connections_per_person=2)
    async with running_server(tmp_path, limits=limits) as url, websocket(url), websocket(url):
        assert "tabs" in await turned_away(unwelcomed_websocket(url))
        async with (
            websocket(url, OTHER_TOKEN),
            websocket(url, None),
            websocket(url, None),
            websocket(url, None),
        ):
            pass


@pytest.mark.parametrize(
    "headers", [[f"X-{number}: y" for number in range(200)], ["X-Long: " + "y" * 9000]]
)
async def test_a_handshake_with_too_many_headers_is_refused(
    tmp_path: Path, headers: list[str]
) -> None:
    async with running_server(tmp_path) as url, raw_connection(url) as odd:
        await odd.send(upgrade_request(url, *headers))
        answer = await ends(odd)
        # Before version 17, websockets closes the connection at a long line without an answer.
        silent = version("websockets") < "17" and len(headers) == 1
        assert answer == b"" if silent else answer.startswith(b"HTTP/1.1 431")


async def test_reading_stops_at_the_header_line_limit(tmp_path: Path) -> None:
    head = WHOLE.removesuffix(b"\r\n")
    async with (
        running_server(tmp_path) as url,
        raw_connection(url) as sound,
        raw_connection(url) as odd,
    ):
        await sound.send(head + b"a:\r\n" * 100 + b"\r\n")
        assert b" 404 " in await answered(sound)
        await odd.send(head + b"a:\r\n" * 3000 + b"\r\n")
        status, body = parse_refusal(await ends(odd))
        assert (status, body.code) == (431, "too_large")
        # Nor that of a request which comes before the answer to another.
        await sound.send(WHOLE + head + b"a:\r\n" * 3000 + b"\r\n")
        assert b" 404 " in await answered(sound)
        assert (await ends(sound)).startswith(b"HTTP/1.1 431")


async def test_pipelined_requests_are_answered_in_order(tmp_path: Path) -> None:
    body = b'{"game": "molotov",\n' + b"\n" * 300 + b' "seats": ["open", "open", "open"]}'
    make = (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    async with running_server(tmp_path) as url, raw_connection(url) as one:
        await one.send((WHOLE + make + body) * 20)
        for _ in range(20):
            assert b" 404 " in await answered(one)
            assert b" 201 " in await answered(one)


async def test_a_closed_connection_frees_its_buffers(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                async with raw_connection(url) as one:
                    await one.send(WHOLE + HALF)
                    await answered(one)
            await welcome(url)
            left = [one for one in gc.get_objects() if issubclass(type(one), LimitedHttpProtocol)]
            assert len(left) <= 2
        finally:
            gc.enable()

"""Frame rate limits: frames without a message count, and flooding connections are closed."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.ws.uvicorn_protocols import websocket_protocol
from tests.server.raw_socket import (
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    RawConnection,
    client_frame,
    raw_websocket,
)
from tests.server.running_server import running_server, websocket

pytestmark = pytest.mark.outside

SPARING = Limits(messages_per_second=0.001, message_burst=5)
QUESTION = b'{"type":"ping","seq":7}'


async def is_answered(connection: RawConnection) -> int:
    """Sends a request and waits for its response; returns the number of pongs before it."""
    await connection.send(client_frame(TEXT, QUESTION))
    pongs = 0
    while True:
        kind, data = await connection.read_frame()
        assert kind != CLOSE, data
        if (kind, data) == (TEXT, b'{"type":"pong","seq":7}'):
            return pongs
        pongs += kind == PONG


@pytest.mark.parametrize(
    "flood",
    [
        client_frame(PING) * 6,
        client_frame(PING, b"x" * 125) * 1000,
        client_frame(PONG) * 6,
        client_frame(TEXT, fin=False) + client_frame(CONT, fin=False) * 6,
        (client_frame(TEXT, fin=False) + client_frame(CONT)) * 6,
        client_frame(PING) * 2
        + client_frame(PONG) * 2
        + client_frame(TEXT, fin=False)
        + client_frame(CONT, fin=False) * 2,
    ],
    ids=["pings", "many long pings", "pongs", "fragments", "messages of two fragments", "all"],
)
async def test_a_flooding_client_is_closed(
    tmp_path: Path, flood: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    async with (
        running_server(tmp_path, limits=SPARING) as url,
        websocket(url) as other,
        raw_websocket(url) as flooding,
    ):
        await flooding.send(flood)
        code, reason = await flooding.read_close()
        assert (code, "a second" in reason) == (1008, True)
        await flooding.read_rest()
        await other.send(QUESTION.decode())
        assert await other.recv() == '{"type":"pong","seq":7}'
    output = capsys.readouterr()
    assert output.out.count("flood_closed") == 1
    assert "127.0.0.0/24" in output.out


async def test_messages_of_too_many_fragments_are_refused(tmp_path: Path) -> None:
    limits = Limits(message_burst=10**6, fragments=10)
    async with running_server(tmp_path, limits=limits) as url, raw_websocket(url) as one:
        pieces = [QUESTION[at : at + 3] for at in range(0, len(QUESTION), 3)]
        assert len(pieces) == 8
        await one.send(client_frame(TEXT, pieces[0], fin=False))
        for piece in pieces[1:]:
            await one.send(client_frame(CONT, piece, fin=False))
        await one.send(client_frame(CONT))
        assert await one.read_frame() == (TEXT, b'{"type":"pong","seq":7}')
        await one.send(client_frame(TEXT, fin=False) + client_frame(CONT, fin=False) * 10)
        code, reason = await one.read_close()
        assert (code, "10 frames" in reason) == (1008, True)


async def test_pings_within_the_limit_are_answered(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=SPARING) as url, raw_websocket(url) as honest:
        for number in range(5):
            await honest.send(client_frame(PING, b"%d" % number))
            assert await honest.read_frame() == (PONG, b"%d" % number)
        assert await is_answered(honest) == 0


async def test_pongs_are_not_buffered_for_a_client_that_does_not_read(tmp_path: Path) -> None:
    limits = Limits(message_burst=10**9, max_unsent_bytes_for_pong=1024)
    async with (
        running_server(tmp_path, limits=limits, send_buffer=4096) as url,
        raw_websocket(url) as deaf,
    ):
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
        pings = 60_000
        await deaf.send(client_frame(PING, b"x" * 125) * pings)
        deaf.writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert await is_answered(deaf) < pings


async def test_pongs_to_our_pings_do_not_count(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path, limits=SPARING, ping_interval=0.01) as url,
        raw_websocket(url) as one,
    ):
        for _ in range(20):
            kind, payload = await one.read_frame()
            assert kind == PING
            await one.send(client_frame(PONG, payload))
        while (await one.read_frame())[0] != PING:
            pass


async def test_a_client_that_sends_its_own_pings_is_left_alone(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        address = url.replace("http", "ws", 1) + "/ws"
        async with connect(address, ping_interval=0.01, proxy=None) as socket:
            for _ in range(30):
                await (await socket.ping())
            await socket.send(QUESTION.decode())
            while await socket.recv() != '{"type":"pong","seq":7}':
                pass


async def test_frames_that_arrive_together_are_answered_in_order(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path, limits=Limits(message_burst=1000)) as url,
        raw_websocket(url) as one,
    ):
        numbers = range(200)
        questions = [b'{"type":"ping","seq":%d}' % number for number in numbers]
        await one.send(b"".join(client_frame(TEXT, question) for question in questions))
        for number in numbers:
            assert await one.read_frame() == (TEXT, b'{"type":"pong","seq":%d}' % number)


async def test_frames_after_a_close_are_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = Limits(messages_per_second=0.001, message_burst=1, max_refused_messages=1)
    async with running_server(tmp_path, limits=limits) as url, raw_websocket(url) as one:
        await one.send(client_frame(TEXT) * 5)
        assert (await one.read_close())[0] == 1008
        assert "messages" in capsys.readouterr().out
        await one.send(client_frame(TEXT) * 20_000)
        await one.read_rest()
        assert one.reader.at_eof() or one.reader.exception()


async def test_a_flooding_client_that_does_not_read_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_protocol, "CLOSE_LINGER_S", 0.1)
    async with (
        running_server(tmp_path, limits=SPARING, send_buffer=4096) as url,
        raw_websocket(url) as deaf,
    ):
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]

        async def send_on() -> None:
            while True:
                deaf.writer.write(client_frame(PING, b"x" * 125) * 100)
                await deaf.writer.drain()
                await asyncio.sleep(0)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(send_on(), 60)

"""WebSocket framing: fragmentation, interleaved control frames and invalid text."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from jasstisch.client import Client
from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.ws.uvicorn_protocols.websocket_protocol import LimitedWebSocketProtocol
from tests.server.raw_socket import (
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    client_frame,
    raw_connection,
    upgrade_request,
)
from tests.server.running_server import running_server

pytestmark = pytest.mark.outside

KINDS = ["text", "long text", "very long text", "fragments", "fragments around a ping", "ping"]
PATIENT = Limits(
    messages_per_second=10**6, message_burst=10**6, max_refused_messages=10**6, message_bytes=10**6
)


def ask(number: int, padding: int = 0) -> bytes:
    return msgspec.json.encode({"type": "ping", "seq": number}) + b" " * padding


def framed(kind: str, number: int) -> bytes:
    """The frames of one message or ping."""
    text = ask(number)
    match kind:
        case "text":
            return client_frame(TEXT, text)
        case "long text":
            return client_frame(TEXT, ask(number, 200))
        case "very long text":
            return client_frame(TEXT, ask(number, 70_000))
        case "fragments":
            return client_frame(TEXT, text[:5], fin=False) + client_frame(CONT, text[5:])
        case "fragments around a ping":
            ping = client_frame(PING, str(number).encode())
            return client_frame(TEXT, text[:9], fin=False) + ping + client_frame(CONT, text[9:])
        case _:
            return client_frame(PING, str(number).encode())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=12), data=st.data())
def test_fragmented_messages_are_answered_in_order(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], data: st.DataObject
) -> None:
    sent = b"".join(framed(kind, number) for number, kind in enumerate(kinds))
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=8).map(sorted))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]

    async def talk() -> tuple[list[int], list[int]]:
        async with (
            running_server(tmp_path_factory.mktemp("data"), limits=PATIENT) as url,
            raw_connection(url) as it,
        ):
            await it.send(upgrade_request(url))
            await it.read_head()
            await it.read_frame()  # the welcome
            for piece in pieces:
                await it.send(piece)
                await asyncio.sleep(0)
            await it.send(client_frame(TEXT, ask(99)))
            answered, ponged = [], []
            while 99 not in answered:
                kind, payload = await it.read_frame()
                if kind == PONG:
                    ponged.append(int(payload))
                else:
                    answered.append(msgspec.json.decode(payload)["seq"])
            return answered, ponged

    answered, ponged = asyncio.run(talk())
    assert answered == [*(n for n, kind in enumerate(kinds) if kind != "ping"), 99]
    assert ponged == [n for n, kind in enumerate(kinds) if "ping" in kind]


async def test_a_text_frame_inside_a_fragmented_message_closes_the_connection(
    tmp_path: Path,
) -> None:
    """RFC 6455, 5.4."""
    async with running_server(tmp_path, limits=PATIENT) as url, raw_connection(url) as it:
        await it.send(upgrade_request(url))
        await it.read_head()
        await it.send(client_frame(TEXT, b"{", fin=False) + client_frame(TEXT, ask(1)))
        assert (await it.read_close())[0] == 1002


async def test_invalid_utf_8_closes_the_connection(tmp_path: Path) -> None:
    """RFC 6455, 8.1."""
    async with running_server(tmp_path, limits=PATIENT) as url, raw_connection(url) as it:
        await it.send(upgrade_request(url))
        await it.read_head()
        await it.send(client_frame(TEXT, b"\xff\xfe"))
        assert (await it.read_close())[0] == 1007


async def test_invalid_text_together_with_a_close_disturbs_nobody_else(tmp_path: Path) -> None:
    """The library has closed the connection before it finds the text invalid."""
    bad = (
        client_frame(TEXT, b"\xff\xfe", fin=False)
        + client_frame(CONT, b"")
        + client_frame(CLOSE, b"\x03\xe8")
    )
    async with running_server(tmp_path) as url, Client(url) as client:
        made = await client.create_table("molotow", ["me", "open", "open", "open"], name="Anna")
        watch = msgspec.json.encode(messages.Watch(1, made.table))
        async with raw_connection(url) as it:
            await it.send(upgrade_request(url))
            await it.read_head()
            # They are read when the table has answered, by its own task.
            await it.send(client_frame(TEXT, watch) + client_frame(TEXT, ask(2)) + bad)
            await it.read_rest()
        async with asyncio.timeout(10):
            watched = await client.watch(made.table)
            await watched.stand()


async def test_messages_after_a_close_are_ignored(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=PATIENT) as url, raw_connection(url) as it:
        await it.send(upgrade_request(url))
        await it.read_head()
        await it.read_frame()
        await it.send(client_frame(CLOSE, b"\x03\xe8") + client_frame(TEXT, ask(1)))
        assert (await it.read_frame())[0] == CLOSE
        assert await it.read_rest() == b""


async def test_a_client_that_just_sent_a_message_is_not_pinged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    protocols: list[LimitedWebSocketProtocol] = []
    monkeypatch.setattr(
        WebSocketsSansIOProtocol, "send_keepalive_ping", lambda _: asked.append("ping")
    )

    def schedule(self: LimitedWebSocketProtocol) -> None:
        protocols.append(self)

    monkeypatch.setattr(LimitedWebSocketProtocol, "schedule_ping", schedule)
    async with running_server(tmp_path, limits=PATIENT) as url, raw_connection(url) as it:
        await it.send(upgrade_request(url))
        await it.read_head()
        await it.read_frame()
        (protocol,) = protocols
        await it.send(client_frame(TEXT, ask(1)))
        await it.read_frame()
        protocol.ping_if_silent(protocol.loop.time())
        assert asked == []
        protocol._last_received_at -= 60.0
        protocol.ping_if_silent(protocol.loop.time())
        assert asked == ["ping"]


async def test_a_message_right_before_a_disconnect_is_handled(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, Client(url) as client, Client(url) as other:
        made = await client.create_table("molotow", ["me", "open", "open", "open"], name="Anna")
        watched = await other.watch(made.table)
        sit = messages.Sit(1, made.table, 1, "Reto")
        async with raw_connection(url) as it:
            await it.send(upgrade_request(url, token=other.token or ""))
            await it.read_head()
            await it.read_frame()  # the welcome
            for _ in range(20):  # so that what comes next waits for a beat
                await it.send(client_frame(TEXT, ask(1)))
            await it.send(client_frame(TEXT, msgspec.json.encode(sit)))
        await watched.until(lambda table: table.seat == 1)

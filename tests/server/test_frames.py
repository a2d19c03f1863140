"""Messages in frames: however a client cuts them up and whatever comes between, each is heard."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from jasstisch.client import Client
from jasstisch.server import messages
from jasstisch.server.limits import Limits
from jasstisch.server.protocols import WebSocketProtocol
from tests.server.raw import CLOSE, CONT, PING, PONG, TEXT, frame, raw, upgrade
from tests.server.serving import serving

pytestmark = pytest.mark.outside

KINDS = ["text", "long text", "very long text", "fragments", "fragments around a ping", "ping"]
PATIENT = Limits(messages_per_second=10**6, burst=10**6, strikes=10**6, message_bytes=10**6)


def ask(number: int, padding: int = 0) -> bytes:
    return msgspec.json.encode({"type": "ping", "seq": number}) + b" " * padding


def framed(kind: str, number: int) -> bytes:
    """The frames of one message, or of a ping of the connection."""
    text = ask(number)
    match kind:
        case "text":
            return frame(TEXT, text)
        case "long text":
            return frame(TEXT, ask(number, 200))
        case "very long text":
            return frame(TEXT, ask(number, 70_000))
        case "fragments":
            return frame(TEXT, text[:5], fin=False) + frame(CONT, text[5:])
        case "fragments around a ping":
            ping = frame(PING, str(number).encode())
            return frame(TEXT, text[:9], fin=False) + ping + frame(CONT, text[9:])
        case _:
            return frame(PING, str(number).encode())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=12), data=st.data())
def test_however_messages_are_cut_up_each_is_answered_in_order(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], data: st.DataObject
) -> None:
    sent = b"".join(framed(kind, number) for number, kind in enumerate(kinds))
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=8).map(sorted))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]

    async def talk() -> tuple[list[int], list[int]]:
        async with serving(tmp_path_factory.mktemp("data"), limits=PATIENT) as url, raw(url) as it:
            await it.send(upgrade(url))
            await it.head()
            await it.frame()  # the welcome
            for piece in pieces:
                await it.send(piece)
                await asyncio.sleep(0)
            await it.send(frame(TEXT, ask(99)))
            answered, ponged = [], []
            while 99 not in answered:
                kind, payload = await it.frame()
                if kind == PONG:
                    ponged.append(int(payload))
                else:
                    answered.append(msgspec.json.decode(payload)["seq"])
            return answered, ponged

    answered, ponged = asyncio.run(talk())
    assert answered == [*(n for n, kind in enumerate(kinds) if kind != "ping"), 99]
    assert ponged == [n for n, kind in enumerate(kinds) if "ping" in kind]


async def test_a_text_in_the_middle_of_another_is_against_the_rules(tmp_path: Path) -> None:
    """RFC 6455, 5.4."""
    async with serving(tmp_path, limits=PATIENT) as url, raw(url) as it:
        await it.send(upgrade(url))
        await it.head()
        await it.send(frame(TEXT, b"{", fin=False) + frame(TEXT, ask(1)))
        assert (await it.closing())[0] == 1002


async def test_a_text_that_is_no_utf_8_ends_the_connection(tmp_path: Path) -> None:
    """RFC 6455, 8.1."""
    async with serving(tmp_path, limits=PATIENT) as url, raw(url) as it:
        await it.send(upgrade(url))
        await it.head()
        await it.send(frame(TEXT, b"\xff\xfe"))
        assert (await it.closing())[0] == 1007


async def test_bad_text_and_a_close_at_one_go_disturb_nobody_else(tmp_path: Path) -> None:
    """The library has closed already when the text is found to be none."""
    bad = frame(TEXT, b"\xff\xfe", fin=False) + frame(CONT, b"") + frame(CLOSE, b"\x03\xe8")
    async with serving(tmp_path) as url, Client(url) as client:
        made = await client.create("molotow", ["me", "open", "open", "open"], name="Anna")
        watch = msgspec.json.encode(messages.Watch(1, made.table))
        async with raw(url) as it:
            await it.send(upgrade(url))
            await it.head()
            # They are read when the table has answered, by its own task.
            await it.send(frame(TEXT, watch) + frame(TEXT, ask(2)) + bad)
            await it.rest()
        async with asyncio.timeout(10):
            watched = await client.watch(made.table)
            await watched.stand()


async def test_nothing_is_heard_after_a_close(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=PATIENT) as url, raw(url) as it:
        await it.send(upgrade(url))
        await it.head()
        await it.frame()
        await it.send(frame(CLOSE, b"\x03\xe8") + frame(TEXT, ask(1)))
        assert (await it.frame())[0] == CLOSE
        assert await it.rest() == b""


async def test_whoever_has_just_spoken_is_not_asked_whether_he_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    protocols: list[WebSocketProtocol] = []
    monkeypatch.setattr(
        WebSocketsSansIOProtocol, "send_keepalive_ping", lambda _: asked.append("ping")
    )

    def schedule(self: WebSocketProtocol) -> None:
        protocols.append(self)

    monkeypatch.setattr(WebSocketProtocol, "schedule_ping", schedule)
    async with serving(tmp_path, limits=PATIENT) as url, raw(url) as it:
        await it.send(upgrade(url))
        await it.head()
        await it.frame()
        (protocol,) = protocols
        await it.send(frame(TEXT, ask(1)))
        await it.frame()
        protocol.ask_if_silent(protocol.loop.time())
        assert asked == []
        protocol._heard_at -= 60.0
        protocol.ask_if_silent(protocol.loop.time())
        assert asked == ["ping"]


async def test_what_was_said_right_before_a_connection_ends_is_heard(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Client(url) as client, Client(url) as other:
        made = await client.create("molotow", ["me", "open", "open", "open"], name="Anna")
        watched = await other.watch(made.table)
        sit = messages.Sit(1, made.table, 1, "Reto")
        async with raw(url) as it:
            await it.send(upgrade(url, token=other.token or ""))
            await it.head()
            await it.frame()  # the welcome
            for _ in range(20):  # so that what comes next waits for a beat
                await it.send(frame(TEXT, ask(1)))
            await it.send(frame(TEXT, msgspec.json.encode(sit)))
        await watched.until(lambda table: table.seat == 1)

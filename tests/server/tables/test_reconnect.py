"""Reconnecting after a reload, a lost connection, a long absence or a server restart."""

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from jasstisch.bots import bot
from jasstisch.client import Client, ConnectionLostError, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.tables import broadcaster
from jasstisch.table import RECENT_LIMIT
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server, websocket
from tests.server.websocket_requests import new_table, read_message, send_and_read

pytestmark = pytest.mark.outside


async def watch(
    socket: ClientConnection, table: str, **more: object
) -> list[messages.ServerMessage]:
    """Watches a table; returns every message before the acknowledgement."""
    got, before = await send_and_read(socket, type="watch", seq=1, table=table, **more)
    assert isinstance(got, messages.Ack)
    return before


async def events_until(socket: ClientConnection, table: str, version: int) -> list[messages.Event]:
    """The events of a table up to a version."""
    found: list[messages.Event] = []
    while not found or found[-1].version < version:
        got = await read_message(socket)
        if isinstance(got, messages.Event):
            found.append(got)
    return found


def without_time(events: list[messages.Event]) -> list[messages.Event]:
    """The events without the remaining time, in which live and replayed events differ."""
    replace = msgspec.structs.replace
    return [
        replace(event, turn=replace(event.turn, seconds=None)) if event.turn else event
        for event in events
    ]


@pytest.mark.parametrize("token", [TOKEN, OTHER_TOKEN, None])
async def test_a_reconnect_gets_exactly_the_missed_events(url: str, token: str | None) -> None:
    table = await new_table(url, start=True, thinking_time=600)
    async with Client(url, TOKEN) as anna, websocket(url, token) as socket:
        before = await watch(socket, table)
        snapshot = before[0]
        assert isinstance(snapshot, messages.Snapshot)
        watched = await anna.watch(table)
        for _ in range(6):
            await watched.until(lambda table: table.turn is not None)
            assert watched.turn is not None
            await watched.act(watched.turn.legal[0])
        await watched.until(lambda table: table.turn is not None or table.phase != "playing")
        live = await events_until(socket, table, watched.version)
        for back in (0, 1, 2, min(RECENT_LIMIT, len(live) - 1)):
            since = live[-1].version - back
            async with websocket(url, token) as again:
                got = await watch(again, table, since=since, seat=snapshot.seat)
                assert isinstance(got[-1], messages.Presence)
                missed = [one for one in got if isinstance(one, messages.Event)]
                assert len(missed) == len(got) - 1 == back
                assert without_time(missed) == without_time(live[len(live) - back :])


async def test_without_version_or_with_another_seat_a_snapshot_is_sent(url: str) -> None:
    table = await new_table(url)
    async with websocket(url) as socket:
        whole = (await watch(socket, table))[0]
        assert isinstance(whole, messages.Snapshot)
        assert whole.seat == 0
        for more in (
            {"since": whole.version, "seat": 1},
            {"since": whole.version, "seat": None},
            {"since": 10**9, "seat": 0},
            {"since": 0, "seat": 0},
        ):
            got = (await watch(socket, table, **more))[0]
            assert isinstance(got, messages.Snapshot)


async def test_one_person_may_watch_on_two_devices(url: str) -> None:
    table = await new_table(url, start=True, seats=["me", "open", "open"], options={"dealer": 2})
    async with websocket(url) as phone, websocket(url) as desk:
        assert (await watch(phone, table))[0] == (await watch(desk, table))[0]


async def test_a_server_restart_is_invisible_at_the_table(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        table = await new_table(
            url, seats=["me", "bot:random", "bot:random"], options={"target": 1}, start=True
        )
        async with websocket(url) as socket:
            before = (await watch(socket, table))[0]
            assert isinstance(before, messages.Snapshot)
    async with running_server(tmp_path) as url, websocket(url) as socket:
        got = await watch(socket, table, since=before.version, seat=0)
        # What the computers did before the stop is told as a whole.
        assert all(isinstance(one, messages.Snapshot | messages.Presence) for one in got)
        assert all(
            one.version >= before.version for one in got if isinstance(one, messages.Snapshot)
        )
        async with Client(url, TOKEN) as anna:
            watched = await anna.watch(table)
            await watched.play(bot("random"))
            assert watched.view["over"]


async def test_an_unwatched_table_is_evicted_and_reloaded(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(idle_seconds=0.05, live_tables=1)) as url:
        first = await new_table(url)
        async with websocket(url) as socket:
            # Only one table fits into memory: the second can be opened once the first has left.
            second = await new_table(url)
            while True:
                got, _ = await send_and_read(socket, type="watch", seq=1, table=second)
                if isinstance(got, messages.Ack):
                    break
                assert isinstance(got, messages.ErrorMessage)
                assert got.code == "busy"
                await asyncio.sleep(0.02)
            await send_and_read(socket, type="unwatch", seq=2, table=second)
            while True:
                got, before = await send_and_read(socket, type="watch", seq=3, table=first)
                if isinstance(got, messages.Ack):
                    break
                await asyncio.sleep(0.02)
            assert isinstance(before[0], messages.Snapshot)
            assert before[0].room.seats[0].name == "Anna"


class ManualClock:
    """A clock that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(ServerContext, "now", lambda _: self.now)


def is_my_turn(table: WatchedTable) -> bool:
    return table.turn is not None


def seconds(table: WatchedTable) -> float | None:
    """The remaining thinking time in seconds."""
    return None if table.turn is None else table.turn.seconds


async def test_an_absent_person_is_replaced_by_a_bot_until_they_return(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = ManualClock(monkeypatch)
    async with Client(url) as anna, Client(url) as reto:
        made = await anna.create_table(
            "molotov",
            ["me", "open", "open"],
            name="Anna",
            options={"dealer": 1},
            thinking_time=30,
        )
        annas_table, retos_table = await anna.watch(made.table), await reto.watch(made.table)
        await retos_table.sit(1, "Reto")
        await annas_table.start()
        await annas_table.until(is_my_turn)  # after the computer, who is forehand
        assert seconds(annas_table) == 60  # twice the time, for the first card
        version = annas_table.version
        time.now += 61
        await retos_table.resume_control()  # anything said at the table lets it look at the clock
        await retos_table.until(lambda table: table.room.seats[0].away)
        await retos_table.until(lambda table: table.turn is not None)
        assert annas_table.version >= version + 2  # away, and the computer's card
        assert not retos_table.room.seats[1].away

        await annas_table.resume_control()
        assert annas_table.room.seats[0].returning
        await retos_table.act(retos_table.turn.legal[0] if retos_table.turn is not None else "")
        await annas_table.until(lambda table: not table.room.seats[0].away)
        assert annas_table.view["trick"] == []
        while not is_my_turn(annas_table):
            if retos_table.turn is not None:
                await retos_table.act(retos_table.turn.legal[0])
            await asyncio.sleep(0.01)
        assert seconds(annas_table) == 30  # the computer has laid her first card of the round


class BlockingBot:
    """A bot that acts once the test allows it."""

    name = "pondering"

    def __init__(self) -> None:
        self.may_choose = threading.Event()

    def act(self, view: Mapping[str, Any], legal: Sequence[str], rng: Random) -> str:
        self.may_choose.wait(20)
        return legal[0]


async def test_only_back_ends_substitution_by_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time, computer = ManualClock(monkeypatch), BlockingBot()
    async with (
        running_server(tmp_path, find_bot=lambda _: computer) as url,
        Client(url) as anna,
        Client(url) as reto,
    ):
        made = await anna.create_table(
            "differenzler",
            ["me", "open", "open", "open"],
            name="Anna",
            thinking_time=30,
        )
        annas_table, retos_table = await anna.watch(made.table), await reto.watch(made.table)
        await retos_table.sit(1, "Reto")
        await annas_table.start()
        await retos_table.act("bid 30")
        time.now += 61
        await retos_table.resume_control()
        await retos_table.until(lambda table: table.room.seats[0].away)
        with pytest.raises(RequestError, match="say back"):
            await annas_table.act("bid 42")  # before the computer has chosen for her
        await annas_table.resume_control()
        assert annas_table.room.seats[0].returning
        computer.may_choose.set()
        await annas_table.until(lambda table: not table.room.seats[0].away)
        await annas_table.until(lambda table: table.view["phase"] == "play")


async def test_reconnecting_does_not_end_substitution(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = ManualClock(monkeypatch)
    table = await new_table(url, start=True, thinking_time=10, seats=["me", "open", "open"])
    async with websocket(url) as socket, websocket(url, OTHER_TOKEN) as spectator:
        await watch(spectator, table)
        before = await watch(socket, table)
        while not any(getattr(one, "turn", None) for one in before):
            before.append(await read_message(socket))
        time.now += 21
        await send_and_read(spectator, type="unwatch", seq=5, table=table)
        while not (isinstance(before[-1], messages.Event) and before[-1].event.kind == "away"):
            before.append(await read_message(socket))
        await send_and_read(spectator, type="unwatch", seq=6, table=table)
    async with websocket(url) as socket:
        got = await watch(socket, table)
        assert isinstance(got[0], messages.Snapshot)
        assert got[0].room.seats[0].away


async def test_the_client_reconnects_by_itself_and_finally_gives_up(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        client = Client(url, patience=0.3)
        await client.open()
        table = await client.watch(await new_table(url))
    with pytest.raises(ConnectionLostError, match="cannot be reached"):
        await table.until(lambda table: table.phase == "over")
    with pytest.raises(ConnectionLostError):
        await table.start()
    await client.close()


async def test_watching_a_deleted_table_raises_and_does_not_hang(url: str) -> None:
    async with Client(url) as anna, Client(url) as reto:
        made = await anna.create_table("molotov", ["me", *["open"] * 3], name="Anna")
        other = await reto.create_table("molotov", ["me", *["open"] * 3], name="Reto")
        table, own = await reto.watch(made.table), await reto.watch(other.table)
        steps, events = table.steps(), table.events()
        await anext(steps)
        waiting = [
            asyncio.create_task(waits)
            for waits in (
                table.until(lambda one: one.phase == "over"),
                following_to_the_end(steps),
                following_to_the_end(events),
            )
        ]
        await asyncio.sleep(0)  # all of them wait
        await anna._http("POST", "/api/identity/forget-me")
        async with asyncio.timeout(10):
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
            later = await asyncio.gather(
                table.until(lambda one: one.is_current),
                following_to_the_end(table.steps()),
                following_to_the_end(table.events()),
                reto.watch(made.table),
                return_exceptions=True,
            )
        codes = [one.code for one in (*outcomes, *later) if isinstance(one, RequestError)]
        assert codes == ["unknown_table"] * 7
        assert not table.is_current
        await own.stand()
        assert own.seat is None


async def following_to_the_end(told: AsyncIterator[object]) -> None:
    """Consumes all events."""
    async for _ in told:
        pass


async def send_for_ever(socket: ClientConnection, text: str) -> None:
    """Sends without reading responses until the server closes the connection."""
    with suppress(ConnectionClosed):
        while True:
            await socket.send(text)


@pytest.mark.parametrize("limit", [{"max_outgoing_messages": 50}, {"outgoing_bytes": 50_000}])
async def test_a_slow_reader_is_disconnected_and_delays_nobody(
    tmp_path: Path, limit: dict[str, int]
) -> None:
    limits = Limits(message_burst=10**9, **({"max_outgoing_messages": 10**9} | limit))
    async with running_server(tmp_path, limits=limits, send_buffer=8192) as url:
        table = await new_table(url)
        async with websocket(url, OTHER_TOKEN) as slow, websocket(url) as quick:
            await send_and_read(slow, type="sit", seq=1, table=table, seat=1, name="Reto")
            await watch(slow, table)
            await watch(quick, table)
            slow.transport.pause_reading()
            text = msgspec.json.encode({"type": "watch", "seq": 1, "table": table}).decode()
            flood = asyncio.create_task(send_for_ever(slow, text))
            there = True
            while there:
                done, before = await send_and_read(quick, type="back", seq=3, table=table)
                assert isinstance(done, messages.Ack)
                for one in before:
                    there = one.connected[1] if isinstance(one, messages.Presence) else there
            flood.cancel()
            slow.transport.abort()


async def test_a_lost_connection_is_announced_when_its_time_has_passed_and_again_after_a_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are told although nothing else happens at the table."""
    monkeypatch.setattr(broadcaster, "_DISCONNECTED_AFTER_S", 0.8)
    async with running_server(tmp_path) as url:
        table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"])
        async with Client(url, OTHER_TOKEN) as reto:
            watched = await reto.watch(table)
            await watched.sit(1, "Reto")
            async with websocket(url, TOKEN) as anna:
                await watch(anna, table)
                for _ in range(2):
                    async with websocket(url, OTHER_TOKEN) as other:
                        await watch(other, table)
                        await reto.close()
                        assert not (await presence(anna, connected=True)).missing[1]
                    assert not (await presence(anna, connected=False)).missing[1]
                    async with asyncio.timeout(5):
                        while not (await presence(anna, connected=False)).missing[1]:
                            pass


async def presence(socket: ClientConnection, *, connected: bool) -> messages.Presence:
    """The next message in which the person of seat 1 is connected, or is not."""
    while True:
        got = await read_message(socket)
        if isinstance(got, messages.Presence) and got.connected[1] == connected:
            return got

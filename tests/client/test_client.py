"""The client for bot authors, beyond playing."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosedOK
from websockets.protocol import State

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.client import Client, ConnectionLostError, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.storage import SqliteStore
from jasstisch.table.events import SeatLeft
from tests.server.running_server import TOKEN, running_server
from tests.server.websocket_requests import new_table

pytestmark = pytest.mark.outside


ADDRESSES_OF_NONE = [
    "127.0.0.1:8000",
    "ftp://x",
    "http://",
    "",
    "https://jass..example.org",
    f"https://{'a' * 64}.org",
    "http://[abc",
    "http://x:port",
]


@pytest.mark.parametrize("url", ADDRESSES_OF_NONE)
def test_an_invalid_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="address is like"):
        Client(url)


async def test_a_closed_client_says_so() -> None:
    with pytest.raises(ConnectionLostError, match="not connected"):
        await Client("http://127.0.0.1:1", TOKEN).request(messages.Ping(0))


async def test_an_unreachable_server_is_an_os_error() -> None:
    with pytest.raises(OSError, match="refused"):
        await Client("http://127.0.0.1:1").open()


async def test_games_and_rooms_are_available(url: str) -> None:
    async with Client(url) as anna:
        assert [game.name for game in await anna.games()] == list(jt.games())
        table = await new_table(url)
        assert (await anna.get_room(table)).seats[0].name == "Anna"
        with pytest.raises(RequestError) as caught:
            await anna.record(table)
        assert caught.value.code == "wrong_phase"


async def test_a_refusal_contains_the_servers_message(url: str) -> None:
    async with Client(url) as anna:
        with pytest.raises(RequestError, match="unknown_table: there is no table"):
            await anna.watch("x" * 22)
        made = await anna.create_table(
            "molotov", ["me", "open", "open"], name="Anna", options={"dealer": 2}, start=True
        )
        table = await anna.watch(made.table)
        with pytest.raises(RequestError) as caught:
            await table.act("bid 12")
        error = caught.value
        assert (error.code, error.clause, error.reason) == ("illegal_action", "C12", "unknown")
        assert table.turn is not None
        assert error.legal == table.turn.legal


async def test_a_rate_limited_request_is_refused_immediately(
    tmp_path: Path,
) -> None:
    limits = Limits(messages_per_second=0.001, message_burst=2)
    async with running_server(tmp_path, limits=limits) as url, Client(url, TOKEN) as anna:
        table = await anna.watch(await new_table(url))
        await table.resume_control()
        async with asyncio.timeout(10):
            with pytest.raises(RequestError, match="too_fast: at most"):
                await table.start()


async def test_a_rate_limited_resync_reconnects_until_it_succeeds(
    tmp_path: Path,
) -> None:
    limits = Limits(messages_per_second=0.001, message_burst=2)
    async with running_server(tmp_path, limits=limits) as url, Client(url, TOKEN) as anna:
        table = await anna.watch(await new_table(url))
        await table.resume_control()
        table.is_current = False
        await anna._catch_up(table)
        async with asyncio.timeout(10):
            await table.until(lambda table: table.is_current)


async def test_an_unreadable_server_message_closes_the_connection(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Client(url, TOKEN) as anna:
        table = await new_table(url)
        monkeypatch.setattr(
            "jasstisch.server.tables.actor.encode_message", lambda _: b'{"type":"weather"}'
        )
        with pytest.raises(ConnectionLostError, match="cannot read"):
            await anna.watch(table)


async def test_there_is_no_view_before_the_first_match(url: str) -> None:
    async with Client(url) as anna:
        table = await anna.watch(await new_table(url))
        with pytest.raises(LookupError, match="no match"):
            _ = table.view


async def test_events_arrive_in_order_until_the_client_closes(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(await new_table(url, seats=["me", "open", "open", "open"]))
        seen: list[messages.Event | messages.Snapshot] = []

        async def listen() -> None:
            async for event in table.events():
                seen.append(event)  # noqa: PERF401 - the list is looked at meanwhile

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        await table.start()
        await table.stand()  # brings a snapshot
    await listening
    versions = [event.version for event in seen]
    assert versions == sorted(versions)
    assert any(isinstance(event, messages.Snapshot) for event in seen)


@pytest.mark.parametrize("game", ["schieber", "differenzler"])
async def test_who_came_early_and_who_comes_late_know_the_same_of_what_was_said(
    url: str, game: str
) -> None:
    seats, said = ["me", *["bot:random"] * 3], set[str | None]()
    async with Client(url, TOKEN) as anna, Client(url, TOKEN) as late:
        made = await new_table(url, game=game, seats=seats, options={"rounds": 4}, pause=0)
        table = await anna.watch(made)
        assert table.said == []
        await table.start()
        for _ in range(8):
            await table.until(lambda one: one.turn is not None)  # nothing happens meanwhile
            assert table.turn is not None
            seen = await late.watch(made)
            assert seen.said == table.said
            said.update(seen.said)
            await late.unwatch(made)
            await table.act(table.turn.legal[0])
    assert len(said) > 1
    assert not any((one or "").startswith("play ") for one in said)


async def test_a_missing_event_triggers_a_resync(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(await new_table(url, seats=["me", "open", "open", "open"]))
        await table.start()
        await table.until(lambda table: table.turn is not None)
        version, view = table.version, table.view
        # As if the last events had never come, and then one more does.
        table.version -= 2
        event = messages.Event(
            table.id, version, messages.EventInfo("ready"), {}, {}, {}, {}, table.turn
        )
        assert not table.apply_message(event)
        await anna._dispatch(event)
        await table.until(lambda table: table.version == version)
        assert table.view.keys() == view.keys()


async def test_duplicate_events_are_ignored(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(await new_table(url))
        event = messages.Event(
            table.id,
            table.version,
            messages.EventInfo("ready"),
            {"phase": "over"},
            {},
            {},
            {},
            None,
        )
        assert table.apply_message(event)
        assert table.phase == "open"


async def test_another_protocol_version_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    welcome = msgspec.json.encode(messages.Welcome(99, identity=True))
    monkeypatch.setattr("jasstisch.server.ws.connection.encode_message", lambda _: welcome)
    with pytest.raises(ConnectionLostError, match="another protocol"):
        await Client(url).open()


async def test_a_server_that_closes_before_its_welcome_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ended(self: ClientConnection) -> str:
        await self.close()
        raise ConnectionClosedOK(None, None)

    monkeypatch.setattr(ClientConnection, "recv", ended)
    with pytest.raises(ConnectionLostError, match="before it said anything"):
        await Client(url).open()


async def test_an_unreadable_welcome_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "jasstisch.server.ws.connection.encode_message", lambda _: b'{"type":"weather"}'
    )
    with pytest.raises(ConnectionLostError, match="cannot read"):
        await Client(url).open()


async def test_a_connection_without_a_welcome_counts_as_lost_and_is_tried_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.client.connection._ANSWER_TIMEOUT_S", 0.3)
    silent: list[ServerConnection] = []

    async def accept(socket: ServerConnection) -> None:
        silent.append(socket)
        await socket.wait_closed()

    async with serve(accept, "127.0.0.1", 0) as server, Client(url) as anna:
        host = f"127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        good, anna._host = anna._host, host
        with pytest.raises(ConnectionLostError, match="accepts the connection and is silent"):
            await anna._connect()
        assert anna._socket is not None
        await anna._socket.close()
        async with asyncio.timeout(20):
            while len(silent) < 3:  # noqa: ASYNC110 - a list that tells nobody
                await asyncio.sleep(0.05)
            anna._host = good
            while anna._socket.state is not State.OPEN:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
        assert await anna.games()


async def test_a_table_of_a_lost_connection_is_not_current(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(await new_table(url))
    assert not table.is_current


async def test_a_late_action_of_a_bot_does_not_stop_it(url: str) -> None:
    class Late(Client):
        """A client whose first action comes too late."""

        late = True

        async def request(self, message: messages.ClientMessage) -> messages.Ack:
            if self.late and isinstance(message, messages.Act):
                self.late = False
                await super().request(message)
            return await super().request(message)

    async with Late(url) as anna:
        made = await anna.create_table(
            "molotov", ["me", "open", "open"], name="Anna", options={"target": 1}, start=True
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        assert table.view["over"]
        assert not anna.late


async def test_an_illegal_action_of_a_bot_is_raised(url: str) -> None:
    class Cheat:
        name = "cheat"

        def act(self, view: object, legal: object, rng: object) -> str:
            return "play XX"

    async with Client(url) as anna:
        made = await anna.create_table("molotov", ["me", "open", "open"], name="Anna", start=True)
        table = await anna.watch(made.table)
        with pytest.raises(RequestError, match="illegal_action"):
            await table.play(Cheat())


async def test_a_damaged_table_is_reported_and_the_others_continue(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    await store.append("d" * 22, 0, [SeatLeft(0)])  # no table begins so
    async with running_server(tmp_path, store=store) as url, Client(url) as anna:
        with pytest.raises(RequestError, match="damaged"):
            await anna.watch("d" * 22)
        with pytest.raises(RequestError, match="damaged"):
            await anna.get_room("d" * 22)
        table = await anna.watch(await new_table(url))
        assert table.phase == "open"


async def test_concurrent_requests_load_a_table_once(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        table = await new_table(url)
    store = SqliteStore(tmp_path / "tables.sqlite3")
    loads: list[str] = []
    load = store.load

    async def counted(table: str) -> list[object]:
        loads.append(table)
        return list(await load(table))

    store.load = counted  # type: ignore[method-assign, assignment] # counts the calls
    async with running_server(tmp_path, store=store) as url:
        clients = [Client(url, TOKEN) for _ in range(5)]
        await asyncio.gather(*(client.open() for client in clients))
        tables: list[WatchedTable] = await asyncio.gather(
            *(client.watch(table) for client in clients)
        )
        assert {one.version for one in tables} == {2}
        assert loads == [table]
        await asyncio.gather(*(client.close() for client in clients))


async def moved(table: WatchedTable, version: int) -> None:
    await table.until(lambda table: table.version > version)


async def test_bot_pauses_are_skipped_if_only_one_person_plays(url: str) -> None:
    async with Client(url) as anna:
        seats = ["me", *["bot:random"] * 3]
        made = await anna.create_table("molotov", seats, name="Anna", pause=3000, start=True)
        table = await anna.watch(made.table)
        async with asyncio.timeout(20):
            for _ in range(4):
                while table.turn is None:
                    version = table.version
                    await table.skip_pause()
                    await moved(table, version)
                await table.act(table.turn.legal[0])
        with pytest.raises(RequestError, match="wrong_phase: somebody at this table still plays"):
            await table.skip_pause(to_end=True)

"""A client whose line goes dead: what it is asked for happens once, and nothing is guessed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from jasstisch.client import Client, ConnectionLostError, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError
from jasstisch.server.ws.message_decoding import decode_message
from jasstisch.storage import SqliteStore
from jasstisch.table import events
from tests.server.running_server import TOKEN, running_server
from tests.support.dead_line import Dead, DeadLine

pytestmark = pytest.mark.outside

SILENCE_S = 0.3

WAYS: list[Dead] = ["both ways", "from the server"]


@asynccontextmanager
async def on_a_line(url: str) -> AsyncIterator[tuple[DeadLine, Client]]:
    """A client that counts a line as lost soon."""
    port = urlsplit(url).port
    assert port is not None
    async with DeadLine(port) as line:
        address = f"http://127.0.0.1:{line.port}"
        async with Client(address, TOKEN, silence=SILENCE_S) as anna:
            yield line, anna


async def bidding_table(anna: Client) -> WatchedTable:
    """A table of Differenzler at which everybody bids now."""
    seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]
    made = await anna.create_table("differenzler", seats, name="Anna", start=True)
    table = await anna.watch(made.table)
    await table.until(lambda one: one.turn is not None)
    return table


async def own_actions(folder: Path, table: str) -> list[str]:
    """The actions of the first seat in the log."""
    log = await SqliteStore(folder / "tables.sqlite3").load(table)
    return [one.action for one in log if isinstance(one, events.Acted) and one.seat == 0]


@pytest.mark.parametrize("dead", WAYS)
async def test_a_bid_and_a_card_on_a_dead_line_are_played_once(tmp_path: Path, dead: Dead) -> None:
    async with running_server(tmp_path) as url, on_a_line(url) as (line, anna):
        table = await bidding_table(anna)
        line.die(dead)
        await table.act("bid 28")
        await table.until(lambda one: one.turn is not None and "bid 28" not in one.turn.legal)
        assert table.turn is not None
        card = table.turn.legal[0]
        line.die(dead)
        await table.act(card)
        await line.deliver_late()
        await table.say("hello")
    assert await own_actions(tmp_path, table.id) == ["bid 28", card]


@pytest.mark.parametrize("dead", WAYS)
async def test_a_remark_on_a_dead_line_is_made_once(tmp_path: Path, dead: Dead) -> None:
    async with running_server(tmp_path) as url, on_a_line(url) as (line, anna):
        table = await bidding_table(anna)
        line.die(dead)
        await table.say("well_played")
        await line.deliver_late()
        await table.say("thanks")
    log = await SqliteStore(tmp_path / "tables.sqlite3").load(table.id)
    said = [one.phrase for one in log if isinstance(one, events.PhraseSaid)]
    assert said == ["well_played", "thanks"]


async def test_what_is_asked_for_while_the_line_is_gone_is_sent_later(url: str) -> None:
    async with on_a_line(url) as (_, anna):
        table = await bidding_table(anna)
        assert anna._socket is not None
        anna._socket.transport.abort()
        await table.until(lambda one: not one.is_current)
        await table.act("bid 28")
        assert table.is_current


async def test_what_is_asked_for_while_a_table_is_looked_up_is_sent_later(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        made = await anna.create_table("differenzler", ["me", "open", "open", "open"], name="Anna")
        watching = asyncio.create_task(anna.watch(made.table))
        await asyncio.sleep(0)
        await anna.request(messages.SendPhrase(0, made.table, "hello"))
        assert (await watching).is_current


async def test_nothing_overtakes_what_is_not_settled_yet(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table would say that all before had arrived, should its answer to the watch be lost."""
    catch_up, waiting = Client._catch_up, asyncio.Event()

    async def catch_up_later(self: Client, table: WatchedTable) -> None:
        waiting.set()

    async with Client(url, TOKEN) as anna:
        table = await bidding_table(anna)
        monkeypatch.setattr(Client, "_catch_up", catch_up_later)
        assert anna._socket is not None
        anna._socket.transport.abort()
        await waiting.wait()
        acting = asyncio.create_task(table.act("bid 28"))
        await asyncio.sleep(0)
        for request in (table.ask_hint(), table.skip_pause()):
            with pytest.raises(ConnectionLostError, match="the connection was lost"):
                await request
        await catch_up(anna, table)
        await acting


async def test_an_action_that_no_longer_fits_is_not_sent_again(url: str) -> None:
    """Another device of the person has bid meanwhile."""
    async with on_a_line(url) as (line, anna), Client(url, TOKEN) as other:
        table = await bidding_table(anna)
        there = await other.watch(table.id)
        line.die("both ways")
        await there.act("bid 50")
        with pytest.raises(RequestError, match="wrong_phase: the table has gone on"):
            await table.act("bid 28")


async def test_an_outcome_that_the_server_does_not_know_is_not_guessed(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.server.tables.client_sessions._MAX_SESSIONS", 0)
    async with on_a_line(url) as (line, anna):
        table = await bidding_table(anna)
        line.die("from the server")
        with pytest.raises(ConnectionLostError, match="the connection was lost"):
            await table.act("bid 28")
        await table.until(lambda one: one.is_current)
        assert table.turn is None or "bid 28" not in table.turn.legal


async def test_a_request_that_finds_no_line_in_time_is_given_up(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.client.unanswered_requests._KEPT_S", 0.3)
    async with on_a_line(url) as (_, anna):
        table = await bidding_table(anna)
        assert anna._socket is not None
        anna._host = "127.0.0.1:9"
        anna._socket.transport.abort()
        with pytest.raises(ConnectionLostError):
            await table.act("bid 28")


@pytest.mark.parametrize("upgraded", [False, True])
async def test_a_server_without_sessions_is_watched_without_one(
    url: str, monkeypatch: pytest.MonkeyPatch, upgraded: bool
) -> None:
    """A server of the version before; in a cluster, clients may come to it from one of this."""

    def decode_as_before(text: str, limit: int) -> messages.ClientMessage:
        message = decode_message(text, limit)
        if isinstance(message, messages.Watch) and message.session is not None:
            raise ApiError("bad_message", "unknown field `session`")
        return message

    async with Client(url, TOKEN) as anna:
        made = await anna.create_table("differenzler", ["me", "open", "open", "open"], name="Anna")
        if upgraded:
            await anna.watch(made.table)
        monkeypatch.setattr("jasstisch.server.ws.connection.decode_message", decode_as_before)
        table = await anna.watch(made.table)
        assert anna._socket is not None
        anna._socket.transport.abort()
        await table.until(lambda one: not one.is_current)
        await table.until(lambda one: one.is_current)
        await table.say("hello")

"""Secrets must not leak: hidden cards, tokens and their hashes, links of tables."""

import asyncio
import json
import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection

from jasstisch.bots import bot
from jasstisch.client import Client
from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.storage import SqliteStore
from jasstisch.table import Table
from jasstisch.table.events import Event
from tests.server.running_server import OTHER_TOKEN, TOKEN, ServerProcess, running_server, websocket
from tests.server.websocket_requests import decode, send_and_read
from tests.table.table_driver import SHORT_OPTIONS

pytestmark = pytest.mark.outside

CARD = re.compile(r"(?<![A-Za-z0-9_-])[2-9TJQKA][CDHS](?![A-Za-z0-9_-])")


async def everything(socket: ClientConnection, heard: list[str]) -> None:
    """Records every message until the response to a ping."""
    while not heard or '"pong"' not in heard[-1]:
        heard.append(str(await socket.recv()))


async def a_match(url: str, game: str) -> tuple[str, dict[int | None, list[str]]]:
    """Plays a match of two people; returns all messages to them and to a spectator."""
    async with (
        Client(url, TOKEN) as anna,
        Client(url, OTHER_TOKEN) as reto,
        websocket(url, TOKEN) as annas_socket,
        websocket(url, OTHER_TOKEN) as retos_socket,
        websocket(url, None) as looking,
    ):
        made = await anna.create_table(
            game, ["me", "open", "bot:random", "open"], name="Anna", options=SHORT_OPTIONS[game]
        )
        table, other = await anna.watch(made.table), await reto.watch(made.table)
        await other.sit(1, "Reto")
        heard: dict[int | None, list[str]] = {0: [], 1: [], None: []}
        noting = []
        for socket, seat in ((annas_socket, 0), (retos_socket, 1), (looking, None)):
            await send_and_read(socket, type="watch", seq=1, table=made.table)
            noting.append(asyncio.create_task(everything(socket, heard[seat])))
        await table.start()
        # A wrong move now and then, for errors may not tell anything either.
        for action in ("play 6C", "play AS", "bid 200", "play XX"):
            for socket in (annas_socket, retos_socket, looking):
                request = {"type": "act", "seq": 9, "table": made.table, "action": action}
                await socket.send(msgspec.json.encode(request).decode())
        await asyncio.gather(table.play(bot("random")), other.play(bot("random")))
        for socket in (annas_socket, retos_socket, looking):
            await socket.send('{"type":"ping","seq":1}')
        await asyncio.gather(*noting)
    return made.table, heard


def hidden_from(log: list[Event], reader: int | None) -> list[set[str]]:
    """For each version, the cards in other hands that were never shown."""
    states: list[set[str]] = []
    table = Table.from_events(log[:1])
    for event in [None, *log[1:]]:
        if event is not None:
            table.apply(event)
        match = table.state.match
        if match is None:
            states.append(set())
            continue
        hands = [set(match.hand(seat)) for seat in range(4) if seat != reader]
        # Drawn for the deal, turned, shown as Weis, turned up by a doubt: all have seen these.
        seen = CARD.findall(json.dumps(match.view(None)))
        states.append(set().union(*hands).difference(seen))
    return states


@pytest.mark.parametrize("game", SHORT_OPTIONS)
async def test_no_message_contains_a_card_hidden_from_its_reader(tmp_path: Path, game: str) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store, limits=Limits(message_burst=10**9)) as url:
        table, heard = await a_match(url, game)
        log = await store.load(table)
    for reader, texts in heard.items():
        hidden = hidden_from(log, reader)
        version, cards, rounds = 0, 0, 0
        for text in texts:
            got = decode.decode(text)
            told = set(CARD.findall(text))
            if isinstance(got, messages.Event):
                version = got.version
                if "rounds" in got.append:
                    rounds += 1
            if isinstance(got, messages.ErrorMessage):
                # It names the action that was tried, and the reader's own legal actions.
                told = {action[-2:] for action in got.legal}
            if version:
                this_round = told & hidden[version - 1]
                # Cards of finished rounds are public and may well be in a hand again.
                assert not this_round or "rounds" in got.append, (reader, text)  # type: ignore[union-attr] # only events tell of rounds
            cards += len(told)
        assert rounds >= 1
        assert cards > 36


async def test_a_hidden_bid_stays_hidden_until_the_round_ends(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        _, heard = await a_match(url, "differenzler")
    bids: list[int] = []
    for reader, texts in heard.items():
        for text in texts:
            got = decode.decode(text)
            if not isinstance(got, messages.Event):
                continue
            if got.event.action is not None and got.event.action.startswith("bid"):
                assert (got.event.action == "bid") == (got.event.seat != reader)
            for seat, bid in enumerate(got.set.get("bids", [])):
                assert bid is None or seat == reader
                bids.append(seat)
    assert bids


async def test_the_log_contains_no_cards_names_links_or_tokens(tmp_path: Path) -> None:
    server = await asyncio.to_thread(ServerProcess, tmp_path)
    async with Client(server.url) as anna:
        made = await anna.create_table(
            "molotov", ["me", "open", "open"], name="Annabarbara", options={"target": 1}, start=True
        )
        table = await anna.watch(made.table)
        async with websocket(server.url, anna.token) as socket:
            for text in ("play JC", '{"type":"act"}', "\x00", '{"cards":"AS KS"}'):
                await socket.send(text)
        await table.play(bot("random"))
        await anna.record(made.table)
        token = anna.token or ""
    log = await asyncio.to_thread(server.stop)
    lines = [json.loads(line) for line in log.splitlines()]
    assert "table_made" in [line["event"] for line in lines]
    for secret in (made.table, token, sha256(token.encode()).hexdigest(), "Annabarbara"):
        assert secret not in log
    assert not CARD.search(log)


async def test_the_store_contains_no_tokens(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, Client(url) as anna:
        await anna.create_table("molotov", ["me", "open", "open"], name="Anna", start=True)
        token = anna.token or ""
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())  # noqa: ASYNC240 - a small file
    assert len(token) == 43
    assert token.encode() not in kept
    assert sha256(token.encode()).hexdigest().encode() in kept


async def test_links_and_tokens_are_unguessable(url: str) -> None:
    async with Client(url) as anna, Client(url) as reto:
        tables = {(await anna.create_table("molotov", ["open"] * 3)).table for _ in range(20)}
        assert len(tables) == 20
        assert all(len(table) == 22 for table in tables)  # 128 random bits
        assert anna.token != reto.token
        assert {len(one.token or "") for one in (anna, reto)} == {43}  # 256 random bits

"""Typed errors over the WebSocket; the table keeps running."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from jasstisch.client import Client, RequestError
from jasstisch.server.api import bodies, messages
from jasstisch.server.limits.server_limits import Limits
from tests.server.running_server import OTHER_TOKEN, running_server, unwelcomed_websocket, websocket
from tests.server.websocket_requests import new_table, read_message, request_error, send_and_read

pytestmark = pytest.mark.outside

NOWHERE = "x" * 22


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", "truncated"),
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ("null", "Expected `object`"),
        ("{}", "required field `type`"),
        ('{"type":"fly","seq":1}', "the types are watch, unwatch, sit"),
        ('{"type":7,"seq":1}', "Expected `str`"),
        ('{"type":"ping"}', "required field `seq`"),
        ('{"type":"ping","seq":-1}', ">= 0"),
        ('{"type":"ping","seq":1e99}', "Expected `int`"),
        ('{"type":"ping","seq":1,"card":"JC"}', "unknown field `card`"),
        ('{"type":"watch","seq":1,"table":"../../etc/passwd"}', "$.table"),
        ('{"type":"watch","seq":1,"table":"a"}', "$.table"),
        ('{"type":"act","seq":1,"table":"' + NOWHERE + '","action":""}', "$.action"),
        ('{"type":"act","seq":1,"table":"' + NOWHERE + '","action":"' + "x" * 201 + '"}', "200"),
        ('{"type":"sit","seq":1,"table":"' + NOWHERE + '","seat":99,"name":"A"}', "$.seat"),
        ('{"type":"swap","seq":1,"table":"' + NOWHERE + '","seat":16}', "$.seat"),
        ('{"type":"swap","seq":1,"table":"' + NOWHERE + '"}', "required field `seat`"),
        ('{"type":"answer","seq":1,"table":"' + NOWHERE + '","seat":0}', "field `accept`"),
        ('{"type":"answer","seq":1,"table":"' + NOWHERE + '","seat":0,"accept":1}', "$.accept"),
        ("[" * 5000, "Expected `object`"),
    ],
)
async def test_malformed_messages_are_refused_by_field(url: str, text: str, names: str) -> None:
    async with websocket(url) as socket:
        await socket.send(text)
        got = await read_message(socket)
        assert isinstance(got, messages.ErrorMessage)
        assert got.code == "bad_message"
        assert names in got.message
        assert len(got.message) < 500
        pong, _ = await send_and_read(socket, type="ping", seq=5)
        assert pong == messages.Pong(5)


async def test_a_deeply_nested_message_is_refused(url: str) -> None:
    """Python's versions limit the depth differently: too deep for some, cut off for others."""
    async with websocket(url) as socket:
        await socket.send('{"a":' * 2000)
        got = await read_message(socket)
        assert isinstance(got, messages.ErrorMessage)
        assert got.code == "bad_message"
        assert len(got.message) < 500
        pong, _ = await send_and_read(socket, type="ping", seq=5)
        assert pong == messages.Pong(5)


async def test_errors_repeat_request_id_and_table_where_known(url: str) -> None:
    async with websocket(url) as socket:
        got = await request_error(socket, type="act", seq=12, table=NOWHERE, action=7)
        assert (got.seq, got.table, got.code) == (12, NOWHERE, "bad_message")


async def test_binary_messages_are_refused(url: str) -> None:
    async with websocket(url) as socket:
        await socket.send(b'{"type":"ping","seq":1}')
        got = await read_message(socket)
        assert isinstance(got, messages.ErrorMessage)
        assert (got.code, "binary" in got.message) == ("bad_message", True)


@pytest.mark.parametrize("letter", ["x", "ü"])
async def test_oversized_messages_are_refused(url: str, letter: str) -> None:
    async with websocket(url) as socket:
        size = 16 * 1024 // len(letter.encode())
        await socket.send(letter * size + letter)
        got = await read_message(socket)
        assert isinstance(got, messages.ErrorMessage)
        assert (got.code, "16384 bytes" in got.message) == ("too_large", True)
        pong, _ = await send_and_read(socket, type="ping", seq=1)
        assert pong == messages.Pong(1)


async def test_an_enormous_message_closes_only_its_own_connection(url: str) -> None:
    async with websocket(url) as other, websocket(url) as socket:
        await socket.send("x" * 1024 * 1024)
        with pytest.raises(ConnectionClosedError) as caught:
            await read_message(socket)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
        assert (await send_and_read(other, type="ping", seq=1))[0] == messages.Pong(1)


async def test_too_many_messages_are_refused_and_then_close_the_connection(tmp_path: Path) -> None:
    limits = Limits(messages_per_second=0.001, message_burst=5, max_refused_messages=10)
    async with running_server(tmp_path, limits=limits) as url, websocket(url) as socket:
        for number in range(5):
            await send_and_read(socket, type="ping", seq=number)
        for _ in range(10):
            got = await request_error(socket, type="ping", seq=1)
            assert got.code == "too_fast"
        await socket.send('{"type":"ping","seq":1}')
        await socket.wait_closed()
        with pytest.raises(ConnectionClosedError) as caught:
            await socket.send("")
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1008


async def test_occasional_bad_messages_do_not_close_the_connection(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path, limits=Limits(max_refused_messages=3)) as url,
        websocket(url) as socket,
    ):
        for _ in range(5):
            for _ in range(3):
                assert (await request_error(socket, type="fly", seq=1)).code == "bad_message"
            assert (await send_and_read(socket, type="ping", seq=2))[0] == messages.Pong(2)


async def test_unknown_tables_are_reported(url: str) -> None:
    async with websocket(url) as socket:
        for kind in ("watch", "unwatch", "start", "ready", "stand", "back", "withdraw"):
            got = await request_error(socket, type=kind, seq=1, table=NOWHERE)
            assert (got.code, got.table) == ("unknown_table", NOWHERE)


async def test_without_an_identity_only_watching_is_allowed(url: str) -> None:
    table = await new_table(url)
    async with websocket(url, token=None) as socket:
        seen, before = await send_and_read(socket, type="watch", seq=1, table=table)
        assert isinstance(seen, messages.Ack)
        assert isinstance(before[0], messages.Snapshot)
        assert before[0].seat is None
        got = await request_error(socket, type="sit", seq=2, table=table, seat=1, name="Reto")
        assert got.code == "no_identity"


async def test_a_malformed_token_is_no_identity(url: str) -> None:
    table = await new_table(url)
    for token in ("short", "A" * 42 + "!", "A" * 44):
        async with websocket(url, token=token) as socket:
            got = await request_error(socket, type="sit", seq=2, table=table, seat=1, name="Reto")
            assert got.code == "no_identity"


async def test_a_stranger_cannot_act_for_a_seat_of_another_person(url: str) -> None:
    table = await new_table(url, start=True)
    async with websocket(url, token=OTHER_TOKEN) as socket:
        await send_and_read(socket, type="watch", seq=1, table=table)
        for kind, more in (
            ("act", {"action": "play JC"}),
            ("ready", {}),
            ("start", {}),
            ("stand", {}),
            ("swap", {"seat": 0}),
            ("answer", {"seat": 0, "accept": True}),
            ("withdraw", {}),
            ("back", {}),
        ):
            got = await request_error(socket, type=kind, seq=2, table=table, **more)
            assert got.code == "not_seated"
        got = await request_error(socket, type="sit", seq=3, table=table, seat=0, name="Anna")
        assert got.code == "seat_taken"


async def hand_at_turn(socket: ClientConnection, table: str) -> list[str]:
    """Watches a table until the client is to act; returns the hand."""
    turn, hand = None, []
    await socket.send(msgspec.json.encode({"type": "watch", "seq": 1, "table": table}).decode())
    while turn is None:
        got = await read_message(socket)
        if isinstance(got, messages.Snapshot):
            assert got.view is not None
            turn, hand = got.turn, list(got.view["hand"])
        elif isinstance(got, messages.Event):
            turn = got.turn
    return hand


async def test_illegal_actions_name_clause_reason_and_own_cards_only(url: str) -> None:
    table = await new_table(url, start=True)
    async with websocket(url) as socket:
        hand = await hand_at_turn(socket, table)
        for action in ("play XX", "bid 12", "JCJC", "🂡", "play\u0000", "drop", "9" * 200):
            got = await request_error(socket, type="act", seq=2, table=table, action=action)
            assert (got.code, got.reason, got.clause) == ("illegal_action", "unknown", "C12")
            assert set(got.legal) <= {f"play {card}" for card in hand}
            assert got.legal
        strange = next(card for card in ("6C", "7C", "8C", "9C", "TC", "JC") if card not in hand)
        got = await request_error(socket, type="act", seq=2, table=table, action=f"play {strange}")
        assert (got.reason, got.clause) == ("not_held", "C8")
        done, _ = await send_and_read(socket, type="act", seq=3, table=table, action=got.legal[0])
        assert isinstance(done, messages.Ack)


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 25, "bot:greedy", "Bot:x", "A\u202eB", "A\u0000", "\u200b", "\ud83d", "á́́́"],
)
async def test_invalid_nicknames_are_refused(url: str, name: str) -> None:
    table = await new_table(url)
    text = '{"type":"sit","seq":1,"table":"%s","seat":1,"name":"%s"}'
    escaped = name.encode("utf-16-be", "surrogatepass").hex()
    units = "".join(f"\\u{escaped[at : at + 4]}" for at in range(0, len(escaped), 4))
    async with websocket(url, token=OTHER_TOKEN) as socket:
        await socket.send(text % (table, units))
        got = await read_message(socket)
        assert isinstance(got, messages.ErrorMessage)
        assert got.code in ("bad_name", "bad_message")


async def test_nicknames_in_all_scripts_are_accepted_and_normalised(url: str) -> None:
    table = await new_table(url, seats=["me", "open", "open", "open"])
    async with Client(url) as reto:
        watched = await reto.watch(table)
        for name, shown in ((" Zoë   Grüezi ", "Zoë Grüezi"), ("अनीता", "अनीता"), ("李", "李")):
            await watched.sit(1, name)
            assert watched.room.seats[1].name == shown
            await watched.stand()


async def test_cross_origin_connections_are_refused(url: str) -> None:
    port = url.rsplit(":", 1)[1]
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{port}.evil.example"):
        with pytest.raises(InvalidStatus) as caught:
            async with websocket(url, Origin=origin):
                pass
        assert caught.value.response.status_code == 403
        body = msgspec.json.decode(caught.value.response.body, type=bodies.ErrorBody)
        assert body.code == "forbidden_origin"
    async with websocket(url, Origin=url) as socket:
        assert (await send_and_read(socket, type="ping", seq=1))[0] == messages.Pong(1)


async def test_the_websocket_is_at_one_path_only(url: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with websocket(url + "/api"):
            pass
    assert caught.value.response.status_code == 404


async def test_watched_tables_are_limited_by_connection(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(max_watched_tables=2)) as url:
        tables = [await new_table(url) for _ in range(3)]
        async with websocket(url) as socket:
            for number, table in enumerate(tables[:2]):
                await send_and_read(socket, type="watch", seq=number, table=table)
            got = await request_error(socket, type="watch", seq=7, table=tables[2])
            assert got.code == "limit"
            await send_and_read(socket, type="watch", seq=8, table=tables[0])
            await send_and_read(socket, type="unwatch", seq=9, table=tables[0])
            done, _ = await send_and_read(socket, type="watch", seq=10, table=tables[2])
            assert isinstance(done, messages.Ack)


async def test_excess_connections_are_told_why_and_closed(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=Limits(connections=1)) as url:
        async with Client(url) as anna:
            with pytest.raises(RequestError, match="too many connections") as caught:
                await Client(url).open()
            assert caught.value.code == "busy"
            assert len(await anna.games()) > 0
        while True:  # the server learns of the end of the first one in its own time
            async with unwelcomed_websocket(url) as socket:
                if isinstance(await read_message(socket), messages.Welcome):
                    return
            await asyncio.sleep(0.01)


async def test_a_full_inbox_is_reported_and_the_table_continues(tmp_path: Path) -> None:
    async with running_server(
        tmp_path, limits=Limits(max_waiting_requests=1, message_burst=1000)
    ) as url:
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=0, table=table)
            for number in range(1, 300):
                await socket.send(
                    msgspec.json.encode({"type": "back", "seq": number, "table": table}).decode()
                )
            answers = [await read_message(socket) for _ in range(1, 300)]
            codes = {one.code for one in answers if isinstance(one, messages.ErrorMessage)}
            assert codes <= {"busy"}
            done, _ = await send_and_read(socket, type="start", seq=999, table=table)
            assert isinstance(done, messages.Ack)

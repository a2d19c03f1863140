"""A server that tells of the deals in another form, over a real connection."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from jasstisch.client import Client, ConnectionLostError, DealMemory, RequestError
from jasstisch.server.api import messages
from tests.server.running_server import TOKEN
from tests.server.websocket_requests import new_table
from tests.support.lying_server import LyingServer, Room

pytestmark = pytest.mark.outside

SEATS = ["me", *["bot:random"] * 3]


def without(key: str) -> Callable[[Room], object]:
    return lambda room: room.get("fair", {}).pop(key, None)


def changed(**values: object) -> Callable[[Room], object]:
    return lambda room: room.get("fair", {}).update(values)


MALFORMED = {
    "a key more": changed(salt="00"),
    "a key less": without("void"),
    "without who is asked": without("asked"),
    "a number as text": changed(next_pack="1"),
    "a fraction": changed(next_pack=1.0),
    "a list as a call": changed(call=[]),
    "a text": lambda room: room.update(fair="fair"),
    "left out": lambda room: room.pop("fair", None),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> LyingServer:
    return LyingServer(monkeypatch)


@pytest.mark.parametrize("form", MALFORMED)
async def test_snapshot_with_another_form_of_the_deals_is_a_breach_and_remembered(
    url: str, server: LyingServer, tmp_path: Path, form: str
) -> None:
    made = await new_table(url, seats=SEATS, game="molotow", options={"rounds": 1}, start=True)
    folder = tmp_path / "deals"
    async with Client(url, TOKEN, deal_memory=DealMemory(folder)) as anna:
        table = await anna.watch(made)
        assert table.room.fair is not None
    server.lie = MALFORMED[form]
    async with Client(url, TOKEN, deal_memory=DealMemory(folder)) as anna:
        table = await anna.watch(made)
        assert "snapshot" in server.told
        assert table.deal_problem is not None
        assert table.room.seats[0].name == "Anna"
        assert (await anna.get_room(made)).fair is not None
    server.lie = None
    async with Client(url, TOKEN, deal_memory=DealMemory(folder)) as anna:
        table = await anna.watch(made)
        assert table.deal_problem is not None
        assert table.room.fair is not None


async def test_first_word_of_the_deals_in_another_form_is_a_breach(
    url: str, server: LyingServer
) -> None:
    made = await new_table(url, seats=SEATS, game="molotow", options={"rounds": 1}, start=True)
    server.lie = changed(salt="00")
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        assert table.deal_problem is not None
        assert table.room.fair is None


async def test_event_with_another_form_of_the_deals_is_a_breach_at_once(
    url: str, server: LyingServer
) -> None:
    made = await new_table(url, seats=SEATS, game="differenzler", options={"rounds": 4})
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        server.lie = changed(salt="00")
        async with asyncio.timeout(60):
            await table.start()
            await table.until(lambda one: one.deal_problem is not None)
            assert set(server.told) == {"event"}
            assert table.room.fair is None
            await table.close()
        verdict = table.judge_deals(await anna.record(made))
    assert verdict is not None
    assert verdict.kind == "broken"


async def test_listener_is_given_the_state_of_the_deals_with_its_type(url: str) -> None:
    made = await new_table(url, seats=SEATS, game="molotow", options={"rounds": 1}, start=True)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        events = table.events()
        first = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        table.version = 0  # so that the server sends the whole
        await anna.watch(made)
        told = await first
        assert isinstance(told, messages.Snapshot)
        assert isinstance(told.room.fair, messages.FairDealState)
        assert told.room == table.room


async def test_message_without_its_form_otherwise_cannot_be_read(
    url: str, server: LyingServer
) -> None:
    made = await new_table(url, seats=SEATS, game="molotow", options={"rounds": 1}, start=True)
    server.lie = lambda room: room.update(pause="long")
    async with Client(url, TOKEN) as anna:
        with pytest.raises(ConnectionLostError, match="cannot read"):
            await anna.watch(made)


async def test_match_at_a_table_that_is_known_no_more_is_unproven(
    url: str, server: LyingServer
) -> None:
    made = await new_table(url, seats=SEATS, game="molotow", options={"rounds": 1}, start=True)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        await table.until(lambda one: one.turn is not None)
        assert table.unproven_matches == []
        server.forget_tables()
        await table.say("hello")
        with pytest.raises(RequestError, match="unknown_table"):
            await table.until(lambda _: False)
        assert table.unproven_matches == [1]
        verdict = table.judge_deals(None)
    assert verdict is not None
    assert verdict.kind == "unproven"

"""Swapping seats at a running table: offers, refusals and restarts."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.server.identity.tokens import hash_token
from tests.server.running_server import OTHER_TOKEN, THIRD_TOKEN, TOKEN, running_server, websocket
from tests.server.websocket_requests import new_table, send_and_read

pytestmark = pytest.mark.outside

SEATS = ["me", "open", "open", "bot:greedy"]


@asynccontextmanager
async def anna_and_reto(url: str) -> AsyncIterator[tuple[WatchedTable, WatchedTable]]:
    """A table of Schieber before the start: Anna on seat 0, Reto on seat 1, a bot on seat 3."""
    table = await new_table(url, game="schieber", seats=SEATS)
    async with Client(url, TOKEN) as anna, Client(url, OTHER_TOKEN) as reto:
        annas_table, retos_table = await anna.watch(table), await reto.watch(table)
        await retos_table.sit(1, "Reto")
        await both(annas_table, retos_table)
        yield annas_table, retos_table


async def both(annas_table: WatchedTable, retos_table: WatchedTable) -> None:
    """Waits until both clients have the same version."""
    newest = max(annas_table.version, retos_table.version)
    for table in (annas_table, retos_table):
        await table.until(lambda one: one.version >= newest)


def names(table: WatchedTable) -> list[str]:
    return [seat.name for seat in table.room.seats]


async def code(request: Awaitable[None]) -> str:
    """The code of the refusal of a request."""
    with pytest.raises(RequestError) as caught:
        await request
    return caught.value.code


async def test_two_people_swap_and_play_from_their_new_seats(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        assert annas_table.room.sides == [[0, 2], [1, 3]]
        await annas_table.swap(1)
        await both(annas_table, retos_table)
        assert [seat.asks for seat in retos_table.room.seats] == [1, None, None, None]
        await retos_table.answer_swap(0, accept=True)
        await both(annas_table, retos_table)
        assert (annas_table.seat, retos_table.seat) == (1, 0)
        assert names(annas_table) == names(retos_table) == ["Reto", "Anna", "", "bot:greedy"]
        await annas_table.start()
        await both(annas_table, retos_table)
        assert (annas_table.view["seat"], retos_table.view["seat"]) == (1, 0)
        assert annas_table.view["hand"] != retos_table.view["hand"]


async def test_a_declined_or_withdrawn_offer_moves_nobody(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        await annas_table.swap(1)
        await retos_table.answer_swap(0, accept=False)
        await retos_table.swap(0)
        await retos_table.withdraw_swap()
        await both(annas_table, retos_table)
        assert names(annas_table) == ["Anna", "Reto", "", "bot:greedy"]
        assert [seat.asks for seat in annas_table.room.seats] == [None] * 4


async def test_invalid_swaps_are_refused_with_their_code(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        assert await code(annas_table.swap(0)) == "no_swap"
        assert await code(annas_table.swap(2)) == "no_swap"
        assert await code(annas_table.swap(4)) == "bad_option"
        assert await code(annas_table.withdraw_swap()) == "no_swap"
        assert await code(retos_table.answer_swap(0, accept=True)) == "no_swap"
        await annas_table.swap(1)
        await annas_table.start()
        assert await code(retos_table.answer_swap(0, accept=True)) == "wrong_phase"
        assert await code(retos_table.swap(3)) == "wrong_phase"


async def test_spectators_see_offers_but_can_neither_answer_nor_learn_a_token(
    url: str,
) -> None:
    async with (
        anna_and_reto(url) as (annas_table, retos_table),
        websocket(url, THIRD_TOKEN) as socket,
    ):
        await send_and_read(socket, type="watch", seq=1, table=annas_table.id)
        await annas_table.swap(1)
        seen: list[messages.ServerMessage] = []
        for accept in (True, False):
            got, before = await send_and_read(
                socket, type="answer", seq=2, table=annas_table.id, seat=0, accept=accept
            )
            assert isinstance(got, messages.ErrorMessage)
            assert got.code == "not_seated"
            seen += [*before, got]
        await retos_table.answer_swap(0, accept=True)
        _, before = await send_and_read(socket, type="ping", seq=3)
        seen += before
        told = [one.event for one in seen if isinstance(one, messages.Event)]
        assert [(one.kind, one.seat, one.other) for one in told] == [
            ("offered", 0, 1),
            ("swapped", 0, 1),
        ]
        sent = msgspec.json.encode(seen).decode()
        for token in (TOKEN, OTHER_TOKEN):
            assert token not in sent
            assert hash_token(token) not in sent


async def test_after_a_swap_both_get_a_snapshot_and_then_deltas(url: str) -> None:
    table = await new_table(url, game="schieber", seats=SEATS)
    async with websocket(url) as socket:
        await send_and_read(socket, type="watch", seq=1, table=table)
        got, before = await send_and_read(socket, type="swap", seq=2, table=table, seat=3)
        assert isinstance(got, messages.Ack)
        snapshot, presence = before
        assert isinstance(snapshot, messages.Snapshot)
        assert (snapshot.seat, snapshot.version) == (3, got.version)
        assert isinstance(presence, messages.Presence)
        assert presence.connected == [False, False, False, True]
        _, before = await send_and_read(socket, type="start", seq=3, table=table)
        events = [one for one in before if isinstance(one, messages.Event)]
        assert [one.event.kind for one in events] == [
            *("started", "called", "pack", "called", "pack"),
        ]
        assert len(events[-1].append["hand"]) == 9


async def test_offers_and_swaps_survive_a_restart(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, anna_and_reto(url) as (annas_table, retos_table):
        await retos_table.swap(3)
        await annas_table.swap(3)
        await both(annas_table, retos_table)
        before = annas_table.room
        table = annas_table.id
    assert [seat.name for seat in before.seats] == ["Anna", "bot:greedy", "", "Reto"]
    assert [seat.asks for seat in before.seats] == [3, None, None, None]
    async with (
        running_server(tmp_path) as url,
        Client(url, TOKEN) as anna,
        Client(url, OTHER_TOKEN) as reto,
    ):
        assert await anna.get_room(table) == before
        annas_table, retos_table = await anna.watch(table), await reto.watch(table)
        await retos_table.answer_swap(0, accept=True)
        await both(annas_table, retos_table)
        assert (annas_table.seat, retos_table.seat) == (3, 0)


async def test_of_crossing_answers_only_one_takes_effect(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        await annas_table.swap(1)
        done = await asyncio.gather(
            annas_table.withdraw_swap(),
            retos_table.answer_swap(0, accept=True),
            return_exceptions=True,
        )
        refused = [one for one in done if one is not None]
        assert [one.code for one in refused if isinstance(one, RequestError)] == ["no_swap"]
        await both(annas_table, retos_table)
        assert {annas_table.seat, retos_table.seat} == {0, 1}

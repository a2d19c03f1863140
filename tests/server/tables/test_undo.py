"""Undo at a running table: consent, waiting bots and restarts."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.table import clock
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server
from tests.server.websocket_requests import new_table

pytestmark = pytest.mark.outside

ALONE = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]
TOGETHER = ["me", "open", "bot:greedy", "bot:greedy"]


@asynccontextmanager
async def anna_and_reto(url: str) -> AsyncIterator[tuple[WatchedTable, WatchedTable]]:
    """A match of Molotov: Anna on seat 0, Reto on seat 1."""
    table = await new_table(url, game="molotov", seats=TOGETHER)
    async with Client(url, TOKEN) as anna, Client(url, OTHER_TOKEN) as reto:
        annas_table, retos_table = await anna.watch(table), await reto.watch(table)
        await retos_table.sit(1, "Reto")
        await annas_table.start()
        yield annas_table, retos_table


async def play_until_undoable(mine: WatchedTable, *others: WatchedTable) -> str:
    """Everybody plays the first legal action until a card can be undone; returns the card."""
    while True:
        for one in (mine, *others):
            if one.turn is None:
                continue
            action = one.turn.legal[0]
            await one.act(action)
            if one is mine and mine.undoable:
                return action
        await asyncio.sleep(0.01)


async def both(annas_table: WatchedTable, retos_table: WatchedTable) -> None:
    """Waits until both clients have the same version."""
    newest = max(annas_table.version, retos_table.version)
    for table in (annas_table, retos_table):
        await table.until(lambda one: one.version >= newest)


async def test_undo_against_bots_takes_effect_at_once(url: str) -> None:
    table = await new_table(url, game="molotov", seats=ALONE, start=True)
    async with Client(url, TOKEN) as anna:
        annas_table = await anna.watch(table)
        action = await play_until_undoable(annas_table)
        await annas_table.until(lambda one: one.turn is not None)
        assert annas_table.undoable
        await annas_table.undo()
        assert annas_table.turn is not None
        assert action in annas_table.turn.legal
        assert action.removeprefix("play ") in annas_table.view["hand"]
        whole = await anna.watch(table)
        assert (whole.view, whole.turn, whole.undoable) == (
            annas_table.view,
            annas_table.turn,
            False,
        )
        with pytest.raises(RequestError) as caught:
            await annas_table.undo()
        assert caught.value.code == "no_undo"


async def test_undo_asks_the_other_person_while_bots_wait(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        action = await play_until_undoable(annas_table, retos_table)
        await annas_table.undo()
        asked = annas_table.version
        await both(annas_table, retos_table)
        undo = retos_table.room.undo
        assert undo is not None
        assert (undo.seat, undo.awaited) == (0, [1])
        await asyncio.sleep(0.2)
        assert annas_table.version == asked
        await retos_table.answer_undo(accept=True)
        await both(annas_table, retos_table)
        assert annas_table.room.undo is None
        assert annas_table.turn is not None
        assert action in annas_table.turn.legal
        assert retos_table.view["hand_sizes"] == annas_table.view["hand_sizes"]


async def test_after_a_refused_undo_play_continues(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        await play_until_undoable(annas_table, retos_table)
        await annas_table.undo()
        await both(annas_table, retos_table)
        await retos_table.answer_undo(accept=False)
        await both(annas_table, retos_table)
        assert annas_table.room.undo is None
        assert not annas_table.undoable
        await play_until_undoable(annas_table, retos_table)
        await annas_table.undo()
        await annas_table.withdraw_undo()
        assert annas_table.undoable


async def test_an_unanswered_undo_request_expires(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "UNDO_TIMEOUT_S", 0.3)
    async with anna_and_reto(url) as (annas_table, retos_table):
        await play_until_undoable(annas_table, retos_table)
        await annas_table.undo()
        assert annas_table.room.undo is not None
        await annas_table.until(lambda one: one.room.undo is None)
        assert not annas_table.undoable


async def test_a_bot_client_agrees_to_an_undo_and_plays_on(url: str) -> None:
    async with anna_and_reto(url) as (annas_table, retos_table):
        playing = asyncio.create_task(retos_table.play(jt.bot("random"), random.Random(1)))
        try:
            for _ in range(3):
                while not annas_table.undoable:
                    await annas_table.until(lambda one: one.undoable or one.turn is not None)
                    if annas_table.turn is not None and not annas_table.undoable:
                        await annas_table.act(annas_table.turn.legal[0])
                try:
                    await annas_table.undo()
                except RequestError:
                    continue  # the bot was quicker
                await annas_table.until(lambda one: one.room.undo is None)
        finally:
            playing.cancel()


async def test_undo_requests_and_undos_survive_a_restart(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, anna_and_reto(url) as (annas_table, retos_table):
        await play_until_undoable(annas_table, retos_table)
        await annas_table.undo()
        await both(annas_table, retos_table)
        await retos_table.answer_undo(accept=True)
        await both(annas_table, retos_table)
        await play_until_undoable(annas_table, retos_table)
        await annas_table.undo()
        seen, table = annas_table.view, annas_table.id
    async with running_server(tmp_path) as again, Client(again, OTHER_TOKEN) as reto:
        retos_table = await reto.watch(table)
        assert retos_table.room.undo is not None
        assert retos_table.view["trick"] == seen["trick"]
        await retos_table.answer_undo(accept=True)
        assert retos_table.room.undo is None

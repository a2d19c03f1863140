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
        hers, his = await anna.watch(table), await reto.watch(table)
        await his.sit(1, "Reto")
        await hers.start()
        yield hers, his


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


async def both(hers: WatchedTable, his: WatchedTable) -> None:
    """Waits until both clients have the same version."""
    newest = max(hers.version, his.version)
    for table in (hers, his):
        await table.until(lambda one: one.version >= newest)


async def test_undo_against_bots_takes_effect_at_once(url: str) -> None:
    table = await new_table(url, game="molotov", seats=ALONE, start=True)
    async with Client(url, TOKEN) as anna:
        hers = await anna.watch(table)
        action = await play_until_undoable(hers)
        await hers.until(lambda one: one.turn is not None)
        assert hers.undoable
        await hers.undo()
        assert hers.turn is not None
        assert action in hers.turn.legal
        assert action.removeprefix("play ") in hers.view["hand"]
        whole = await anna.watch(table)
        assert (whole.view, whole.turn, whole.undoable) == (hers.view, hers.turn, False)
        with pytest.raises(RequestError) as caught:
            await hers.undo()
        assert caught.value.code == "no_undo"


async def test_undo_asks_the_other_person_while_bots_wait(url: str) -> None:
    async with anna_and_reto(url) as (hers, his):
        action = await play_until_undoable(hers, his)
        await hers.undo()
        asked = hers.version
        await both(hers, his)
        undo = his.room.undo
        assert undo is not None
        assert (undo.seat, undo.awaited) == (0, [1])
        await asyncio.sleep(0.2)
        assert hers.version == asked
        await his.answer_undo(accept=True)
        await both(hers, his)
        assert hers.room.undo is None
        assert hers.turn is not None
        assert action in hers.turn.legal
        assert his.view["hand_sizes"] == hers.view["hand_sizes"]


async def test_after_a_refused_undo_play_continues(url: str) -> None:
    async with anna_and_reto(url) as (hers, his):
        await play_until_undoable(hers, his)
        await hers.undo()
        await both(hers, his)
        await his.answer_undo(accept=False)
        await both(hers, his)
        assert hers.room.undo is None
        assert not hers.undoable
        await play_until_undoable(hers, his)
        await hers.undo()
        await hers.withdraw_undo()
        assert hers.undoable


async def test_an_unanswered_undo_request_expires(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "UNDO_TIMEOUT_S", 0.3)
    async with anna_and_reto(url) as (hers, his):
        await play_until_undoable(hers, his)
        await hers.undo()
        assert hers.room.undo is not None
        await hers.until(lambda one: one.room.undo is None)
        assert not hers.undoable


async def test_a_bot_client_agrees_to_an_undo_and_plays_on(url: str) -> None:
    async with anna_and_reto(url) as (hers, his):
        playing = asyncio.create_task(his.play(jt.bot("random"), random.Random(1)))
        try:
            for _ in range(3):
                while not hers.undoable:
                    await hers.until(lambda one: one.undoable or one.turn is not None)
                    if hers.turn is not None and not hers.undoable:
                        await hers.act(hers.turn.legal[0])
                try:
                    await hers.undo()
                except RequestError:
                    continue  # the bot was quicker
                await hers.until(lambda one: one.room.undo is None)
        finally:
            playing.cancel()


async def test_undo_requests_and_undos_survive_a_restart(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, anna_and_reto(url) as (hers, his):
        await play_until_undoable(hers, his)
        await hers.undo()
        await both(hers, his)
        await his.answer_undo(accept=True)
        await both(hers, his)
        await play_until_undoable(hers, his)
        await hers.undo()
        seen, table = hers.view, hers.id
    async with running_server(tmp_path) as again, Client(again, OTHER_TOKEN) as reto:
        his = await reto.watch(table)
        assert his.room.undo is not None
        assert his.view["trick"] == seen["trick"]
        await his.answer_undo(accept=True)
        assert his.room.undo is None

"""Whole matches over the wire, with the client that bot authors use."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.games.rules import REGISTRY
from jasstisch.testing.view_type_checks import type_mismatches
from tests.server.running_server import running_server

pytestmark = pytest.mark.outside

SHORT = {
    "differenzler": {"rounds": 4},
    "molotov": {"target": 1},
    "molotow": {"rounds": 2},
    "offenbach": {"target": 1},
}
BOTS = ["bot:random", "bot:greedy"]


def is_over(table: WatchedTable) -> bool:
    return table.phase == "over"


@pytest.mark.parametrize("game", SHORT)
async def test_two_people_play_a_match_against_two_bots(url: str, game: str) -> None:
    async with Client(url) as anna, Client(url) as reto, Client(url) as spectator:
        made = await anna.create_table(
            game, ["me", "open", *BOTS], name="Anna", options=dict(SHORT[game])
        )
        assert made.seat == 0
        annas_table = await anna.watch(made.table)
        retos_table = await reto.watch(made.table)
        seen = await spectator.watch(made.table)
        await retos_table.sit(1, "Reto")
        await annas_table.start()
        random = bot("random")
        await asyncio.gather(
            annas_table.play(random, Random(1)), retos_table.play(random, Random(2))
        )
        for table in (annas_table, retos_table, seen):
            await table.until(is_over)
        assert annas_table.version == retos_table.version == seen.version
        for key in ("rounds", "standing", "winners"):
            assert annas_table.view[key] == retos_table.view[key] == seen.view[key]
        assert (annas_table.view["seat"], retos_table.view["seat"], seen.view["seat"]) == (
            0,
            1,
            None,
        )
        assert seen.view["hand"] is None
        for table in (annas_table, retos_table, seen):
            assert list(type_mismatches(table.view, REGISTRY[game].view_type, "view")) == []
        record = await anna.record(made.table)
        match = jt.Match.from_record(record)
        assert match.players == ["Anna", "Reto", *BOTS]
        assert (match.standing, match.winners) == (
            annas_table.view["standing"],
            annas_table.view["winners"],
        )


async def test_one_person_plays_against_bots_and_has_a_rematch(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "molotov", ["bot:random", "me", "open"], name="Anna", options={"target": 1}, start=True
        )
        table = await anna.watch(made.table)
        assert table.room.phase == "playing"
        assert [seat.name for seat in table.room.seats] == ["bot:random", "Anna", "bot:greedy"]
        await table.play(bot("random"))
        wins = table.room.wins
        assert sum(wins) == len(table.view["winners"])
        await table.declare_ready()
        await table.until(lambda table: table.phase == "playing")
        assert table.room.number == 2
        assert table.view["rounds"] == []
        await table.play(bot("random"))
        assert sum(table.room.wins) > sum(wins)


async def test_a_clients_copy_always_equals_a_fresh_snapshot(url: str) -> None:
    async with Client(url) as anna:
        # Without a thinking time: the seconds left on a turn are those of the moment one looks.
        made = await anna.create_table(
            "differenzler",
            ["me", *BOTS, "open"],
            name="Anna",
            start=True,
            thinking_time="unlimited",
        )
        table = await anna.watch(made.table)
        await table.act("bid 42")
        for _ in range(9):
            await table.until(lambda table: table.turn is not None and table.phase == "playing")
            turn = table.turn
            assert turn is not None
            # It is Anna's turn to play: nothing else can happen while she looks.
            async with Client(url, anna.token) as same:
                fresh = await same.watch(made.table)
                assert (fresh.version, fresh.seat) == (table.version, table.seat)
                assert fresh.view == table.view
                assert fresh.room == table.room
                assert fresh.turn == turn
            await table.act(turn.legal[0])


class BrokenBot:
    """A bot that fails in one of three ways."""

    def __init__(self, way: str) -> None:
        self.name = way

    def act(self, view: Mapping[str, object], legal: Sequence[str], rng: Random) -> str:
        if self.name == "raises":
            raise KeyError(legal[0])
        return "play 99" if self.name == "cheats" else legal[0][:0]


@pytest.mark.parametrize("way", ["raises", "cheats", "silent"])
async def test_a_broken_bot_does_not_stop_the_table(
    tmp_path: Path, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with (
        running_server(tmp_path, find_bot=lambda _: BrokenBot(way)) as url,
        Client(url) as anna,
    ):
        made = await anna.create_table(
            "molotov", ["me", *["bot:greedy"] * 3], name="Anna", options={"target": 1}, start=True
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        assert table.phase == "over"
    output = capsys.readouterr()
    logged = output.out + output.err
    assert ("bot_failed" if way == "raises" else "bot_answered_illegally") in logged
    assert "play " not in logged


async def test_presence_follows_connections(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table("molotov", ["me", "open", *BOTS], name="Anna")
        table = await anna.watch(made.table)
        await table.until(lambda table: table.connected == [True, False, False, False])
        async with Client(url) as reto:
            retos_table = await reto.watch(made.table)
            await retos_table.sit(1, "Reto")
            await table.until(lambda table: table.connected == [True, True, False, False])
        await table.until(lambda table: table.connected == [True, False, False, False])


async def test_sitting_down_and_standing_up_changes_the_view(url: str) -> None:
    async with Client(url) as anna, Client(url) as reto:
        made = await anna.create_table("molotov", ["me", "open", *BOTS], name="Anna")
        table, retos_table = await anna.watch(made.table), await reto.watch(made.table)
        await retos_table.sit(1, "Reto")
        await table.start()
        await retos_table.until(lambda table: table.phase == "playing")
        assert len(retos_table.view["hand"]) >= 8
        await retos_table.stand()
        assert retos_table.view["seat"] is None
        assert retos_table.view["hand"] is None
        await table.until(lambda table: table.room.seats[1].left)
        await retos_table.sit(1, "Reto")
        assert retos_table.view["seat"] == 1


async def test_one_client_keeps_several_tables_apart(url: str) -> None:
    async with Client(url) as anna:
        made = [
            await anna.create_table("molotov", ["me", *["bot:random"] * 3], name="A", start=True)
            for _ in range(3)
        ]
        tables = [await anna.watch(one.table) for one in made]
        assert len({one.table for one in made}) == 3
        await tables[0].until(lambda table: table.turn is not None)
        turn = tables[0].turn
        assert turn is not None
        versions = [table.version for table in tables]
        await tables[0].act(turn.legal[0])
        assert tables[0].version > versions[0]
        await anna.unwatch(made[1].table)
        with pytest.raises(RequestError, match=r"illegal_action|wrong_phase"):
            await tables[2].act("bid 12")

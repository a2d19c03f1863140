"""Tutorials over the wire: creation, pace and restart."""

from pathlib import Path
from random import Random

import msgspec
import pytest

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.server.api import bodies
from jasstisch.server.limits.server_limits import Limits
from jasstisch.tutorials import GAMES, LEARNER_SEAT, get_tutorial
from tests.server.running_server import rest_client, running_server

pytestmark = pytest.mark.outside


async def learn(table: WatchedTable) -> list[str]:
    """Plays the tutorial as the coach suggests and reads everything; returns its messages."""
    heard: list[str] = []
    while table.phase == "playing":
        await table.until(WatchedTable.is_mine_to_move)
        hint = table.hint
        if hint is not None and (not heard or heard[-1] != hint.id):
            heard.append(hint.id)
        if hint is not None and hint.wait:
            await table.declare_ready()
        elif table.turn is not None:
            assert hint is not None
            assert hint.suggest in table.turn.legal or table.turn.more
            await table.act(hint.suggest or "")
    assert table.hint is not None
    return [*heard, table.hint.id]


@pytest.mark.parametrize("game", GAMES)
async def test_a_tutorial_can_be_played_by_its_suggestions(url: str, game: str) -> None:
    async with Client(url) as anna, Client(url) as guest:
        made = await anna.create_tutorial_table(game, name="Anna")
        assert made.seat == LEARNER_SEAT
        table, seen = await anna.watch(made.table), await guest.watch(made.table)
        assert table.room.guided
        heard = await learn(table)
        assert heard[0] == f"{game}.aim"
        assert heard[-1].startswith(f"{game}.score")
        assert seen.hint is None


async def test_tutorial_messages_survive_a_restart(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, Client(url) as anna:
        made = await anna.create_tutorial_table("molotov", name="Anna")
        table = await anna.watch(made.table)
        await table.declare_ready()
        await table.until(WatchedTable.is_mine_to_move)
        before, token = table.hint, anna.token
        assert before is not None
        assert before.id == "tricks.follow"
    async with running_server(tmp_path) as url, Client(url, token) as anna:
        table = await anna.watch(made.table)
        assert table.hint == before
        assert (await learn(table))[-1] == "molotov.score_tally"


async def test_a_tutorial_match_is_an_ordinary_match(tmp_path: Path) -> None:
    hasty = Limits(message_burst=1000)
    async with running_server(tmp_path, limits=hasty) as url, Client(url) as anna:
        made = await anna.create_tutorial_table("differenzler", name="Anna")
        table = await anna.watch(made.table)
        await table.play(bot("random"), Random(3))
        record = await anna.record(made.table)
        assert jt.Match.from_record(record).over
        assert record["options"] == dict(jt.game("differenzler", dealer=2).options)


async def test_games_list_the_number_of_players_of_their_tutorial(url: str) -> None:
    async with Client(url) as anna:
        seats = {info.name: info.guided for info in await anna.games()}
    guided = {game: len(get_tutorial(game).script) for game in GAMES}
    assert seats == {game: guided.get(game) for game in jt.games()}


FITTING = {
    "game": "molotov",
    "name": "Anna",
    "seats": ["me", "bot:greedy", "bot:greedy", "bot:greedy"],
    "start": True,
    "guided": True,
}


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"target": 3}},
        {"seats": ["me", "open", "bot:greedy", "bot:greedy"]},
        {"seats": ["bot:greedy", "me", "bot:greedy", "bot:greedy"]},
        {"seats": ["me", "bot:greedy", "bot:greedy"]},
        {"thinking_time": 30},
        {"start": False},
        {"game": "chess"},
    ],
)
async def test_invalid_tutorial_tables_are_refused(url: str, changed: dict[str, object]) -> None:
    async with rest_client(url) as web:
        answer = await web.post("/api/tables", json=FITTING | changed)
        body = msgspec.json.decode(answer.content, type=bodies.ErrorBody)
        assert (answer.status_code, body.code) == (400, "bad_option")
        assert "guided round" in body.message
        assert (await web.post("/api/tables", json=FITTING)).status_code == 201


async def test_a_tutorial_waits_only_for_messages(url: str) -> None:
    async with Client(url) as anna:
        table = await anna.watch((await anna.create_tutorial_table("molotov", name="Anna")).table)
        await table.declare_ready()
        with pytest.raises(RequestError, match="nothing waits"):
            await table.declare_ready()

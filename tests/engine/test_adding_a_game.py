"""The game that docs/adding-a-game.md builds is a game."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.games.rules import REGISTRY

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


@pytest.fixture
def ramsch() -> Iterator[str]:
    """The name of the page's game, which is a game only while the test runs."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    exec(compile(code[1], str(PAGE), "exec"), {"__name__": "ramsch"})
    yield "ramsch"
    del REGISTRY["ramsch"]


@pytest.mark.parametrize("players", [3, 4])
def test_the_one_file_of_the_page_adds_a_whole_game(ramsch: str, players: int) -> None:
    """It plays to its end under the shared rules, and its record replays."""
    rng = random.Random(players)
    match = jt.Match(jt.game(ramsch, players=players, rounds=3))
    while not match.over:
        if match.needs_pack:
            match.shuffle(rng.sample(match.pack, len(match.pack)))
        else:
            (seat,) = match.to_act
            match.act(seat, rng.choice(match.legal(seat)))
            assert match.view((seat + 1) % players)["hand"] == match.hand((seat + 1) % players)
    assert [sum(one["points"]) for one in match.rounds] == [157, 157, 157]
    totals = [one["total"] for one in match.standing]
    assert [totals[seat] for seat in match.winners] == [min(totals)] * len(match.winners)
    again = jt.Match.from_record(json.loads(json.dumps(match.record())))
    assert again.view(None) == match.view(None)


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(jt.GameError, match="'ramsch'; the games are differenzler"):
        jt.game("ramsch")

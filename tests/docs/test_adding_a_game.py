"""The game that docs/adding-a-game.md builds is a valid game."""

import json
import os
import random
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import i18n
from jasstisch.games.registry import ENTRY_POINT_GROUP
from jasstisch.games.rules import REGISTRY
from jasstisch.testing import ConformanceError, check_game
from tests.cli.screen_player import ScreenPlayer, run_cli
from tests.guests import EXAMPLE_PAGE, python_blocks, registered_game, write_package


@pytest.mark.parametrize("players", [3, 4])
def test_the_file_of_the_page_adds_a_whole_game(ramsch: str, players: int) -> None:
    """It plays to its end under the shared rules, and its record replays."""
    rng = random.Random(players)
    match = jt.Match(jt.game(ramsch, players=players, rounds=3))
    while not match.over:
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
        else:
            (seat,) = match.to_act
            match.act(seat, rng.choice(match.legal(seat)))
            assert match.view((seat + 1) % players)["hand"] == match.hand((seat + 1) % players)
    assert [sum(one["points"]) for one in match.rounds] == [157, 157, 157]
    totals = [one["total"] for one in match.standing]
    assert [totals[seat] for seat in match.winners] == [min(totals)] * len(match.winners)
    again = jt.Match.from_record(json.loads(json.dumps(match.record())))
    assert again.view(None) == match.view(None)


def test_the_test_on_the_page_passes(ramsch: str) -> None:
    code: dict[str, Any] = {}
    exec(compile(python_blocks()[1], str(EXAMPLE_PAGE), "exec"), code)
    code["test_ramsch_is_a_game"]()


def test_the_error_on_the_page_is_the_kits_message_about_a_leak(ramsch: str) -> None:
    """A view that shows how strong the other hands are fails with exactly this text."""
    told = re.search(r"```text\n(.*?)```", EXAMPLE_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert told

    rules = REGISTRY[ramsch]

    def table_view(self: Any, seat: int | None) -> dict[str, Any]:
        return {**rules.table_view(self, seat), "strength": [hand % 97 for hand in self.hands]}

    del REGISTRY[ramsch]
    REGISTRY[ramsch] = type("Leaking", (rules,), {"table_view": table_view})
    with pytest.raises(ConformanceError) as caught:
        check_game(ramsch)
    printed, found = (
        re.sub(r"\d+", "N", " ".join(text.split()))
        for text in (told[1], f"{type(caught.value).__name__}: {caught.value}")
    )
    assert found == printed


def block(language: str) -> str:
    """The only code block on the page in this language."""
    (text,) = re.findall(
        rf"```{language}\n(.*?)```", EXAMPLE_PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert isinstance(text, str)
    return text


def test_the_texts_on_the_page_are_valid_for_the_game(tmp_path: Path) -> None:
    (tmp_path / "ramsch.py").write_text(python_blocks()[0], encoding="utf-8")
    (tmp_path / "ramsch.en.json").write_text(block("json"), encoding="utf-8")
    with registered_game(tmp_path / "ramsch.py") as game:
        words = i18n.load_game_texts(game, "de")
        assert words.name == "Ramsch"
        assert words.columns["total"] == "Total"
        assert set(words.options) >= {option.name for option in REGISTRY[game].options}
        screen = run_cli(["play", game, "--rounds", "1", "--seed", "1"], ScreenPlayer())[1]
    assert "Ramsch, 4 players" in screen
    assert re.search(r"Points +Given +Total", screen)


@pytest.mark.outside
def test_the_package_of_the_page_can_be_installed_and_played(tmp_path: Path) -> None:
    """In another process, after an installation: a whole match."""
    offers = tomllib.loads(block("toml"))["project"]["entry-points"][ENTRY_POINT_GROUP]
    files = {"ramsch.py": python_blocks()[0], "ramsch.en.json": block("json")}
    folder = write_package(tmp_path, files, **offers)
    path = os.pathsep.join([str(folder), str(EXAMPLE_PAGE.parents[1] / "src")])
    done = subprocess.run(
        [sys.executable, "-m", "jasstisch", "play", "ramsch", "--rounds", "1", "--seed", "4"],
        env={**os.environ, "PYTHONPATH": path},
        input="".join(f"{number}\n" for number in range(1, 10)) * 9,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "After round 1" in done.stdout, done.stdout + done.stderr
    assert re.search(r"wins? the match|share the win", done.stdout)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(jt.GameError, match="'ramsch'; the games are coiffeur"):
        jt.game("ramsch")

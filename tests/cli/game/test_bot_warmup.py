"""Bots are prepared before the first card, with progress for the person who waits."""

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Event
from typing import ClassVar

import pytest

from jasstisch import bots
from jasstisch.analysis import round_analysis
from jasstisch.bots import View
from jasstisch.bots.searching import ClubBot, MasterBot, warmup
from jasstisch.cli.game import analysis_report
from jasstisch.cli.game.bot_warmup import _WARMUP_MESSAGE
from tests.analysis.search_stubs import random_search
from tests.analysis.test_round_analysis import played
from tests.cli.screen_player import ScreenPlayer, run_cli, scripted_answers
from tests.cli.ui.test_terminal import on_terminal


class SlowBot:
    """A bot that has something to prepare."""

    name = "slow"
    done: ClassVar[list[str]] = []

    def prepare(self, game: str) -> None:
        self.done.append(f"ready for {game}")

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        self.done.append("act")
        return rng.choice(legal)


class BrokenBot(SlowBot):
    name = "broken"

    def prepare(self, game: str) -> None:
        raise RuntimeError("no memory")


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlowBot, "done", [])
    for name, kind in {"slow": "SlowBot", "broken": "BrokenBot"}.items():
        monkeypatch.setitem(bots.BUILT_IN, name, (__name__, kind))


def test_bots_are_prepared_before_the_first_card() -> None:
    status, _, errors = run_cli(
        ["play", "molotow", "--rounds", "1", "--bots", "slow"], ScreenPlayer()
    )
    assert (status, errors) == (0, "")
    assert SlowBot.done[:2] == ["ready for molotow", "act"]
    assert SlowBot.done.count("ready for molotow") == 1


def test_arena_bots_are_prepared_before_the_first_deal() -> None:
    words = ["arena", "molotov", "slow", "--against", "random", "--deals", "2"]
    assert run_cli(words, scripted_answers())[0] == 0
    assert SlowBot.done[:2] == ["ready for molotov", "act"]
    assert SlowBot.done.count("ready for molotov") == 1


@pytest.mark.parametrize(
    "words",
    [["play", "molotov", "--bots", "broken"], ["arena", "molotov", "broken", "--against", "slow"]],
)
def test_a_bot_that_fails_to_prepare_ends_the_command_with_one_line(
    words: list[str],
) -> None:
    status, _, errors = run_cli(words, scripted_answers())
    assert status == 1
    assert errors == ("jasstisch: the bot broken failed to prepare: RuntimeError: no memory\n")


def test_analysis_warms_up_before_the_first_decision(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(analysis_report, "_ANALYSIS_BOT", "slow")
    monkeypatch.setattr(round_analysis, "evaluate_actions", random_search)
    path = tmp_path / "m.jass.json"
    path.write_text(json.dumps(played("molotow").record()))
    assert run_cli(["replay", str(path), "--analyse"], scripted_answers())[0] == 0
    assert SlowBot.done == ["ready for molotow"]


@pytest.mark.parametrize("player", [ClubBot(), MasterBot()])
def test_searching_bots_prepare_the_games_they_know(
    monkeypatch: pytest.MonkeyPatch, player: ClubBot | MasterBot
) -> None:
    monkeypatch.setattr(warmup, "_prepared_games", set())
    monkeypatch.setattr(warmup, "_play_warmup_round", lambda _game: None)
    player.prepare("molotov")
    player.prepare("schafkopf")
    assert warmup._prepared_games == {"molotov"}


def test_an_interrupt_ends_the_command_while_a_bot_goes_on_preparing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The exception is raised outside the compiler, which would lose it or crash."""
    interrupted, ended = Event(), Event()

    def compile_slowly(_self: SlowBot, _game: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        interrupted.wait(10)
        ended.set()

    monkeypatch.setattr(SlowBot, "prepare", compile_slowly)
    status, _, errors = run_cli(["play", "molotov", "--bots", "slow"], scripted_answers())
    assert (status, errors.strip(), ended.is_set()) == (130, "", False)
    interrupted.set()
    assert ended.wait(10)


@pytest.mark.outside
def test_the_terminal_says_that_bots_are_compiled_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    """In an empty cache folder, as after an installation."""
    words = ("play", "i-doubt-it", "--bots", "club", "--seed", "1")
    with on_terminal(*words, JASSTISCH_CACHE=str(tmp_path)) as screen:
        screen.until(_WARMUP_MESSAGE)
        screen.interrupt()
        assert screen.wait() == 130
    assert "Traceback" not in screen.text

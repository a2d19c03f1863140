"""The `arena` command: output, refusals, and what is kept after Ctrl-C."""

import json
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jasstisch import bots, extras
from jasstisch.bots import View
from jasstisch.cli.commands import arena
from tests.cli.screen_player import run_cli, scripted_answers
from tests.cli.ui.test_terminal import on_terminal

DUEL = ["arena", "molotov", "greedy", "--against", "random", "--deals", "4"]


def told(*words: str) -> dict[str, Any]:
    """The JSON that the command prints."""
    status, printed, errors = run_cli(["arena", *words, "--json"], scripted_answers())
    assert (status, errors) == (0, "")
    report: dict[str, Any] = json.loads(printed)
    return report


def test_json_output_has_the_documented_keys() -> None:
    report = told("differenzler", "greedy", *["random"] * 3, "--deals", "3", "--seed", "9")
    assert (report["game"], report["deals"], report["seed"]) == ("differenzler", 3, 9)
    assert [one["name"] for one in report["bots"]] == ["greedy", "random", "random", "random"]
    for one in report["bots"]:
        assert one["mean"] > 0
        assert one["ci95"] > 0
        assert one["ms_per_move"] >= 0


def test_bots_are_listed_in_the_order_given() -> None:
    report = told("molotov", *["random"] * 3, "greedy", "--deals", "2")
    assert [one["name"] for one in report["bots"]] == ["random", "random", "random", "greedy"]
    pool = told("molotov", "random", "greedy", "--deals", "2")
    assert [one["name"] for one in pool["bots"]] == ["random", "greedy"]


def test_equal_arguments_give_equal_results_and_another_seed_others() -> None:
    words = ("molotov", "greedy", "--against", "random", "--deals", "3")
    figures = [
        [(one["name"], one["mean"], one["ci95"]) for one in told(*words, "--seed", seed)["bots"]]
        for seed in ("1", "1", "2")
    ]
    assert figures[0] == figures[1] != figures[2]


def test_house_rule_flags_are_those_of_the_game() -> None:
    words = ("--option", "players=2", "--option", "last=any", "--option", "max_turns=20")
    report = told("i-doubt-it", "greedy", "--against", "random", "--deals", "2", *words)
    assert report["options"]["last"] == "any"
    assert report["line_ups"] == [["greedy", "random"], ["random", "random"]]
    assert report["out"] <= 1


def test_match_flag_plays_whole_matches() -> None:
    words = ("jass", "greedy", "--against", "random", "--matches", "--deals", "2")
    report = told(*words, "--option", "players=2", "--option", "target=5")
    assert report["matches"] is True
    status, printed, _ = run_cli(["arena", *words, "--option", "players=2"], scripted_answers())
    assert status == 0
    assert "2 matches" in printed
    assert "matches won" in printed


def test_a_challenge_prints_its_comparison() -> None:
    status, printed, errors = run_cli(DUEL, scripted_answers())
    assert (status, errors) == (0, "")
    assert "molotov · mean round score, low is good · 4 deals, each at 5 tables" in printed
    assert "Each in the same chair, against three random." in printed
    assert "greedy than random" in printed
    assert "better by, points" in printed


def test_a_line_up_is_printed_with_its_seats() -> None:
    words = ["arena", "differenzler", "greedy", *["random"] * 3, "--deals", "2"]
    assert "in every seating: greedy and three random." in run_cli(words, scripted_answers())[1]


def test_a_round_robin_prints_its_ranking() -> None:
    words = ["arena", "molotow", "greedy", "random", "--deals", "2"]
    _, printed, _ = run_cli(words, scripted_answers())
    assert "lead over the next" in printed
    assert "random than greedy" in printed


def test_i_doubt_it_prints_how_deals_ended() -> None:
    words = ["arena", "i-doubt-it", "greedy", "random", "--deals", "2", "--option", "players=2"]
    _, printed, _ = run_cli([*words, "--option", "max_turns=20"], scripted_answers())
    assert "Somebody went out in " in printed


@pytest.mark.outside
def test_a_bot_from_a_file_can_play(tmp_path: Path) -> None:
    own = tmp_path / "mybot.py"
    own.write_text(
        "class Low:\n"
        "    name = 'low'\n"
        "    def act(self, view, legal, rng):\n"
        "        return legal[0]\n"
    )
    report = told("molotov", f"{own}:Low", "--against", "greedy", "--deals", "2")
    assert [one["name"] for one in report["bots"]] == ["low", "greedy"]
    status, printed, errors = run_cli(
        ["arena", "molotov", f"{own}:Lo", "--against", "greedy"], scripted_answers()
    )
    assert (status, printed) == (2, "")
    assert errors == f"jasstisch: {own} has no 'Lo'; {own} offers Low\n"


@pytest.mark.outside
def test_two_workers_give_the_same_result_as_one() -> None:
    alone, shared = told(*DUEL[1:]), told(*DUEL[1:], "--workers", "2")
    assert alone["compared"] == shared["compared"]


def test_plot_flag_draws_a_picture_beside_the_report(tmp_path: Path) -> None:
    path = tmp_path / "ladder.png"
    status, printed, errors = run_cli([*DUEL, "--plot", str(path)], scripted_answers())
    assert (status, errors) == (0, "")
    assert "greedy than random" in printed
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_run_continues_from_its_checkpoint(tmp_path: Path) -> None:
    keep = ("--keep", str(tmp_path / "boards"))
    words = ("molotov", "greedy", "--against", "random", "--deals")
    told(*words, "2", *keep)
    assert told(*words, "4", *keep)["compared"] == told(*words, "4")["compared"]
    status, _, errors = run_cli(["arena", *words, "4", "--seed", "2", *keep], scripted_answers())
    assert (status, errors.count("\n")) == (1, 1)
    assert "holds other boards: its seed is 1, not 2" in errors


def test_a_folder_as_checkpoint_file_is_refused(tmp_path: Path) -> None:
    status, _, errors = run_cli([*DUEL, "--keep", str(tmp_path)], scripted_answers())
    assert (status, errors) == (
        1,
        f"jasstisch: cannot keep boards in {tmp_path}: is a directory\n",
    )


def test_an_unwritable_picture_is_reported_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "ladder.png"
    status, _, errors = run_cli([*DUEL, "--plot", str(path)], scripted_answers())
    assert status == 1
    assert errors == f"jasstisch: cannot write {path}: no such file or directory\n"


def test_without_matplotlib_nothing_is_played_and_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "_installed", lambda _: False)
    status, printed, errors = run_cli([*DUEL, "--plot", "ladder.png"], scripted_answers())
    assert (status, printed) == (1, "")
    assert "pip install 'jasstisch[plot]'" in errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["poker", "greedy", "random"], "unknown game 'poker'; the games are"),
        (["molotov"], "the following arguments are required: BOT"),
        (["molotov", "deep", "greedy"], "unknown bot 'deep'; the bots are"),
        (["molotov", "greedy"], "too few bots: name one for each of the 4 seats"),
        (["molotov", "greedy", "greedy"], "greedy is named twice"),
        (["molotov", "greedy", "--against", "deep"], "unknown bot 'deep'; the bots are"),
        (
            ["molotov", "greedy", "random", "--deals", "1"],
            "a whole number from 2 to 1000000 is needed",
        ),
        (["molotov", "greedy", "random", "--workers", "0"], "from 1 to 256 is needed, not '0'"),
        (["molotov", "greedy", "random", "--option", "players"], "is written name=value, not"),
        (["molotov", "greedy", "random", "--option", "players=9"], "from 3 to 6, not 9"),
        (
            ["molotov", "greedy", "random", "--option", "speed=9"],
            "molotov has no option 'speed'; its",
        ),
    ],
)
def test_usage_errors_are_one_line_with_the_allowed_values(words: list[str], said: str) -> None:
    status, printed, errors = run_cli(["arena", *words], scripted_answers())
    assert (status, printed) == (2, "")
    assert errors.startswith("jasstisch: ")
    assert errors.count("\n") == 1
    assert said in errors


class IllegalBot:
    """A bot whose actions are never legal."""

    name = "cheat"

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        return "everything"


def test_a_failing_bot_ends_the_command_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BUILT_IN, "cheat", (__name__, "IllegalBot"))
    status, printed, errors = run_cli(
        ["arena", "molotov", "cheat", "--against", "random"], scripted_answers()
    )
    assert (status, printed) == (1, "")
    assert errors.startswith("jasstisch: cheat failed in deal ")
    assert errors.count("\n") == 1


ENDS = {
    "import sys; sys.exit(0)": "leaver failed in deal 0 of seed 0, ",
    "import sys; sys.exit()": "leaver failed in deal 0 of seed 0, ",
    "raise BaseException('no more')": "leaver failed in deal 0 of seed 0, ",
    "import os; os._exit(0)": "a process that played has ended: by one of the bots, ",
    "import os; os.abort()": "a process that played has ended: by one of the bots, ",
    "raise RecursionError": "leaver failed in deal 0 of seed 0, ",
}
"""Ways in which the code of a bot may end, each with the message."""


@pytest.mark.outside
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("code", ENDS)
def test_however_a_bot_ends_the_command_says_so_in_one_line(
    tmp_path: Path, code: str, workers: str
) -> None:
    own = tmp_path / "mybot.py"
    own.write_text(
        "class Leaver:\n"
        "    name = 'leaver'\n"
        "    def act(self, view, legal, rng):\n"
        f"        {code}\n"
    )
    words = ["arena", "molotov", f"{own}:Leaver", "--against", "random", "--workers", workers]
    status, printed, errors = run_cli(words, scripted_answers())
    assert (status, printed, errors.count("\n")) == (1, "", 1)
    assert errors.startswith(f"jasstisch: {ENDS[code]}")


def test_a_dead_worker_process_ends_the_command_with_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arena, "process_pool", lambda *_, **__: nullcontext(DeadExecutor()))
    status, printed, errors = run_cli(DUEL, scripted_answers())
    assert (status, printed) == (1, "")
    assert errors.startswith("jasstisch: a process that played has ended: by one of ")
    assert errors.count("\n") == 1


class DeadExecutor(Executor):
    """An executor whose processes are gone."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor())
        return future


@pytest.mark.outside
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_reports_the_boards_played_and_exits_with_130(workers: str) -> None:
    words = ("arena", "molotov", "greedy", "--against", "random", "--deals", "5000")
    with on_terminal(*words, "--workers", workers) as screen:
        while "greedy " not in screen.text:
            screen.read()
        screen.interrupt()
        assert screen.wait() == 130
    assert "greedy than random" in screen.text
    assert " of 5000 deals." in screen.text.partition("Stopped after ")[2]
    assert "Traceback" not in screen.text


def test_ctrl_c_before_two_deals_reports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(IllegalBot, "act", interrupt)
    monkeypatch.setitem(bots.BUILT_IN, "interrupted", (__name__, "InterruptingBot"))
    status, printed, _ = run_cli(
        ["arena", "molotov", "interrupted", "--against", "random"], scripted_answers()
    )
    assert (status, printed) == (130, "")


class InterruptingBot(IllegalBot):
    """A bot that raises Ctrl-C at its move."""

    name = "interrupted"

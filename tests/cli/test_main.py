import os
import subprocess
import sys

import pytest

import jasstisch as jt
from jasstisch.cli import COMMANDS, main
from tests.cli.screen_player import run_cli, scripted_answers

JASSTISCH = [sys.executable, "-m", "jasstisch"]


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(
        name in printed for name in ("play", "rules", "replay", "serve", "move", "arena", "bench")
    )


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"jasstisch {jt.__version__}\n"


KNOWN = (
    "play, rules, replay, import, export, verify, serve, backup, restore, check, move, admin, "
    "join, bot, arena, ladder, prepare, bench, completion"
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--help", "-h"):
        assert main([command, flag]) == 0
        assert capsys.readouterr().out.startswith(f"usage: jasstisch {command}")


@pytest.mark.parametrize("game", jt.games())
def test_help_of_a_game_shows_each_house_rule(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", game, "--help"]) == 0
    printed = capsys.readouterr().out
    for option in jt.game(game).options:
        assert f"--{option.replace('_', '-')} " in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], f"name a command: {KNOWN}; see jasstisch --help"),
        (["deal"], f"unknown command 'deal'; the commands are {KNOWN}"),
        (["--loud"], "unknown option --loud; the options are --help, --version"),
        (["play"], f"name a game: {', '.join(jt.games())}; see"),
        (["play", "poker"], "unknown game 'poker'; the games are coiffeur, differenzler, "),
        (["play", "poker", "--players", "4"], "unknown game 'poker'; the games are"),
        (["play", "molotov", "--players", "9"], "players is a whole number from 3 to 6, not 9"),
        (["play", "molotov", "--players", "x"], "players is a whole number from 3 to 6, not 'x'"),
        (["play", "schieber", "--players", "3"], "players is 4, not 3"),
        (["play", "molotov", "--players", "3", "--dealer", "4"], "a seat from 1 to 3, not 4"),
        (["play", "molotov", "--dealer", "0"], "from 1 to 4, not 0; seats count from 1"),
        (["play", "molotov", "--ties", "maybe"], "ties is 'nothing' or 'generous', not 'maybe'"),
        (["play", "molotov", "--rounds", "4"], "unknown option --rounds; the options are --help"),
        (["play", "molotov", "spare"], "unexpected 'spare'"),
        (["play", "molotov", "--seed", "x"], "a whole number of 0 or more is needed, not 'x'"),
        (["play", "molotov", "--seed"], "--seed: expected one argument"),
        (
            ["play", "molotov", "--bots", "deep"],
            "unknown bot 'deep'; the bots are club, greedy, master, random, sociable",
        ),
        (["play", "molotov", "--deck", "tarot"], "french or swiss is needed, not 'tarot'"),
        (["play", "molotov", "--name", "bot:me"], "a name is 1 to 20"),
        (["play", "molotov", "--name", "a\tb"], "a name is 1 to 20"),
        (["rules"], "the following arguments are required: GAME"),
        (["rules", "poker"], "no rule sheet for 'poker'; there is one for coiffeur, differenzler"),
        (["rules", "molotov", "--lang", "rm"], "the languages are en, de, fr, it"),
        (["replay"], "the following arguments are required: FILE"),
        (["replay", "a", "--deck", "tarot"], "french or swiss is needed, not 'tarot'"),
        (["export", "a"], "the following arguments are required: --to"),
        (["export", "--to", "a.csv"], "the following arguments are required: FILE"),
        (["export", "a", "--to", "a.txt"], "ending in .csv or .parquet is needed, not 'a.txt'"),
        (["serve", "--port", "70000"], "from 0 to 65535 is needed, not '70000'"),
        (["bench", "--seconds", "soon"], "a time from 0.01 to 600 seconds is needed, not 'soon'"),
        (["bench", "--seconds", "nan"], "a time from 0.01 to 600 seconds is needed, not 'nan'"),
    ],
)
def test_usage_errors_are_one_line_with_the_allowed_values(words: list[str], said: str) -> None:
    status, printed, errors = run_cli(words, scripted_answers())
    assert status == 2
    assert printed == ""
    assert errors.startswith("jasstisch: ")
    assert errors.count("\n") == 1
    assert said in errors


def test_errors_escape_control_sequences_in_arguments() -> None:
    _, _, errors = run_cli(["replay", "\x1b[2J\n\ud800"], scripted_answers())
    assert errors.startswith("jasstisch: cannot read ?[2J??: ")
    assert errors.count("\n") == 1


@pytest.mark.outside
def test_a_command_can_be_run_as_a_module() -> None:
    done = subprocess.run([*JASSTISCH, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"jasstisch {jt.__version__}\n", "")


@pytest.mark.outside
def test_help_imports_neither_rich_nor_a_server() -> None:
    program = (
        "import sys; from jasstisch.cli import main; main(['--help']);"
        "sys.exit(bool({'rich', 'starlette', 'uvicorn', 'msgspec', 'asyncio'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode == 0


@pytest.mark.outside
@pytest.mark.parametrize("words", [["rules", "molotov"], ["play", "molotov", "--help"]])
@pytest.mark.parametrize("buffered", [True, False])
def test_a_closed_pipe_does_not_crash(words: list[str], *, buffered: bool) -> None:
    """`jasstisch rules molotov | head -0`."""
    surroundings = {**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"}
    with subprocess.Popen(
        [*JASSTISCH, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=surroundings,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait() in {0, 1}
    assert errors == ""


def test_help_explains_defaults_that_depend_on_the_number_of_players__ID7__ID8() -> None:
    status, printed, _ = run_cli(["play", "i-doubt-it", "--help"], scripted_answers())
    words = " ".join(printed.split())
    assert status == 0
    assert "is over after so many claims: 20 to 5000 (default 50 for 2, 75 for 3, 48 for 4" in words
    assert "How many rounds the match has: 1 to 60 (default one for each player)" in words
    assert "three (default) or any" in words


def test_an_invalid_number_is_reported_as_a_number() -> None:
    _, _, errors = run_cli(["play", "jass", "--target", "6"], scripted_answers())
    assert errors == "jasstisch: jass: target is 7 or 5 or 9, not 6\n"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["ply"], "play"),
        (["play", "molotv"], "molotov"),
        (["rules", "shieber"], "schieber"),
        (["arena", "diferenzler", "greedy", "random"], "differenzler"),
        (["play", "jass", "--bots", "gredy"], "greedy"),
        (["play", "jass", "--bot", "greedy"], "--bots"),
        (["play", "jass", "--undertrum=strict"], "--undertrump"),
        (["admin", "tabels"], "tables"),
    ],
    ids=" ".join,
)
def test_typos_get_a_suggestion(words: list[str], meant: str) -> None:
    status, _, errors = run_cli(words, scripted_answers())
    assert status == 2
    assert f"; did you mean {meant}?" in errors
    assert errors.count("\n") == 1


def test_unrelated_words_get_no_suggestion() -> None:
    assert "did you mean" not in run_cli(["play", "poker"], scripted_answers())[2]

"""Shell completion, tested in bash, and in other shells if they are installed."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which

import pytest

import jasstisch as jt
from jasstisch.bots import bots
from jasstisch.cli import COMMANDS
from jasstisch.cli.commands.completion import _SHELLS, shell_script
from tests.cli.screen_player import run_cli
from tests.cli.screen_player import scripted_answers as typing

INSTALLED = [shell for shell in _SHELLS if which(shell)]
"""The shells of this machine, which can read what is meant for them; `.ci/run` has them all."""

ASK = """\
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
asked=$(complete -p jasstisch)
asked=${asked##*-F }
"${asked%% *}" jasstisch "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The completion script for bash in a file."""
    path = tmp_path_factory.mktemp("completion") / "jasstisch.bash"
    path.write_text(shell_script("bash"), encoding="utf-8")
    return path


@pytest.mark.outside
@pytest.mark.skipif(which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        ([""], list(COMMANDS)),
        (["pl"], ["play"]),
        (["play", ""], list(jt.games())),
        (["play", "mol"], ["molotov", "molotow"]),
        (["play", "molotov", "--bots", ""], list(bots())),
        (["play", "molotov", "--five"], ["--five-player-marks"]),
        (["play", "molotov", "--no-trump", ""], ["eights", "plain", "annul"]),
        (["play", "jass", "--deck", "s"], ["swiss"]),
        (["arena", "jass", "gr"], ["greedy"]),
        (["rules", "--lang", ""], ["en", "de", "fr", "it"]),
        (["admin", "unl"], ["unlist"]),
        (["admin", "tables", "--phase", "o"], ["open", "over"]),
        (["completion", ""], list(_SHELLS)),
    ],
    ids=str,
)
def test_bash_completes(words: Sequence[str], proposed: list[str], bash_script: Path) -> None:
    asked = ["bash", "--norc", "-c", ASK, "bash", str(bash_script), "jasstisch", *words]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=30)
    assert answer.stderr == ""
    assert sorted(answer.stdout.split()) == sorted(proposed)


@pytest.mark.parametrize("shell", _SHELLS)
def test_every_shell_completes_commands_games_bots_and_house_rules(shell: str) -> None:
    told = shell_script(shell)
    for word in (*COMMANDS, *jt.games(), *bots(), "undertrump"):
        assert word in told


@pytest.mark.outside
@pytest.mark.parametrize("shell", INSTALLED)
def test_the_script_has_no_syntax_errors(shell: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(shell_script(shell), encoding="utf-8")
    answer = subprocess.run([shell, "-n", str(path)], capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, b"")


def test_the_command_prints_the_script() -> None:
    status, printed, errors = run_cli(["completion", "bash"], typing())
    assert (status, errors) == (0, "")
    assert printed == shell_script("bash")


def test_an_unknown_shell_is_refused_with_the_known_ones() -> None:
    status, _, errors = run_cli(["completion", "tcsh"], typing())
    assert status == 2
    assert "'bash', 'zsh', 'fish'" in errors


def test_without_shtab_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, _, errors = run_cli(["completion", "bash"], typing())
    assert status == 1
    assert "pip install shtab" in errors

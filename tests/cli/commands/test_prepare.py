"""`jasstisch prepare`: compiled code is made ahead, and whoever has not is told of the wait."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.env import warmup
from tests.cli.screen_player import run_cli, scripted_answers

WARNING = "compiling kernels for this machine"


def test_the_command_tells_what_it_has_compiled_and_where_that_is() -> None:
    status, printed, errors = run_cli(["prepare", "molotov", "i-doubt-it"], scripted_answers())
    assert (status, errors) == (0, "")
    first, second, last = printed.splitlines()
    assert first.startswith("molotov: bots and batch, ")
    assert second.startswith("i-doubt-it: bots and batch, ")
    assert last.startswith("The compiled code is in ")


def test_an_unknown_game_is_refused_with_the_one_that_may_be_meant() -> None:
    status, printed, errors = run_cli(["prepare", "molotof"], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert "molotov" in errors


@pytest.mark.parametrize("name", jt.games())
def test_every_game_has_a_batch_to_prepare(name: str) -> None:
    warmup.prepare_game(jt.game(name))


@pytest.mark.outside
def test_compilation_is_said_where_it_happens_and_not_where_it_was_done_ahead(
    tmp_path: Path,
) -> None:
    """With an empty folder for compiled code, twice."""
    program = (
        "import jasstisch.env as env, numpy as np\n"
        "env.unpack_masks(np.zeros(1, dtype=np.uint64))\n"
        "from jasstisch.search.jit import prng\n"
        "from random import Random\n"
        "prng.next_u64(np.zeros(1, dtype=np.uint64))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"JASSTISCH_CACHE": str(tmp_path)},
            check=True,
            capture_output=True,
            text=True,
        ).stderr
        for _ in range(2)
    ]
    assert said[0].count(WARNING) == 1
    assert "`jasstisch prepare`" in said[0]
    assert said[1] == ""

"""The examples in the docs run and print what the page shows."""

import doctest
from pathlib import Path

import jasstisch as jt
from jasstisch import env

PAGE = Path(__file__).parents[2] / "docs" / "batch-environment.md"


def test_examples_of_the_page_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_example_of_the_module_runs() -> None:
    assert doctest.testmod(env).failed == 0


def test_the_page_names_every_array_of_every_game() -> None:
    text = PAGE.read_text(encoding="utf-8")
    games = ("molotov", "offenbach", "molotow", "differenzler", "jass", "schieber", "coiffeur")
    for game in games:
        names = env.Batch(jt.game(game), 1).observe()
        assert [name for name in names if f"`{name}`" not in text] == []

"""What the benches are told on the command line."""

import sys
from types import ModuleType

import pytest

from bench import (
    attacks,
    beliefs,
    ceiling,
    coach,
    environments,
    parts,
    pyschieber,
    scaling,
    strength,
    tables,
)

TWO = "a whole number of 2 or more is needed"
ONE = "a whole number of 1 or more is needed"


@pytest.mark.parametrize(
    ("bench", "words", "allowed"),
    [
        (attacks, "--only siege", "'half_open', 'churn'"),
        (attacks, "--rate 21", "from 1 to 20 is needed"),
        (beliefs, "molotov --company master", "'greedy', 'club'"),
        (beliefs, "molotov --deals 1", TWO),
        (ceiling, "molotov --company random", "'greedy', 'club'"),
        (ceiling, "molotov --deals 1", TWO),
        (ceiling, "molotov --company club --sees never --write", "no ceiling-club-phases to write"),
        (coach, "poker", "the games are coiffeur, differenzler"),
        (coach, "jass --rounds 0", ONE),
        (environments, "poker", "the games are coiffeur, differenzler"),
        (parts, "molotov --against deep", "'greedy', 'club'"),
        (parts, "molotov --deals 1", TWO),
        (parts, "molotov --workers 0", ONE),
        (pyschieber, "deep", "'club'"),
        (pyschieber, "random --deals 1", TWO),
        (pyschieber, "random --seed x", "a whole number of 0 or more is needed"),
        (pyschieber, "random --workers 0", ONE),
        (scaling, "--deals 1", TWO),
        (strength, "--deals 1", TWO),
        (strength, "--beside 0", TWO),
        (strength, "--workers 0", ONE),
        (tables, "--game poker", "'differenzler'"),
        (tables, "--game molotow --players 5", "players is 4, not 5"),
        (tables, "--bot deep", "'club'"),
    ],
)
def test_wrong_words_are_refused_before_anything_is_played(
    bench: ModuleType,
    words: str,
    allowed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", *words.split()])
    with pytest.raises(SystemExit):
        bench.main()
    assert allowed in capsys.readouterr().err

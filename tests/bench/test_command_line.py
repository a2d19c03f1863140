"""Command lines of the benchmarks."""

import sys
from types import ModuleType

import pytest

from bench.attacks import server_attacks
from bench.load import bot_latency
from bench.peers import pyschieber_strength
from bench.speed import analysis_time, arena_scaling, env_steps
from bench.strength import ablation, belief_accuracy, bot_strength, perfect_information

TWO = "a whole number of 2 or more is needed"
ONE = "a whole number of 1 or more is needed"


@pytest.mark.parametrize(
    ("bench", "words", "allowed"),
    [
        (server_attacks, "--only siege", "'half_open', 'churn'"),
        (server_attacks, "--rate 21", "from 1 to 20 is needed"),
        (belief_accuracy, "molotov --company master", "'greedy', 'club'"),
        (belief_accuracy, "molotov --deals 1", TWO),
        (perfect_information, "molotov --company random", "'greedy', 'club'"),
        (perfect_information, "molotov --deals 1", TWO),
        (
            perfect_information,
            "molotov --company club --sees never --write",
            "no ceiling-club-phases to write",
        ),
        (analysis_time, "poker", "the games are coiffeur, differenzler"),
        (analysis_time, "jass --rounds 0", ONE),
        (env_steps, "poker", "the games are coiffeur, differenzler"),
        (ablation, "molotov --against deep", "'greedy', 'club'"),
        (ablation, "molotov --deals 1", TWO),
        (ablation, "molotov --workers 0", ONE),
        (pyschieber_strength, "deep", "'club'"),
        (pyschieber_strength, "random --deals 1", TWO),
        (pyschieber_strength, "random --seed x", "a whole number of 0 or more is needed"),
        (pyschieber_strength, "random --workers 0", ONE),
        (arena_scaling, "--deals 1", TWO),
        (bot_strength, "--deals 1", TWO),
        (bot_strength, "--beside 0", TWO),
        (bot_strength, "--workers 0", ONE),
        (bot_latency, "--game poker", "'differenzler'"),
        (bot_latency, "--game molotow --players 5", "players is 4, not 5"),
        (bot_latency, "--bot deep", "'club'"),
    ],
)
def test_invalid_arguments_are_refused_before_anything_is_played(
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

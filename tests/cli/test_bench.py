import json
import sys
from random import Random
from types import ModuleType

import pytest

from jasstisch import bench
from tests.cli.person import script, sit


def test_bench_prints_a_figure_for_each_way_to_play() -> None:
    status, printed, errors = sit(["bench", "--seconds", "0.05"], script())
    assert (status, errors) == (0, "")
    assert "Match: packs, bids, plays, scoring, log" in printed
    assert "the bare rules of a round" in printed


def test_json_is_one_object() -> None:
    _, printed, _ = sit(["bench", "--seconds", "0.05", "--json"], script())
    figures = json.loads(printed)
    assert figures["rounds_per_second"].keys() == {"match", "bare"}
    assert min(figures["rounds_per_second"].values()) > 0


def test_an_installed_peer_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "installed", lambda: {"pyschieber": "1.3"})
    monkeypatch.setattr(bench, "PEERS", {"pyschieber": bench.match_rounds})
    _, printed, _ = sit(["bench", "--seconds", "0.05"], script())
    assert "pyschieber 1.3; Match is " in printed
    assert " times as fast" in printed
    _, printed, _ = sit(["bench", "--seconds", "0.05", "--json"], script())
    peer = json.loads(printed)["peers"][0]
    assert (peer["name"], peer["version"]) == ("pyschieber", "1.3")
    assert peer["ratio"] > 0


def test_the_peer_plays_whole_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of pyschieber: four players at one table, and a number of rounds."""
    asked: list[object] = []

    class Tournament:
        def register_player(self, player: object) -> None:
            asked.append(player)

        def play(self, rounds: int) -> None:
            asked.append(rounds)

    tournament, player = ModuleType("tournament"), ModuleType("player")
    tournament.Tournament = Tournament  # type: ignore[attr-defined]  # a module made here
    player.RandomPlayer = lambda name: name  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, "pyschieber", ModuleType("pyschieber"))
    monkeypatch.setitem(sys.modules, "pyschieber.player", ModuleType("pyschieber.player"))
    monkeypatch.setitem(sys.modules, "pyschieber.tournament", tournament)
    monkeypatch.setitem(sys.modules, "pyschieber.player.random_player", player)
    assert bench.schieber_rounds(Random(1)) == asked[-1]
    assert len(asked) == 5

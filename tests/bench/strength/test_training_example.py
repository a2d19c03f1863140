"""The figures of the worked example of training."""

import pytest

from bench.strength import training_example
from examples import train
from examples.train import Course


def test_a_row_has_the_net_its_opponents_and_the_difference() -> None:
    entry = {"name": "trained", "mean": 45.38, "ci95": 1.1, "ms_per_move": 0.94}
    other = {"name": "greedy", "mean": 47.74, "ci95": 0.7}
    report = {
        "deals": 1000,
        "bots": [entry, other],
        "compared": [{"better_by": -2.36, "ci95": 0.98}],
    }
    cells = training_example.row("greedy", report)
    assert cells == ["3 greedy", "1,000", "45.38 ± 1.10", "47.74 ± 0.70", "−2.36 ± 0.98", "0.9"]
    section = training_example.section(["--deals", "5"], 400_000, 612.4, [cells])
    assert section.command == "python -m bench.strength.training_example --deals 5"
    assert section.notes == ["Round scores at Molotov, after 400,000 rounds of training in 612 s."]
    assert len(section.columns) == len(cells)


def test_the_command_trains_plays_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def short(rounds: int, *, seed: int) -> Course:
        return Course(rounds, side_by_side=16, hidden=(8,), seed=seed)

    short.rounds, short.seed = Course.rounds, Course.seed  # type: ignore[attr-defined]
    monkeypatch.setattr(training_example, "Course", short)
    monkeypatch.setattr(train, "against_chance", lambda _: 40.0)
    monkeypatch.setattr("sys.argv", ["training", "--rounds", "16", "--deals", "2"])
    assert training_example.main() == 0
    printed = capsys.readouterr().out
    assert "| 3 random | 2 | " in printed
    assert "| 3 greedy | 2 | " in printed

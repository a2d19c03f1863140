"""The cost of recording decisions."""

import pytest

from bench.speed import self_play_data
from bench.speed.self_play_data import RunResult


def test_the_cost_per_million_rows_excludes_playing() -> None:
    kept = RunResult(rows=500_000, played=20, kept=35, size=5_000_000, read=1.5)
    assert kept.per_million == 30
    section = self_play_data.section("python -m bench.speed.self_play_data", "molotov", kept)
    assert section.rows == [
        ["molotov", "500,000", "20.0 s", "35.0 s", "30.0 s", "10.0 bytes a row"]
    ]
    assert len(section.columns) == len(section.rows[0])


def test_the_command_plays_writes_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["decisions", "--deals", "70", "--workers", "1"])
    assert self_play_data.main() == 0
    assert "| molotov | 2,520 | " in capsys.readouterr().out

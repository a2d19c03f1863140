"""The table of how long an analysis takes."""

import pytest

from bench.speed import analysis_time


@pytest.mark.parametrize(
    ("game", "longest", "verdict"),
    [("differenzler", 20.0, "≤ 20: met"), ("differenzler", 20.1, "≤ 20: not met"), ("jass", 9, "")],
)
def test_the_longest_analysis_is_compared_with_the_target(
    game: str, longest: float, verdict: str
) -> None:
    cells = analysis_time.row(game, [(30, 8.0), (34, 9.0), (32, longest)])
    assert cells == [game, "3", "32", "9.0", f"{longest:.1f}", verdict]


def test_a_round_is_played_and_analysed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a fast bot and no search."""
    monkeypatch.setattr(analysis_time, "BOT", "greedy")
    monkeypatch.setattr(analysis_time, "time_analysis", lambda match: (len(match.rounds), 2.5))
    monkeypatch.setattr("sys.argv", ["coach", "molotow", "--rounds", "2"])
    assert analysis_time.main() == 0
    assert "| molotow | 2 | 1 | 2.5 | 2.5 |  |" in capsys.readouterr().out

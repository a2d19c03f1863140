"""The table against pyschieber: counting, checkpoints and validation."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from bench import figures_page
from bench.peers import pyschieber_strength
from bench.peers.pyschieber_adapter import play_table
from bench.peers.pyschieber_strength import DealResult, play_match, remeasure_if_late, row
from bench.strength.bot_strength import MOVE_LIMITS_MS
from jasstisch import arena
from jasstisch.arena.duplicate_boards import MoveTiming
from jasstisch.bots import View, bot
from jasstisch.engine.errors import GameError

RANDOM = bot("random")


class FirstActionBot:
    """Plays the first legal action, or the last; knows some games, and has a clock."""

    name = "first"

    def __init__(self, last: bool = False, games: Sequence[str] = ("schieber",)) -> None:
        self.last, self.games, self.clock = last, games, True

    def without_clock(self) -> Self:
        self.clock = False
        return self

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        return legal[-1 if self.last else 0]


@pytest.fixture(autouse=True)
def no_time_for_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyschieber_strength, "CALIBRATION_S", 0.0)


def deals(
    *points: tuple[int, int], slowest: float = 0.002, speed: float = 2_500
) -> list[DealResult]:
    """Deals with these points of ours."""
    pace = MoveTiming(36, 0.036, slowest)
    return [DealResult(number, both, pace, speed) for number, both in enumerate(points)]


def test_the_share_of_a_deal_counts_both_tables() -> None:
    cells = row("first", deals((157, 0), (100, 57), (57, 100), (0, 157)))
    assert cells == ["first", "4", "50.00 ± 0.00 %", *cells[3:5], "1", "2", ""]
    assert cells[3].startswith("50.00 ± ")
    assert cells[3] != cells[2], "the tables by themselves differ from deal to deal"


def test_each_half_of_a_deal_has_its_own_mean() -> None:
    assert row("first", deals((157, 0), (157, 0)))[2:5] == [
        *("50.00 ± 0.00 %", "100.00 ± 0.00 %", "0.00 ± 0.00 %")
    ]


@pytest.mark.parametrize(
    ("name", "points", "verdict"),
    [
        ("club", (88, 88), "≥ 56 %: met"),
        ("club", (87, 88), "≥ 56 %: not met"),
        ("master", (96, 96), "≥ 61 %: met"),
        ("master", (95, 96), "≥ 61 %: not met"),
        ("greedy", (157, 157), ""),
    ],
)
def test_a_target_is_met_or_missed(name: str, points: tuple[int, int], verdict: str) -> None:
    assert row(name, deals(points, points))[-1] == verdict


@pytest.mark.parametrize(
    ("speed", "mean", "slowest"),
    [
        (2_500, "1", "75, ≤ 150: met"),
        (5_000, "2", "150, ≤ 150: met"),
        (6_000, "2.4", "180, ≤ 150: not met"),
    ],
)
def test_times_are_scaled_to_the_slowest_machine(speed: float, mean: str, slowest: str) -> None:
    cells = row("master", deals((80, 80), (80, 80), slowest=0.075, speed=speed))
    assert cells[5:7] == [mean, slowest]


def test_points_are_ours_on_either_side() -> None:
    (one,) = pyschieber_strength.play_deals(RANDOM, 1, [3])
    tables = [play_table(RANDOM, 1, 3, side).rounds[0]["points"] for side in (0, 1)]
    assert one.points == (tables[0][0], tables[1][1])
    assert one.timing.moves > 36
    assert one.speed > 0


@pytest.mark.outside
def test_deals_do_not_depend_on_the_number_of_workers() -> None:
    alone = play_match(RANDOM, 6)
    with arena.process_pool(2) as executor:
        assert play_match(RANDOM, 6, executor=executor) == alone
    assert play_match(RANDOM, 2, seed=2) != alone[:2]


def test_a_run_continues_from_its_file(tmp_path: Path) -> None:
    keep = tmp_path / "kept" / "random-1"
    whole = play_match(RANDOM, 6)
    assert play_match(RANDOM, 3, keep=keep) == whole[:3]
    begun = keep.read_text()
    keep.write_text(f"{begun}[3, [1")
    assert play_match(RANDOM, 6, keep=keep) == whole
    assert keep.read_text().startswith(begun)
    assert len(keep.read_text().splitlines()) == 6
    assert play_match(RANDOM, 2, keep=keep) == whole[:2]


def test_deals_of_a_changed_bot_are_not_reused(tmp_path: Path) -> None:
    keep = tmp_path / "first-1"
    play_match(FirstActionBot(), 2, keep=keep)
    before = keep.read_text()
    with pytest.raises(GameError, match="first plays deal 0 otherwise than it did"):
        play_match(FirstActionBot(last=True), 4, keep=keep)
    assert keep.read_text() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Words.\n", "is no file of deals"),
        ("[0, [1, 2]]\n", "is no file of deals"),
        ('{"number": 0}\n', "is no file of deals"),
        ("[1, [100, 57], [36, 0.1, 0.1], 2500]\n", "the deals are not in their order"),
    ],
)
def test_other_files_are_left_alone(text: str, said: str, tmp_path: Path) -> None:
    keep = tmp_path / "random-1"
    keep.write_text(text)
    with pytest.raises(GameError, match=said):
        play_match(RANDOM, 2, keep=keep)
    assert keep.read_text() == text


def test_bots_search_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    player = FirstActionBot()
    monkeypatch.setattr(pyschieber_strength, "bot", lambda _: player)
    assert pyschieber_strength.find_player("first") is player
    assert not player.clock


def test_a_bot_that_does_not_know_schieber_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pyschieber_strength, "bot", lambda _: FirstActionBot(games=("jass",)))
    monkeypatch.setattr("sys.argv", ["pyschieber", "random"])
    with pytest.raises(SystemExit):
        pyschieber_strength.main()
    assert "random does not know schieber" in capsys.readouterr().err


def test_the_command_prints_and_writes_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    monkeypatch.setattr(figures_page, "write_section", lambda name, *_: written.append(name))
    words = ["random", "--deals", "2", "--seed", "4", "--keep", str(tmp_path), "--write"]
    monkeypatch.setattr("sys.argv", ["pyschieber", *words])
    assert pyschieber_strength.main() == 0
    assert written == ["pyschieber"]
    assert [path.name for path in tmp_path.iterdir()] == ["random-4"]
    said = capsys.readouterr().out
    assert "\n| random | 2 | " in said
    assert "pyschieber 1." in said
    assert "seed 4" in said
    assert "where `Match` makes 2,500 rounds/s" in said


def test_deals_with_a_slow_move_are_timed_again_and_the_faster_time_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MOVE_LIMITS_MS, "first", 100)
    (once,) = play_match(FirstActionBot(), 1, seed=4)
    held_up = replace(once, timing=replace(once.timing, slowest=30.0))
    again = remeasure_if_late(FirstActionBot(), 4, held_up)
    assert again == once
    assert again.timing.slowest < 0.1
    assert remeasure_if_late(FirstActionBot(), 4, again) is again


def test_players_that_see_all_hands_may_play_fewer_deals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        pyschieber_strength, "PERFECT_INFORMATION_PLAYERS", {"first": FirstActionBot()}
    )
    words = ["random", "first", "--deals", "3", "--seeing", "2"]
    monkeypatch.setattr("sys.argv", ["pyschieber", *words])
    assert pyschieber_strength.main() == 0
    said = capsys.readouterr().out
    assert "\n| random | 3 | " in said
    assert "\n| first | 2 | " in said


def test_the_figures_page_has_a_place_for_it() -> None:
    assert "pyschieber" in figures_page.section_names(figures_page.PAGE.read_text(encoding="utf-8"))

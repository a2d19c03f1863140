"""The strength table: targets and verdicts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jasstisch as jt
from bench import figures_page
from bench.strength import bot_strength
from bench.strength.bot_strength import (
    ADVANTAGE_COLUMN,
    BARS,
    Bar,
    StrengthContest,
    contests_of,
    row,
    section,
)
from jasstisch import arena
from jasstisch.arena import duplicate_boards
from jasstisch.bots import bots


def report(*, mean: float = 6.0, wins: float = 0.5, better: float = 1.0) -> dict[str, Any]:
    """An arena report about `master`, as far as the table reads it."""
    own = {
        "name": "master",
        "mean": mean,
        "ci95": 0.25,
        "wins": wins,
        "wins_ci95": 0.01,
        "ms_per_move": 48.2,
        "ms_slowest": 0.25,
    }
    than = {"bot": "master", "better_by": better, "ci95": 0.5, "percent": 12.5, "percent_ci95": 3.0}
    return {"bots": [own], "compared": [than], "unit": "points", "deals": 1000}


def test_every_target_belongs_to_a_contest() -> None:
    played = {
        (match.game, name, match.against)
        for game in jt.games()
        for match in contests_of(game)
        for name in match.bots
    }
    assert {bar for bar in BARS if bar[1] in bots()} <= played


@pytest.mark.parametrize(
    ("game", "against", "told", "verdict"),
    [
        ("differenzler", "greedy", report(mean=4.2), "≤ 4.2: met"),
        ("differenzler", "greedy", report(mean=4.21), "≤ 4.2: not met"),
        ("differenzler", "club", report(), "15 % better: not met"),
        ("molotov", "club", report(better=3.9), "4 better: not met"),
        ("molotow", "club", report(better=0.3), "0.3 better: met"),
        ("jass", "greedy", report(wins=0.6), "60 % won: met"),
        ("i-doubt-it", "greedy", report(wins=0.59), "60 % won: not met"),
        ("molotow", "greedy", report(), ""),
    ],
)
def test_a_target_is_met_or_missed(
    game: str, against: str, told: dict[str, Any], verdict: str
) -> None:
    assert row(StrengthContest(game, ("master",), against), told, "master")[-1] == verdict


def test_a_row_has_figure_comparison_wins_and_times() -> None:
    assert row(StrengthContest("differenzler", ("master",), "club"), report(better=-1.0), "master")[
        :8
    ] == [
        "master",
        "3 club",
        "1,000",
        "6.00 ± 0.25 points",
        "−1.00 ± 0.50, 12.5 ± 3.0 %",
        "50.0 ± 1.0 %",
        "48",
        "0.25, ≤ 150: met",
    ]


def test_a_move_over_the_time_limit_is_reported() -> None:
    told = report()
    told["bots"][0]["ms_slowest"] = 151
    assert (
        row(StrengthContest("molotow", ("master",), "greedy"), told, "master")[7]
        == "151, ≤ 150: not met"
    )


def test_deals_with_a_slow_move_are_timed_again_and_the_faster_time_counts() -> None:
    """All else stays: the same deal has the same result."""
    session = arena.ContestRun(arena.contest(jt.game("molotov"), ["club"], against="greedy"), 2)
    (board,) = duplicate_boards.play_deals(session.task, [0])
    held_up = dict(board.timings, club=replace(board.timings["club"], slowest=0.3))
    again = bot_strength.remeasure_if_late(session.task, replace(board, timings=held_up))
    assert again == board
    assert again.timings["club"].slowest < 0.3
    assert again.timings["greedy"].slowest <= board.timings["greedy"].slowest
    quick = replace(board, timings={name: duplicate_boards.MoveTiming() for name in board.timings})
    assert bot_strength.remeasure_if_late(session.task, quick) is quick


def test_the_baseline_is_not_compared_with_itself() -> None:
    told = {**report(), "compared": []}
    assert row(StrengthContest("molotow", ("master",), "greedy"), told, "master")[4] == ""


def test_the_table_links_to_the_strength_plot() -> None:
    ladder, duel = (
        StrengthContest("jass", ("master",), "greedy"),
        StrengthContest("jass", ("master",), "club"),
    )
    table = section([(ladder, report()), (duel, report())], " --deals 100").markdown()
    assert table.count("(ladder/jass.svg)") == 1


def test_earlier_figures_are_listed_with_their_number_of_deals_if_it_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = section([(StrengthContest("jass", ("master",), "club"), report())], "").markdown()
    page = f"<!-- figures: strength-jass -->\n{page}\n<!-- end -->\n"
    monkeypatch.setattr(
        bot_strength, "rows_at_commit", lambda _, name: figures_page.read_rows(page, name)
    )
    told = bot_strength.rows_before("jass", "v0.1")
    duel = StrengthContest("jass", ("master",), "club")
    same = section([(duel, report())], "", told=told)
    assert same.columns[3:7] == ["figure", "figure before", ADVANTAGE_COLUMN, "better before"]
    figure, before, better, better_before = same.rows[0][3:7]
    assert (figure, better) == (before, better_before), "the same report stands in both"
    assert figure == "6.00 ± 0.25 points"
    fewer = section([(duel, report() | {"deals": 100})], "", told=told)
    assert fewer.rows[0][4] == "6.00 ± 0.25 points (1,000 deals)"
    unknown = section([(StrengthContest("jass", ("master",), "greedy"), report())], "", told=told)
    assert (unknown.rows[0][4], unknown.rows[0][6]) == ("", "")


@pytest.mark.outside
def test_an_unknown_earlier_commit_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["strength", "--only", "molotov", "--before", "nowhere"])
    with pytest.raises(SystemExit):
        bot_strength.main()
    assert "no docs/figures.md at 'nowhere'" in capsys.readouterr().err


@pytest.mark.outside
def test_checkpointed_boards_are_listed_with_their_first_commit(tmp_path: Path) -> None:
    first = bot_strength.starting_commit(tmp_path / "boards")
    assert first == figures_page.current_commit()
    (tmp_path / "boards" / "begun").write_text("abc123\n")
    assert bot_strength.starting_commit(tmp_path / "boards") == "abc123"
    assert bot_strength.reproducibility_note(first, [], tmp_path) == ""
    told = bot_strength.reproducibility_note("abc123", [], tmp_path)
    assert "Played from commit abc123 on" in told
    table = section(
        [(StrengthContest("jass", ("master",), "club"), report())], " --deals 100", told
    )
    assert told in table.markdown()


@pytest.mark.outside
def test_checkpointed_boards_are_verified_against_the_present_bots(tmp_path: Path) -> None:
    duels = [StrengthContest(game, ("greedy",), "random") for game in ("molotov", "differenzler")]
    for duel in duels:
        duel.report(2, None, tmp_path)
    assert "first deals of 2 of the 2 contests" in bot_strength.reproducibility_note(
        "abc123", duels, tmp_path
    )
    first = tmp_path / duels[0].name
    first.write_text(first.read_text().replace('"greedy": [', '"greedy": [1', 1))
    assert "first deals of 1 of the 2 contests" in bot_strength.reproducibility_note(
        "abc123", duels, tmp_path
    )


def test_a_run_continues_from_its_folder(tmp_path: Path) -> None:
    match = StrengthContest("differenzler", ("greedy",), "random")
    first = match.report(2, None, tmp_path)
    assert match.report(2, None, tmp_path) == first
    assert match.report(3, None, tmp_path)["compared"] == match.report(3, None, None)["compared"]


def test_the_command_writes_table_and_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    monkeypatch.setattr(bot_strength, "strength_order", lambda _: ("random", "greedy"))
    monkeypatch.setattr(bot_strength, "PICTURES", tmp_path / "ladder")
    bar = Bar("≤ 500", lambda own, _: own["mean"] <= 500)
    monkeypatch.setitem(BARS, ("differenzler", "greedy", "greedy"), bar)
    monkeypatch.setattr(figures_page, "write_section", lambda name, *_: written.append(name))
    words = ["strength", "--deals", "2", "--only", "differenzler", "molotow", "--write"]
    words += ["--beside", "3"]
    monkeypatch.setattr("sys.argv", words)
    assert bot_strength.main() == 0
    assert written == ["strength-differenzler", "strength-molotow"]
    pictures = {path.name for path in (tmp_path / "ladder").iterdir()}
    assert pictures == {"differenzler.svg", "molotow.svg"}
    table = capsys.readouterr().out
    differenzler, molotow = table.split("\nmolotow\n")
    assert "| greedy | 3 greedy | 2 |" in differenzler
    assert "| greedy | 3 greedy | 3 |" in molotow, "nobody is held to a bar there"


def test_a_side_is_described_with_its_opponents() -> None:
    duel = StrengthContest("schieber", ("master",), "club")
    assert row(duel, report(better=0.6), "master")[-1] == "> 0: met"
    assert row(duel, report(better=0.4), "master")[-1] == "> 0: not met"
    assert row(duel, report(), "master")[1] == "2 club"

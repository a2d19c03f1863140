"""`jasstisch replay --analyse`: output, languages and refusals."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.analysis import (
    LANGUAGES,
    AnalysisReport,
    analyse,
    metric_of,
    reason_texts,
    report_texts,
    round_analysis,
)
from jasstisch.cli.game import analysis_report
from jasstisch.testing.view_type_checks import type_mismatches
from tests.analysis.search_stubs import fixed_search, random_search
from tests.analysis.test_round_analysis import played
from tests.cli.screen_player import run_cli, scripted_answers
from tests.rules import match_builders

WIDTH = 80


@pytest.fixture(autouse=True)
def guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluates actions randomly, so that an analysis is cheap."""
    monkeypatch.setattr(round_analysis, "evaluate_actions", random_search)
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def kept(match: jt.Match, folder: Path) -> str:
    """A file with the record of a match."""
    path = folder / "m.jass.json"
    path.write_text(json.dumps(match.record()))
    return str(path)


def analysed(match: jt.Match, folder: Path, *words: str) -> str:
    """The printed analysis."""
    status, printed, errors = run_cli(
        ["replay", kept(match, folder), "--analyse", *words], scripted_answers()
    )
    assert (status, errors) == (0, "")
    return printed


def flat(printed: str) -> str:
    """The text without line breaks and columns."""
    return re.sub(r"\s+", " ", printed)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_every_mistake_is_shown_with_the_better_action(name: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"max_turns": 80} if name == "i-doubt-it" else {}
    match = played(name, **options)
    printed = analysed(match, tmp_path)
    mistakes = sum(one.mistake for one in analyse(match).decisions)
    rows, summary = printed.split(report_texts("en")["mistakes"])
    assert flat(rows).count(" was better") == mistakes
    assert summary.count(" was better") <= 5
    for line in printed.splitlines():
        assert len(line) <= WIDTH


def in_language(number: str, language: str) -> str:
    return number.replace("-", "−").replace(".", "." if language == "en" else ",")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_verbose_output_evaluates_every_action(name: str, language: str, tmp_path: Path) -> None:
    """Best first, each with its figure; of very many only the best."""
    options: dict[str, Any] = {"max_turns": 20} if name == "i-doubt-it" else {}
    match = played(name, **options)
    printed = analysed(match, tmp_path, "--candidates", "--lang", language)
    words = report_texts(language)
    told = "expected_lead" if match.game.rules.sides else "expected"
    head = words[told].format(unit=words[analyse(match).unit])
    _, *rows = flat(printed).split(flat(head))
    decisions = analyse(match).decisions
    assert len(rows) == len(decisions)
    for row, one in zip(rows, decisions, strict=True):
        shown = one.candidates[: analysis_report._MAX_CANDIDATES]
        figures = [
            in_language(metric_of(name).format_difference(candidate.figure), language)
            for candidate in shown
        ]
        assert re.findall(r"−?\d+[.,]\d+", row)[: len(figures)] == figures
        if len(one.candidates) > len(shown):
            assert f"{figures[-1]} …" in row
    assert head not in analysed(match, tmp_path, "--lang", language)
    for line in printed.splitlines():
        assert len(line) <= WIDTH


def test_each_trick_is_printed_with_its_cards_and_winner(tmp_path: Path) -> None:
    match = played("molotow")
    printed = analysed(match, tmp_path)
    for number, trick in enumerate(match.rounds[0]["tricks"][:8], start=1):
        line = re.search(
            rf"^Trick {number}  .*→ Player {trick['winner'] + 1}$", printed, re.MULTILINE
        )
        assert line is not None, number
        shown = re.findall(r"(\w+)[♣♦♥♠]", line[0])
        assert [rank.replace("10", "T") for rank in shown] == [card[0] for card in trick["cards"]]


def test_decisions_are_sorted_by_cost_with_a_sum_for_each_player(tmp_path: Path) -> None:
    match = played("differenzler", rounds=2)
    summary = analysed(match, tmp_path).split(report_texts("en")["mistakes"])[1]
    analysis = analyse(match)
    mistakes = [one for one in analysis.decisions if one.mistake]
    worst = max(mistakes, key=lambda one: one.loss)
    place = f"Round {worst.round}, " + (f"Trick {worst.trick}" if worst.trick else "Bids")
    first = summary.strip().splitlines()[0].strip()
    assert re.match(rf"{place} +Player {worst.seat + 1} ", first)
    for seat, lost in enumerate(analysis.lost):
        assert f"Player {seat + 1}  {lost:.1f} points, " in summary


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_is_in_the_chosen_language(language: str, tmp_path: Path) -> None:
    match = played("differenzler")
    printed = flat(analysed(match, tmp_path, "--lang", language))
    words = report_texts(language)
    for name in ("mistakes", "given_away", "phase_bid"):
        assert words[name] in printed
    assert words["round"].format(number=1) in printed
    good = [one for one in analyse(match).decisions if not one.mistake]
    told = {one.reason for one in good if not one.values}
    for reason in told:
        assert flat(reason_texts(language)[reason].replace("\u202f", "")) in printed
    gains = [one for one in good if "gain" in one.values]
    assert gains
    for one in gains:
        gain = in_language(str(one.values["gain"]), language)
        text = reason_texts(language)[one.reason].replace("\u202f", "").format(gain=gain)
        assert flat(text) in printed
    for lost in analyse(match).lost:
        assert f"{in_language(f'{lost:.1f}', language)} {words['points']}, " in printed


def test_one_round_and_one_seat_can_be_selected(tmp_path: Path) -> None:
    match = played("molotow", rounds=3)
    printed = analysed(match, tmp_path, "--round", "2", "--seat", "2")
    assert re.findall(r"^Round \d", printed, re.MULTILINE) == ["Round 2"]
    assert set(re.findall(r"^  (Player \d)", printed, re.MULTILINE)) == {"Player 2"}


def test_swiss_cards_have_their_names(tmp_path: Path) -> None:
    match = played("differenzler")
    printed = analysed(match, tmp_path, "--lang", "de", "--deck", "swiss")
    assert re.search(r"Trumpf (Eicheln|Schellen|Rosen|Schilten)", printed)
    assert not re.search("[♣♦♥♠]", printed)


def test_a_round_without_mistakes_is_praised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_analysis, "evaluate_actions", fixed_search({}))
    assert report_texts("en")["faultless"] in analysed(played("molotow"), tmp_path)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--round", "3"], "round 3 is not finished; the finished rounds are 1 to 2"),
        (["--seat", "5"], "no seat 5; the seats are 1 to 4"),
    ],
)
def test_missing_rounds_are_refused_before_the_analysis(
    words: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_report, "warm_up", lambda *_: pytest.fail("it was prepared for"))
    path = kept(played("molotow", rounds=2), tmp_path)
    answer = run_cli(["replay", path, "--analyse", *words], scripted_answers())
    assert answer == (1, "", f"jasstisch: {line}\n")


def test_a_match_without_a_finished_round_is_refused(tmp_path: Path) -> None:
    path = kept(played("molotow", rounds=0), tmp_path)
    status, printed, errors = run_cli(["replay", path, "--analyse"], scripted_answers())
    assert (status, printed) == (1, "")
    assert "no round of this match is finished" in errors


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--analyse", "--lang", "rm"], "one of en, de, fr, it is needed, not 'rm'"),
        (["--analyse", "--round", "0"], "a whole number of 1 or more is needed, not '0'"),
        (["--round", "1"], "--round goes with --analyse"),
        (["--lang", "de"], "--lang goes with --analyse"),
        (["--seat", "1"], "--seat goes with --analyse"),
        (["--analyse", "--seat", "0"], "seats count from 1"),
        (["--candidates"], "--candidates goes with --analyse"),
        (["--analyse", "--json", "--lang", "de"], "--lang does not go with --json, which has all"),
        (
            ["--analyse", "--json", "--candidates"],
            "--candidates does not go with --json, which has all",
        ),
    ],
)
def test_usage_errors_name_the_allowed_values(words: list[str], line: str, tmp_path: Path) -> None:
    status, printed, errors = run_cli(
        ["replay", kept(played("molotow"), tmp_path), *words], scripted_answers()
    )
    assert (status, printed) == (2, "")
    assert line in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_json_output_is_one_object_with_all_results(name: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"max_turns": 20} if name == "i-doubt-it" else {}
    match = played(name, **options)
    printed = json.loads(analysed(match, tmp_path, "--json"))
    assert list(type_mismatches(printed, AnalysisReport, "report")) == []
    assert printed == json.loads(json.dumps(asdict(analyse(match))))
    assert printed["decisions"]


def test_json_of_one_round_and_seat_contains_only_these_decisions(tmp_path: Path) -> None:
    match = played("molotow", rounds=3)
    printed = json.loads(analysed(match, tmp_path, "--json", "--round", "2", "--seat", "2"))
    assert printed["rounds"] == [2]
    assert {(one["round"], one["seat"]) for one in printed["decisions"]} == {(2, 1)}


def test_a_refused_analysis_prints_no_json(tmp_path: Path) -> None:
    path = kept(played("molotow", rounds=0), tmp_path)
    status, printed, errors = run_cli(["replay", path, "--analyse", "--json"], scripted_answers())
    assert (status, printed) == (1, "")
    assert errors.count("\n") == 1

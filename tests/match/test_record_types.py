"""Rounds, standings and reports have types, which `mypy --strict` checks in this module."""

import re
from pathlib import Path
from typing import assert_type

import pytest

from jasstisch.analysis import Analysis, AnalysisReport, ReportedDecision, report
from jasstisch.games.differenzler import DifferenzlerRound, DifferenzlerStanding, DifferenzlerView
from jasstisch.games.molotov import MolotovView
from jasstisch.games.views import declares_keys
from jasstisch.match.decisions import DecisionRow, rows
from tests.match.test_decisions import played

ROOT = Path(__file__).parents[2]


def test_a_view_narrowed_to_its_game_has_typed_rounds() -> None:
    match = played("differenzler", rounds=4)
    view = match.view(None)
    assert not declares_keys(view, MolotovView)
    assert declares_keys(view, DifferenzlerView)
    assert_type(view["rounds"], list[DifferenzlerRound])
    assert_type(view["rounds"][0]["bids"], list[int])
    assert_type(view["standing"], list[DifferenzlerStanding])
    assert view["rounds"] == match.rounds
    assert view["standing"] == match.standing


def test_reports_are_typed() -> None:
    nothing = report(Analysis("molotow", ("Anna",), "sticks", (1,), (), (0.0,)))
    assert_type(nothing, AnalysisReport)
    assert_type(nothing["decisions"], list[ReportedDecision])
    assert nothing["lost"] == [0.0]
    first = next(rows(played("molotow", rounds=1)))
    assert_type(first, DecisionRow)
    assert_type(first["points"], int | None)


def test_example_program_of_the_docs_prints_bids_and_differences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(program, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[95, 58, 25, 54] [53, 1, 10, 13]"
    assert len(lines) == 8

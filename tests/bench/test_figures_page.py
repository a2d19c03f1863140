"""The figures page keeps its text, and each run replaces its own table alone."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

import jasstisch as jt
from bench import figures_page
from bench.figures_page import PageError, Section, replace_section

PAGE = """\
# Figures

Words above.

<!-- figures: speed -->
old
<!-- end -->

Words between.

<!-- figures: peers -->
<!-- end -->
"""
SECTION = Section("make bench", ["what", "median"], [["rounds", "1,000.5"]], ["A note."])


def test_a_generated_block_is_replaced_and_everything_else_kept() -> None:
    changed = replace_section(PAGE, "speed", "new")
    assert changed == PAGE.replace("old", "new")
    assert replace_section(changed, "peers", "beside").count("<!-- end -->") == 2


def test_the_rows_of_a_block_can_be_read_back() -> None:
    page = replace_section(PAGE, "speed", SECTION.markdown())
    assert figures_page.read_rows(page, "speed") == [{"what": "rounds", "median": "1,000.5"}]
    with pytest.raises(PageError, match="no table stands in the part 'peers'"):
        figures_page.read_rows(page, "peers")
    with pytest.raises(PageError, match="no part 'strength'; it has speed, peers"):
        figures_page.read_rows(page, "strength")


def test_empty_cells_are_read_back_as_written() -> None:
    table = Section("x", ["player", "better", "bar"], [["random", "", ""], ["club", "1", "met"]])
    page = replace_section(PAGE, "speed", table.markdown())
    assert figures_page.read_rows(page, "speed") == [
        {"player": "random", "better": "", "bar": ""},
        {"player": "club", "better": "1", "bar": "met"},
    ]


@pytest.mark.outside
def test_a_commit_without_the_page_is_named() -> None:
    with pytest.raises(PageError, match=r"no docs/figures\.md at 'nowhere'"):
        figures_page.rows_at_commit("nowhere", "speed")


def test_an_unknown_block_is_refused_with_the_known_ones() -> None:
    with pytest.raises(PageError, match="no part 'strength'; it has speed, peers"):
        replace_section(PAGE, "strength", "new")


def test_a_table_has_a_header_right_aligned_numbers_and_notes() -> None:
    assert SECTION.markdown() == (
        "| what | median |\n| --- | --: |\n| rounds | 1,000.5 |\n\nA note."
    )


def test_a_row_with_missing_cells_is_refused() -> None:
    with pytest.raises(PageError, match="2 columns have 1 cells"):
        Section("x", ["a", "b"], [["1"]]).markdown()


@pytest.mark.outside
def test_a_written_table_names_date_commit_machine_and_command(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"
    page.write_text(PAGE, encoding="utf-8")
    figures_page.write_section("peers", SECTION, page)
    assert re.search(
        r"Measured on \d{4}-\d\d-\d\d at commit [0-9a-f]{10}( with changes)?, .+ cores.*, "
        r".*Python 3\.\d+\.\d+, by `make bench`\.",
        page.read_text(encoding="utf-8"),
    )


@pytest.mark.outside
def test_a_section_is_read_from_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "figures.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(figures_page, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["figures", "speed"])
    told = {"command": "jasstisch arena", "columns": ["game"], "rows": [["molotov"]]}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(told)))
    assert figures_page.main() == 0
    assert "| molotov |" in page.read_text(encoding="utf-8")
    for wrong in ("[]", "{}", json.dumps(told | {"rows": [[1]]}), "no json"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(wrong))
        with pytest.raises(SystemExit):
            figures_page.main()
    assert "command, columns and rows" in capsys.readouterr().err


def test_the_projects_page_has_every_measured_block() -> None:
    parts = figures_page.section_names(figures_page.PAGE.read_text(encoding="utf-8"))
    assert {"speed", "peers", *(f"strength-{game}" for game in jt.games())} <= set(parts)
    assert len(set(parts)) == len(parts)

"""The `ladder` command: output, files and refusals."""

import json
from pathlib import Path

import pytest

from tests.cli.screen_player import run_cli, scripted_answers

DUEL = ("molotov", "greedy", "--against", "random", "--deals", "8", "--keep")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder with the results of one arena contest."""
    assert run_cli(["arena", *DUEL, f"{tmp_path}/first.jsonl"], scripted_answers())[0] == 0
    return tmp_path


def test_all_bots_are_printed_and_the_page_is_written(results: Path) -> None:
    status, printed, errors = run_cli(["ladder", str(results)], scripted_answers())
    assert (status, errors) == (0, "")
    lines = printed.splitlines()
    assert lines[0] == "Molotov"
    assert [line.split()[:2] for line in lines[2:4]] == [["greedy", "1"], ["random", "2"]]
    assert lines[-1] == f"The page: {results / 'page' / 'index.html'}"
    written = {path.name for path in (results / "page").iterdir()}
    assert written == {"index.html", "molotov.svg", "molotov-dark.svg"}


def test_the_page_can_be_written_elsewhere(results: Path, tmp_path: Path) -> None:
    run_cli(
        ["ladder", str(results), "--page", str(tmp_path / "www" / "ladder")], scripted_answers()
    )
    assert (tmp_path / "www" / "ladder" / "index.html").is_file()
    assert not (results / "page").exists()


def test_json_contains_all_ladders(results: Path) -> None:
    status, printed, _ = run_cli(["ladder", str(results), "--json"], scripted_answers())
    report = json.loads(printed)
    assert (status, report["unread"]) == (0, [])
    assert [one["name"] for one in report["games"]["molotov"]] == ["greedy", "random"]
    assert report["games"]["molotov"][0]["deals"] == 8


def test_unreadable_entries_are_reported_and_set_the_exit_status(results: Path) -> None:
    (results / "letter.jsonl").write_text("Dear Anna\n")
    status, printed, errors = run_cli(["ladder", str(results)], scripted_answers())
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith("jasstisch: letter.jsonl: is no file of boards: it has b'Dear")
    assert "greedy" in printed
    assert "letter.jsonl" in (results / "page" / "index.html").read_text(encoding="utf-8")


def test_an_empty_folder_explains_how_to_produce_results(tmp_path: Path) -> None:
    status, printed, errors = run_cli(["ladder", str(tmp_path)], scripted_answers())
    assert (status, printed, errors.count("\n")) == (1, "", 1)
    assert f"--keep {tmp_path}/NAME.jsonl" in errors


@pytest.mark.parametrize("words", [["ladder"], ["ladder", "a", "b"], ["ladder", "a", "--game"]])
def test_invalid_arguments_are_usage_errors(words: list[str]) -> None:
    assert run_cli(words, scripted_answers())[0] == 2


def test_a_missing_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    status, _, errors = run_cli(["ladder", str(tmp_path / "none")], scripted_answers())
    assert (status, errors) == (
        1,
        f"jasstisch: cannot read {tmp_path / 'none'}: no such file or directory\n",
    )

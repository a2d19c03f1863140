"""`jasstisch import`: each line of a log of jass-kit becomes a record, or is named."""

import json
from pathlib import Path

import jasstisch as jt
from tests.cli.screen_player import run_cli, scripted_answers
from tests.match.test_jass_kit_logs import played_round


def imported(*words: str | Path) -> tuple[int, str, str]:
    """Returns exit status, standard output and error output."""
    return run_cli(["import", *map(str, words)], scripted_answers())


def test_each_line_of_a_log_becomes_a_record(tmp_path: Path) -> None:
    log, folder = tmp_path / "games.txt", tmp_path / "new" / "records"
    log.write_text("\n".join(json.dumps(played_round(seed)[1]) for seed in range(3)) + "\n\n")
    status, printed, errors = imported(log, "--to", folder)
    assert (status, errors) == (0, "")
    assert printed == (
        f"3 records: {folder}\nThe logs do not hold the order of the pack, the players' names, "
        "Weis and Stöck, and the rounds before.\n"
    )
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"games-00000{line}.jass.json" for line in (1, 2, 3)]
    for file in files:
        assert len(jt.Match.from_record(json.loads(file.read_text())).rounds) == 1
    status, _, errors = imported(log, "--to", folder)
    assert status == 1
    assert errors == f"jasstisch: {files[0]} exists already; name another folder\n"


def test_lines_that_are_no_rounds_are_named_and_the_others_imported(tmp_path: Path) -> None:
    log, folder = tmp_path / "games.txt", tmp_path / "records"
    good = json.dumps(played_round(1)[1]).encode()
    lines = [b"[1, 2]", good, b"{", b"\xff", b"9" * 200_000, b"[" * 60_000, good]
    log.write_bytes(b"\n".join(lines))
    status, printed, errors = imported(log, "--to", folder)
    assert status == 1
    assert printed.startswith(f"2 records: {folder}\n")
    told = errors.splitlines()
    assert told[0] == f"jasstisch: {log}, line 1: the entry is an object, not [1, 2]"
    for number, text in zip((1, 3, 4, 5, 6), told, strict=False):
        assert f"line {number}: " in text
    assert told[1].endswith("not valid JSON from line 1, column 2 on")
    assert told[-1] == "jasstisch: 5 lines are not in the records"
    assert len(told) == 6
    assert len(list(folder.iterdir())) == 2


def test_many_wrong_lines_are_counted_and_the_first_ones_named(tmp_path: Path) -> None:
    log = tmp_path / "games.txt"
    log.write_text("5\n" * 1000)
    status, printed, errors = imported(log, "--to", tmp_path)
    assert (status, printed) == (1, f"0 records: {tmp_path}\n")
    assert len(errors.splitlines()) == 21
    assert errors.endswith("jasstisch: 1,000 lines are not in the records\n")


def test_a_file_or_folder_that_cannot_be_used_ends_the_command_with_one_line(
    tmp_path: Path,
) -> None:
    status, _, errors = imported(tmp_path / "none", "--to", tmp_path)
    assert (status, errors) == (
        1,
        f"jasstisch: cannot import: {tmp_path / 'none'}: no such file or directory\n",
    )
    (tmp_path / "file").write_text("")
    status, _, errors = imported(tmp_path / "file", "--to", tmp_path / "file")
    assert (status, errors) == (1, f"jasstisch: cannot import: {tmp_path / 'file'}: file exists\n")

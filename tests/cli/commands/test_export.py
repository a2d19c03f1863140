"""`jasstisch export`: the decisions of records as CSV or Parquet."""

import csv
import json
import sys
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest

import jasstisch as jt
from jasstisch import data, extras
from jasstisch.cli.commands import export
from jasstisch.match.decisions import rows
from tests.cli.screen_player import run_cli, scripted_answers

ROOT = Path(__file__).parents[3]
RECORDS = ROOT / "tests" / "records"


def exported(*words: str | Path) -> tuple[int, str, str]:
    """Returns exit status, standard output and error output."""
    return run_cli(["export", *map(str, words)], scripted_answers())


def test_each_decision_of_each_record_is_a_row(tmp_path: Path) -> None:
    files = [RECORDS / f"{name}.jass.json" for name in ("schieber-1", "i-doubt-it-out", "jass-2")]
    path = tmp_path / "all.csv"
    status, printed, errors = exported(*files, "--to", path)
    assert (status, errors) == (0, "")
    with path.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    wanted = [
        {"match": number, "file": file.name, "game": match.game.name, **row}
        for number, file in enumerate(files, start=1)
        for match in [jt.Match.from_record(json.loads(file.read_text(encoding="utf-8")))]
        for row in rows(match)
    ]
    assert found == [
        {key: "" if cell is None else str(cell) for key, cell in row.items()} for row in wanted
    ]
    assert "".join(printed.split()) == f"{len(wanted):,}decisionsof3matches:{path}"
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_extension_selects_the_format(tmp_path: Path) -> None:
    files = [RECORDS / f"{name}.jass.json" for name in ("differenzler-1", "jass-2")]
    path = tmp_path / "all.parquet"
    status, printed, errors = exported(*files, "--to", path)
    assert (status, errors) == (0, "")
    matches = [jt.Match.from_record(json.loads(file.read_text("utf-8"))) for file in files]
    wanted = data.from_matches(zip([file.name for file in files], matches, strict=True))
    table = pa.Table.from_batches(wanted)
    assert data.scan(path).to_table() == table
    assert "".join(printed.split()) == f"{table.num_rows:,}decisionsof2matches:{path}"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["all.txt", "all", "parquet", "all.csv.gz"])
def test_an_unknown_extension_is_refused_with_the_known_ones(name: str, tmp_path: Path) -> None:
    status, printed, errors = exported(RECORDS / "jass-1.jass.json", "--to", tmp_path / name)
    assert (status, printed) == (2, "")
    assert "a file name ending in .csv or .parquet is needed, not " in errors
    assert list(tmp_path.iterdir()) == []


def test_parquet_needs_an_extra_and_csv_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "jasstisch.data")
    monkeypatch.delattr(jt, "data")
    monkeypatch.setattr(extras, "_installed", lambda package: package != "pyarrow")
    status, _, errors = exported(RECORDS / "jass-1.jass.json", "--to", tmp_path / "all.parquet")
    assert status == 1
    assert errors == (
        "jasstisch: a table of decisions needs pyarrow, which is not installed: "
        "pip install 'jasstisch[data]'\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert exported(RECORDS / "jass-1.jass.json", "--to", tmp_path / "all.csv")[0] == 0


def test_any_player_name_survives(tmp_path: Path) -> None:
    record = json.loads((RECORDS / "molotow-1.jass.json").read_text(encoding="utf-8"))
    record["players"] = ['a,"b"\nc', "Zoë", "", "\ud800"]
    source, path = tmp_path / "m.jass.json", tmp_path / "m.CSV"
    source.write_text(json.dumps(record))
    assert exported(source, "--to", path)[0] == 0
    with path.open(encoding="utf-8", newline="") as file:
        names = {int(row["seat"]): row["player"] for row in csv.DictReader(file)}
    assert names == {0: 'a,"b"\nc', 1: "Zoë", 2: "", 3: "?"}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_one_invalid_record_prevents_any_output(tmp_path: Path, ending: str) -> None:
    broken = tmp_path / "broken.jass.json"
    broken.write_text("{}")
    path = tmp_path / f"all.{ending}"
    path.write_text("as it was")
    status, printed, errors = exported(RECORDS / "jass-1.jass.json", broken, "--to", path)
    assert (status, printed) == (1, "")
    assert errors.startswith(f"jasstisch: {broken}: step 0: a record is an object")
    assert errors.count("\n") == 1
    assert path.read_text() == "as it was"
    assert sorted(tmp_path.iterdir()) == [path, broken]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("target", ["nowhere/all", "a\0", "x" * 300, "folder"])
def test_an_unwritable_file_is_refused(target: str, ending: str, tmp_path: Path) -> None:
    (tmp_path / f"folder.{ending}").mkdir()
    status, printed, errors = exported(
        RECORDS / "jass-1.jass.json", "--to", f"{tmp_path}/{target}.{ending}"
    )
    assert (status, printed) == (1, "")
    assert errors.startswith("jasstisch: cannot write ")
    assert errors.count("\n") == 1
    assert [one.name for one in tmp_path.iterdir()] == [f"folder.{ending}"]


def test_memory_does_not_grow_with_the_number_of_records(tmp_path: Path) -> None:
    file = RECORDS / "differenzler-1.jass.json"

    def most(times: int) -> int:
        tracemalloc.start()
        try:
            export._write_csv([file] * times, tmp_path / "out.csv")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    most(1)  # what is loaded and kept for good counts for nothing
    assert most(6) < 1.5 * most(1)


def test_the_docs_list_every_column_in_order() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    table = page.partition("## As a table")[2].partition("## ")[0]
    named = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert [name.strip(" `") for name in "".join(named).replace("`, `", "` `").split()] == list(
        export._HEADER
    )

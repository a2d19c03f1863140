"""Files of decisions: whole or not there, in groups of rows, read lazily, and of this form only."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from jasstisch import data
from jasstisch.data import files
from jasstisch.engine.errors import GameError
from tests.match.test_record_schema import begun


def batches(count: int = 1) -> list[Any]:
    """Some rows of a match by chance, each batch the same."""
    (batch,) = data.from_matches([(None, begun("molotow", 2, 30))])
    return [batch] * count


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "one.parquet"
    made = batches()
    assert data.write(path, made) == made[0].num_rows
    assert data.scan(path).to_table() == pa.Table.from_batches(made)
    assert list(tmp_path.iterdir()) == [path]


def test_rows_are_written_in_groups_of_one_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ROW_GROUP", 100)
    path = tmp_path / "one.parquet"
    rows = data.write(path, batches(9))
    metadata = pq.ParquetFile(path).metadata
    sizes = [metadata.row_group(place).num_rows for place in range(metadata.num_row_groups)]
    assert sum(sizes) == rows > 200
    assert set(sizes[:-1]) == {100}
    assert sizes[-1] <= 100


def test_a_batch_is_asked_for_when_its_turn_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no more rows are held than a group has, and one batch."""
    monkeypatch.setattr(files, "ROW_GROUP", 50)
    held = [table.num_rows for table in files._row_groups(iter(batches(7)))]
    assert max(held) == 50
    asked: list[int] = []

    def told() -> Iterator[Any]:
        for place, batch in enumerate(batches(6)):
            asked.append(place)
            yield batch

    next(files._row_groups(told()))
    assert asked == [0, 1]


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "one.parquet"
    path.write_text("as it was")

    def broken() -> Iterator[Any]:
        yield from batches()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        data.write(path, broken())
    assert path.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="nowhere"):
        data.write(tmp_path / "nowhere" / "one.parquet", batches())


def test_no_rows_are_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "none.parquet"
    assert data.write(path, []) == 0
    assert data.scan(path).count_rows() == 0


def test_files_and_folders_are_read_as_one_lazily(tmp_path: Path) -> None:
    made = batches()
    for name in ("a", "b"):
        data.write(tmp_path / f"{name}.parquet", made)
    (tmp_path / "notes.txt").write_text("")
    both = data.scan(tmp_path)
    rows = made[0].num_rows
    assert both.count_rows() == 2 * rows
    assert data.scan(tmp_path / "b.parquet", tmp_path).count_rows() == 3 * rows
    late = both.to_batches(columns=["trick", "choice"], filter=pc.field("trick") > 3)
    tricks = [trick for batch in late for trick in batch["trick"].to_pylist()]
    assert set(tricks) == set(range(4, 1 + max(tricks)))


def test_what_holds_no_decisions_is_refused(tmp_path: Path) -> None:
    text, other, newer = (tmp_path / f"{name}.parquet" for name in ("text", "other", "newer"))
    text.write_text("match,file\n")
    pq.write_table(pa.table({"a": [1]}), other)
    table = pa.table({"a": [1]}).replace_schema_metadata({"jasstisch": "jasstisch-decisions/2"})
    pq.write_table(table, newer)
    for path, said in (
        (text, "not a Parquet file"),
        (other, "holds something else, not jasstisch-decisions/1"),
        (newer, "holds 'jasstisch-decisions/2', not jasstisch-decisions/1"),
    ):
        with pytest.raises(GameError, match=said):
            data.scan(path)
    with pytest.raises(GameError, match="no file of decisions is named"):
        data.scan()
    (tmp_path / "empty").mkdir()
    with pytest.raises(GameError, match=r"a folder without any \*\.parquet file"):
        data.scan(tmp_path / "empty")
    with pytest.raises(FileNotFoundError):
        data.scan(tmp_path / "nowhere.parquet")

"""Parquet files of decisions: written in row groups, read lazily.

A file appears only when it is complete. Row groups have the same size whatever the source of the
rows, so that equal rows make equal files.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from jasstisch.data.columns import FORMAT, SCHEMA
from jasstisch.engine.errors import GameError, quote

EXTENSION = ".parquet"

ROW_GROUP = 65_536
"""The number of rows of a row group; no more rows are held in memory, about 30 MiB."""


def write(path: Path | str, batches: Iterable[Any]) -> int:
    """Writes batches of rows into a Parquet file, replacing it; returns the number of rows.

    Args:
        path: the file.
        batches: with the schema `SCHEMA`, from `from_matches` or `self_play`; consumed lazily.

    Raises:
        OSError: the file cannot be written; an existing file is unchanged.
    """
    target = Path(path)
    part = target.with_name(f"{target.name}.part")
    try:
        with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
            count = 0
            for group in _row_groups(batches):
                writer.write_table(group, row_group_size=ROW_GROUP)
                count += group.num_rows
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return count


def _row_groups(batches: Iterable[Any]) -> Iterator[Any]:
    """Regroups the rows into tables of `ROW_GROUP` rows; the last table may be shorter."""
    held = SCHEMA.empty_table()
    for batch in batches:
        held = pa.concat_tables([held, pa.Table.from_batches([batch])])
        while held.num_rows >= ROW_GROUP:
            yield held.slice(0, ROW_GROUP)
            held = held.slice(ROW_GROUP)
    if held.num_rows:
        yield held


def scan(*paths: Path | str) -> Any:  # noqa: ANN401 - pyarrow has no types
    """The decisions of files as one `pyarrow.dataset.Dataset`; nothing is read yet.

    Args:
        paths: files written by `write` or `jasstisch export`, or folders of them.

    Raises:
        OSError: a file does not exist.
        GameError: no file is given, or a file holds no decisions.
    """
    files = [file for path in paths for file in _decision_files(Path(path))]
    if not files:
        raise GameError("no file of decisions is named")
    for file in files:
        _check_format(file)
    return ds.dataset([str(file) for file in files], schema=SCHEMA, format="parquet")


def _decision_files(path: Path) -> list[Path]:
    """A file, or the files of decisions in a folder, in the order of their names."""
    if not path.is_dir():
        return [path]
    found = sorted(path.glob(f"*{EXTENSION}"))
    if not found:
        raise GameError(f"{quote(str(path))} is a folder without any *{EXTENSION} file")
    return found


def _check_format(path: Path) -> None:
    """Checks that a file was written by `write`.

    Raises:
        OSError: the file does not exist.
        GameError: the file holds something else.
    """
    try:
        metadata = pq.read_schema(path).metadata or {}
    except pa.ArrowInvalid as error:
        raise GameError(f"{quote(str(path))} is not a Parquet file") from error
    stored_format = metadata.get(b"jasstisch", b"").decode("utf-8", "replace")
    if stored_format != FORMAT:
        found = quote(stored_format) if stored_format else "something else"
        raise GameError(f"{quote(str(path))} holds {found}, not {FORMAT}")

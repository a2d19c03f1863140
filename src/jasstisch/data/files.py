"""Files of decisions: written in groups of rows, read lazily.

What is written is there once it is whole. Row groups are of one size wherever the rows come from,
so that equal rows make equal files.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from jasstisch.data.columns import FORMAT, SCHEMA
from jasstisch.engine.errors import GameError, quote

__all__ = ["EXTENSION", "ROW_GROUP", "scan", "write"]

EXTENSION = ".parquet"

ROW_GROUP = 65_536
"""Rows are written so many at a time, and no more of them are held: some 30 MiB."""


def write(path: Path | str, batches: Iterable[Any]) -> int:
    """Writes batches of rows into a Parquet file, in place of what is there; how many rows.

    Args:
        path: the file.
        batches: of `SCHEMA`, from `of_matches` or `self_play`; each is asked for when its turn
            comes.

    Raises:
        OSError: the file cannot be written; what was there is as it was.
    """
    target = Path(path)
    part = target.with_name(f"{target.name}.part")
    try:
        with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
            count = 0
            for group in row_groups(batches):
                writer.write_table(group, row_group_size=ROW_GROUP)
                count += group.num_rows
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return count


def row_groups(batches: Iterable[Any]) -> Iterator[Any]:
    """The same rows as tables of `ROW_GROUP` rows, the last one being what is left."""
    held = SCHEMA.empty_table()
    for batch in batches:
        held = pa.concat_tables([held, pa.Table.from_batches([batch])])
        while held.num_rows >= ROW_GROUP:
            yield held.slice(0, ROW_GROUP)
            held = held.slice(ROW_GROUP)
    if held.num_rows:
        yield held


def scan(*paths: Path | str) -> Any:  # noqa: ANN401 - pyarrow has no types
    """The decisions of files as one `pyarrow.dataset.Dataset`, of which nothing is read yet.

    Args:
        paths: files that `write` or `jasstisch export` has written, or folders of them.

    Raises:
        OSError: there is no such file.
        GameError: no file is named, or one holds no decisions.
    """
    files = [file for path in paths for file in decision_files(Path(path))]
    if not files:
        raise GameError("no file of decisions is named")
    for file in files:
        check_format(file)
    return ds.dataset([str(file) for file in files], schema=SCHEMA, format="parquet")


def decision_files(path: Path) -> list[Path]:
    """A file, or the files of decisions of a folder, in the order of their names."""
    if not path.is_dir():
        return [path]
    found = sorted(path.glob(f"*{EXTENSION}"))
    if not found:
        raise GameError(f"{quote(str(path))} is a folder without a file *{EXTENSION}")
    return found


def check_format(path: Path) -> None:
    """Refuses a file that was not written by `write`.

    Raises:
        OSError: there is no such file.
        GameError: it holds something else.
    """
    try:
        metadata = pq.read_schema(path).metadata or {}
    except pa.ArrowInvalid as error:
        raise GameError(f"{quote(str(path))} is no Parquet file") from error
    told = metadata.get(b"jasstisch", b"").decode("utf-8", "replace")
    if told != FORMAT:
        found = quote(told) if told else "something else"
        raise GameError(f"{quote(str(path))} holds {found}, not {FORMAT}")

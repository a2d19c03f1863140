"""`jasstisch export`: the decisions of recorded matches as one table, for statistics and learning.

Each record is verified to its last step before its first row is written. Rows are streamed: memory
use does not grow with the number of records (Parquet buffers one row group). The output file
appears only when it is complete; if a record is invalid, nothing is written.
"""

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jasstisch as jt
from jasstisch.cli.arguments import Parser
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game import record_files
from jasstisch.cli.ui.progress import show_progress
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.engine.errors import shorten
from jasstisch.match.decisions import COLUMNS, rows

_HEADER = ("match", "file", "game", *COLUMNS)
"""The columns: the record of a row, and the decision."""


def run(argv: list[str]) -> int:
    """Exports the decisions of records to a file.

    Raises:
        CommandError: a file cannot be read or written, or a record is invalid.
    """
    arguments = parser().parse(argv)
    target: Path = arguments.to
    part = target.with_name(f"{target.name}.part")
    try:
        count = _WRITERS[target.suffix.lower()](arguments.files, part)
        part.replace(target)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {target}: {record_files.error_text(error)}") from error
    finally:
        _remove_partial_file(part)
    matches = len(arguments.files)
    summary = f"{count:,} decisions of {matches} match{'es' if matches > 1 else ''}: {target}"
    Terminal().write(summary)
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch export",
        "Export the decisions of recorded matches as a table, one row each.",
        epilog="The columns: docs/records.md, docs/data.md",
    )
    result.add_argument("files", metavar="FILE", nargs="+", type=Path, help="records, *.jass.json")
    result.add_argument(
        "--to",
        metavar="PATH",
        type=_parse_output_path,
        required=True,
        help="output file, *.csv, or *.parquet with the extra data; overwritten if it exists",
    )
    return result


def _parse_output_path(text: str) -> Path:
    """Argument type for the path of the output file."""
    path = Path(text)
    if path.suffix.lower() not in _WRITERS:
        raise argparse.ArgumentTypeError(
            f"a file name ending in {' or '.join(_WRITERS)} is needed, not {shorten(text)!r}"
        )
    return path


def _write_csv(files: Sequence[Path], path: Path) -> int:
    """Writes the rows of some records as CSV; returns their number."""
    count = 0
    # Names are free texts and may hold lone surrogates, which UTF-8 cannot encode.
    with (
        path.open("w", encoding="utf-8", errors="replace", newline="") as file,
        show_progress("Writing decisions") as shown,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_HEADER)
        for row in _csv_rows(files):
            writer.writerow(row)
            count += 1
            shown.update_count("Writing decisions", count)
    return count


def _csv_rows(files: Sequence[Path]) -> Iterator[Sequence[Any]]:
    """Yields the rows of some records; null becomes an empty cell."""
    for number, (file, match) in enumerate(_iter_matches(files), start=1):
        for row in rows(match):
            yield (number, file, match.game.name, *row.values())


def _write_parquet(files: Sequence[Path], path: Path) -> int:
    """Writes the rows as Parquet, with types and with all columns of the player's view."""
    from jasstisch import data  # noqa: PLC0415 - needs an extra that CSV does not need

    def batches(report: Callable[[int], None]) -> Iterator[Any]:
        count = 0
        for batch in data.from_matches(_iter_matches(files)):
            yield batch
            count += batch.num_rows
            report(count)

    with show_progress("Writing decisions") as shown:
        return data.write(
            path, batches(lambda count: shown.update_count("Writing decisions", count))
        )


def _iter_matches(files: Sequence[Path]) -> Iterator[tuple[str, jt.Match]]:
    """Yields the matches of some records with the names of their files, one at a time."""
    for file in files:
        yield file.name, record_files.load(file)


_WRITERS = {".csv": _write_csv, ".parquet": _write_parquet}
"""The writer of each file name extension."""


def _remove_partial_file(part: Path) -> None:
    """Removes an incomplete output file after an error."""
    try:
        part.unlink(missing_ok=True)
    except (OSError, ValueError):  # it may not exist, for example if its folder is missing
        return

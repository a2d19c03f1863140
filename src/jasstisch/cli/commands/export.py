"""`jasstisch export`: the decisions of recorded matches as one table, for statistics and learning.

Each record is verified to its last step before a row of it is written. Rows go out as they are
made, so that any number of records needs no more memory than one, or at Parquet than a group of
rows. The file is there once it is whole; where a record does not hold nothing is written.
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

__all__ = ["run"]

HEADER = ("match", "file", "game", *COLUMNS)
"""The columns: which record a row is of, and the decision."""


def run(words: list[str]) -> int:
    """Writes the decisions of records into a file.

    Raises:
        CommandError: a file cannot be read or written, or a record does not hold.
    """
    arguments = parser().parse(words)
    target: Path = arguments.to
    part = target.with_name(f"{target.name}.part")
    try:
        count = WRITERS[target.suffix.lower()](arguments.files, part)
        part.replace(target)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {target}: {record_files.error_text(error)}") from error
    finally:
        remove_partial_file(part)
    matches = len(arguments.files)
    told = f"{count:,} decisions of {matches} match{'es' if matches > 1 else ''}: {target}"
    Terminal().write(told)
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch export",
        "Export the decisions of recorded matches as a table, one row each.",
        epilog="The columns: docs/records.md, docs/data.md",
    )
    result.add_argument("files", metavar="FILE", nargs="+", type=Path, help="records, *.jass.json")
    result.add_argument(
        "--to",
        metavar="PATH",
        type=parse_output_path,
        required=True,
        help="output file, *.csv, or *.parquet with the extra data; overwritten if it exists",
    )
    return result


def parse_output_path(text: str) -> Path:
    """A file for a table, as the type of an argument."""
    path = Path(text)
    if path.suffix.lower() not in WRITERS:
        raise argparse.ArgumentTypeError(
            f"a file name ending in {' or '.join(WRITERS)} is needed, not {shorten(text)!r}"
        )
    return path


def write_csv(files: Sequence[Path], path: Path) -> int:
    """Writes all rows of some records as text; how many these are."""
    count = 0
    # Names are free texts, and may hold halves of letters that no file can have.
    with (
        path.open("w", encoding="utf-8", errors="replace", newline="") as file,
        show_progress("Writing decisions") as shown,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for row in csv_rows(files):
            writer.writerow(row)
            count += 1
            shown.count("Writing decisions", count)
    return count


def csv_rows(files: Sequence[Path]) -> Iterator[Sequence[Any]]:
    """The rows of some records; what is null is an empty cell."""
    for number, (file, match) in enumerate(iter_matches(files), start=1):
        for row in rows(match):
            yield (number, file, match.game.name, *row.values())


def write_parquet(files: Sequence[Path], path: Path) -> int:
    """Writes the same rows with types, and what else a player sees who is about to act."""
    from jasstisch import data  # noqa: PLC0415 - needs an extra, which a CSV does not

    def batches(told: Callable[[int], None]) -> Iterator[Any]:
        count = 0
        for batch in data.from_matches(iter_matches(files)):
            yield batch
            count += batch.num_rows
            told(count)

    with show_progress("Writing decisions") as shown:
        return data.write(path, batches(lambda count: shown.count("Writing decisions", count)))


def iter_matches(files: Sequence[Path]) -> Iterator[tuple[str, jt.Match]]:
    """The matches of some records, each read when its turn comes, with the names of their files."""
    for file in files:
        yield file.name, record_files.load(file)


WRITERS = {".csv": write_csv, ".parquet": write_parquet}
"""What writes a table, by the ending of its file."""


def remove_partial_file(part: Path) -> None:
    """Leaves nothing half written behind."""
    try:
        part.unlink(missing_ok=True)
    except (OSError, ValueError):  # there was none, as where its folder is missing
        return

"""`jasstisch export`: the decisions of recorded matches as one table, for statistics and learning.

Each record is verified to its last step before a row of it is written. Rows go out as they are
made, so that any number of records needs no more memory than one. The file is there once it is
whole; where a record does not hold nothing is written.
"""

import argparse
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jasstisch.cli import records
from jasstisch.cli.arguments import Parser
from jasstisch.cli.exits import CommandError
from jasstisch.cli.progress import progress
from jasstisch.cli.terminal import Terminal
from jasstisch.decisions import COLUMNS, rows
from jasstisch.errors import shorten

__all__ = ["run"]

ENDING = ".csv"

HEAD = ("match", "file", "game", *COLUMNS)
"""The columns: which record a row is of, and the decision."""


def run(words: list[str]) -> int:
    """Writes the decisions of records into a file.

    Raises:
        CommandError: a file cannot be read or written, or a record does not hold.
    """
    arguments = parser().read(words)
    target: Path = arguments.to
    part = target.with_name(f"{target.name}.part")
    try:
        count = write(arguments.files, part)
        part.replace(target)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {target}: {records.reason(error)}") from error
    finally:
        remove(part)
    matches = len(arguments.files)
    told = f"{count:,} decisions of {matches} match{'es' if matches > 1 else ''}: {target}"
    Terminal().say(told)
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch export",
        "Write the decisions of recorded matches as a table, one row for each.",
        epilog="What the columns hold: docs/records.md",
    )
    result.add_argument("files", metavar="FILE", nargs="+", type=Path, help="records, *.jass.json")
    result.add_argument(
        "--to",
        metavar="PATH",
        type=table,
        required=True,
        help="the table, *.csv; what is there is replaced",
    )
    return result


def table(text: str) -> Path:
    """A file for a table, as the type of an argument."""
    path = Path(text)
    if path.suffix.lower() != ENDING:
        raise argparse.ArgumentTypeError(
            f"a file that ends in {ENDING} is needed, not {shorten(text)!r}"
        )
    return path


def write(files: Sequence[Path], path: Path) -> int:
    """Writes all rows of some records; how many these are."""
    count = 0
    # Names are free texts, and may hold halves of letters that no file can have.
    with (
        path.open("w", encoding="utf-8", errors="replace", newline="") as file,
        progress("Writing decisions") as shown,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for row in cells(files):
            writer.writerow(row)
            count += 1
            shown.count("Writing decisions", count)
    return count


def cells(files: Sequence[Path]) -> Iterator[Sequence[Any]]:
    """The rows of some records; what is null is an empty cell."""
    for number, file in enumerate(files, start=1):
        match = records.load(file)
        for row in rows(match):
            yield (number, file.name, match.game.name, *row.values())


def remove(part: Path) -> None:
    """Leaves nothing half written behind."""
    try:
        part.unlink(missing_ok=True)
    except (OSError, ValueError):  # there was none, as where its folder is missing
        return

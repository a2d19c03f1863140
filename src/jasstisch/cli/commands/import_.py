"""`jasstisch import`: turns game logs of jass-kit into records.

A log holds an entry on each line, which is one round of Schieber. Each becomes a record of its own.
Lines that cannot be read are named, and the others become records all the same.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import jasstisch as jt
from jasstisch.cli.arguments import Parser
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game import record_files
from jasstisch.cli.ui.progress import show_progress
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.engine.errors import GameError, count_seats_from_one, shorten
from jasstisch.match import jass_kit

_MAX_LINE_BYTES = 64 * 1024
"""The longest line: ten times what an entry needs."""

_MAX_NAMED_LINES = 20
"""The most lines with errors that are named one by one."""


def run(argv: list[str]) -> int:
    """Imports logs.

    Raises:
        CommandError: a file cannot be read or written, or the records exist already.
    """
    arguments = parser().parse(argv)
    folder: Path = arguments.to
    try:
        folder.mkdir(parents=True, exist_ok=True)
        counts = [_import_file(file, folder) for file in arguments.files]
    except (OSError, ValueError) as error:
        where = getattr(error, "filename", None)
        what = f"{where}: " if where else ""
        raise CommandError(f"cannot import: {what}{record_files.error_text(error)}") from error
    imported, failed = (sum(column) for column in zip(*counts, strict=True))
    terminal = Terminal()
    terminal.write_unwrapped(f"{imported:,} record{'s' * (imported != 1)}: {folder}")
    if imported:
        terminal.write_unwrapped(f"The logs do not hold {jass_kit.UNKNOWN}.")
    if failed:
        print(f"jasstisch: {failed:,} lines are not in the records", file=sys.stderr)
    return 1 if failed else 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch import",
        "Turn game logs of jass-kit (rounds of Schieber as JSON, one on each line) into records.",
        epilog="What a record holds: docs/records.md",
    )
    result.add_argument("files", metavar="FILE", nargs="+", type=Path, help="game logs")
    result.add_argument(
        "--to",
        metavar="DIR",
        type=Path,
        required=True,
        help="folder of the records: FILE-LINE.jass.json for each line",
    )
    return result


def _import_file(file: Path, folder: Path) -> tuple[int, int]:
    """Imports one log; returns the number of records, and of lines that are none."""
    imported = failed = 0
    with show_progress("Importing rounds") as shown:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip():
                continue
            target = folder / f"{file.stem}-{number:06}.jass.json"
            if record_files.exists(target):
                raise CommandError(f"{target} exists already; name another folder")
            try:
                match = _read(line)
            except (ValueError, RecursionError) as error:
                failed += 1
                if failed <= _MAX_NAMED_LINES:
                    print(f"jasstisch: {file}, line {number}: {_reason(error)}", file=sys.stderr)
                continue
            record_files.save(match, target)
            imported += 1
            shown.update_count("Importing rounds", imported)
    return imported, failed


def _lines(file: Path) -> Iterator[bytes]:
    """The lines of a log; one that is too long is cut, and is no JSON then."""
    with file.open("rb") as opened:
        while line := opened.readline(_MAX_LINE_BYTES):
            yield line
            while len(line) == _MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = opened.readline(_MAX_LINE_BYTES)


def _read(line: bytes) -> jt.Match:
    return jass_kit.match_of(json.loads(line.strip().decode("utf-8")))


def _reason(error: Exception) -> str:
    if isinstance(error, GameError):
        return shorten(count_seats_from_one(str(error)), 300)
    return record_files.error_text(error)

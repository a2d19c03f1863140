"""Writes measured tables into docs/figures.md, each with machine, date, commit and command.

The page is written by hand except for the parts between `<!-- figures: NAME -->` and `<!-- end
-->`: they hold the latest run of one measurement, and a later run replaces it. A program passes a
`Section`; another language, or a shell, passes the same as JSON:

    python -m bench.figures_page strength < strength.json
    {"command": "jasstisch arena …", "columns": ["game", "mean"], "rows": [["molotov", "31.2"]],
     "notes": ["a line below the table"]}
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jasstisch.bench.machine import this_machine

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "figures.md"

SECTION_PATTERN = re.compile(r"(<!-- figures: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
NUMBER_PATTERN = re.compile(r"[−+-]?[\d,.]+( ?[×%])?( ± [\d,.]+)?")

MEASURED_PATHS = ("src", "bench", "pyproject.toml", "requirements")
"""The paths that may affect a figure, for git."""


class PageError(ValueError):
    """A section cannot be written; the message says why."""


@dataclass(frozen=True, slots=True)
class Section:
    """One measured table.

    Attributes:
        command: the command that produced it.
        columns: the headers.
        rows: the cells, as texts.
        notes: lines below the table.
    """

    command: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """Returns the table, numbers right-aligned, and its notes."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise PageError(f"{len(self.columns)} columns have {len(row)} cells: {row}")
        right = [
            bool(self.rows) and all(not cell or NUMBER_PATTERN.fullmatch(cell) for cell in cells)
            for cells in zip(*self.rows, strict=True)
        ]
        lines = [self.columns, ["--:" if one else "---" for one in right], *self.rows]
        table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        return "\n\n".join([table, *self.notes])


def current_commit() -> str:
    """Returns the current commit, and whether the measured paths have changes."""
    head = git_output("rev-parse", "--short=10", "HEAD")
    changed = git_output("status", "--porcelain", "--", *MEASURED_PATHS)
    return f"{head} with changes" if changed else head


def git_output(*words: str) -> str:
    """Returns the output of git."""
    command = ["git", *words]
    return subprocess.run(  # noqa: S603 - fixed arguments
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def section_names(page: str) -> list[str]:
    """Returns the names of the sections of a page."""
    return [match[2] for match in SECTION_PATTERN.finditer(page)]


def read_rows(page: str, name: str) -> list[dict[str, str]]:
    """Returns the rows of the table in a section, each cell by its header.

    Raises:
        PageError: the page has no such section, or the section has no table.
    """
    parts = {match[2]: match[3] for match in SECTION_PATTERN.finditer(page)}
    if name not in parts:
        raise PageError(f"the page has no part {name!r}; it has {', '.join(parts)}")
    lines = [line[1:-1].split("|") for line in parts[name].splitlines() if line.startswith("|")]
    if not lines:
        raise PageError(f"no table stands in the part {name!r}")
    heads, _, *rows = [[cell.strip() for cell in cells] for cells in lines]
    return [dict(zip(heads, cells, strict=True)) for cells in rows]


def rows_at_commit(revision: str, name: str) -> list[dict[str, str]]:
    """Returns the rows of a section of docs/figures.md at an earlier commit.

    Raises:
        PageError: git has no such page there, or the page has no such table.
    """
    try:
        page = git_output("show", f"{revision}:docs/figures.md")
    except subprocess.CalledProcessError as error:
        raise PageError(f"no docs/figures.md at {revision!r}: {error.stderr.strip()}") from error
    return read_rows(page, name)


def replace_section(page: str, name: str, text: str) -> str:
    """Returns the page with this text as the section of that name.

    Raises:
        PageError: the page has no such section.
    """
    if name not in section_names(page):
        raise PageError(f"the page has no part {name!r}; it has {', '.join(section_names(page))}")

    def put(match: re.Match[str]) -> str:
        return f"{match[1]}{text}\n{match[4]}" if match[2] == name else match[0]

    return SECTION_PATTERN.sub(put, page)


def write_section(name: str, section: Section, page: Path | None = None) -> None:
    """Writes a section into the page (docs/figures.md by default), with today's date.

    Raises:
        PageError: the page has no such section, or a row does not fit the columns.
    """
    stamp = (
        f"Measured on {datetime.now(UTC).date()} at commit {current_commit()}, {this_machine()}, "
        f"by `{section.command}`."
    )
    page = page or PAGE
    text = replace_section(
        page.read_text(encoding="utf-8"), name, f"{section.markdown()}\n\n{stamp}"
    )
    page.write_text(text, encoding="utf-8")


def print_section(name: str, section: Section, *, keep: bool, page: Path | None = None) -> None:
    """Prints a section, and writes it into the page if requested."""
    print(section.markdown())
    if keep:
        write_section(name, section, page)


def check_section_exists(parser: argparse.ArgumentParser, name: str) -> None:
    """Exits if docs/figures.md has no section for a table to be saved.

    The message lists sections of the same kind, by the first word of their names.
    """
    kept = section_names(PAGE.read_text(encoding="utf-8"))
    if name not in kept:
        kind = name.partition("-")[0]
        like = ", ".join(one for one in kept if one.partition("-")[0] == kind)
        parser.error(f"docs/figures.md has no {name} to write; it has {like}")


def format_interval(mean: float, half: float, digits: int = 2) -> str:
    """Formats a mean and half the width of its interval."""
    return f"{mean:.{digits}f} ± {half:.{digits}f}".replace("-", "−")


def parse_section(given: Any) -> Section:  # noqa: ANN401 - JSON from outside
    """Parses a section from a JSON object.

    Raises:
        PageError: it is not a section.
    """
    if not isinstance(given, dict) or not {"command", "columns", "rows"} <= given.keys():
        raise PageError("an object with command, columns and rows is needed")
    columns, rows, notes = given["columns"], given["rows"], given.get("notes", [])
    if not isinstance(rows, list) or not all(
        is_string_list(one) for one in ([given["command"]], columns, notes, *rows)
    ):
        raise PageError("command, columns, notes and the cells of rows are texts, in lists")
    return Section(given["command"], columns, rows, notes)


def is_string_list(value: object) -> bool:
    """Returns whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def figures_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """Returns the parser of a program that measures, with the flag that saves its figures.

    Args:
        module: the module that is run with `python -m`.
        description: the docstring of the module.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--write", action="store_true", help="save the figures in docs/figures.md")
    return parser


def main() -> int:
    """Writes the section read from standard input as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.figures_page", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", choices=section_names(PAGE.read_text(encoding="utf-8")))
    name: str = parser.parse_args().name
    try:
        write_section(name, parse_section(json.load(sys.stdin)))
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Puts measured tables into docs/figures.md, each with machine, date, commit and command.

The page is written by hand except for what stands between `<!-- figures: NAME -->` and
`<!-- end -->`: there stands the last run of one measurement, and a later run replaces it.
A program hands over a `Section`; another language, or a shell, the same as JSON:

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

__all__ = [
    "PAGE",
    "PageError",
    "Section",
    "check_section_exists",
    "current_commit",
    "format_interval",
    "print_section",
    "read_rows",
    "replace_section",
    "rows_at_commit",
    "section_names",
    "write_section",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "figures.md"

SECTION_PATTERN = re.compile(r"(<!-- figures: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
NUMBER_PATTERN = re.compile(r"[−+-]?[\d,.]+( ?[×%])?( ± [\d,.]+)?")

MEASURED_PATHS = ("src", "bench", "pyproject.toml", "requirements")
"""What a figure may depend on, as git sees it."""


class PageError(ValueError):
    """A section that cannot be written; the message says why."""


@dataclass(frozen=True, slots=True)
class Section:
    """One measured table.

    Attributes:
        command: what makes it again.
        columns: the heads of the table.
        rows: its cells, as texts.
        notes: lines to stand below it.
    """

    command: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """The table, numbers to the right, and its notes."""
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
    """The commit that is checked out, and whether what was measured differs from it."""
    head = git_output("rev-parse", "--short=10", "HEAD")
    changed = git_output("status", "--porcelain", "--", *MEASURED_PATHS)
    return f"{head} with changes" if changed else head


def git_output(*words: str) -> str:
    """What git answers."""
    command = ["git", *words]
    return subprocess.run(  # noqa: S603 - fixed words
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def section_names(page: str) -> list[str]:
    """The names of the parts that a page has for figures."""
    return [match[2] for match in SECTION_PATTERN.finditer(page)]


def read_rows(page: str, name: str) -> list[dict[str, str]]:
    """The rows of the table in a part of the page, each cell under the head of its column.

    Raises:
        FigureError: the page has no such part, or no table stands there.
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
    """The rows that a part of docs/figures.md had at an earlier commit.

    Raises:
        FigureError: git knows no such page there, or the page has no such table.
    """
    try:
        page = git_output("show", f"{revision}:docs/figures.md")
    except subprocess.CalledProcessError as error:
        raise PageError(f"no docs/figures.md at {revision!r}: {error.stderr.strip()}") from error
    return read_rows(page, name)


def replace_section(page: str, name: str, text: str) -> str:
    """The page with this text as its part of that name.

    Raises:
        FigureError: the page has no such part.
    """
    if name not in section_names(page):
        raise PageError(f"the page has no part {name!r}; it has {', '.join(section_names(page))}")

    def put(match: re.Match[str]) -> str:
        return f"{match[1]}{text}\n{match[4]}" if match[2] == name else match[0]

    return SECTION_PATTERN.sub(put, page)


def write_section(name: str, section: Section, page: Path | None = None) -> None:
    """Puts a section into the page (docs/figures.md if none is given), under today's date.

    Raises:
        FigureError: the page has no such part, or a row has not a cell for each column.
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
    """Prints a section, and puts it into the page if it shall be kept."""
    print(section.markdown())
    if keep:
        write_section(name, section, page)


def check_section_exists(parser: argparse.ArgumentParser, name: str) -> None:
    """Ends a program that shall keep a table for which docs/figures.md has no part.

    Told are the parts of the same kind, by the first word of their names.
    """
    kept = section_names(PAGE.read_text(encoding="utf-8"))
    if name not in kept:
        kind = name.partition("-")[0]
        like = ", ".join(one for one in kept if one.partition("-")[0] == kind)
        parser.error(f"docs/figures.md has no {name} to write; it has {like}")


def format_interval(mean: float, half: float, digits: int = 2) -> str:
    """A mean and half the width of its interval, as they stand in a table."""
    return f"{mean:.{digits}f} ± {half:.{digits}f}".replace("-", "−")


def parse_section(given: Any) -> Section:  # noqa: ANN401 - JSON from outside
    """The section that a JSON object describes.

    Raises:
        FigureError: it describes none.
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
    """Whether this is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def main() -> int:
    """Writes the section that stands on standard input as JSON."""
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

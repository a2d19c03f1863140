"""The headline table of the figures agrees with the sections that it links to."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "figures.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"\d[\d,.]*\d|\d")


def headline_rows() -> list[list[str]]:
    """The cells of the headline table, row by row."""
    head = PAGE.partition("\n## ")[0]
    lines = [line for line in head.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines[2:]]


def section(anchor: str) -> str:
    """The part of the page below the heading with this anchor."""
    for part in PAGE.split("\n## ")[1:]:
        if part.partition("\n")[0].lower().replace(" ", "-") == anchor:
            return part
    raise AssertionError(f"no section {anchor}")


def test_each_headline_figure_is_in_its_section() -> None:
    rows = headline_rows()
    assert len(rows) >= 10
    for what, figure, _, link in rows:
        match = re.search(r"\(#([\w-]+)\)", link)
        assert match, link
        shown = set(NUMBER.findall(section(match[1])))
        assert set(NUMBER.findall(figure)) <= shown, what


def test_every_missed_target_is_a_headline() -> None:
    missed = [line for line in PAGE.splitlines() if line.startswith("|") and ": not met" in line]
    texts = " ".join(cells[2] for cells in headline_rows() if "**not met**" in cells[2])
    for line in missed:
        bar = line[1:-1].split("|")[-1].strip().removesuffix(": not met")
        assert (found := NUMBER.search(bar)), line
        assert found[0] in NUMBER.findall(texts), line

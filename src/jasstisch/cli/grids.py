"""Tables for a terminal: airy, without lines."""

from rich.table import Table

__all__ = ["grid"]

WORDS = {"", "Slate", "Says", "Claim"}
"""Columns that hold no numbers, by their names in English."""


def grid(*columns: str, title: str | None = None) -> Table:
    """An airy table without lines; names and strokes begin, numbers end in line."""
    table = Table(
        box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", title=title,
        title_style="dim", title_justify="left",
    )  # fmt: skip
    for number, name in enumerate(columns):
        table.add_column(
            name,
            justify="left" if not number or name in WORDS else "right",
            overflow="ellipsis",
        )
    return table

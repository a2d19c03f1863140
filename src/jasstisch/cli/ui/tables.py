"""Tables for a terminal: airy, without lines."""

from collections.abc import Collection

from rich.table import Table

__all__ = ["borderless_table"]


def borderless_table(*columns: str, title: str | None = None, words: Collection[str] = ()) -> Table:
    """An airy table without lines; names and strokes begin, numbers end in line.

    Args:
        columns: their names.
        title: what stands above them.
        words: the names of those that hold no numbers, besides the first and those without one.
    """
    table = Table(
        box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", title=title,
        title_style="dim", title_justify="left",
    )  # fmt: skip
    for number, name in enumerate(columns):
        table.add_column(
            name,
            justify="left" if not number or not name or name in words else "right",
            overflow="ellipsis",
        )
    return table

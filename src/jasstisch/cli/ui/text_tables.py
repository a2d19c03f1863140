"""Tables without lines for a terminal."""

from collections.abc import Collection

from rich.table import Table


def borderless_table(
    *columns: str, title: str | None = None, text_columns: Collection[str] = ()
) -> Table:
    """Returns an empty table without lines; text is left-aligned, numbers are right-aligned.

    Args:
        columns: the headers.
        title: the title above the table.
        text_columns: the headers of text columns, besides the first one and those without a header.
    """
    table = Table(
        box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", title=title,
        title_style="dim", title_justify="left",
    )  # fmt: skip
    for number, name in enumerate(columns):
        table.add_column(
            name,
            justify="left" if not number or not name or name in text_columns else "right",
            overflow="ellipsis",
        )
    return table

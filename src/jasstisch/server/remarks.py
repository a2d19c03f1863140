"""Which lines people may write to each other at a table: plain text, as short as what is said."""

from jasstisch.server.characters import shown

__all__ = ["LONGEST_REMARK", "remark"]

LONGEST_REMARK = 140
"""Characters a line may have."""


def remark(text: str) -> str:
    """A line as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, or holds characters that may not stand in a name either.
    """
    return shown(text, "bad_text", "a line", LONGEST_REMARK)

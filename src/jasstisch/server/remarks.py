"""Which lines people may write to each other at a table: plain text, as short as what is said."""

from jasstisch.server.characters import composed, has_hidden, piles_marks
from jasstisch.table.errors import TableError

__all__ = ["LONGEST_REMARK", "remark"]

LONGEST_REMARK = 140
"""Characters a line may have."""


def remark(text: str) -> str:
    """A line as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, or holds characters that may not stand in a name either.
    """
    line = composed(text)
    if not line:
        raise TableError("bad_text", "a line needs at least one visible character")
    if len(line) > LONGEST_REMARK:
        raise TableError("bad_text", f"a line has at most {LONGEST_REMARK} characters")
    if has_hidden(line):
        raise TableError("bad_text", "a line may not hold invisible or control characters")
    if piles_marks(line):
        raise TableError("bad_text", "a line may not pile marks on a letter")
    return line

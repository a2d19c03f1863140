"""Which nicknames people may have at a table."""

import unicodedata

from jasstisch.table.errors import TableError

__all__ = ["LONGEST_NAME", "nickname"]

LONGEST_NAME = 24
"""Characters a nickname may have."""


def nickname(text: str) -> str:
    """A nickname as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, holds invisible or control characters, or looks like
            the name of a computer player.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name:
        raise TableError("bad_name", "a nickname needs at least one visible character")
    if len(name) > LONGEST_NAME:
        raise TableError("bad_name", f"a nickname has at most {LONGEST_NAME} characters")
    # Control, format, private and unassigned characters, and more than two marks on a letter.
    if any(unicodedata.category(char).startswith("C") for char in name):
        raise TableError("bad_name", "a nickname may not hold invisible or control characters")
    if _piled_marks(name):
        raise TableError("bad_name", "a nickname may not pile marks on a letter")
    if name.casefold().startswith("bot:"):
        raise TableError("bad_name", "names beginning with bot: belong to computer players")
    return name


def _piled_marks(name: str) -> bool:
    marks = [unicodedata.category(char).startswith("M") for char in name]
    return marks[0] or any(all(marks[start : start + 3]) for start in range(len(marks) - 2))

"""Which nicknames people may have at a table.

Real names of every script are welcome, and pictures too, also those of several joined ones. What
turns the text around it, shows nothing, or reads as a computer player's name is not.
"""

import unicodedata
from itertools import groupby

from jasstisch.server.lookalikes import is_blank, is_computers
from jasstisch.table.errors import TableError

__all__ = ["LONGEST_NAME", "nickname"]

LONGEST_NAME = 24
"""Characters a nickname may have."""

MOST_MARKS = 5
"""Marks on one letter: a Burmese syllable has four, and a selector may follow."""

MOST_STACKED = 2
"""Marks right above or below a letter: more of them grow into the lines around."""

NON_JOINER, JOINER, AS_TEXT, AS_PICTURE, KEYCAP = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3"
VIRAMA = 9
"""The combining class of the signs that join letters in scripts of India and its neighbours."""


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
    if any(_is_hidden(name, place) for place in range(len(name))):
        raise TableError("bad_name", "a nickname may not hold invisible or control characters")
    if _piled_marks(name):
        raise TableError("bad_name", "a nickname may not pile marks on a letter")
    if is_computers(name):
        raise TableError("bad_name", "names like bot: or Computer belong to computer players")
    return name


def _is_hidden(name: str, place: int) -> bool:
    """Whether nothing is seen of a character, and nothing of what it does to its neighbours."""
    char = name[place]
    before, after = name[place - 1 : place], name[place + 1 : place + 2]
    if char == " ":
        return False
    if char == JOINER:
        return not (_joins_letters(before, after) or _joins_pictures(before, after))
    if char == NON_JOINER:
        return not (_joins_letters(before, after) or (_is_arabic(before) and _is_arabic(after)))
    if char in (AS_TEXT, AS_PICTURE):
        return not (_is_picture(before) or after == KEYCAP)
    if 0xE0100 <= ord(char) <= 0xE01EF:  # which of its forms an ideograph has, as names use them
        return not unicodedata.name(before or " ", "").startswith("CJK UNIFIED IDEOGRAPH")
    return is_blank(char)


def _joins_letters(before: str, after: str) -> bool:
    return bool(before and after) and unicodedata.combining(before) == VIRAMA and after.isalpha()


def _is_arabic(char: str) -> bool:
    """Whether it is a letter of a script whose letters join, as in Persian names."""
    return bool(char) and unicodedata.bidirectional(char) == "AL" and char.isalpha()


def _joins_pictures(before: str, after: str) -> bool:
    """Two pictures in one, such as a family; a tone of skin or a selector may stand between."""
    return _is_picture(after) and (_is_picture(before) or before == AS_PICTURE)


def _is_picture(char: str) -> bool:
    """Whether it is a picture, or the tone of its skin, and seen as such."""
    if not char or is_blank(char):
        return False
    return unicodedata.category(char) == "So" or 0x1F3FB <= ord(char) <= 0x1F3FF


def _piled_marks(name: str) -> bool:
    """Whether marks begin the name, or tower over a letter."""
    if unicodedata.category(name[0]).startswith("M"):
        return True
    for are_marks, group in groupby(name, lambda one: unicodedata.category(one).startswith("M")):
        marks = list(group)
        stacked = [one for one in marks if unicodedata.combining(one) in (220, 230)]
        if are_marks and (len(marks) > MOST_MARKS or len(stacked) > MOST_STACKED):
            return True
    return False

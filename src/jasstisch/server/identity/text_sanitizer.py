"""What may stand in a text that others read.

Every script is welcome, and pictures too, also those of several joined ones. What turns the text
around it, shows nothing, or grows into the lines around is not.
"""

import unicodedata
from itertools import groupby

from jasstisch.server.identity.confusables import impersonates_bot, is_invisible
from jasstisch.table.errors import RefusalCode, TableError

__all__ = [
    "MAX_CHAT_LENGTH",
    "MAX_NICKNAME_LENGTH",
    "normalize_chat_line",
    "normalize_nickname",
]

MAX_NICKNAME_LENGTH = 24
"""Characters a nickname may have."""

MAX_CHAT_LENGTH = 140
"""Characters a line of chat may have."""

MAX_MARKS_PER_LETTER = 5
"""Marks on one letter: a Burmese syllable has four, and a selector may follow."""

MAX_STACKED_MARKS = 2
"""Marks right above or below a letter: more of them grow into the lines around."""

NON_JOINER, JOINER, TEXT_SELECTOR, EMOJI_SELECTOR, KEYCAP = (
    "\u200c",
    "\u200d",
    "\ufe0e",
    "\ufe0f",
    "\u20e3",
)
VIRAMA_CLASS = 9
"""The combining class of the signs that join letters in scripts of India and its neighbours."""


def normalize_nickname(text: str) -> str:
    """A nickname as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, holds invisible or control characters, or looks like
            the name of a computer player.
    """
    name = _normalize(text, "bad_name", "a nickname", MAX_NICKNAME_LENGTH)
    if impersonates_bot(name):
        raise TableError("bad_name", "names like bot: or Computer belong to computer players")
    return name


def normalize_chat_line(text: str) -> str:
    """A line of chat as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, or holds characters that may not stand in a name either.
    """
    return _normalize(text, "bad_text", "a line", MAX_CHAT_LENGTH)


def _normalize(text: str, code: RefusalCode, what: str, most: int) -> str:
    """A text as it is shown: composed, on one line, without needless spaces.

    Args:
        text: what somebody has written.
        code: of the refusal.
        what: what it is called there.
        most: how many characters it may have.

    Raises:
        TableError: it is empty, too long, or holds what may not stand in it.
    """
    made = unicodedata.normalize("NFC", " ".join(text.split()))
    if not made:
        raise TableError(code, f"{what} needs at least one visible character")
    if len(made) > most:
        raise TableError(code, f"{what} has at most {most} characters")
    if any(_is_invisible_at(made, place) for place in range(len(made))):
        raise TableError(code, f"{what} may not hold invisible or control characters")
    if _has_stacked_marks(made):
        raise TableError(code, f"{what} may not pile marks on a letter")
    return made


def _is_invisible_at(text: str, place: int) -> bool:
    """Whether nothing is seen of a character, and nothing of what it does to its neighbours."""
    char = text[place]
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if char == " ":
        return False
    if char == JOINER:
        return not (_joins_letters(before, after) or _joins_emoji(before, after))
    if char == NON_JOINER:
        return not (_joins_letters(before, after) or (_is_arabic(before) and _is_arabic(after)))
    if char in (TEXT_SELECTOR, EMOJI_SELECTOR):
        return not (_is_emoji(before) or after == KEYCAP)
    if 0xE0100 <= ord(char) <= 0xE01EF:  # which of its forms an ideograph has, as names use them
        return not unicodedata.name(before or " ", "").startswith("CJK UNIFIED IDEOGRAPH")
    return is_invisible(char)


def _joins_letters(before: str, after: str) -> bool:
    return (
        bool(before and after) and unicodedata.combining(before) == VIRAMA_CLASS and after.isalpha()
    )


def _is_arabic(char: str) -> bool:
    """Whether it is a letter of a script whose letters join, as in Persian names."""
    return bool(char) and unicodedata.bidirectional(char) == "AL" and char.isalpha()


def _joins_emoji(before: str, after: str) -> bool:
    """Two pictures in one, such as a family; a tone of skin or a selector may stand between."""
    return _is_emoji(after) and (_is_emoji(before) or before == EMOJI_SELECTOR)


def _is_emoji(char: str) -> bool:
    """Whether it is a picture, or the tone of its skin, and seen as such."""
    if not char or is_invisible(char):
        return False
    return unicodedata.category(char) == "So" or 0x1F3FB <= ord(char) <= 0x1F3FF


def _has_stacked_marks(text: str) -> bool:
    """Whether marks begin a text that is not empty, or tower over a letter."""
    if unicodedata.category(text[0]).startswith("M"):
        return True
    for are_marks, group in groupby(text, lambda one: unicodedata.category(one).startswith("M")):
        marks = list(group)
        stacked = [one for one in marks if unicodedata.combining(one) in (220, 230)]
        if are_marks and (len(marks) > MAX_MARKS_PER_LETTER or len(stacked) > MAX_STACKED_MARKS):
            return True
    return False

"""Normalizes and checks texts that other people read.

All scripts and emoji are allowed, including joined emoji. Characters that reverse the surrounding
text, are invisible, or overlap adjacent lines are rejected.
"""

import unicodedata
from itertools import groupby

from jasstisch.server.identity.confusables import impersonates_bot, is_invisible
from jasstisch.table.errors import RefusalCode, TableError

MAX_NICKNAME_LENGTH = 24
"""The maximum length of a nickname in characters."""

MAX_CHAT_LENGTH = 140
"""The maximum length of a chat line in characters."""

_MAX_MARKS_PER_LETTER = 5
"""The maximum number of marks on a letter: a Burmese syllable has four; a selector may follow."""

_MAX_STACKED_MARKS = 2
"""The maximum number of marks directly above or below a letter; more overlap adjacent lines."""

_NON_JOINER, _JOINER, _TEXT_SELECTOR, _EMOJI_SELECTOR, _KEYCAP = (
    "\u200c",
    "\u200d",
    "\ufe0e",
    "\ufe0f",
    "\u20e3",
)
_VIRAMA_CLASS = 9
"""The combining class of viramas, which join letters in scripts of India and its neighbours."""


def normalize_nickname(text: str) -> str:
    """Normalizes a nickname: composed characters, no superfluous spaces.

    Raises:
        TableError: it is empty or too long, contains invisible or control characters, or looks like
            the name of a bot.
    """
    name = _normalize(text, "bad_name", "a nickname", MAX_NICKNAME_LENGTH)
    if impersonates_bot(name):
        raise TableError("bad_name", "names like bot: or Computer belong to computer players")
    return name


def normalize_chat_line(text: str) -> str:
    """Normalizes a line of chat: composed characters, no superfluous spaces.

    Raises:
        TableError: it is empty or too long, or contains characters that nicknames may not contain
            either.
    """
    return _normalize(text, "bad_text", "a line", MAX_CHAT_LENGTH)


def _normalize(text: str, code: RefusalCode, what: str, limit: int) -> str:
    """Normalizes a text: composed characters, one line, no superfluous spaces.

    Args:
        text: the text as a person has written it.
        code: the error code of a refusal.
        what: the name of the text in a refusal.
        limit: the maximum length in characters.

    Raises:
        TableError: it is empty or too long, or contains forbidden characters.
    """
    made = unicodedata.normalize("NFC", " ".join(text.split()))
    if not made:
        raise TableError(code, f"{what} needs at least one visible character")
    if len(made) > limit:
        raise TableError(code, f"{what} has at most {limit} characters")
    if any(_is_invisible_at(made, place) for place in range(len(made))):
        raise TableError(code, f"{what} may not hold invisible or control characters")
    if _has_stacked_marks(made):
        raise TableError(code, f"{what} may not pile marks on a letter")
    return made


def _is_invisible_at(text: str, place: int) -> bool:
    """Whether a character is invisible and has no visible effect on its neighbours."""
    char = text[place]
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if char == " ":
        return False
    if char == _JOINER:
        return not (_joins_letters(before, after) or _joins_emoji(before, after))
    if char == _NON_JOINER:
        return not (_joins_letters(before, after) or (_is_arabic(before) and _is_arabic(after)))
    if char in (_TEXT_SELECTOR, _EMOJI_SELECTOR):
        return not (_is_emoji(before) or after == _KEYCAP)
    if 0xE0100 <= ord(char) <= 0xE01EF:  # selects a variant of an ideograph, as in names
        return not unicodedata.name(before or " ", "").startswith("CJK UNIFIED IDEOGRAPH")
    return is_invisible(char)


def _joins_letters(before: str, after: str) -> bool:
    return (
        bool(before and after)
        and unicodedata.combining(before) == _VIRAMA_CLASS
        and after.isalpha()
    )


def _is_arabic(char: str) -> bool:
    """Whether a character is a letter of a script with joining letters, as in Persian names."""
    return bool(char) and unicodedata.bidirectional(char) == "AL" and char.isalpha()


def _joins_emoji(before: str, after: str) -> bool:
    """Whether two emoji are joined, as in a family; a skin tone or selector may stand between."""
    return _is_emoji(after) and (_is_emoji(before) or before == _EMOJI_SELECTOR)


def _is_emoji(char: str) -> bool:
    """Whether a character is an emoji, or a skin tone, and displayed as such."""
    if not char or is_invisible(char):
        return False
    return unicodedata.category(char) == "So" or 0x1F3FB <= ord(char) <= 0x1F3FF


def _has_stacked_marks(text: str) -> bool:
    """Whether a text starts with a mark, or has too many marks on one letter."""
    if unicodedata.category(text[0]).startswith("M"):
        return True
    for are_marks, group in groupby(text, lambda one: unicodedata.category(one).startswith("M")):
        marks = list(group)
        stacked = [one for one in marks if unicodedata.combining(one) in (220, 230)]
        if are_marks and (len(marks) > _MAX_MARKS_PER_LETTER or len(stacked) > _MAX_STACKED_MARKS):
            return True
    return False

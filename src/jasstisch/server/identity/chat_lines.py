"""Which lines people may write to each other at a table: plain text, as short as what is said."""

from jasstisch.server.identity.text_sanitizer import normalize_display_text

__all__ = ["MAX_CHAT_LENGTH", "normalize_chat_line"]

MAX_CHAT_LENGTH = 140
"""Characters a line may have."""


def normalize_chat_line(text: str) -> str:
    """A line as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, or holds characters that may not stand in a name either.
    """
    return normalize_display_text(text, "bad_text", "a line", MAX_CHAT_LENGTH)

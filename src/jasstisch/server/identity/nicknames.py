"""Which nicknames people may have at a table.

Real names of every script are welcome, and pictures too (`characters`). What reads as a computer
player's name is not.
"""

from jasstisch.server.identity.confusables import impersonates_bot
from jasstisch.server.identity.text_sanitizer import normalize_display_text
from jasstisch.table.errors import TableError

__all__ = ["MAX_NICKNAME_LENGTH", "normalize_nickname"]

MAX_NICKNAME_LENGTH = 24
"""Characters a nickname may have."""


def normalize_nickname(text: str) -> str:
    """A nickname as it is shown: composed, without needless spaces.

    Raises:
        TableError: it is empty, too long, holds invisible or control characters, or looks like
            the name of a computer player.
    """
    name = normalize_display_text(text, "bad_name", "a nickname", MAX_NICKNAME_LENGTH)
    if impersonates_bot(name):
        raise TableError("bad_name", "names like bot: or Computer belong to computer players")
    return name

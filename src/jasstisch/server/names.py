"""Which nicknames people may have at a table.

Real names of every script are welcome, and pictures too (`characters`). What reads as a computer
player's name is not.
"""

from jasstisch.server.characters import shown
from jasstisch.server.lookalikes import is_computers
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
    name = shown(text, "bad_name", "a nickname", LONGEST_NAME)
    if is_computers(name):
        raise TableError("bad_name", "names like bot: or Computer belong to computer players")
    return name

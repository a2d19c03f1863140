"""The bot that somebody means who writes it on a command line: a name, or a file of his own.

What is named runs here. So nothing that comes from elsewhere, over a network or from a record, may
be handed to this module: that is for `jasstisch.bot`, which knows names only.
"""

from jasstisch.bots import Bot, bot
from jasstisch.bots.files import from_file, is_file, settled

__all__ = ["find", "origin"]


def find(what: str) -> Bot:
    """The bot that is meant.

    Args:
        what: a name, or `file.py:Class`.

    Raises:
        GameError: there is none; the message says in one sentence what is missing.
    """
    return from_file(what) if is_file(what) else bot(what)


def origin(what: str) -> str:
    """What `find` takes, so that it means the same in other processes."""
    return settled(what) if is_file(what) else what

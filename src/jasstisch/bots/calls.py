"""Calls of the code of bots, which may be anybody's.

It may raise any error, which callers report, and it may try to end the program: `sys.exit` raises
`SystemExit`, which no caller expects and Python obeys without a word.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from jasstisch.bots.api import Bot

if TYPE_CHECKING:
    from random import Random

_T = TypeVar("_T")


class BotExitError(RuntimeError):
    """The code of a bot tried to end the program."""


def choose_action(player: Bot, view: Mapping[str, Any], legal: Sequence[str], rng: "Random") -> str:
    """The action that a bot chooses; see `Bot.act`.

    Raises:
        BotExitError: the bot tried to end the program.
    """
    return call(player.act, view, legal, rng)


def call(code: Callable[..., _T], *arguments: object) -> _T:
    """Calls the code of a bot.

    Raises:
        BotExitError: it tried to end the program. Other errors pass unchanged, as does Ctrl-C.
    """
    try:
        return code(*arguments)
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as end:
        raise BotExitError(f"it tried to end the program: {end!r}") from end

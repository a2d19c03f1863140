"""Whether something that was offered as a bot is one, and if not, what it lacks.

A bot is seen through before it plays: whatever it lacks is said in one sentence when it is named,
not in the middle of a match.
"""

import inspect
from collections.abc import Collection

from jasstisch.bots.api import Bot
from jasstisch.engine.errors import GameError, quote, shorten

__all__ = ["format_error", "instantiate", "validate"]

MAX_NAME_LENGTH = 40
MAX_REASON_LENGTH = 200

METHOD_SIGNATURES = {"act": ("view", "legal", "rng"), "prepare": ("game",), "without_clock": ()}
"""What is called of a bot, and with what; all but `act` may be missing."""


def instantiate(factory: object, what: str) -> Bot:
    """The bot that a class or function gives.

    Args:
        factory: what was offered.
        what: how it is called in a message.

    Raises:
        GameError: it gives none; the message says what is missing.
    """
    if not callable(factory):
        raise GameError(
            f"{what} is no bot but {quote(factory)}: a class or function is needed that gives, "
            f"without arguments, an object with a name and act(view, legal, rng)"
        )
    try:
        bot = factory()
    except (Exception, SystemExit) as error:
        raise GameError(f"{what} cannot be made: {format_error(error)}") from error
    return validate(bot, what)


def validate(bot: object, what: str) -> Bot:
    """The same object, if it is a bot.

    Raises:
        GameError: it is not; the message says what is missing.
    """
    lacking = name_problem(bot) or method_problem(bot) or games_problem(bot)
    if lacking is None and isinstance(bot, Bot):
        return bot
    raise GameError(f"{what} is no bot: {lacking}")


def name_problem(bot: object) -> str | None:
    """What is wrong with the name of a bot."""
    name = getattr(bot, "name", None)
    if name is None:
        return "it has no name, which is a text such as name = 'low'"
    if not isinstance(name, str):
        return f"its name is a text, not {quote(name)}"
    if not (name.isprintable() and name == name.strip() and 0 < len(name) <= MAX_NAME_LENGTH):
        return f"its name has 1 to {MAX_NAME_LENGTH} visible signs, unlike {quote(name)}"
    return None


def method_problem(bot: object) -> str | None:
    """What is wrong with that of a bot which is called."""
    for name, given in METHOD_SIGNATURES.items():
        call = getattr(bot, name, None)
        wanted = f"{name}({', '.join(given)})"
        if call is None:
            if name == "act":
                return f"it has no {wanted}"
        elif not callable(call):
            return f"its {name} is {quote(call)}, not a function {wanted}"
        elif not accepts_arguments(call, len(given)):
            return f"its {name}{inspect.signature(call)} cannot be called as {wanted}"
    return None


def accepts_arguments(call: object, number: int) -> bool:
    """Whether something can be called with so many arguments by place."""
    assert callable(call)
    try:
        inspect.signature(call).bind(*range(number))
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


def games_problem(bot: object) -> str | None:
    """What is wrong with the games that a bot says it knows."""
    games = getattr(bot, "games", ())
    if isinstance(games, str) or not isinstance(games, Collection):
        return f"its games are several names, as in games = ('molotov',), not {quote(games)}"
    return None


def format_error(error: BaseException) -> str:
    """An error on one line."""
    text = " ".join(str(error).split())
    kind = type(error).__name__
    return shorten(f"{kind}: {text}" if text else kind, MAX_REASON_LENGTH)

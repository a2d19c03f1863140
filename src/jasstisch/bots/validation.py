"""Validation of bots: whether an object implements the bot protocol, and what it lacks.

A bot is validated before it plays. So a fault is reported in one sentence when the bot is named,
not in the middle of a match.
"""

import inspect
from collections.abc import Collection

from jasstisch.bots.api import Bot
from jasstisch.engine.errors import GameError, quote, shorten

_MAX_NAME_LENGTH = 40
_MAX_REASON_LENGTH = 200

_METHOD_SIGNATURES = {"act": ("view", "legal", "rng"), "prepare": ("game",), "without_clock": ()}
"""The methods called on a bot and their arguments; all but `act` are optional."""


def instantiate(factory: object, what: str) -> Bot:
    """Instantiates a bot from a class or factory function.

    Args:
        factory: the class or function.
        what: the name to use in messages.

    Raises:
        GameError: it gives no bot; the message says what is missing.
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
    """Returns an object if it is a bot.

    Raises:
        GameError: it is not; the message says what is missing.
    """
    lacking = _name_problem(bot) or _method_problem(bot) or _games_problem(bot)
    if lacking is None and isinstance(bot, Bot):
        return bot
    raise GameError(f"{what} is no bot: {lacking}")


def _name_problem(bot: object) -> str | None:
    """Describes what is wrong with the name of a bot, or returns None."""
    name = getattr(bot, "name", None)
    if name is None:
        return "it has no name; a name is a string such as name = 'low'"
    if not isinstance(name, str):
        return f"its name is a text, not {quote(name)}"
    if not (name.isprintable() and name == name.strip() and 0 < len(name) <= _MAX_NAME_LENGTH):
        return f"its name has 1 to {_MAX_NAME_LENGTH} visible characters, unlike {quote(name)}"
    return None


def _method_problem(bot: object) -> str | None:
    """Describes what is wrong with the methods of a bot, or returns None."""
    for name, given in _METHOD_SIGNATURES.items():
        call = getattr(bot, name, None)
        wanted = f"{name}({', '.join(given)})"
        if call is None:
            if name == "act":
                return f"it has no {wanted}"
        elif not callable(call):
            return f"its {name} is {quote(call)}, not a function {wanted}"
        elif not _accepts_arguments(call, len(given)):
            return f"its {name}{inspect.signature(call)} cannot be called as {wanted}"
    return None


def _accepts_arguments(call: object, number: int) -> bool:
    """Whether an object can be called with this number of positional arguments."""
    assert callable(call)
    try:
        inspect.signature(call).bind(*range(number))
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


def _games_problem(bot: object) -> str | None:
    """Describes what is wrong with the games that a bot lists, or returns None."""
    games = getattr(bot, "games", ())
    if isinstance(games, str) or not isinstance(games, Collection):
        return f"its games are several names, as in games = ('molotov',), not {quote(games)}"
    return None


def format_error(error: BaseException) -> str:
    """Formats an error on one line."""
    text = " ".join(str(error).split())
    kind = type(error).__name__
    return shorten(f"{kind}: {text}" if text else kind, _MAX_REASON_LENGTH)

"""The bot that somebody means who writes it on a command line: a name, a file, or a program.

What is named runs here. So nothing that comes from elsewhere, over a network or from a record, may
be handed to this module: that is for `jasstisch.bot`, which knows names only.
"""

from jasstisch.bots import BUILT_IN, UnknownBotError, bot
from jasstisch.bots.api import Bot
from jasstisch.bots.file_loader import absolute_spec, is_file_spec, load_bot
from jasstisch.bots.subprocess_bot import Engine, EngineError, is_engine, parse_command
from jasstisch.bots.validation import validate
from jasstisch.engine.errors import GameError, quote, shorten
from jasstisch.games.rules import REGISTRY

__all__ = ["portable_spec", "resolve"]


def resolve(what: str) -> Bot:
    """The bot that is meant.

    Args:
        what: a name, `file.py:Class`, or `exec:COMMAND` for a program in any language.

    Raises:
        GameError: there is none; the message says in one sentence what is missing.
    """
    if is_engine(what):
        return start_engine(what)
    if is_file_spec(what):
        return check_name_and_games(load_bot(what), shorten(what))
    try:
        return bot(what)
    except UnknownBotError as error:
        raise GameError(f"{error}; one of your own is file.py:Class or exec:COMMAND") from error


def start_engine(what: str) -> Bot:
    """The program that is meant, started.

    Raises:
        GameError: it cannot be, or is no bot.
    """
    try:
        found = Engine(parse_command(what))
    except EngineError as error:
        raise GameError(str(error)) from error
    try:
        return check_name_and_games(validate(found, shorten(what)), shorten(what))
    except GameError:
        found.close()
        raise


def portable_spec(what: str) -> str:
    """What `find` takes, so that it means the same in other processes."""
    return absolute_spec(what) if is_file_spec(what) and not is_engine(what) else what


def check_name_and_games(found: Bot, what: str) -> Bot:
    """The same bot, if it may be among those that are here and plays games that are.

    Raises:
        GameError: it takes a name of ours, or names a game that is unknown, by a slip perhaps.
    """
    if found.name in BUILT_IN:
        raise GameError(
            f"{what} calls itself {found.name!r}, as a bot that comes with Jasstisch does: give it "
            f"another name"
        )
    for game in getattr(found, "games", ()):
        if game not in REGISTRY:
            raise GameError(
                f"{what} names an unknown game, {quote(game)}; the games are {', '.join(REGISTRY)}"
            )
    return found

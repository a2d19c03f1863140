"""Resolution of a bot named on the command line: a registered name, a file, or a program.

Resolving a specification executes code. Never pass this module text from an untrusted source such
as the network or a record; use `jasstisch.bots.bot`, which accepts registered names only.
"""

from jasstisch.bots import BUILT_IN, UnknownBotError, bot
from jasstisch.bots.api import Bot
from jasstisch.bots.file_loader import absolute_spec, is_file_spec, load_bot
from jasstisch.bots.subprocess_bot import Engine, EngineError, is_command_spec, parse_command
from jasstisch.bots.validation import validate
from jasstisch.engine.errors import GameError, quote, shorten
from jasstisch.games.rules import REGISTRY


def resolve(what: str) -> Bot:
    """Returns the bot of a specification.

    Args:
        what: a name, `file.py:Class`, or `exec:COMMAND` for a program in any language.

    Raises:
        GameError: there is no such bot; the message says in one sentence what is missing.
    """
    if is_command_spec(what):
        return _start_engine(what)
    if is_file_spec(what):
        return _check_name_and_games(load_bot(what), shorten(what))
    try:
        return bot(what)
    except UnknownBotError as error:
        raise GameError(f"{error}; one of your own is file.py:Class or exec:COMMAND") from error


def _start_engine(what: str) -> Bot:
    """Starts the program of a specification.

    Raises:
        GameError: the program cannot be started, or is not a bot.
    """
    try:
        found = Engine(parse_command(what))
    except EngineError as error:
        raise GameError(str(error)) from error
    try:
        return _check_name_and_games(validate(found, shorten(what)), shorten(what))
    except GameError:
        found.close()
        raise


def portable_spec(what: str) -> str:
    """The same specification in a form that `resolve` understands in other processes too."""
    return absolute_spec(what) if is_file_spec(what) and not is_command_spec(what) else what


def _check_name_and_games(found: Bot, what: str) -> Bot:
    """Checks that a bot has a free name and names existing games, and returns it.

    Raises:
        GameError: the bot uses a built-in name or names an unknown game.
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

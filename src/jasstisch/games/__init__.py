"""The games. Every module of this package that defines named `Rules` adds a game by being here.

Other packages bring games of theirs, see `elsewhere`.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from jasstisch.errors import GameError
from jasstisch.games.elsewhere import load
from jasstisch.games.rules import REGISTRY, Game

__all__ = ["NOT_LOADED", "game", "games"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

NOT_LOADED: Mapping[str, str] = load()
"""Games offered by other packages that are none, by the offer's name, each with what is wrong."""


def game(name: str, /, **options: object) -> Game:
    """The game of this name, with the given options and the defaults for the others.

    Raises:
        GameError: unknown game, option or value; the message names what is allowed, or what is
            wrong with a game of another package.
    """
    if name in (*NOT_LOADED,) and name not in REGISTRY:  # a list from JSON has no hash
        raise GameError(NOT_LOADED[name])
    return Game(name, options)


def games() -> tuple[str, ...]:
    """The names of all games, in alphabetical order."""
    return tuple(sorted(REGISTRY))

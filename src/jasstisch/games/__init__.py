"""The rules of every game: options, legal actions, scores and views, one module for each game.

The package decides what is legal and what it scores; `jasstisch.match` keeps the log, and
`jasstisch.bots` chooses actions. Every module here that defines a named `Rules` subclass registers
its game on import; `registry` adds the games of other packages. Begin with `rules`, then
`trick_taking`.
"""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.engine.errors import GameError
from jasstisch.games.rules import REGISTRY, Game

__all__ = ["game", "games"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")


def game(name: str, /, **options: object) -> Game:
    """The game of this name, with the given options and the defaults for the others.

    Raises:
        GameError: unknown game, option or value; the message names what is allowed, or what is
            wrong with a game of another package.
    """
    if name not in REGISTRY:
        for offer, fault in REGISTRY.load_entry_points().items():
            if offer == name:
                raise GameError(fault)
    return Game(name, options)


def games() -> tuple[str, ...]:
    """The names of all games, in alphabetical order."""
    return tuple(sorted(REGISTRY))

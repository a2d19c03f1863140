"""Guided rounds: for each game one fixed deal that is played while its rules are told.

A guide picks the deal and the moments; a lesson is a guide under way. Neither does anything at a
table by itself: whoever runs the match deals the lesson's packs, has the others play its line, and
shows what it says. The texts are data files in four languages, read by `jasstisch.guides.texts`.
Each game has a module of its own in this package, and a module that is here is known; a game
without one has no guided round.
"""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.errors import GameError, quote
from jasstisch.guides.guide import LEARNER, Guide, Moment
from jasstisch.guides.lesson import Hint, Lesson
from jasstisch.guides.scene import Scene

__all__ = ["GAMES", "LEARNER", "Guide", "Hint", "Lesson", "Moment", "Scene", "guide"]

GUIDES: dict[str, Guide] = {}
"""The guides by their games. Every module of this package that has a `GUIDE` adds one."""

for _module in iter_modules(__path__):
    _found = getattr(import_module(f"{__name__}.{_module.name}"), "GUIDE", None)
    if isinstance(_found, Guide):
        GUIDES[_found.game] = _found

GAMES = tuple(sorted(GUIDES))
"""The games that have a guided round, in alphabetical order."""


def guide(game: str) -> Guide:
    """The guide of a game.

    Raises:
        GameError: the game has no guided round.
    """
    if game not in GUIDES:
        known = ", ".join(GAMES)
        raise GameError(f"no guided round of {quote(game)}; there is one of {known}")
    return GUIDES[game]

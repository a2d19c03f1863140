"""Tutorials: for each game one guided round, a fixed deal that is played while rules are explained.

A tutorial defines the deal and the triggers of its hints; a session is a tutorial in progress.
Neither acts at a table: the caller deals the packs of the session, plays the scripted actions of
the other seats, and shows the hints. The texts are data files in four languages, read by
`jasstisch.i18n.templates`. Each game has its own module in this package and is registered on
import; a game without one has no tutorial. Begin with `tutorial`, then `session`.
"""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.engine.errors import GameError, quote
from jasstisch.tutorials.match_step import MatchStep
from jasstisch.tutorials.session import TutorialMessage, TutorialSession
from jasstisch.tutorials.tutorial import LEARNER_SEAT, Trigger, Tutorial

__all__ = [
    "GAMES",
    "LEARNER_SEAT",
    "MatchStep",
    "Trigger",
    "Tutorial",
    "TutorialMessage",
    "TutorialSession",
    "get_tutorial",
]

TUTORIALS: dict[str, Tutorial] = {}
"""The tutorials by game. Every module of this package that defines `TUTORIAL` adds one."""

for _module in iter_modules(__path__):
    _found = getattr(import_module(f"{__name__}.{_module.name}"), "TUTORIAL", None)
    if isinstance(_found, Tutorial):
        TUTORIALS[_found.game] = _found

GAMES = tuple(sorted(TUTORIALS))
"""The games that have a tutorial, in alphabetical order."""


def get_tutorial(game: str) -> Tutorial:
    """The tutorial of a game.

    Raises:
        GameError: the game has no tutorial.
    """
    if game not in TUTORIALS:
        known = ", ".join(GAMES)
        raise GameError(f"no guided round of {quote(game)}; there is one of {known}")
    return TUTORIALS[game]

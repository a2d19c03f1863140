"""Guided rounds: for each game one fixed deal that is played while its rules are told.

A guide picks the deal and the moments; a lesson is a guide under way. Neither does anything at a
table by itself: whoever runs the match deals the lesson's packs, has the others play its line, and
shows what it says. The texts are data files in four languages, read by `jasstisch.i18n.templates`.
Each game has a module of its own in this package, and a module that is here is known; a game
without one has no guided round.
"""

from importlib import import_module
from pkgutil import iter_modules

from jasstisch.engine.errors import GameError, quote
from jasstisch.tutorials.session import TutorialMessage, TutorialSession
from jasstisch.tutorials.step import Step
from jasstisch.tutorials.tutorial import LEARNER_SEAT, Trigger, Tutorial

__all__ = [
    "GAMES",
    "LEARNER_SEAT",
    "Step",
    "Trigger",
    "Tutorial",
    "TutorialMessage",
    "TutorialSession",
    "get_tutorial",
]

TUTORIALS: dict[str, Tutorial] = {}
"""The guides by their games. Every module of this package that has a `TUTORIAL` adds one."""

for _module in iter_modules(__path__):
    _found = getattr(import_module(f"{__name__}.{_module.name}"), "TUTORIAL", None)
    if isinstance(_found, Tutorial):
        TUTORIALS[_found.game] = _found

GAMES = tuple(sorted(TUTORIALS))
"""The games that have a guided round, in alphabetical order."""


def get_tutorial(game: str) -> Tutorial:
    """The guide of a game.

    Raises:
        GameError: the game has no guided round.
    """
    if game not in TUTORIALS:
        known = ", ".join(GAMES)
        raise GameError(f"no guided round of {quote(game)}; there is one of {known}")
    return TUTORIALS[game]

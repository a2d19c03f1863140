"""Guided rounds: for each game one fixed deal that is played while its rules are told.

A guide picks the deal and the moments; a lesson is a guide under way. Neither does anything at a
table by itself: whoever runs the match deals the lesson's packs, has the others play its line, and
shows what it says. The texts are data files in four languages, read by `jasstisch.guides.texts`.
"""

from importlib import import_module

from jasstisch.errors import GameError, quote
from jasstisch.guides.guide import LEARNER, Guide, Moment
from jasstisch.guides.lesson import Hint, Lesson
from jasstisch.guides.scene import Scene

__all__ = ["GAMES", "LEARNER", "Guide", "Hint", "Lesson", "Moment", "Scene", "guide"]

GAMES = ("molotov", "offenbach", "molotow", "differenzler", "jass", "i-doubt-it")
"""The games that have a guided round."""


def guide(game: str) -> Guide:
    """The guide of a game.

    Raises:
        GameError: the game has no guided round.
    """
    if game not in GAMES:
        known = ", ".join(GAMES)
        raise GameError(f"no guided round of {quote(game)}; there is one of {known}")
    found = import_module(f"{__name__}.{game.replace('-', '_')}").GUIDE
    assert isinstance(found, Guide)
    return found

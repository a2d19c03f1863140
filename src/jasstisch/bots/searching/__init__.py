"""The bots `club` and `master`: they imagine what may be hidden, and try what follows.

Both weigh every action the same way and differ in their effort: `club` tries each card in some
imagined deals, `master` the better ones in many likely ones. How a game is thought about is decided
by a module of its own in this package, and a module that is here is known. They know a view and
nothing else, and chance comes from the caller alone: equal seeds, equal moves, unless the clock
cuts one short.
"""

from jasstisch.extras import require

require("search", "searching")

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from importlib import import_module
from math import inf
from pkgutil import iter_modules
from random import Random
from typing import Self

from jasstisch.bots.api import View
from jasstisch.bots.searching.budget import CLUB, MASTER, Candidate, SearchBudget
from jasstisch.bots.searching.registry import find_searcher, supported_games
from jasstisch.bots.searching.warmup import prepare, prepare_game
from jasstisch.engine.errors import GameError

__all__ = [
    "Candidate",
    "ClubBot",
    "MasterBot",
    "SearchBot",
    "SearchBudget",
    "evaluate_actions",
    "prepare",
]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")


def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
) -> list[Candidate]:
    """The actions of a seat and what may be expected of each, best first.

    Args:
        view: the view of a seat that may act.
        legal: the actions open to it. Where they are too many to weigh, as bids are, those that
            are not worth a thought may be left out of the answer.
        rng: the only source of chance.
        effort: how hard to think.

    Raises:
        GameError: nobody has taught the searching players this game.
    """
    thought = find_searcher(view["game"])
    if thought is None:
        games = ", ".join(supported_games())
        raise GameError(f"{effort.name} cannot play {view['game']}; it plays {games}")
    if len(legal) == 1:
        return [Candidate(legal[0], 0.0, 0.0, 0)]
    prepare_game(view["game"])
    return thought(view, legal, rng, effort)


class SearchBot:
    """A player that searches.

    Args:
        effort: how hard it thinks.
    """

    def __init__(self, effort: SearchBudget) -> None:
        self.budget = effort

    @property
    def name(self) -> str:
        """The name by which the bot is looked up."""
        return self.budget.name

    @property
    def games(self) -> tuple[str, ...]:
        """The games it can think about, in alphabetical order."""
        return tuple(supported_games())

    def prepare(self, game: str) -> None:
        """Compiles what it needs for a game, or loads it from the cache; nothing for others."""
        if find_searcher(game) is not None:
            prepare_game(game)

    def without_clock(self) -> Self:
        """The same player without a clock: it finishes every search, however long that takes."""
        same = copy(self)
        same.budget = replace(self.budget, limit=inf)
        return same

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """The action it weighs heaviest; the only legal one without a thought.

        Raises:
            GameError: it cannot play this game.
        """
        return evaluate_actions(view, legal, rng, self.budget)[0].action


class ClubBot(SearchBot):
    """A strong player in no time: every card tried in some imagined deals."""

    def __init__(self) -> None:
        super().__init__(CLUB)


class MasterBot(SearchBot):
    """The strongest player: cards tried in many likely deals, the better ones in more."""

    def __init__(self) -> None:
        super().__init__(MASTER)

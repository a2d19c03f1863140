"""The bots `club` and `master`: Monte Carlo search over sampled deals (determinizations).

Both evaluate every action in the same way and differ in their budget: `club` tries each card in a
few sampled deals, `master` the better cards in many likely deals. This package decides what is
sampled, evaluated and compared in each game. A game that needs more than tricks has a module of its
own here, which is found and imported automatically.

It does not decide what is legal, and it does not contain the compiled kernels: those are in
`jasstisch.search`. The bots see nothing but a view, and all randomness comes from the caller: equal
seeds give equal moves, unless the clock cuts one short.

Begin with `registry` and `budget`, then `trick_games`.
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
    view: View, legal: Sequence[str], rng: Random, budget: SearchBudget
) -> list[Candidate]:
    """Returns the actions of a seat with their estimated values, best first.

    Args:
        view: the view of a seat that may act.
        legal: the legal actions. Where they are too many to evaluate, as bids are, the result may
            omit those that are clearly inferior.
        rng: the only source of randomness.
        budget: the search budget.

    Raises:
        GameError: the search does not support this game.
    """
    search = find_searcher(view["game"])
    if search is None:
        games = ", ".join(supported_games())
        raise GameError(f"{budget.name} cannot play {view['game']}; it plays {games}")
    if len(legal) == 1:
        return [Candidate(legal[0], 0.0, 0.0, 0)]
    prepare_game(view["game"])
    return search(view, legal, rng, budget)


class SearchBot:
    """A bot that searches.

    Args:
        budget: its search budget.
    """

    def __init__(self, budget: SearchBudget) -> None:
        self.budget = budget

    @property
    def name(self) -> str:
        """The name by which the bot is looked up."""
        return self.budget.name

    @property
    def games(self) -> tuple[str, ...]:
        """The games that the search supports, in alphabetical order."""
        return tuple(supported_games())

    def prepare(self, game: str) -> None:
        """Compiles the kernels of a game or loads them from the cache."""
        if find_searcher(game) is not None:
            prepare_game(game)

    def without_clock(self) -> Self:
        """The same bot without a time limit: it finishes every search, however long that takes."""
        same = copy(self)
        same.budget = replace(self.budget, time_limit_s=inf)
        return same

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Returns the action with the highest value; a single legal action needs no search.

        Raises:
            GameError: the search does not support this game.
        """
        return evaluate_actions(view, legal, rng, self.budget)[0].action


class ClubBot(SearchBot):
    """A strong and very fast bot: every card is tried in some sampled deals."""

    def __init__(self) -> None:
        super().__init__(CLUB)


class MasterBot(SearchBot):
    """The strongest bot: cards are tried in many likely deals, the better ones in more."""

    def __init__(self) -> None:
        super().__init__(MASTER)

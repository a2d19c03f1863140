"""Which games the searching players know, and how each is thought about.

A module of this package adds the games that need a way of their own with `thinks`. Any other game
of tricks is played as `otherwise` says: its cards are known by the rules that all of them share.
"""

from collections.abc import Callable, Sequence
from random import Random

from jasstisch.bots.api import View
from jasstisch.bots.searching.budget import Candidate, SearchBudget
from jasstisch.games.rules import REGISTRY
from jasstisch.games.trick_taking import TrickTaking

__all__ = [
    "SEARCHERS",
    "Searcher",
    "default_searcher",
    "find_searcher",
    "searcher_for_games",
    "supported_games",
]

Searcher = Callable[[View, Sequence[str], Random, SearchBudget], list[Candidate]]
"""Weighs the legal actions of the seat whose view it is, with so much effort; best first."""

SEARCHERS: dict[str, Searcher] = {}
"""How games are thought about that need a way of their own, by their names."""

DEFAULT_SEARCHERS: list[Searcher] = []
"""How all other games of tricks are; one entry once it is there."""


def searcher_for_games(*games: str) -> Callable[[Searcher], Searcher]:
    """Makes the decorated function the way to think about these games."""

    def add(weigh: Searcher) -> Searcher:
        SEARCHERS.update(dict.fromkeys(games, weigh))
        return weigh

    return add


def default_searcher(weigh: Searcher) -> Searcher:
    """Makes the decorated function the way to think about all other games of tricks."""
    DEFAULT_SEARCHERS.append(weigh)
    return weigh


def find_searcher(game: str) -> Searcher | None:
    """How a game is thought about; None where nobody can.

    A game of tricks without a figure is none of those: nobody knows whether points are good.
    """
    if game in SEARCHERS:
        return SEARCHERS[game]
    rules = REGISTRY.get(game)
    plays_tricks = rules is not None and issubclass(rules, TrickTaking) and rules.metric is not None
    return DEFAULT_SEARCHERS[0] if plays_tricks else None


def supported_games() -> list[str]:
    """The games that can be thought about, in alphabetical order."""
    return sorted(game for game in REGISTRY if find_searcher(game) is not None)

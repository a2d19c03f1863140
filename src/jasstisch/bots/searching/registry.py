"""The registry of games that the searching bots support, with the search function of each.

A module of this package registers a game that needs its own search with `register_searcher`. All
other games of tricks use the function registered with `register_default_searcher`, which relies
only on the rules that all of them share.
"""

from collections.abc import Callable, Sequence
from random import Random

from jasstisch.bots.api import View
from jasstisch.bots.searching.budget import Candidate, SearchBudget
from jasstisch.games.rules import REGISTRY
from jasstisch.games.trick_taking import TrickTaking

Searcher = Callable[[View, Sequence[str], Random, SearchBudget], list[Candidate]]
"""Evaluates the legal actions of the seat of a view within a budget; best first."""

SEARCHERS: dict[str, Searcher] = {}
"""The search functions of games that need their own, by name."""

_DEFAULT_SEARCHERS: list[Searcher] = []
"""The search function of all other games of tricks; one entry once it is registered."""


def register_searcher(*games: str) -> Callable[[Searcher], Searcher]:
    """Registers the decorated function as the search for these games."""

    def add(weigh: Searcher) -> Searcher:
        SEARCHERS.update(dict.fromkeys(games, weigh))
        return weigh

    return add


def register_default_searcher(weigh: Searcher) -> Searcher:
    """Registers the decorated function as the search for all other games of tricks."""
    _DEFAULT_SEARCHERS.append(weigh)
    return weigh


def find_searcher(game: str) -> Searcher | None:
    """The search function of a game; None if the game is not supported.

    A game of tricks without a metric is not supported: it is unknown whether points are good.
    """
    if game in SEARCHERS:
        return SEARCHERS[game]
    rules = REGISTRY.get(game)
    plays_tricks = rules is not None and issubclass(rules, TrickTaking) and rules.metric is not None
    return _DEFAULT_SEARCHERS[0] if plays_tricks else None


def supported_games() -> list[str]:
    """The supported games, in alphabetical order."""
    return sorted(game for game in REGISTRY if find_searcher(game) is not None)

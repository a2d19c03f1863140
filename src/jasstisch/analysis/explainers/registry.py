"""The registry of explainers and trait finders by game.

A module of this package registers its games with `register_explainer`, and with
`register_trait_finder` the function that finds the traits of two actions. A game without an
explainer is analysed too; its actions are explained by their results alone.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from jasstisch.analysis.action_traits import Trait, TraitFinder
from jasstisch.analysis.pros_and_cons import ActionExplainer, Argument
from jasstisch.bots import View

_Function = TypeVar("_Function")

EXPLAINERS: dict[str, ActionExplainer] = {}
"""The explainer of each game."""

TRAIT_FINDERS: dict[str, TraitFinder] = {}
"""The trait finder of each game."""


def register_explainer(*games: str) -> Callable[[ActionExplainer], ActionExplainer]:
    """Registers the decorated function as the explainer of these games."""
    return _register_for(EXPLAINERS, games)


def explainer_of(game: str) -> ActionExplainer:
    """Returns the explainer of a game, or one that yields no arguments."""
    return EXPLAINERS.get(game, _no_arguments)


def _no_arguments(_view: View, _action: str, _best: str) -> Iterable[Argument]:
    """Yields no arguments."""
    return ()


def register_trait_finder(*games: str) -> Callable[[TraitFinder], TraitFinder]:
    """Registers the decorated function as the trait finder of these games."""
    return _register_for(TRAIT_FINDERS, games)


def trait_finder_of(game: str) -> TraitFinder:
    """Returns the trait finder of a game, or one that yields no traits."""
    return TRAIT_FINDERS.get(game, _no_traits)


def _no_traits(_view: View, _action: str) -> Mapping[str, Trait]:
    """Returns no traits."""
    return {}


def _register_for(
    register: dict[str, _Function], games: Iterable[str]
) -> Callable[[_Function], _Function]:
    """Returns a decorator that registers a function for these games."""

    def add(function: _Function) -> _Function:
        register.update(dict.fromkeys(games, function))
        return function

    return add

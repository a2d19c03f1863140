"""Which games have a judge of their own.

A module of this package adds its games with `judges`, and with `holds_apart` what tells two actions
of them apart. A game without one is analysed all the same: of its actions is then said what came
of them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from jasstisch.analysis.arguments import ActionExplainer, Argument
from jasstisch.analysis.traits import Trait, TraitFinder
from jasstisch.bots import View

__all__ = [
    "EXPLAINERS",
    "TRAIT_FINDERS",
    "distinguishes",
    "explainer_of",
    "explains",
    "trait_finder_of",
]

_Told = TypeVar("_Told")

EXPLAINERS: dict[str, ActionExplainer] = {}
"""Who says what holds of the actions of each game, by its name."""

TRAIT_FINDERS: dict[str, TraitFinder] = {}
"""What tells actions of each game apart, by its name."""


def explains(*games: str) -> Callable[[ActionExplainer], ActionExplainer]:
    """Makes the decorated function the judge of these games."""
    return _register_for(EXPLAINERS, games)


def explainer_of(game: str) -> ActionExplainer:
    """The judge of a game; where there is none, one who knows nothing to say."""
    return EXPLAINERS.get(game, no_arguments)


def no_arguments(_view: View, _action: str, _best: str) -> Iterable[Argument]:
    """Nothing is known to hold of any action."""
    return ()


def distinguishes(*games: str) -> Callable[[TraitFinder], TraitFinder]:
    """Makes the decorated function say what tells actions of these games apart."""
    return _register_for(TRAIT_FINDERS, games)


def trait_finder_of(game: str) -> TraitFinder:
    """What tells actions of a game apart; where nothing is known of it, nothing does."""
    return TRAIT_FINDERS.get(game, no_traits)


def no_traits(_view: View, _action: str) -> Mapping[str, Trait]:
    """Nothing is known to tell actions apart."""
    return {}


def _register_for(register: dict[str, _Told], games: Iterable[str]) -> Callable[[_Told], _Told]:
    """Adds the decorated function for these games."""

    def add(told: _Told) -> _Told:
        register.update(dict.fromkeys(games, told))
        return told

    return add

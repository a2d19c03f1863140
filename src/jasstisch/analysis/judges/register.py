"""Which games have a judge of their own.

A module of this package adds its games with `judges`, and with `holds_apart` what tells two actions
of them apart. A game without one is analysed all the same: of its actions is then said what came
of them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from jasstisch.analysis.grounds import Ground, Judge
from jasstisch.analysis.traits import Trait, Traits
from jasstisch.bots import View

__all__ = ["JUDGES", "TRAITS", "holds_apart", "judge_of", "judges", "traits_of"]

_Told = TypeVar("_Told")

JUDGES: dict[str, Judge] = {}
"""Who says what holds of the actions of each game, by its name."""

TRAITS: dict[str, Traits] = {}
"""What tells actions of each game apart, by its name."""


def judges(*games: str) -> Callable[[Judge], Judge]:
    """Makes the decorated function the judge of these games."""
    return _adder(JUDGES, games)


def judge_of(game: str) -> Judge:
    """The judge of a game; where there is none, one who knows nothing to say."""
    return JUDGES.get(game, silent)


def silent(_view: View, _action: str, _best: str) -> Iterable[Ground]:
    """Nothing is known to hold of any action."""
    return ()


def holds_apart(*games: str) -> Callable[[Traits], Traits]:
    """Makes the decorated function say what tells actions of these games apart."""
    return _adder(TRAITS, games)


def traits_of(game: str) -> Traits:
    """What tells actions of a game apart; where nothing is known of it, nothing does."""
    return TRAITS.get(game, alike)


def alike(_view: View, _action: str) -> Mapping[str, Trait]:
    """Nothing is known to tell actions apart."""
    return {}


def _adder(register: dict[str, _Told], games: Iterable[str]) -> Callable[[_Told], _Told]:
    """Adds the decorated function for these games."""

    def add(told: _Told) -> _Told:
        register.update(dict.fromkeys(games, told))
        return told

    return add

"""The unit in which each game counts what a decision has cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from jasstisch.arena.figures import FIGURES
from jasstisch.errors import GameError

__all__ = ["MEASURES", "Measure", "measure"]


@dataclass(frozen=True, slots=True)
class Measure:
    """How a game measures decisions.

    Attributes:
        unit: what its figure counts: points, sticks, strokes or chips.
        high_is_good: whether much of it is good.
        noticeable: a difference in worth below this one says nothing.
        digits: decimals with which the figure is told.
        gains: the reason that tells by how much the figure is better.
        costs: the reason that tells by how much it is worse.
    """

    unit: str
    high_is_good: bool
    noticeable: float
    digits: int
    gains: str
    costs: str

    def better_by(self, figure: float, other: float) -> float:
        """How much better a figure is than another."""
        return figure - other if self.high_is_good else other - figure

    @property
    def smallest(self) -> float:
        """The smallest difference that can be told."""
        return 0.1**self.digits

    def written(self, difference: float) -> str:
        """A difference as it is told; one that rounds to nothing has no sign."""
        return f"{difference:z.{self.digits}f}"


def _measure(game: str, noticeable: float, digits: int, name: str) -> Measure:
    figure = FIGURES[game]
    return Measure(figure.unit, figure.high_is_good, noticeable, digits, name, f"{name}_cost")


MEASURES: Mapping[str, Measure] = {
    "differenzler": _measure("differenzler", 0.5, 1, "difference"),
    "molotov": _measure("molotov", 1.0, 1, "points"),
    "offenbach": _measure("offenbach", 1.0, 1, "points"),
    "molotow": _measure("molotow", 0.05, 2, "sticks"),
    "jass": _measure("jass", 0.01, 2, "strokes"),
    "i-doubt-it": _measure("i-doubt-it", 0.01, 1, "chips"),
}
"""The measure of each game, by its name."""


def measure(game: str) -> Measure:
    """How a game measures decisions.

    Raises:
        GameError: it is not one of those that can be analysed.
    """
    if game not in MEASURES:
        raise GameError(f"no analysis of {game}; there is one of {', '.join(MEASURES)}")
    return MEASURES[game]

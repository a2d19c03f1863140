"""The score metric of a game: the number that a finished round gives each seat.

Each game class names one metric. The arena compares bots by it, and the analysis measures in it
what a decision has cost.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_Round = dict[str, Any]
"""A finished round, as `jasstisch.Match.rounds` has it."""


@dataclass(frozen=True, slots=True)
class ScoreMetric:
    """The metric of a game.

    Attributes:
        name: its name, such as `"difference"`.
        unit: its unit, such as `"points"`.
        higher_is_better: whether a higher value is better.
        of_round: the value of each seat in a finished round; partners have the same value.
        min_significant: the smallest difference in value that means something, where a round
            counts once.
        digits: the decimals with which the value of a decision is shown.
        standing_key: the key of a standing that decides the match; where none is given, a standing
            is shown with all its keys.
        custom_gain_reason_id: the id of the reason text that says how much better a decision is;
            with the suffix `_cost` how much worse. Where none is given, the text about points is
            used.
        is_non_negative: whether the value is never negative, so that a percentage of it has a
            meaning; a value that may be negative is shown with its sign.
        is_constant_sum: whether the seats divide a fixed sum, so that the share of each is of
            interest.
        costly_from: a decision that costs more than this is shown only with an argument against it.
        extra_statistics: further statistics of a finished round, by name.
    """

    name: str
    unit: str
    higher_is_better: bool
    of_round: Callable[[_Round], Sequence[int]]
    min_significant: float
    digits: int = 1
    custom_gain_reason_id: str = ""
    standing_key: str = ""
    is_non_negative: bool = True
    is_constant_sum: bool = False
    costly_from: float = 2.0
    extra_statistics: Mapping[str, Callable[[_Round], float]] = field(default_factory=dict)

    def gain(self, figure: float, other: float) -> float:
        """How much better one value is than another."""
        return figure - other if self.higher_is_better else other - figure

    def rounded(self, figure: float) -> float:
        """A value rounded to the decimals with which it is shown."""
        return round(figure, self.digits)

    def rounded_gain(self, figure: float, other: float) -> float:
        """How much better one value is than another, when both are rounded for display."""
        return self.rounded(self.gain(self.rounded(figure), self.rounded(other)))

    @property
    def gain_reason_id(self) -> str:
        """The id of the reason text that says how much better a decision is."""
        return self.custom_gain_reason_id or ("scores" if self.higher_is_better else "points")

    @property
    def resolution(self) -> float:
        """The smallest difference that can be shown."""
        return 0.1**self.digits

    def format_difference(self, difference: float) -> str:
        """A difference as text; one that rounds to zero has no sign."""
        return f"{difference:z.{self.digits}f}"


def round_scores(finished: _Round) -> Sequence[int]:
    """The points of each seat, which decide the marks."""
    scores: Sequence[int] = finished["points"]
    return scores


def marks_as_numbers(finished: _Round) -> Sequence[int]:
    """The marks of each seat, in games whose marks are numbers."""
    return [int(mark) for mark in finished["marks"]]

"""The figure by which a game is measured: what a finished round says about each seat.

A game names its figure once, on its class. The arena compares bots by it, the analysis counts in it
what a decision has cost, and both say whether much of it is good.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ScoreMetric", "marks_as_numbers", "round_scores"]

Round = dict[str, Any]
"""A finished round, as `jasstisch.Match.rounds` has it."""


@dataclass(frozen=True, slots=True)
class ScoreMetric:
    """What is measured in a game.

    Attributes:
        name: what it is called, such as `"difference"`.
        unit: what it counts, such as `"points"`.
        high_is_good: whether the higher figure is the better one.
        of_round: the figure of each seat in a finished round; partners have the same.
        noticeable: a difference in worth below this one says nothing, where a round counts once.
        digits: decimals with which it is told of a decision.
        standing: the key of a standing by which the match is decided; a standing is shown with all
            that is in it where none is given.
        reason: the reason that tells by how much it is better, with `_cost` by how much worse; one
            that tells of points where none is given.
        positive: whether it is never negative, so that a percentage of it has a meaning; where it
            may be, it is written with its sign.
        shared: whether seats divide something among them, of which one's share is worth telling.
        dear: a decision that costs more than this is not told without what speaks against it.
        remarks: what else a finished round has to tell, by its name.
    """

    name: str
    unit: str
    higher_is_better: bool
    of_round: Callable[[Round], Sequence[int]]
    min_significant: float
    digits: int = 1
    own_reason_id: str = ""
    standing_key: str = ""
    is_non_negative: bool = True
    is_shared: bool = False
    costly_from: float = 2.0
    extra_statistics: Mapping[str, Callable[[Round], float]] = field(default_factory=dict)

    def gain(self, figure: float, other: float) -> float:
        """How much better a figure is than another."""
        return figure - other if self.higher_is_better else other - figure

    def rounded(self, figure: float) -> float:
        """A figure with the decimals with which it is told."""
        return round(figure, self.digits)

    def rounded_gain(self, figure: float, other: float) -> float:
        """How much better a figure is than another, as both are told."""
        return self.rounded(self.gain(self.rounded(figure), self.rounded(other)))

    @property
    def reason_id(self) -> str:
        """The reason that tells by how much it is better."""
        return self.own_reason_id or ("scores" if self.higher_is_better else "points")

    @property
    def resolution(self) -> float:
        """The smallest difference that can be told."""
        return 0.1**self.digits

    def format_difference(self, difference: float) -> str:
        """A difference as it is told; one that rounds to nothing has no sign."""
        return f"{difference:z.{self.digits}f}"


def round_scores(finished: Round) -> Sequence[int]:
    """The points of each seat, by which marks are given."""
    scores: Sequence[int] = finished["points"]
    return scores


def marks_as_numbers(finished: Round) -> Sequence[int]:
    """The marks of each seat where they are numbers."""
    return [int(mark) for mark in finished["marks"]]

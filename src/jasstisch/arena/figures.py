"""The figure by which each game is measured in the arena, and who won a deal.

A figure is what a finished round says about a seat in the game's own unit: points taken, points
missed, sticks, strokes or chips. Whether much of it is good is the game's business.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import jasstisch as jt
from jasstisch import slate
from jasstisch.errors import GameError
from jasstisch.games.rules import Json

__all__ = ["FIGURES", "Figure", "figure_of", "remarks", "winners"]


@dataclass(frozen=True, slots=True)
class Figure:
    """What is measured in a game.

    Attributes:
        name: what it is called, such as `"difference"`.
        unit: what it counts, such as `"points"`.
        high_is_good: whether the higher figure is the better one.
        positive: whether it is never negative, so that a percentage of it has a meaning.
        shared: whether seats divide something among them, of which one's share is worth telling.
        of_round: the figure of each seat in a finished round.
    """

    name: str
    unit: str
    high_is_good: bool
    positive: bool
    of_round: Callable[[Json], Sequence[int]]
    shared: bool = False

    def better_by(self, difference: float) -> float:
        """How much better a figure is than another that is smaller by this difference."""
        return difference if self.high_is_good else -difference


def points(finished: Json) -> Sequence[int]:
    """The round score of each seat."""
    scores: Sequence[int] = finished["points"]
    return scores


def differences(finished: Json) -> Sequence[int]:
    """By how much each seat missed its bid (DF6)."""
    missed: Sequence[int] = finished["difference"]
    return missed


def sticks(finished: Json) -> Sequence[int]:
    """Sticks less potatoes of each seat (MW9)."""
    return [int(mark) for mark in finished["marks"]]


def strokes(finished: Json) -> Sequence[int]:
    """The strokes each seat writes (JS9)."""
    return [mark.count(slate.TALLY) for mark in finished["marks"]]


def chips(finished: Json) -> Sequence[int]:
    """What each seat is paid in a deal (ID6)."""
    paid: Sequence[int] = finished["chips"]
    return paid


ROUND_SCORE = Figure("round score", "points", high_is_good=False, positive=True, of_round=points)

FIGURES: Mapping[str, Figure] = {
    "molotov": ROUND_SCORE,
    "offenbach": ROUND_SCORE,
    "molotow": Figure("sticks", "sticks", high_is_good=True, positive=False, of_round=sticks),
    "differenzler": Figure(
        "difference", "points", high_is_good=False, positive=True, of_round=differences
    ),
    "jass": Figure(
        "strokes", "strokes", high_is_good=True, positive=True, of_round=strokes, shared=True
    ),
    "i-doubt-it": Figure("chips", "chips", high_is_good=True, positive=False, of_round=chips),
}
"""The figure of each game by the game's name."""


def figure_of(game: jt.Game) -> Figure:
    """The figure of a game.

    Raises:
        GameError: the arena has no figure for this game.
    """
    if game.name not in FIGURES:
        raise GameError(
            f"the arena has no figure by which to measure {game.name}; "
            f"it has one for {', '.join(FIGURES)}"
        )
    return FIGURES[game.name]


def winners(figures: Sequence[float], *, high_is_good: bool) -> list[int]:
    """The seats with the best figure of a deal; nobody where all are equal."""
    best = max(figures) if high_is_good else min(figures)
    won = [seat for seat, figure in enumerate(figures) if figure == best]
    return won if len(won) < len(figures) else []


def remarks(game: jt.Game, rounds: Sequence[Json]) -> dict[str, float]:
    """What else is told of a deal, as means over its rounds.

    Of I Doubt It: `out`, the part of the deals in which somebody went out, and `claims`.
    """
    if game.name != "i-doubt-it":
        return {}
    return {
        "out": sum(0 in one["left"] for one in rounds) / len(rounds),
        "claims": sum(one["claims"] for one in rounds) / len(rounds),
    }

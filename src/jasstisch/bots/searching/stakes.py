"""What points and marks are worth in the match that a view shows.

At Differenzler and Molotow every round counts alike, so a difference or a stick is worth itself. At
Molotov a player wants few points, and wants to be the first with his tallies: open sacks are in the
way, and the others must not get there before. At Jass he wants not to be the last one left.
"""

from collections.abc import Callable

import numpy as np

from jasstisch import slate
from jasstisch.bots import View
from jasstisch.bots.searching.situation import rules_of
from jasstisch.errors import GameError
from jasstisch.games.contracts import Contracted
from jasstisch.games.differenzler import ZERO_BONUS
from jasstisch.games.molotov import place_marks
from jasstisch.games.scoring import (
    BY_DIFFERENCE,
    BY_PLACE,
    BY_POINTS,
    BY_SIDE,
    BY_STICKS,
    BY_STROKES,
)
from jasstisch.search import worth

__all__ = ["stakes"]

WIN = 100.0
"""How many points of a round score the match is worth."""

ODDS = 0.6
"""How much less likely a player wins with each tally more to go."""

DANGER = 1.6
"""How much more likely a player is the last one left with each stroke more to go."""

MARKS = {slate.TALLY: worth.TALLY, slate.NOTHING: worth.NO_MARK, slate.SACK: worth.SACK}


def stakes(view: View) -> worth.Stakes:
    """What the points and marks of the round in a view are worth in its match."""
    made = np.zeros(worth.STAKES)
    OF_SCORING[rules_of(view).scoring](view, made)
    return made


def of_points(view: View, made: worth.Stakes) -> None:
    """Points alone, many or few of them as the figure of the game has it."""
    figure = rules_of(view).figure
    if figure is None:
        raise GameError(f"{view['game']} names no figure: nobody knows whether points are good")
    made[worth.POINT] = -1.0 if figure.high_is_good else 1.0


def of_sides(view: View, made: worth.Stakes) -> None:
    """What a point is worth to each side: the factor, or nothing to who cannot write (SC5, CO4)."""
    made[worth.MATCH_BONUS] = view["options"]["match_bonus"]
    rules = rules_of(view)
    assert issubclass(rules, Contracted)
    for side, factor in enumerate(rules.side_factors(view["factor"] or 1, view["by"])):
        made[worth.SIDE_POINT + side] = factor


def of_differences(view: View, made: worth.Stakes) -> None:
    """Bonuses for exact hits (DF8)."""
    options = view["options"]
    made[worth.EXACT_BONUS] = options["exact_bonus"] > 0
    made[worth.ZERO_BONUS] = ZERO_BONUS[options["zero_bonus"]]


def of_tallies(view: View, made: worth.Stakes) -> None:
    """Points, and the tallies each has to go (MV8 - MV10)."""
    options = view["options"]
    made[worth.POINT] = 1.0
    made[worth.WIN] = WIN
    made[worth.ODDS] = ODDS
    made[worth.GENEROUS] = options["ties"] == "generous"
    made[worth.TRUMP_NEEDED] = options["no_trump"] == "annul"
    marks = place_marks(len(view["players"]), options["five_player_marks"])
    for place, mark in enumerate(marks):
        made[worth.PLACES + place] = MARKS[mark]
    for seat, one in enumerate(view["standing"]):
        made[worth.TO_GO + seat] = options["target"] - one["tallies"] + one["sacks"]


def of_sticks(view: View, made: worth.Stakes) -> None:
    """Sticks and potatoes (MW4 - MW8)."""
    made[worth.OTHERS] = 1 if view["options"]["marks"] == "swiss" else 3


def of_strokes(view: View, made: worth.Stakes) -> None:
    """The strokes each has to go, open nulls among them (JS10)."""
    made[worth.ODDS] = DANGER
    made[worth.GENEROUS] = view["options"]["ties"] == "generous"
    for seat, one in enumerate(view["standing"]):
        if not one["safe"]:
            to_go = view["options"]["target"] - one["tallies"] + one["nulls"]
            made[worth.TO_GO + seat] = to_go


OF_SCORING: dict[int, Callable[[View, worth.Stakes], None]] = {
    BY_POINTS: of_points,
    BY_DIFFERENCE: of_differences,
    BY_PLACE: of_tallies,
    BY_STICKS: of_sticks,
    BY_STROKES: of_strokes,
    BY_SIDE: of_sides,
}

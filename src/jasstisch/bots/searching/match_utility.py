"""Utility of points and marks, given the standing of the match in a view.

At Differenzler and Molotow every round counts alike, so a difference or a stick has a constant
value. At Molotov players want few points, and want to complete their tallies first: open sacks
delay them, and the other players must not be faster. At Jass players want not to be the last one
left.
"""

from collections.abc import Callable

import numpy as np

from jasstisch.bots.api import View
from jasstisch.bots.searching.root_state import rules_of
from jasstisch.engine import slate
from jasstisch.engine.errors import GameError
from jasstisch.games.contracts import ContractGame
from jasstisch.games.differenzler import ZERO_BONUS
from jasstisch.games.molotov import marks_for_places
from jasstisch.games.scoring_kinds import (
    BY_DIFFERENCE,
    BY_PLACE,
    BY_POINTS,
    BY_SIDE,
    BY_STICKS,
    BY_STROKES,
)
from jasstisch.search import round_utility

_WIN_POINTS = 100.0
"""The value of the match in points of a round score."""

_TALLY_ODDS = 0.6
"""The factor on the odds of a player to win, for each tally that they still need."""

_STROKE_ODDS = 1.6
"""The factor on the odds of a player to be the last one left, for each stroke still needed."""

_MARK_CODES = {
    slate.TALLY: round_utility.TALLY,
    slate.NOTHING: round_utility.NO_MARK,
    slate.SACK: round_utility.SACK,
}


def utility_params(view: View) -> round_utility.UtilityParams:
    """The utility parameters of the round in a view."""
    made = np.zeros(round_utility.PARAM_COUNT)
    _PARAM_SETTERS[rules_of(view).scoring_kind](view, made)
    return made


def _set_point_params(view: View, made: round_utility.UtilityParams) -> None:
    """Sets the sign of a point, by whether the metric of the game is better high or low."""
    figure = rules_of(view).metric
    if figure is None:
        raise GameError(f"{view['game']} has no metric: it is unknown whether points are good")
    made[round_utility.POINT_VALUE] = -1.0 if figure.higher_is_better else 1.0


def _set_side_params(view: View, made: round_utility.UtilityParams) -> None:
    """Sets the value of a point for each side: its factor, or 0 if it cannot write (SC5, CO4)."""
    made[round_utility.MATCH_BONUS] = view["options"]["match_bonus"]
    rules = rules_of(view)
    assert issubclass(rules, ContractGame)
    for side, factor in enumerate(rules.side_factors(view["factor"] or 1, view["by"])):
        made[round_utility.SIDE_POINT_VALUE + side] = factor


def _set_difference_params(view: View, made: round_utility.UtilityParams) -> None:
    """Sets the bonuses for exact hits (DF8)."""
    options = view["options"]
    made[round_utility.EXACT_BONUS] = options["exact_bonus"] > 0
    made[round_utility.ZERO_BONUS] = ZERO_BONUS[options["zero_bonus"]]


def _set_tally_params(view: View, made: round_utility.UtilityParams) -> None:
    """Sets the value of points, and the tallies that each player still needs (MV8 - MV10)."""
    options = view["options"]
    made[round_utility.POINT_VALUE] = 1.0
    made[round_utility.WIN_VALUE] = _WIN_POINTS
    made[round_utility.TALLY_ODDS] = _TALLY_ODDS
    made[round_utility.GENEROUS_TIES] = options["ties"] == "generous"
    made[round_utility.TRUMP_NEEDED] = options["no_trump"] == "annul"
    marks = marks_for_places(len(view["players"]), options["five_player_marks"])
    for place, mark in enumerate(marks):
        made[round_utility.PLACE_MARKS + place] = _MARK_CODES[mark]
    for seat, one in enumerate(view["standing"]):
        made[round_utility.TALLIES_TO_GO + seat] = options["target"] - one["tallies"] + one["sacks"]


def _set_stick_params(view: View, made: round_utility.UtilityParams) -> None:
    """Sets the values of sticks and potatoes (MW4 - MW8)."""
    made[round_utility.OTHERS_STICKS] = 1 if view["options"]["marks"] == "swiss" else 3


def _set_stroke_params(view: View, made: round_utility.UtilityParams) -> None:
    """Sets the strokes that each player still needs, open nulls included (JS10)."""
    made[round_utility.TALLY_ODDS] = _STROKE_ODDS
    made[round_utility.GENEROUS_TIES] = view["options"]["ties"] == "generous"
    for seat, one in enumerate(view["standing"]):
        if not one["safe"]:
            to_go = view["options"]["target"] - one["tallies"] + one["nulls"]
            made[round_utility.TALLIES_TO_GO + seat] = to_go


_PARAM_SETTERS: dict[int, Callable[[View, round_utility.UtilityParams], None]] = {
    BY_POINTS: _set_point_params,
    BY_DIFFERENCE: _set_difference_params,
    BY_PLACE: _set_tally_params,
    BY_STICKS: _set_stick_params,
    BY_STROKES: _set_stroke_params,
    BY_SIDE: _set_side_params,
}

"""Utility: the value of a finished round for each player, by the rules of its game.

Points themselves are not what players want: they want to match their bid, to earn a tally with few
points, or to get few sticks. The functions that assign marks are those of the games themselves. The
value of a mark in the match, with its tallies still needed and its open sacks or nulls, comes in as
an array of parameters, which `jasstisch.bots.searching.match_utility` makes from a view.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import slate, tricks
from jasstisch.games import differenzler, molotow
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.search.jit.compiler import allocating_kernel, kernel, register_jitable_functions
from jasstisch.search.rounds import contracts, handjass
from jasstisch.search.rounds.round_state import (
    CAPTURED_CARDS,
    PLAYER_COUNT,
    RANKING,
    SCORING,
    SEATS,
    TARGET,
    Round,
    points,
)

UtilityParams = NDArray[np.float64]
"""The value of marks in a match: `PARAM_COUNT` numbers at the indices below."""

Utilities = NDArray[np.float64]
"""The utility of a round for each seat; higher is better."""

(
    EXACT_BONUS,  # 1 if an exact hit takes 10 off (DF8)
    ZERO_BONUS,  # whether a bid of 0 earns it (DF8)
    OTHERS_STICKS,  # sticks of each other seat when one has a hundred or more (MW4, MW5)
    POINT_VALUE,  # value of one point less in the round score (MV6); negative if more are better
    WIN_VALUE,  # value of winning the match (MV10)
    # The factor on the odds to win (below 1) or to lose (above 1) for each tally still needed.
    TALLY_ODDS,
    GENEROUS_TIES,  # 1 if straddling ties earn the best mark (C11)
    TRUMP_NEEDED,  # 1 if a round without trump is void (MV7)
    MATCH_BONUS,  # bonus of a side for all tricks (CT6)
) = range(9)
SIDE_POINT_VALUE = 9  # + side: value of a point of this side to it (SC5, CO4)
PLACE_MARKS = 11  # + place: the mark of each place, best first (MV8)
TALLIES_TO_GO = (
    PLACE_MARKS + SEATS
)  # + seat: tallies still needed, open sacks or nulls included (MV9, JS10)
PARAM_COUNT = TALLIES_TO_GO + SEATS

TALLY, NO_MARK, SACK = -1, 0, 1
"""Marks, by their effect on the tallies still needed."""

_DRAW_VALUE = -1 / 3
"""The value of the draw for each of three tied seats (MW8)."""

register_jitable_functions(slate.rank_of, differenzler.bonus, molotow.round_mark)


@kernel
def round_utility(state: Round, params: UtilityParams, utilities: Utilities) -> None:
    """Writes the utility of a finished round for each seat into `utilities`."""
    scoring = state[SCORING]
    if scoring == BY_PLACE:
        _utility_of_places(state, params, utilities)
        return
    if scoring == BY_STROKES:
        _utility_of_strokes(state, params, utilities)
        return
    if scoring == BY_SIDE:
        _utility_of_sides(state, params, utilities)
        return
    for seat in range(state[PLAYER_COUNT]):
        if scoring == BY_DIFFERENCE:
            utilities[seat] = -_difference_added(state, params, seat)
        elif scoring == BY_STICKS:
            utilities[seat] = _net_sticks(state, params, seat)
        else:
            utilities[seat] = -params[POINT_VALUE] * points(state, seat)


@kernel
def metric_value(state: Round, params: UtilityParams, seat: int) -> float:
    """The metric of a seat in a finished round, in the unit of its game.

    The metric of a side is its lead on the slate.
    """
    scoring = state[SCORING]
    if scoring == BY_DIFFERENCE:
        return float(abs(state[TARGET + seat] - points(state, seat)))
    if scoring == BY_STICKS:
        return _net_sticks(state, params, seat)
    if scoring == BY_STROKES:
        return float(max(0, handjass.stroke_mark(state, seat, params[GENEROUS_TIES] > 0)))
    if scoring == BY_SIDE:
        return _side_margin(state, params, seat)
    return float(points(state, seat))


@kernel
def _difference_added(state: Round, params: UtilityParams, seat: int) -> float:
    """The addition to the total of a seat at Differenzler (DF6, DF8)."""
    missed = abs(state[TARGET + seat] - points(state, seat))
    if missed or params[EXACT_BONUS] == 0:
        return float(missed)
    took = state[CAPTURED_CARDS + seat] != 0
    return -differenzler.bonus(state[TARGET + seat], took, int(params[ZERO_BONUS]))


@kernel
def round_scores(state: Round) -> tuple[int, int, int, int]:
    """The round scores of four seats."""
    return points(state, 0), points(state, 1), points(state, 2), points(state, 3)


@kernel
def _net_sticks(state: Round, params: UtilityParams, seat: int) -> float:
    """The sticks less potatoes of a seat at Molotow; a draw counts by its value (MW4 - MW8)."""
    scores = round_scores(state)
    mark = molotow.round_mark(scores, seat, int(params[OTHERS_STICKS]))
    if mark != molotow.DECIDED_BY_DRAW:
        return float(mark)
    return 1.0 if slate.rank_of(scores, seat)[1] == 1 else _DRAW_VALUE


@allocating_kernel
def _utility_of_places(state: Round, params: UtilityParams, utilities: Utilities) -> None:
    """Utility of points, and of the effect of their marks on winning (MV6 - MV10, C11)."""
    players = state[PLAYER_COUNT]
    scores: Any = np.empty(players, dtype=np.int64)
    if params[TRUMP_NEEDED] and state[RANKING] < 0:
        # The round is void and dealt again (MV7): its utility is that of a round with equal scores.
        scores[:] = 0
        _win_probabilities(
            params[TALLIES_TO_GO : TALLIES_TO_GO + players],
            scores,
            params[TALLY_ODDS],
            utilities,
        )
        for seat in range(players):
            utilities[seat] = (
                params[WIN_VALUE] * utilities[seat]
                - params[POINT_VALUE] * tricks.ALL_POINTS / players
            )
        return
    for seat in range(players):
        scores[seat] = points(state, seat)
    to_go = np.empty(players)
    for seat in range(players):
        to_go[seat] = params[TALLIES_TO_GO + seat] + _place_mark(scores, params, seat)
    _win_probabilities(to_go, scores, params[TALLY_ODDS], utilities)
    for seat in range(players):
        utilities[seat] = params[WIN_VALUE] * utilities[seat] - params[POINT_VALUE] * scores[seat]


@kernel
def _utility_of_strokes(state: Round, params: UtilityParams, utilities: Utilities) -> None:
    """The probability of each seat not to be the last one left, with its mark of this round (JS10).

    A seat that needs no more tallies is safe; if no other seat is left, all are.
    """
    total = 0.0
    for seat in range(handjass.MAX_PLAYERS):
        to_go = params[TALLIES_TO_GO + seat]
        if to_go > 0:
            to_go -= handjass.stroke_mark(state, seat, params[GENEROUS_TIES] > 0)
        utilities[seat] = params[TALLY_ODDS] ** to_go if to_go > 0 else 0.0
        total += utilities[seat]
    for seat in range(handjass.MAX_PLAYERS):
        utilities[seat] = 1 - utilities[seat] / total if total > 0 else 1.0


@kernel
def _utility_of_sides(state: Round, params: UtilityParams, utilities: Utilities) -> None:
    """The lead of each side on the slate, shared by its partners (CT1, SC5, CO4)."""
    for seat in range(4):
        utilities[seat] = _side_margin(state, params, seat)


@kernel
def _side_margin(state: Round, params: UtilityParams, seat: int) -> float:
    """The lead on the slate of a seat's side."""
    bonus = int(params[MATCH_BONUS])
    ours = params[SIDE_POINT_VALUE + seat % 2] * contracts.side_points(state, seat, bonus)
    other = (seat + 1) % 4
    theirs = params[SIDE_POINT_VALUE + other % 2] * contracts.side_points(state, other, bonus)
    return float(ours - theirs)


@kernel
def _place_mark(scores: Sequence[int], params: UtilityParams, seat: int) -> float:
    """The mark for the place of a seat (MV8, C11)."""
    first, sharing = slate.rank_of(scores, seat)
    mark = float(params[PLACE_MARKS + first])
    if mark != params[PLACE_MARKS + first + sharing - 1] and not params[GENEROUS_TIES]:
        return float(NO_MARK)
    return mark


@kernel
def _win_probabilities(
    to_go: NDArray[np.float64], scores: NDArray[np.int64], odds: float, chances: Utilities
) -> None:
    """The probability of each seat to win the match, by the tallies that each still needs (MV10).

    If any seat needs no more, the match is over, and the lowest score among these wins.
    """
    players = len(to_go)
    total = 0.0
    least = -1
    for seat in range(players):
        if to_go[seat] <= 0 and (least < 0 or scores[seat] < least):
            least = scores[seat]
    for seat in range(players):
        if least >= 0:
            chances[seat] = to_go[seat] <= 0 and scores[seat] == least
        else:
            chances[seat] = odds ** to_go[seat]
        total += chances[seat]
    for seat in range(players):
        chances[seat] /= total

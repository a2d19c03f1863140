"""What a finished round is worth to each player, by the rules of its game.

Points are not what a player wants: he wants to have hit his bid, a tally and few points, sticks.
The functions that say who earns what are those of the games themselves. What a mark is worth in the
match, with its tallies left to the target and its open sacks or nulls, comes in as an array of
*stakes*; how one is made is decided where views are read.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import slate, tricks
from jasstisch.games import differenzler, molotow
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.search.jit.compiler import allocating_kernel, jit_shared, kernel
from jasstisch.search.rounds import contracts, jass
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

__all__ = [
    "EXACT_BONUS",
    "GENEROUS_TIES",
    "MATCH_BONUS",
    "NO_MARK",
    "OTHERS_STICKS",
    "PARAM_COUNT",
    "PLACE_MARKS",
    "POINT_VALUE",
    "SACK",
    "SIDE_POINT_VALUE",
    "TALLIES_TO_GO",
    "TALLY",
    "TALLY_ODDS",
    "TRUMP_NEEDED",
    "WIN_VALUE",
    "ZERO_BONUS",
    "Utilities",
    "UtilityParams",
    "metric_value",
    "round_scores",
    "round_utility",
]  # fmt: skip

UtilityParams = NDArray[np.float64]
"""What marks are worth in a match: `STAKES` numbers at the places below."""

Utilities = NDArray[np.float64]
"""What a round is worth to each seat; higher is better."""

(
    EXACT_BONUS,  # 1 where an exact hit takes 10 off (DF8)
    ZERO_BONUS,  # whether a bid of 0 earns it (DF8)
    OTHERS_STICKS,  # what each other gets when one has a hundred or more (MW4, MW5)
    POINT_VALUE,  # what a point less of the round score is worth (MV6); below 0 more are better
    WIN_VALUE,  # what the match is worth (MV10)
    # How much less likely a player wins, or more likely loses, with each tally more to go.
    TALLY_ODDS,
    GENEROUS_TIES,  # 1 where straddling ties earn the best mark (C11)
    TRUMP_NEEDED,  # 1 where a round without trump is void (MV7)
    MATCH_BONUS,  # what a side gets for all tricks (CT6)
) = range(9)
SIDE_POINT_VALUE = 9  # + side: what a point of this side is worth to it (SC5, CO4)
PLACE_MARKS = 11  # + place: the mark of each place, best first (MV8)
TALLIES_TO_GO = (
    PLACE_MARKS + SEATS
)  # + seat: tallies left to the target and open sacks or nulls (MV9, JS10)
PARAM_COUNT = TALLIES_TO_GO + SEATS

TALLY, NO_MARK, SACK = -1, 0, 1
"""Marks, by what they do to the tallies to go."""

DRAW_VALUE = -1 / 3
"""What the draw between three who are tied is worth to each of them (MW8)."""

jit_shared(slate.rank_of, differenzler.bonus, molotow.round_mark)


@kernel
def round_utility(state: Round, stakes: UtilityParams, worths: Utilities) -> None:
    """What a finished round is worth to each seat, written into `worths`."""
    scoring = state[SCORING]
    if scoring == BY_PLACE:
        utility_of_places(state, stakes, worths)
        return
    if scoring == BY_STROKES:
        utility_of_strokes(state, stakes, worths)
        return
    if scoring == BY_SIDE:
        utility_of_sides(state, stakes, worths)
        return
    for seat in range(state[PLAYER_COUNT]):
        if scoring == BY_DIFFERENCE:
            worths[seat] = -difference_added(state, stakes, seat)
        elif scoring == BY_STICKS:
            worths[seat] = net_sticks(state, stakes, seat)
        else:
            worths[seat] = -stakes[POINT_VALUE] * points(state, seat)


@kernel
def metric_value(state: Round, stakes: UtilityParams, seat: int) -> float:
    """The own figure of a seat in a finished round, in the unit of its game.

    That of a side is by how much more it writes than the other one.
    """
    scoring = state[SCORING]
    if scoring == BY_DIFFERENCE:
        return float(abs(state[TARGET + seat] - points(state, seat)))
    if scoring == BY_STICKS:
        return net_sticks(state, stakes, seat)
    if scoring == BY_STROKES:
        return float(max(0, jass.stroke_mark(state, seat, stakes[GENEROUS_TIES] > 0)))
    if scoring == BY_SIDE:
        return side_margin(state, stakes, seat)
    return float(points(state, seat))


@kernel
def difference_added(state: Round, stakes: UtilityParams, seat: int) -> float:
    """What a round adds to the total of a seat at Differenzler (DF6, DF8)."""
    missed = abs(state[TARGET + seat] - points(state, seat))
    if missed or stakes[EXACT_BONUS] == 0:
        return float(missed)
    took = state[CAPTURED_CARDS + seat] != 0
    return -differenzler.bonus(state[TARGET + seat], took, int(stakes[ZERO_BONUS]))


@kernel
def round_scores(state: Round) -> tuple[int, int, int, int]:
    """The round scores of four seats."""
    return points(state, 0), points(state, 1), points(state, 2), points(state, 3)


@kernel
def net_sticks(state: Round, stakes: UtilityParams, seat: int) -> float:
    """The sticks less potatoes of a seat at Molotow; a draw by what it is worth (MW4 - MW8)."""
    scores = round_scores(state)
    mark = molotow.round_mark(scores, seat, int(stakes[OTHERS_STICKS]))
    if mark != molotow.DECIDED_BY_DRAW:
        return float(mark)
    return 1.0 if slate.rank_of(scores, seat)[1] == 1 else DRAW_VALUE


@allocating_kernel
def utility_of_places(state: Round, stakes: UtilityParams, worths: Utilities) -> None:
    """Points and what the marks for them do to the chance of winning (MV6 - MV10, C11)."""
    players = state[PLAYER_COUNT]
    scores: Any = np.empty(players, dtype=np.int64)
    if stakes[TRUMP_NEEDED] and state[RANKING] < 0:
        # The round does not count and is dealt again (MV7): as much as one in which all are equal.
        scores[:] = 0
        win_probabilities(
            stakes[TALLIES_TO_GO : TALLIES_TO_GO + players], scores, stakes[TALLY_ODDS], worths
        )
        for seat in range(players):
            worths[seat] = (
                stakes[WIN_VALUE] * worths[seat] - stakes[POINT_VALUE] * tricks.ALL_POINTS / players
            )
        return
    for seat in range(players):
        scores[seat] = points(state, seat)
    to_go = np.empty(players)
    for seat in range(players):
        to_go[seat] = stakes[TALLIES_TO_GO + seat] + place_mark(scores, stakes, seat)
    win_probabilities(to_go, scores, stakes[TALLY_ODDS], worths)
    for seat in range(players):
        worths[seat] = stakes[WIN_VALUE] * worths[seat] - stakes[POINT_VALUE] * scores[seat]


@kernel
def utility_of_strokes(state: Round, stakes: UtilityParams, worths: Utilities) -> None:
    """How likely each seat is not to be the last one left, with its mark of this round (JS10).

    Whoever has no tallies left to go is safe; where nobody is left all are.
    """
    total = 0.0
    for seat in range(jass.MAX_PLAYERS):
        to_go = stakes[TALLIES_TO_GO + seat]
        if to_go > 0:
            to_go -= jass.stroke_mark(state, seat, stakes[GENEROUS_TIES] > 0)
        worths[seat] = stakes[TALLY_ODDS] ** to_go if to_go > 0 else 0.0
        total += worths[seat]
    for seat in range(jass.MAX_PLAYERS):
        worths[seat] = 1 - worths[seat] / total if total > 0 else 1.0


@kernel
def utility_of_sides(state: Round, stakes: UtilityParams, worths: Utilities) -> None:
    """By how much each side writes more than the other one; partners share it (CT1, SC5, CO4)."""
    for seat in range(4):
        worths[seat] = side_margin(state, stakes, seat)


@kernel
def side_margin(state: Round, stakes: UtilityParams, seat: int) -> float:
    """By how much the side of a seat writes more than the other one."""
    bonus = int(stakes[MATCH_BONUS])
    ours = stakes[SIDE_POINT_VALUE + seat % 2] * contracts.side_points(state, seat, bonus)
    other = (seat + 1) % 4
    theirs = stakes[SIDE_POINT_VALUE + other % 2] * contracts.side_points(state, other, bonus)
    return float(ours - theirs)


@kernel
def place_mark(scores: Sequence[int], stakes: UtilityParams, seat: int) -> float:
    """The mark that the place of a seat earns (MV8, C11)."""
    first, sharing = slate.rank_of(scores, seat)
    mark = float(stakes[PLACE_MARKS + first])
    if mark != stakes[PLACE_MARKS + first + sharing - 1] and not stakes[GENEROUS_TIES]:
        return float(NO_MARK)
    return mark


@kernel
def win_probabilities(
    to_go: NDArray[np.float64], scores: NDArray[np.int64], odds: float, chances: Utilities
) -> None:
    """How likely each seat wins the match, by the tallies each has left to go (MV10).

    Where somebody has none left the match is over, and the lowest score of those wins.
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

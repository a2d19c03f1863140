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

from jasstisch import slate, tricks
from jasstisch.games import differenzler, molotow
from jasstisch.games.scoring import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.search import contracts
from jasstisch.search.compiled import allocating_kernel, kernel, shared
from jasstisch.search.jass import strokes
from jasstisch.search.rounds import (
    GAME,
    PLAYING,
    RANKING,
    SEATS,
    TAKEN,
    TARGET,
    Round,
    points,
)

__all__ = [
    "EXACT_BONUS", "GENEROUS", "MATCH_BONUS", "NO_MARK", "ODDS", "OTHERS",
    "PLACES", "POINT", "SACK", "SIDE_POINT", "STAKES", "TALLY", "TO_GO", "TRUMP_NEEDED", "WIN",
    "ZERO_BONUS", "Stakes", "Worths", "figure", "round_scores", "worth",
]  # fmt: skip

Stakes = NDArray[np.float64]
"""What marks are worth in a match: `STAKES` numbers at the places below."""

Worths = NDArray[np.float64]
"""What a round is worth to each seat; higher is better."""

(
    EXACT_BONUS,  # 1 where an exact hit takes 10 off (DF8)
    ZERO_BONUS,  # whether a bid of 0 earns it (DF8)
    OTHERS,  # what each other gets when one has a hundred or more (MW4, MW5)
    POINT,  # what a point less of the round score is worth (MV6); below 0 more are better
    WIN,  # what the match is worth (MV10)
    ODDS,  # how much less likely a player wins, or more likely loses, with each tally more to go
    GENEROUS,  # 1 where straddling ties earn the best mark (C11)
    TRUMP_NEEDED,  # 1 where a round without trump is void (MV7)
    MATCH_BONUS,  # what a side gets for all tricks (CT6)
) = range(9)
SIDE_POINT = 9  # + side: what a point of this side is worth to it (SC5, CO4)
PLACES = 11  # + place: the mark of each place, best first (MV8)
TO_GO = PLACES + SEATS  # + seat: tallies left to the target and open sacks or nulls (MV9, JS10)
STAKES = TO_GO + SEATS

TALLY, NO_MARK, SACK = -1, 0, 1
"""Marks, by what they do to the tallies to go."""

LOST_DRAW = -1 / 3
"""What the draw between three who are tied is worth to each of them (MW8)."""

shared(slate.place, differenzler.bonus, molotow.round_mark)


@kernel
def worth(state: Round, stakes: Stakes, worths: Worths) -> None:
    """What a finished round is worth to each seat, written into `worths`."""
    scoring = state[GAME]
    if scoring == BY_PLACE:
        worth_of_places(state, stakes, worths)
        return
    if scoring == BY_STROKES:
        worth_of_strokes(state, stakes, worths)
        return
    if scoring == BY_SIDE:
        worth_of_sides(state, stakes, worths)
        return
    for seat in range(state[PLAYING]):
        if scoring == BY_DIFFERENCE:
            worths[seat] = -added(state, stakes, seat)
        elif scoring == BY_STICKS:
            worths[seat] = sticks(state, stakes, seat)
        else:
            worths[seat] = -stakes[POINT] * points(state, seat)


@kernel
def figure(state: Round, stakes: Stakes, seat: int) -> float:
    """The own figure of a seat in a finished round, in the unit of its game.

    That of a side is by how much more it writes than the other one.
    """
    scoring = state[GAME]
    if scoring == BY_DIFFERENCE:
        return float(abs(state[TARGET + seat] - points(state, seat)))
    if scoring == BY_STICKS:
        return sticks(state, stakes, seat)
    if scoring == BY_STROKES:
        return float(max(0, strokes.mark(state, seat, stakes[GENEROUS] > 0)))
    if scoring == BY_SIDE:
        return lead_of_side(state, stakes, seat)
    return float(points(state, seat))


@kernel
def added(state: Round, stakes: Stakes, seat: int) -> float:
    """What a round adds to the total of a seat at Differenzler (DF6, DF8)."""
    missed = abs(state[TARGET + seat] - points(state, seat))
    if missed or stakes[EXACT_BONUS] == 0:
        return float(missed)
    took = state[TAKEN + seat] != 0
    return -differenzler.bonus(state[TARGET + seat], took, int(stakes[ZERO_BONUS]))


@kernel
def round_scores(state: Round) -> tuple[int, int, int, int]:
    """The round scores of four seats."""
    return points(state, 0), points(state, 1), points(state, 2), points(state, 3)


@kernel
def sticks(state: Round, stakes: Stakes, seat: int) -> float:
    """The sticks less potatoes of a seat at Molotow; a draw by what it is worth (MW4 - MW8)."""
    scores = round_scores(state)
    mark = molotow.round_mark(scores, seat, int(stakes[OTHERS]))
    if mark != molotow.DRAWN:
        return float(mark)
    return 1.0 if slate.place(scores, seat)[1] == 1 else LOST_DRAW


@allocating_kernel
def worth_of_places(state: Round, stakes: Stakes, worths: Worths) -> None:
    """Points and what the marks for them do to the chance of winning (MV6 - MV10, C11)."""
    players = state[PLAYING]
    scores: Any = np.empty(players, dtype=np.int64)
    if stakes[TRUMP_NEEDED] and state[RANKING] < 0:
        # The round does not count and is dealt again (MV7): as much as one in which all are equal.
        scores[:] = 0
        chances_to_win(stakes[TO_GO : TO_GO + players], scores, stakes[ODDS], worths)
        for seat in range(players):
            worths[seat] = stakes[WIN] * worths[seat] - stakes[POINT] * tricks.ALL_POINTS / players
        return
    for seat in range(players):
        scores[seat] = points(state, seat)
    to_go = np.empty(players)
    for seat in range(players):
        to_go[seat] = stakes[TO_GO + seat] + place_mark(scores, stakes, seat)
    chances_to_win(to_go, scores, stakes[ODDS], worths)
    for seat in range(players):
        worths[seat] = stakes[WIN] * worths[seat] - stakes[POINT] * scores[seat]


@kernel
def worth_of_strokes(state: Round, stakes: Stakes, worths: Worths) -> None:
    """How likely each seat is not to be the last one left, with its mark of this round (JS10).

    Whoever has no tallies left to go is safe; where nobody is left all are.
    """
    total = 0.0
    for seat in range(strokes.PLAYERS):
        to_go = stakes[TO_GO + seat]
        if to_go > 0:
            to_go -= strokes.mark(state, seat, stakes[GENEROUS] > 0)
        worths[seat] = stakes[ODDS] ** to_go if to_go > 0 else 0.0
        total += worths[seat]
    for seat in range(strokes.PLAYERS):
        worths[seat] = 1 - worths[seat] / total if total > 0 else 1.0


@kernel
def worth_of_sides(state: Round, stakes: Stakes, worths: Worths) -> None:
    """By how much each side writes more than the other one; partners share it (CT1, SC5, CO4)."""
    for seat in range(4):
        worths[seat] = lead_of_side(state, stakes, seat)


@kernel
def lead_of_side(state: Round, stakes: Stakes, seat: int) -> float:
    """By how much the side of a seat writes more than the other one."""
    bonus = int(stakes[MATCH_BONUS])
    ours = stakes[SIDE_POINT + seat % 2] * contracts.side_points(state, seat, bonus)
    other = (seat + 1) % 4
    theirs = stakes[SIDE_POINT + other % 2] * contracts.side_points(state, other, bonus)
    return float(ours - theirs)


@kernel
def place_mark(scores: Sequence[int], stakes: Stakes, seat: int) -> float:
    """The mark that the place of a seat earns (MV8, C11)."""
    first, sharing = slate.place(scores, seat)
    mark = float(stakes[PLACES + first])
    if mark != stakes[PLACES + first + sharing - 1] and not stakes[GENEROUS]:
        return float(NO_MARK)
    return mark


@kernel
def chances_to_win(
    to_go: NDArray[np.float64], scores: NDArray[np.int64], odds: float, chances: Worths
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

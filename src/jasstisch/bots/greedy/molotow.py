"""Heuristics for Molotow: be lowest or highest, never in between, and stay below a hundred.

For each card two plans are compared: to duck with the rest of the hand, and to take with it. A plan
ends with a number of points, which is scored by the mark that it should earn given the points that
the other players have and will share. A player close to a hundred is worth feeding: the others then
receive sticks.
"""

import math
from collections.abc import MutableSequence, Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.duck_odds import expected_points_if_ducking, probability_forced_to_take
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.bots.greedy.take_odds import expected_points_if_taking
from jasstisch.bots.greedy.trick_estimates import expected_added_trick_points, expected_card_points
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.games.molotow import POTATO_POINTS

_SCORE_SPREAD = 0.3
"""The uncertainty of a final score, as a fraction of the points still to be played for."""


@register_strategy("molotow")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """The card with the best expected mark."""
    position = Position(view, discard_makes_trump=True)
    sticks = 1 if view["options"]["marks"] == "swiss" else 3
    scores = [0.0] * position.players

    def mark(play: str) -> float:
        return expected_mark_after(position, JASS.numbers[play[-2:]], sticks, scores)

    return max(legal, key=mark)


def expected_mark_after(
    position: Position, card: int, sticks: int, scores: MutableSequence[float]
) -> float:
    """The expected mark at the end of the round if a card is played.

    Args:
        position: the table before the card is played.
        card: the card.
        sticks: sticks for each other player when one reaches a hundred (MW5).
        scores: memory for the points of each player.
    """
    trump = tricks.trump_after(card, position.led, position.trump)
    left = position.hand ^ 1 << card
    takes = probability_forced_to_take(position, card, trump)
    coming = expected_added_trick_points(position, card, trump)
    trick = expected_card_points(position.lying | 1 << card, trump) + coming
    rest = max(0.0, expected_card_points(position.unseen | left, trump) - coming)
    if left:
        rest += tricks.LAST_TRICK
    else:
        trick += tricks.LAST_TRICK
    ducks = expected_points_if_ducking(position, left, trump, rest, takes)
    pulls = expected_points_if_taking(left, position.unseen, trump, rest) if left else 0.0
    for seat in range(position.players):
        scores[seat] = expected_card_points(position.taken[seat], trump)
    expected = 0.0
    for taker in range(position.players):
        chance = probability_of_taker(position, taker, takes)
        if chance > 0:
            before = scores[taker]
            scores[taker] += trick
            mine = scores[position.seat]
            best = max(
                expected_mark(mine + ducks, scores, position.seat, rest - ducks, sticks),
                expected_mark(mine + pulls, scores, position.seat, rest - pulls, sticks),
            )
            expected += chance * best
            scores[taker] = before
    return expected


def probability_of_taker(position: Position, taker: int, takes: float) -> float:
    """The probability of a seat to take the trick, given that of one's own card."""
    if taker == position.seat:
        return takes
    lying = takes == 0 and position.winner != position.seat
    others = len(position.to_come) + (1 if lying else 0)
    if lying and taker == position.winner:
        return 1 / others
    for seat in position.to_come:
        if seat == taker:
            return (1 - takes) / others
    return 0.0


def expected_mark(
    mine: float, scores: Sequence[float], seat: int, rest: float, sticks: int
) -> float:
    """The expected mark of a final score (MW4 - MW6).

    Args:
        mine: the final score.
        scores: the points of all players so far.
        seat: the player whose final score it is.
        rest: the points that the others will still share.
        sticks: sticks for each other player when one reaches a hundred.
    """
    spread = 2 + _SCORE_SPREAD * rest
    lowest = highest = 1.0
    most = taken = 0.0
    for other in range(len(scores)):
        if other == seat:
            continue
        points = scores[other]
        final = points + rest / (len(scores) - 1)
        most = max(most, final)
        taken = max(taken, points)
        lowest *= 1.0 if points > mine else probability_above((final - mine) / spread)
        highest *= probability_above((mine - final) / spread)
    modest = probability_above((POTATO_POINTS - most) / spread)
    usual = 2 * min(1.0, lowest + highest) - 1
    below = modest * usual + (1 - modest) * sticks
    too_many = probability_above((mine - POTATO_POINTS + 0.5) / spread)
    everything = 0.0 if taken > 0 else probability_above((mine - tricks.ALL_POINTS + 5) / spread)
    return (1 - too_many) * below + too_many * (6 * everything - 3)


def probability_above(distance: float) -> float:
    """The probability that an uncertain score is above a threshold, by the distance in spreads."""
    return 1 / (1 + math.exp(-distance)) if distance > -50 else 0.0

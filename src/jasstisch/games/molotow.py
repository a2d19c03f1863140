"""Molotow Jass: twelve rounds for sticks, and potatoes that cancel them.

Four players, each alone. It pays to be highest or lowest, unless somebody takes a hundred. What
this file decides: the reading of the contradictory sentence on ruffing (MW2) and the draw between
three tied players (MW8), for which a pack of its own is shuffled.
"""

from collections.abc import Sequence
from typing import ClassVar

from jasstisch import slate
from jasstisch.cards import JASS
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json
from jasstisch.games.trick_taking import TrickTaking

__all__ = ["Molotow", "round_marks"]

ALL_POINTS = 157
MANY_POINTS = 100


def round_marks(points: Sequence[int], others: int) -> list[int] | None:
    """Sticks (+) and potatoes (-) of a round (MW4 - MW7).

    Args:
        points: the round score of each of the four seats.
        others: how many each other player gets when one has a hundred or more (MW4, MW5).

    Returns:
        One number for each seat; None when three are tied, where cards decide (MW8).
    """
    high, low = max(points), min(points)
    if high == ALL_POINTS:
        return [3 if own == high else -others for own in points]
    if high >= MANY_POINTS:
        return [-3 if own == high else others for own in points]
    if max(map(points.count, points)) == 3:
        return None
    worth = dict.fromkeys(points, -1)
    worth[high] = 0 if points.count(high) == 2 else 1
    worth[low] = 0 if points.count(low) == 2 else 1
    return [worth[own] for own in points]


class Molotow(TrickTaking, name="molotow"):
    """One match of Molotow Jass for four players."""

    options = (
        Whole("players", 4, low=4, high=4),
        *COMMON_OPTIONS,
        Choice("undertrump", ("if_void", "literal", "strict")),
        Choice("marks", ("seed", "swiss")),
        Whole("rounds", 12, low=1, high=60),
    )
    PACKETS: ClassVar = {4: (3, 3, 3)}  # MW1
    discard_makes_trump = True  # MV2

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.sticks = [0] * self.players
        self.potatoes = [0] * self.players
        self.scores: list[int] = []
        self.draws: list[list[list[int | str]]] = []
        self.drawing: list[int] = []

    def after_deal(self, pack: Sequence[int]) -> None:
        """Forehand leads at once; there is no trump yet (MV2)."""
        self.begin_play()

    def after_play(self) -> None:
        """Gives sticks and potatoes, or awaits the pack that decides between three (MW3 - MW8)."""
        self.count_eights()  # MW3
        self.scores = self.points()
        marks = round_marks(self.scores, 1 if self.game.options["marks"] == "swiss" else 3)
        self.draws = []
        if marks is None:
            self.drawing = self.tied()
            self.await_pack("decide", self.whole_pack)
        else:
            self.give(marks)

    def tied(self) -> list[int]:
        """The three seats with equal scores, ascending (MW8)."""
        return [seat for seat in range(4) if self.scores.count(self.scores[seat]) == 3]

    def take_pack(self, pack: Sequence[int]) -> None:
        """Opens a pack: a deciding one, or the draw and the deal."""
        if self.phase == "decide":
            self.decide(pack)
        else:
            super().take_pack(pack)

    def decide(self, pack: Sequence[int]) -> None:
        """The tied players draw; the highest rank takes the potato, equals draw again (MW8).

        Should the pack run out before one is highest, those still equal go on with another.
        """
        front = 0
        while len(self.drawing) > 1 and front + len(self.drawing) <= len(pack):
            drawn = dict(zip(self.drawing, pack[front:], strict=False))
            front += len(drawn)
            self.draws.append([[seat, JASS.texts[card]] for seat, card in drawn.items()])
            highest = max(JASS.rank(card) for card in drawn.values())
            self.drawing = [seat for seat, card in drawn.items() if JASS.rank(card) == highest]
        if len(self.drawing) > 1:
            self.await_pack("decide", self.whole_pack)
            return
        tied = self.tied()
        marks = [0 if seat in tied else 1 for seat in range(4)]
        marks[self.drawing[0]] = -1
        self.give(marks)

    def give(self, marks: list[int]) -> None:
        """Hands out the marks of the round and goes on or ends the match (MW9)."""
        for seat, mark in enumerate(marks):
            self.sticks[seat] += max(mark, 0)
            self.potatoes[seat] += max(-mark, 0)
        written = [f"{mark:+d}" if mark else "0" for mark in marks]
        self.finished_round(self.scores, written, draw=self.draws)
        if len(self.rounds) == self.game.options["rounds"]:
            self.finish(slate.best_seats([-net for net in self.net()], range(4)))
        else:
            self.next_deal()

    def net(self) -> list[int]:
        """Sticks less potatoes of each seat (MW9)."""
        return [self.sticks[seat] - self.potatoes[seat] for seat in range(4)]

    def standing(self) -> list[Json]:
        """All sticks and potatoes each seat ever received, and the net (MW9)."""
        return [
            {"sticks": self.sticks[seat], "potatoes": self.potatoes[seat], "net": net}
            for seat, net in enumerate(self.net())
        ]

"""Molotow Jass: twelve rounds for sticks, and potatoes that cancel them.

Four players play, each alone. The highest and the lowest score earn sticks, unless a player takes
a hundred. This file decides how to read the contradictory sentence on ruffing (MW2) and how three
tied players draw (MW8), for which a separate pack is shuffled.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypedDict

from jasstisch.engine import slate, tricks
from jasstisch.engine.cards import JASS
from jasstisch.games.metrics import ScoreMetric, marks_as_numbers
from jasstisch.games.options import Choice, Value, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json, ViewDelta
from jasstisch.games.scoring_kinds import BY_STICKS
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.views import CommonRound, CommonView, SeatCard

POTATO_POINTS = 100
"""The score from which a player gets potatoes (MW5)."""

DECIDED_BY_DRAW = 99
"""A placeholder for the marks that a draw decides (MW8)."""


def round_mark(points: Sequence[int], seat: int, others: int) -> int:
    """Sticks (+) and potatoes (-) of one seat in a round (MW4 - MW7).

    Only ints and loops, so that compiled code can use it.

    Args:
        points: the round score of each of the four seats.
        seat: whose marks are asked for.
        others: how many each other player gets when one has a hundred or more (MW4, MW5).

    Returns:
        The marks; `DECIDED_BY_DRAW` for every seat when three are tied (MW8).
    """
    own = high = low = points[seat]
    for other in points:
        high, low = max(high, other), min(low, other)
    if high >= POTATO_POINTS:
        winner, loser = (3, -others) if high == tricks.ALL_POINTS else (-3, others)
        return winner if own == high else loser
    highest = lowest = 0
    for other in points:
        highest += other == high
        lowest += other == low
    if highest == 3 or lowest == 3:
        return DECIDED_BY_DRAW
    equals = highest if own == high else lowest
    if own not in (high, low):
        return -1
    return 0 if equals == 2 else 1


def round_marks(points: Sequence[int], others: int) -> list[int] | None:
    """The marks of all four seats (MW4 - MW7); None when three are tied (MW8)."""
    marks = [round_mark(points, seat, others) for seat in range(4)]
    return None if DECIDED_BY_DRAW in marks else marks


class MolotowRound(CommonRound):
    """A finished round of Molotow; `draw` holds each draw between three tied players (MW8)."""

    draw: list[list[SeatCard]]


class MolotowStanding(TypedDict):
    """All sticks and potatoes a seat ever received, and the net (MW9)."""

    sticks: int
    potatoes: int
    net: int


class MolotowView(CommonView):
    """A view of Molotow."""

    rounds: list[MolotowRound]
    standing: list[MolotowStanding]


class Molotow(TrickTaking, name="molotow"):
    """One match of Molotow Jass for four players."""

    options = (
        Whole("players", 4, low=4, high=4),
        *COMMON_OPTIONS,
        Choice("undertrump", ("if_void", "literal", "strict")),
        Choice("marks", ("seed", "swiss")),
        Whole("rounds", 12, low=1, high=60),
    )
    view_type = MolotowView
    PACKETS: ClassVar = {4: (3, 3, 3)}  # MW1
    discard_makes_trump = True  # MV2
    scoring_kind = BY_STICKS
    net_family = "molotow"
    metric = ScoreMetric(
        "sticks",
        "sticks",
        True,
        marks_as_numbers,
        0.05,
        2,
        "sticks",
        "net",
        is_non_negative=False,
        costly_from=0.2,
    )  # MW9

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.sticks = [0] * self.players
        self.potatoes = [0] * self.players
        self.scores: list[int] = []
        self.finished_draws: list[list[list[int | str]]] = []
        self.drawing_seats: list[int] = []

    @classmethod
    def are_eights_counted(cls, _options: Mapping[str, Value]) -> bool:
        """Always: eights count in a round without trump (MW3)."""
        return True

    def after_deal(self, pack: Sequence[int]) -> None:
        """Begins the play at once; there is no trump yet (MV2)."""
        self.begin_play()

    def after_play(self) -> None:
        """Awards sticks and potatoes, or awaits the pack for the draw of three (MW3 - MW8)."""
        self.score_eights()  # MW3
        self.scores = self.points()
        marks = round_marks(self.scores, 1 if self.game.options["marks"] == "swiss" else 3)
        self.finished_draws = []
        if marks is None:
            self.drawing_seats = self.tied_seats()
            self.await_pack("decide", self.whole_pack)
        else:
            self.award_marks(marks)

    def tied_seats(self) -> list[int]:
        """The three seats with equal scores, ascending (MW8)."""
        return [seat for seat in range(4) if self.scores.count(self.scores[seat]) == 3]

    def receive_pack(self, pack: Sequence[int]) -> None:
        """Uses the awaited pack: for a draw of tied players, the draw for the deal, or the deal."""
        if self.phase == "decide":
            self.resolve_draw(pack)
        else:
            super().receive_pack(pack)

    def resolve_draw(self, pack: Sequence[int]) -> None:
        """Lets the tied players draw; the highest rank gets the potato, equals draw again (MW8).

        If the pack runs out first, those still tied go on with another pack.
        """
        front = 0
        while len(self.drawing_seats) > 1 and front + len(self.drawing_seats) <= len(pack):
            drawn = dict(zip(self.drawing_seats, pack[front:], strict=False))
            front += len(drawn)
            self.finished_draws.append([[seat, JASS.texts[card]] for seat, card in drawn.items()])
            highest = max(JASS.rank(card) for card in drawn.values())
            self.drawing_seats = [
                seat for seat, card in drawn.items() if JASS.rank(card) == highest
            ]
        if len(self.drawing_seats) > 1:
            self.await_pack("decide", self.whole_pack)
            return
        tied = self.tied_seats()
        marks = [0 if seat in tied else 1 for seat in range(4)]
        marks[self.drawing_seats[0]] = -1
        self.award_marks(marks)

    def award_marks(self, marks: list[int]) -> None:
        """Adds the marks of the round, and begins the next round or ends the match (MW9)."""
        for seat, mark in enumerate(marks):
            self.sticks[seat] += max(mark, 0)
            self.potatoes[seat] += max(-mark, 0)
        written = [f"{mark:+d}" if mark else "0" for mark in marks]
        self.finish_round(self.scores, written, draw=self.finished_draws)
        if len(self.rounds) == self.game.options["rounds"]:
            self.finish(slate.leaders([-net for net in self.net()], range(4)))
        else:
            self.next_deal()

    def rest_is_decided(self, seat: int) -> bool:
        """If the seat wins in any order: points decide the marks, or a draw of three does (MW8).

        More points are not always better (MW5), so the order of the leads must not matter.
        """
        return self.wins_in_any_order(seat)

    def net(self) -> list[int]:
        """Sticks less potatoes of each seat (MW9)."""
        return [self.sticks[seat] - self.potatoes[seat] for seat in range(4)]

    def standing(self) -> list[Json]:
        """All sticks and potatoes each seat ever received, and the net (MW9)."""
        return [
            {"sticks": self.sticks[seat], "potatoes": self.potatoes[seat], "net": net}
            for seat, net in enumerate(self.net())
        ]

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views."""
        return self.card_delta(action)

"""Molotov Jass: take few points and avoid runs, the molotovs; the first discard makes trump.

Every player plays alone. Where the old rule text is silent, this file decides the value of runs of
five and six (MV5), rounds without any trump (MV7), and the place marks of equal scores (MV8).
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypedDict

from jasstisch.engine import melds, slate, tricks
from jasstisch.engine.cards import JASS, SIX_OF_DIAMONDS, card_set
from jasstisch.games.metrics import ScoreMetric, round_scores
from jasstisch.games.options import Choice, Value, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json, ViewDelta
from jasstisch.games.scoring_kinds import BY_PLACE
from jasstisch.games.sure_tricks import can_molotov_occur
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.views import Card, CommonRound, CommonView

_MARKS = {3: "||0", 4: "||-0", 6: "|||-00"}
_FIVE_PLAYER_MARKS = {"3-1-1": "|||-0", "2-1-2": "||-00"}


def marks_for_places(players: int, of_five: str) -> str:
    """The mark of each place, best first (MV8).

    Args:
        players: number of players.
        of_five: the option `five_player_marks`.
    """
    return _FIVE_PLAYER_MARKS[of_five] if players == 5 else _MARKS[players]


class MolotovRun(TypedDict):
    """A run in one trick (MV4), charged to the winner of the trick; `trick` counts from 1."""

    seat: int
    cards: list[Card]
    points: int
    trick: int


class MolotovRound(CommonRound):
    """A finished round of Molotov, with the runs in it."""

    molotovs: list[MolotovRun]


class MolotovStanding(TypedDict):
    """The slate of a seat: strokes as written, tallies and open sacks (MV9)."""

    strokes: str
    tallies: int
    sacks: int


class MolotovView(CommonView):
    """A view of Molotov or Offenbach Molotov; `molotovs` are the runs of this round so far."""

    rounds: list[MolotovRound]
    standing: list[MolotovStanding]
    molotovs: list[MolotovRun]


class Molotov(TrickTaking, name="molotov"):
    """One match of Molotov Jass for three to six players."""

    options = (
        Whole("players", 4, low=3, high=6),
        *COMMON_OPTIONS,
        Choice("undertrump", ("free", "if_void")),
        Choice("ties", ("nothing", "generous")),
        Choice("long_runs", ("fifty", "weis")),
        Choice("no_trump", ("eights", "plain", "annul")),
        Choice("five_player_marks", ("3-1-1", "2-1-2")),
        Whole("target", 5, low=1, high=20),
    )
    PACKETS: ClassVar = {3: (3, 3, 3, 3), 4: (3, 3, 3), 5: (4, 3), 6: (3, 3)}  # MV1
    view_type = MolotovView
    discard_makes_trump = True  # MV2
    scoring_kind = BY_PLACE
    net_family = "molotov"
    metric = ScoreMetric("round score", "points", False, round_scores, 1.0, standing_key="strokes")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.strokes = [""] * self.players
        self.molotovs: list[Json] = []

    @classmethod
    def molotov_points_rule(cls, options: Mapping[str, Value]) -> int:
        """Runs count as molotovs; an option decides the value of five and six cards (MV4, MV5)."""
        return melds.BOMBS_AS_WEIS if options["long_runs"] == "weis" else melds.BOMBS_FIFTY

    @classmethod
    def are_eights_counted(cls, options: Mapping[str, Value]) -> bool:
        """Whether eights count in a round without trump, by an option (MV7)."""
        return options["no_trump"] == "eights"

    def cards_of_pack(self) -> tuple[int, ...]:
        """All 36 cards; five players leave the six of diamonds out (MV1)."""
        cards = super().cards_of_pack()
        return tuple(c for c in cards if self.players != 5 or c != SIX_OF_DIAMONDS)

    def after_deal(self, pack: Sequence[int]) -> None:
        """Begins the play at once; there is no trump yet (MV2)."""
        self.molotovs = []
        self.begin_play()

    def after_trick(self, cards: tuple[int, ...], winner: int) -> None:
        """Adds the points of each run of three or more in the trick to its winner (MV4, MV5)."""
        left = card_set(cards)
        while run := melds.first_run(left):
            left ^= run
            points = melds.molotov_points(run, self.game.options["long_runs"] == "weis")
            self.extra[winner] += points
            self.molotovs.append(
                {
                    "seat": winner,
                    "cards": JASS.texts_of(run),
                    "points": points,
                    "trick": len(self.history),
                }
            )

    def after_play(self) -> None:
        """Scores the round, writes the marks and ends the match at the target (MV6 - MV10)."""
        if self.trump == tricks.PLAIN and not self.settle_trumpless_round():
            return
        points = self.points()
        marks = slate.marks_by_place(
            points, self.marks_for_places(), generous=self.game.options["ties"] == "generous"
        )
        self.strokes = [slate.add_mark(*pair) for pair in zip(self.strokes, marks, strict=True)]
        self.finish_round(points, marks, molotovs=self.molotovs)
        self.molotovs = []
        there = [seat for seat in range(self.players) if self.tallies(seat) >= self.target]
        if there:
            self.finish(slate.leaders(points, there))  # MV10
        else:
            self.next_deal()

    def settle_trumpless_round(self) -> bool:
        """Counts eights where they count (MV7); False if the round is void and dealt again."""
        reading = self.game.options["no_trump"]
        if reading == "annul":
            self.clear()
            self.molotovs = []
            self.await_pack("deal", self.whole_pack)
            return False
        if reading == "eights":
            self.score_eights()
        return True

    def marks_for_places(self) -> str:
        """The mark of each place, best first (MV8)."""
        return marks_for_places(self.players, str(self.game.options["five_player_marks"]))

    @property
    def target(self) -> int:
        """The number of strokes that ends the match (MV10)."""
        target = self.game.options["target"]
        assert isinstance(target, int)
        return target

    def tallies(self, seat: int) -> int:
        """The number of strokes of a seat (MV9); sacks do not count."""
        return self.strokes[seat].count(slate.TALLY)

    def rest_is_decided(self, seat: int) -> bool:
        """If the seat wins in any order and no run can occur in a trick (MV4, MV6).

        Points are bad, so the order of the leads must not matter.
        """
        return self.wins_in_any_order(seat) and not can_molotov_occur(
            self.hands[seat], self.unseen(seat)
        )

    def standing(self) -> list[Json]:
        """The slate: strokes as written, tallies and open sacks of each seat (MV9)."""
        return [
            {
                "strokes": strokes,
                "tallies": strokes.count(slate.TALLY),
                "sacks": strokes.count(slate.SACK),
            }
            for strokes in self.strokes
        ]

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views, with the molotovs of a complete trick."""
        trace = self.card_delta(action)
        if trace is not None and not self.trick:
            trace.updated["molotovs"] = self.molotovs_json()
        return trace

    def private_view(self, seat: int) -> Json:
        """Nothing beside the common part."""
        return super().private_view(seat)

    def table_view(self, seat: int | None) -> Json:
        """The tricks, and the molotovs of this round so far."""
        return super().table_view(seat) | {"molotovs": self.molotovs_json()}

    def molotovs_json(self) -> list[Json]:
        """The molotovs of this round so far, as views show them."""
        return [{**one, "cards": list(one["cards"])} for one in self.molotovs]

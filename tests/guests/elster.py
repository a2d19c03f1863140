"""Elster: forehand bids much or little; who then takes most points, or fewest, writes a feather.

It calls all that it shows as the games of the house call theirs, and means something else by it.
"""

from collections.abc import Sequence
from typing import ClassVar, get_args, get_type_hints

import jasstisch as jt
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import Refusal
from jasstisch.games.metrics import ScoreMetric, round_scores
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import COMMON_OPTIONS, REGISTRY, Game, Json
from jasstisch.games.trick_taking import SINGLE_SEATS, TrickTaking, normalize_action
from jasstisch.games.views import CommonRound, CommonView

BIDS = ("bid much", "bid little")
VIEWS = [get_type_hints(view) for name in jt.games() if (view := REGISTRY[name].view_type)]


def stolen(part: str, common: type | None = None) -> list[str]:
    """All keys that finished rounds or standings have in some game, besides the common ones."""
    items = [get_type_hints(get_args(view[part])[0]) for view in VIEWS]
    known = get_type_hints(common) if common else {}
    return sorted({key for one in items for key in one} - set(known))


KEYS = sorted({key for view in VIEWS for key in view} - {*get_type_hints(CommonView)})
KEYS_OF_VIEWS = [key for key in KEYS if key not in ("rounds", "standing")]
KEYS_OF_ROUNDS = stolen("rounds", CommonRound)
KEYS_OF_STANDINGS = stolen("standing")


class Elster(TrickTaking, name="elster"):
    """One match of Elster for four players.

    Attributes:
        feathers: what each seat has written.
        much: whether most points are wanted in this round.
    """

    options = (
        Whole("players", 4, low=4, high=4),
        *COMMON_OPTIONS,
        Choice("undertrump", ("if_void",)),
        Whole("rounds", 2, low=1, high=8),
    )
    PACKETS: ClassVar = {4: (3, 3, 3)}
    metric = ScoreMetric("points", "points", True, round_scores, min_significant=1.0)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.feathers = [0] * self.players
        self.much = True

    def after_deal(self, pack: Sequence[int]) -> None:
        """The last card makes trump, and forehand is asked."""
        self.trump = JASS.suit(pack[-1])
        self.phase = "bid"
        self.to_act = SINGLE_SEATS[self.playing[0]]

    def legal(self, seat: int) -> Sequence[str]:
        """The two bids, or the cards."""
        if self.phase != "bid":
            return super().legal(seat)
        return BIDS if seat in self.to_act else ()

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not bid or play this now; None when it may."""
        if self.phase != "bid":
            return super().refusal(seat, action)
        turn = self.turn_refusal(seat)
        if turn is not None or normalize_action(action) in BIDS:
            return turn
        return Refusal("E1", "bid", "bid much or little")

    def do(self, action: str, seat: int) -> str:
        """Does a legal action."""
        if self.phase != "bid":
            return super().do(action, seat)
        self.much = action == BIDS[0]
        self.begin_play()
        return action

    def after_play(self) -> None:
        """Whoever has most points, or fewest, writes a feather."""
        points = self.points()
        best = max(points) if self.much else min(points)
        for seat, own in enumerate(points):
            self.feathers[seat] += own == best
        marks = ["feather" if own == best else "" for own in points]
        self.finish_round(points, marks, **{key: {"feather": best} for key in KEYS_OF_ROUNDS})
        if len(self.rounds) == self.game.options["rounds"]:
            most = max(self.feathers)
            self.finish([seat for seat, own in enumerate(self.feathers) if own == most])
        else:
            self.next_deal()

    def standing(self) -> list[Json]:
        """The feathers of each seat, under many names."""
        return [{key: [own] for key in KEYS_OF_STANDINGS} for own in self.feathers]

    def table_view(self, seat: int | None) -> Json:
        """What lies on the table, and under many names what was bid."""
        return super().table_view(seat) | {key: {"much": self.much} for key in KEYS_OF_VIEWS}

"""Differenzler with hidden bids: each player bids the points they will take, and aims for them.

Trump is drawn before anybody bids. Bids are secret until the round is over, and so are the computed
points of the others. This file decides two defaults that options may change: eight rounds (DF7) and
no bonus for an exact hit (DF8).
"""

from collections.abc import Sequence
from typing import ClassVar, TypedDict

from jasstisch.engine import slate, tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import Refusal
from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json, ViewDelta
from jasstisch.games.scoring_kinds import BY_DIFFERENCE
from jasstisch.games.trick_taking import SINGLE_SEATS, TrickTaking, normalize_action
from jasstisch.games.views import Card, CommonRound, CommonView

_BIDS = tuple(f"bid {points}" for points in range(tricks.ALL_POINTS + 1))
_POINTS_BY_BID = {text: points for points, text in enumerate(_BIDS)}

_ALWAYS, _IF_TRICK, _NEVER = range(3)
ZERO_BONUS = {"always": _ALWAYS, "trick": _IF_TRICK, "never": _NEVER}
"""The values of the option `zero_bonus` (DF8)."""


def bonus(bid: int, took_a_trick: bool, zero_bonus: int) -> int:
    """How much an exact hit takes off the total, where the option gives a bonus (DF8).

    Only ints, so that compiled code can use it.

    Args:
        bid: the bid that was hit.
        took_a_trick: whether the player won at least one trick.
        zero_bonus: one of `_ALWAYS`, `_IF_TRICK` and `_NEVER`: when a bid of 0 earns it.
    """
    if bid == 0 and (zero_bonus == _NEVER or (zero_bonus == _IF_TRICK and not took_a_trick)):
        return 0
    return 10


def _bid_differences(finished: Json) -> Sequence[int]:
    """The difference between points and bid of each seat (DF6)."""
    difference: Sequence[int] = finished["difference"]
    return difference


class DifferenzlerRound(CommonRound):
    """A finished round of Differenzler: the bids, now open, and the differences (DF6)."""

    bids: list[int]
    difference: list[int]


class DifferenzlerStanding(TypedDict):
    """The total of the differences of a seat (DF6)."""

    difference: int


class DifferenzlerView(CommonView):
    """A view of Differenzler.

    `bids` are those this reader may see, `has_bid` marks the seats that have bid, `shown` is the
    card turned for trump (DF2, DF3).
    """

    rounds: list[DifferenzlerRound]
    standing: list[DifferenzlerStanding]
    bids: list[int | None]
    has_bid: list[bool]
    shown: Card | None


class Differenzler(TrickTaking, name="differenzler"):
    """One match of Differenzler for four players, or three."""

    options = (
        Whole("players", 4, low=3, high=4),
        *COMMON_OPTIONS,
        Choice("rounds", (8, 4, 12, 16)),
        Choice("undertrump", ("if_void", "free")),
        Choice("trump", ("random", "bottom")),
        Choice("bids", ("hidden", "open")),
        Choice("show_points", ("own", "all")),
        Choice("exact_bonus", (0, 10)),
        Choice("zero_bonus", ("trick", "never", "always")),
    )
    PACKETS: ClassVar = {3: (3, 3, 3, 3), 4: (3, 3, 3)}  # DF1
    view_type = DifferenzlerView
    revealing_keys = ("shown",)
    scoring_kind = BY_DIFFERENCE
    net_family = "differenzler"
    metric = ScoreMetric(
        "difference",
        "points",
        False,
        _bid_differences,
        0.5,
        custom_gain_reason_id="difference",
        standing_key="difference",
    )  # DF6

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.bids: list[int | None] = [None] * self.players
        self.total = [0] * self.players
        self.shown: int | None = None

    def after_deal(self, pack: Sequence[int]) -> None:
        """Makes the suit of the last card dealt trump, or awaits a pack to draw it from (DF2)."""
        self.bids = [None] * self.players
        if self.game.options["trump"] == "bottom":
            self.shown = pack[-1]
            self.trump = JASS.suit(self.shown)
            self.await_bids()
        else:
            self.await_pack("trump", self.whole_pack)

    def receive_pack(self, pack: Sequence[int]) -> None:
        """Uses the awaited pack: to draw trump, to draw for the deal, or to deal."""
        if self.phase == "trump":
            self.trump = JASS.suit(pack[0])
            self.pack = ()
            self.await_bids()
        else:
            super().receive_pack(pack)

    # Bidding (DF3).

    def await_bids(self) -> None:
        """Asks for the missing bids, all at once in secret or in turn; then begins the play."""
        self.phase = "bid"
        missing = [seat for seat in self.playing if self.bids[seat] is None]
        if not missing:
            self.begin_play()
        elif self.game.options["bids"] == "open":
            self.to_act = SINGLE_SEATS[missing[0]]
        else:
            self.to_act = tuple(sorted(missing))

    def legal(self, seat: int) -> Sequence[str]:
        """The bids from 0 to 157, or the cards a seat may play."""
        if self.phase == "bid":
            return _BIDS if seat in self.to_act else ()
        return super().legal(seat)

    def other_actions(self) -> Sequence[str] | None:
        """The bids from 0 to 157."""
        return _BIDS

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not bid or play so now; None when it may."""
        if self.phase != "bid":
            return super().refusal(seat, action)
        if seat not in self.to_act and self.bids[seat] is not None:
            return Refusal("DF3", "turn", f"seat {seat} has bid, and a bid cannot be changed")
        if seat in self.to_act and normalize_action(action) not in _POINTS_BY_BID:
            return Refusal("DF3", "bid", "a bid of 0 to 157 points is due; write bid 42")
        return self.turn_refusal(seat)

    def do(self, action: str, seat: int) -> str:
        """Records a bid or plays a card."""
        if self.phase != "bid":
            return super().do(action, seat)
        self.bids[seat] = _POINTS_BY_BID[action]
        self.await_bids()
        return action

    # Scoring (DF6 - DF9).

    def after_play(self) -> None:
        """Adds the differences, reveals the bids, and begins the next round or ends the match."""
        points = self.points()
        bids = [bid for bid in self.bids if bid is not None]
        difference = [abs(bid - own) for bid, own in zip(bids, points, strict=True)]
        added = [
            -self.bonus(seat) if missed == 0 else missed for seat, missed in enumerate(difference)
        ]
        self.total = [sum(pair) for pair in zip(self.total, added, strict=True)]
        self.finish_round(
            points, [str(number) for number in added], bids=bids, difference=difference
        )
        self.bids = [None] * self.players
        self.shown = None
        if len(self.rounds) == self.game.options["rounds"]:
            self.finish(slate.leaders(self.total, range(self.players)))
        else:
            self.next_deal()

    def bonus(self, seat: int) -> int:
        """How much an exact hit of this seat takes off its total (DF8)."""
        bid, options = self.bids[seat], self.game.options
        assert bid is not None
        zero = ZERO_BONUS[str(options["zero_bonus"])]
        return bonus(bid, self.taken[seat] != 0, zero) if options["exact_bonus"] else 0

    def rest_is_decided(self, seat: int) -> bool:
        """If the seat wins in any order: then no other seat takes another trick (DF6, DF8)."""
        return self.wins_in_any_order(seat)

    def standing(self) -> list[Json]:
        """The total of differences of each seat (DF6)."""
        return [{"difference": total} for total in self.total]

    # What can be seen (DF3, DF5).

    def visible_points(self, seat: int | None) -> list[int | None]:
        """The reader's own running points, and those of all where the options show them."""
        if self.game.options["show_points"] == "all":
            return super().visible_points(seat)
        return [own if other == seat else None for other, own in enumerate(self.points())]

    def redact_action(self, actor: int, action: str, reader: int | None) -> str:
        """Hides the amount of a hidden bid from others; that a seat has bid is public (DF3)."""
        hidden = self.game.options["bids"] == "hidden" and actor != reader
        return "bid" if hidden and action in _POINTS_BY_BID else action

    def visible_bids(self, seat: int | None) -> list[int | None]:
        """The reader's own bid, and those of all where they are open (DF3)."""
        is_open = self.game.options["bids"] == "open"
        return [bid if is_open or other == seat else None for other, bid in enumerate(self.bids)]

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views."""
        return self.card_delta(action)

    def private_view(self, seat: int) -> Json:
        """The bids and the points this seat may see."""
        return super().private_view(seat) | {"bids": self.visible_bids(seat)}

    def table_view(self, seat: int | None) -> Json:
        """The tricks, who has bid, and the bids this reader may see."""
        return super().table_view(seat) | {
            "bids": self.visible_bids(seat),
            "has_bid": [bid is not None for bid in self.bids],
            "shown": None if self.shown is None else JASS.texts[self.shown],
        }

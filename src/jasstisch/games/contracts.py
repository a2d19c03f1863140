"""The games in which four players in two sides announce a contract: Schieber and Coiffeur (CT).

The shared part: the contracts and how the cards rank and count in each (CT2 - CT5), the
announcement, points by side, and the match bonus of a side that takes all nine tricks (CT6). Each
game defines which announcements there are and their factors, to whom and how often a seat may push,
who leads, and which side writes.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypedDict

from jasstisch.engine import tricks
from jasstisch.engine.cards import SUITS
from jasstisch.engine.errors import Refusal
from jasstisch.games.metrics import ScoreMetric, marks_as_numbers
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json
from jasstisch.games.scoring_kinds import BY_SIDE
from jasstisch.games.trick_taking import NO_SEAT, SINGLE_SEATS, normalize_action
from jasstisch.games.views import CommonRound
from jasstisch.games.weis import WeisGame, WeisView

PARTNERS = ((0, 2), (1, 3))
"""The seats of side 0 and of side 1 (CT1)."""

CONTRACT_GAME_OPTIONS: tuple[Option, ...] = (Whole("players", 4, low=4, high=4), *COMMON_OPTIONS)
MATCH_BONUS_OPTION = Choice("match_bonus", (100, 0))
UNDERTRUMP_OPTION = Choice("undertrump", ("strict", "forced"))
"""The options of both games (CT1, CT3, CT6)."""

PUSH = "push"
"""The action that leaves the announcement to another seat."""

_TRICKS = 9
_GUSCHTI_TURNS = 5
"""How many tricks of a guschti are played as announced before it turns (CT4)."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract: the rankings by which a round is played and counted.

    Attributes:
        text: the announcement.
        value_ranking: the ranking by which the cards count (CT3, CT5).
        rankings: the ranking of each of the nine tricks (CT4).
    """

    text: str
    value_ranking: int
    rankings: tuple[int, ...]

    def __deepcopy__(self, _memo: object) -> Self:
        """The contract itself, because it is immutable."""
        return self


def _uniform_contract(text: str, ranking: int) -> Contract:
    return Contract(text, ranking, (ranking,) * _TRICKS)


def _alternating_contract(name: str, start: str, second: Sequence[bool]) -> Contract:
    """A contract with two rankings; `second` marks the tricks played by the other ranking."""
    both = (tricks.TOPS, tricks.BOTTOMS)
    first, other = both if start == "tops" else both[::-1]
    return Contract(f"{name} {start}", first, tuple(other if one else first for one in second))


_TRUMPS = tuple(_uniform_contract(f"trump {suit}", row) for row, suit in enumerate(SUITS))
"""The contracts with a trump."""

_WITHOUT_TRUMP = (
    _uniform_contract("tops", tricks.TOPS),
    _uniform_contract("bottoms", tricks.BOTTOMS),
)
_SLALOM = tuple(
    _alternating_contract("slalom", start, [trick % 2 == 1 for trick in range(_TRICKS)])
    for start in ("tops", "bottoms")
)
_GUSCHTI = tuple(
    _alternating_contract("guschti", start, [trick >= _GUSCHTI_TURNS for trick in range(_TRICKS)])
    for start in ("tops", "bottoms")
)
CONTRACTS = {one.text: one for one in (*_TRUMPS, *_WITHOUT_TRUMP, *_SLALOM, *_GUSCHTI)}
"""All contracts by their text, in their order (CT2)."""


@dataclass(frozen=True, slots=True)
class SlateLine:
    """A line of the slate, or a contract that is always open, with its factor.

    Attributes:
        text: the text on the slate; for a joker with its factor.
        factor: the multiplier of the points.
        announcements: the ways to announce it, in order.
    """

    text: str
    factor: int
    announcements: tuple[str, ...]


class ContractRound(CommonRound):
    """A finished round: the announcement, the seat that made it (`by`), its `factor`, the score.

    `match` is the side that took all tricks (CT6). Points, `weis` and `stoeck` are those of the
    side of each seat, before the factor; marks are after it.
    """

    contract: str
    by: int
    pushed: bool
    factor: int
    match: int | None
    weis: list[int]
    stoeck: list[int]


class SideStanding(TypedDict):
    """The side of a seat, 0 or 1, and what it has written."""

    side: int
    points: int


class ContractView(WeisView):
    """The part of a view that the contract games share.

    `contract` is the contract of the round, `line` the announcement in full, `by` the seat that
    made it. All are null before the announcement. `pushes` counts the pushes of this round.
    """

    contract: str | None
    line: str | None
    by: int | None
    factor: int | None
    pushes: int
    pushed: bool


class ContractGame(WeisGame):
    """A game of two sides in which a contract is announced after the deal.

    Attributes:
        slate_lines: the lines, in order.
        line_by_announcement: the line of each announcement.
        contract: the contract of this round, None before the announcement.
        line: the announcement in full, None before it.
        by: the seat that announced, `NO_SEAT` before.
        pushes: the number of pushes in this round.
        total: the points written by each side.
        match_side: the side that took all nine tricks once they are counted, else None (CT6).
    """

    PACKETS: ClassVar = {4: (3, 3, 3)}  # CT1
    sides = PARTNERS
    scoring_kind = BY_SIDE
    net_family = "contracts"
    metric = ScoreMetric(
        "points",
        "points",
        True,
        marks_as_numbers,
        3.0,
        custom_gain_reason_id="lead",
        standing_key="points",
    )

    max_pushes: ClassVar[int]
    """The number of pushes in a round after which the next seat must announce (SC1, CO2)."""

    push_distance: ClassVar[int]
    """How many seats further a push passes the announcement (SC1, CO2)."""

    announcer_leads: ClassVar[bool] = False
    """Whether the announcer leads the first trick (CO3) instead of forehand (SC1)."""

    plays_each_line_once: ClassVar[bool] = False
    """Whether a side plays each line once (CO1)."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.total = [0, 0]
        self.slate_lines = self.make_slate_lines(game)
        self.line_by_announcement: Mapping[str, SlateLine] = {
            text: line for line in self.slate_lines for text in line.announcements
        }

    def clear(self) -> None:
        """Leaves the table empty, as between rounds."""
        super().clear()
        self.contract: Contract | None = None
        self.line: str | None = None
        self.by = NO_SEAT
        self.pushes = 0
        self.match_side: int | None = None

    def frozen_parts(self) -> Iterable[object]:
        """The frozen parts of the base class and the slate, which follows from the options."""
        return (*super().frozen_parts(), self.slate_lines, self.line_by_announcement)

    # What a game defines.

    @classmethod
    @abstractmethod
    def make_slate_lines(cls, game: Game) -> tuple[SlateLine, ...]:
        """The lines that may be announced in a game with these options, in order."""

    @abstractmethod
    def announcement_refusal(self, seat: int, text: str) -> Refusal:
        """Why a seat may not announce this; the text is not one of its legal announcements."""

    def open_lines(self, _seat: int) -> Sequence[SlateLine]:
        """The lines that the side of a seat may still announce."""
        return self.slate_lines

    @classmethod
    def score_weight(cls, view: Mapping[str, Any], action: str) -> int:
        """The factor of the round, or of the announcement; 1 for a push."""
        if view["phase"] != "announce":
            return int(view["factor"])
        lines = cls.make_slate_lines(Game(view["game"], view["options"]))
        return next((one.factor for one in lines if action in one.announcements), 1)

    @classmethod
    def side_factors(cls, factor: int, _by: int | None) -> tuple[int, int]:
        """The factor of each side's points, once this seat has announced with this factor."""
        return factor, factor

    def written_points(self) -> list[int]:
        """The points that each side would write for this round now, after the factor."""
        factors = self.side_factors(self.factor(), self.by)
        return [points * factor for points, factor in zip(self.side_points(), factors, strict=True)]

    def factor(self) -> int:
        """The multiplier of this round's points; the contract must be known."""
        assert self.line is not None
        return self.line_by_announcement[self.line].factor

    # The announcement (CT2).

    def after_deal(self, pack: Sequence[int]) -> None:
        """Asks forehand for an announcement."""
        self.ask(self.playing[0])

    def announcements(self, seat: int) -> Sequence[str]:
        """The announcements open to a seat, and `push` where it may or must push (SC1, CO2)."""
        lines = tuple(text for line in self.open_lines(seat) for text in line.announcements)
        return lines if lines and self.must_announce else (*lines, PUSH)

    @property
    def must_announce(self) -> bool:
        """Whether no push is left in this round (SC1, CO2)."""
        return self.pushes >= self.max_pushes

    def next_to_announce(self, seat: int) -> int:
        """The seat asked after a push; one that must announce has an open line (SC1, CO2)."""
        asked = (seat + self.push_distance) % self.players
        while self.must_announce and not self.open_lines(asked):
            asked = (asked + 1) % self.players
        return asked

    def ask(self, seat: int) -> None:
        """Asks this seat for an announcement."""
        self.phase = "announce"
        self.to_act = SINGLE_SEATS[seat]

    def announce(self, seat: int, text: str) -> None:
        """Records the contract of an announcement and begins the play."""
        self.line = text
        self.by = seat
        self.contract = CONTRACTS[contract_text(text)]
        self.trump = self.contract.value_ranking
        self.begin_play()

    def first_leader(self) -> int:
        """The seat that leads the first trick (SC1, CO3)."""
        return self.by if self.announcer_leads else super().first_leader()

    def start_trick(self, seat: int) -> None:
        """Begins a trick led by this seat, with the ranking that the contract gives it (CT4)."""
        assert self.contract is not None
        self.ranking = self.contract.rankings[len(self.history)]
        super().start_trick(seat)

    def remaining_trick_rankings(self) -> Sequence[int]:
        """The ranking of each trick not yet led, by the contract (CT4)."""
        assert self.contract is not None
        return self.contract.rankings[len(self.history) :]

    # Counting by side (CT1, CT6).

    @property
    def match_bonus(self) -> int:
        """The bonus of a side that takes all nine tricks (CT6)."""
        bonus = self.game.options["match_bonus"]
        assert isinstance(bonus, int)
        return bonus

    def after_trick(self, cards: tuple[int, ...], winner: int) -> None:
        """Adds the match bonus after the last trick where one side took all tricks (CT6)."""
        if len(self.history) == _TRICKS:
            takers = {seat % 2 for _, _, seat in self.history}
            if len(takers) == 1:
                (self.match_side,) = takers
                self.extra[winner] += self.match_bonus

    def points(self) -> list[int]:
        """For each seat the points of its side in this round, before the factor."""
        return self.side_sums(super().points())

    def side_points(self) -> list[int]:
        """The points of each side in this round, before the factor."""
        return self.points()[:2]

    def side_sums(self, own: Sequence[int]) -> list[int]:
        """For each seat the sum over its side."""
        return [own[seat] + own[(seat + 2) % 4] for seat in range(4)]

    def side_to_seats(self, by_side: Sequence[int]) -> list[int]:
        """The values of the sides as values of the seats."""
        return [by_side[seat % 2] for seat in range(4)]

    def write_round(self, **own: object) -> None:
        """Ends the round and writes what each side took and scored."""
        written = self.written_points()
        assert self.contract is not None
        self.total = [sum(pair) for pair in zip(self.total, written, strict=True)]
        self.finish_round(
            self.points(),
            [str(number) for number in self.side_to_seats(written)],
            contract=self.contract.text,
            **own,
            by=self.by,
            pushed=self.pushes > 0,
            factor=self.factor(),
            match=self.match_side,
            weis=self.side_sums(self.weis),
            stoeck=self.side_sums(self.stoeck),
        )

    def leading_side_seats(self) -> list[int]:
        """The seats of the side with most points; all four where both have the same."""
        best = max(self.total)
        return [seat for seat in range(self.players) if self.total[seat % 2] == best]

    # Actions.

    def legal(self, seat: int) -> Sequence[str]:
        """The announcements, or the cards a seat may play, with and without Weis."""
        if self.phase == "announce":
            return self.announcements(seat) if seat in self.to_act else ()
        return super().legal(seat)

    def other_actions(self) -> Sequence[str] | None:
        """All announcements at this table, and `push`."""
        return (*self.line_by_announcement, PUSH)

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not announce or play so now; None when it may."""
        if self.phase != "announce":
            return super().refusal(seat, action)
        out_of_turn = self.turn_refusal(seat)
        if out_of_turn is not None:
            return out_of_turn
        text = _normalize_announcement(action)
        return None if text in self.announcements(seat) else self.announcement_refusal(seat, text)

    def normalize_and_act(self, seat: int, action: str) -> str:
        """Does an action in any spelling, or refuses it with the reason (C12)."""
        if self.phase == "announce" and self.refusal(seat, action) is None:
            return self.do(_normalize_announcement(action), seat)
        return super().normalize_and_act(seat, action)

    def do(self, action: str, seat: int) -> str:
        """Carries out an announcement, a push or the play of a card."""
        if self.phase != "announce":
            return super().do(action, seat)
        if action == PUSH:
            self.pushes += 1
            self.ask(self.next_to_announce(seat))
        else:
            self.announce(seat, action)
        return action

    # What can be seen.

    def private_view(self, seat: int) -> Json:
        """Nothing beside the common part."""
        return super().private_view(seat)

    def table_view(self, seat: int | None) -> Json:
        """The tricks, the Weis, the announcement and the seat that made it."""
        return super().table_view(seat) | {
            "weis": self.side_sums(self.weis),
            "stoeck": self.side_sums(self.stoeck),
            "contract": self.contract.text if self.contract else None,
            "line": None,
            "by": None if self.by == NO_SEAT else self.by,
            "factor": self.factor() if self.contract else None,
            "pushes": self.pushes,
            "pushed": self.pushes > 0,
        }


def contract_text(announcement: str) -> str:
    """The contract of an announcement: what follows the factor where it is a joker."""
    words = announcement.split()
    return " ".join(words[2:] if words[0] == "joker" else words)


def _normalize_announcement(action: object) -> str:
    """An announcement as the log writes it: lower case, but the suit of a trump in upper case."""
    words = normalize_action(action).split()
    if len(words) >= 2 and words[-2] == "trump":
        words[-1] = words[-1].upper()
    return " ".join(words)

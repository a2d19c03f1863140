"""Four players in two sides, who announce how a round is played: Schieber and Coiffeur (CT).

What is common: the contracts and how the cards rank and count in each (CT2 - CT5), the announcing
itself, points by side, and the match of a side that takes all nine tricks (CT6). A game says what
may be announced for which factor, to whom and how often it is pushed, who leads, and who writes.
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

__all__ = [
    "CONTRACTS",
    "CONTRACT_GAME_OPTIONS",
    "MATCH_BONUS_OPTION",
    "PARTNERS",
    "PUSH",
    "UNDERTRUMP_OPTION",
    "Contract",
    "ContractGame",
    "ContractRound",
    "ContractView",
    "SideStanding",
    "SlateLine",
    "contract_text",
]  # fmt: skip

PARTNERS = ((0, 2), (1, 3))
"""The seats of side 0 and of side 1 (CT1)."""

CONTRACT_GAME_OPTIONS: tuple[Option, ...] = (Whole("players", 4, low=4, high=4), *COMMON_OPTIONS)
MATCH_BONUS_OPTION = Choice("match_bonus", (100, 0))
UNDERTRUMP_OPTION = Choice("undertrump", ("strict", "forced"))
"""The options of both games (CT1, CT3, CT6)."""

PUSH = "push"
"""The action of who leaves the announcement to another."""

TRICKS = 9
GUSCHTI_TURNS = 5
"""How many tricks of a guschti are played as named (CT4)."""


@dataclass(frozen=True, slots=True)
class Contract:
    """How a round is played.

    Attributes:
        text: how it is announced.
        valued: the ranking by which its cards count (CT3, CT5).
        rankings: the ranking of each of the nine tricks (CT4).
    """

    text: str
    valued: int
    rankings: tuple[int, ...]

    def __deepcopy__(self, _memo: object) -> Self:
        """Itself: it never changes."""
        return self


def _uniform_contract(text: str, ranking: int) -> Contract:
    return Contract(text, ranking, (ranking,) * TRICKS)


def _alternating_contract(name: str, start: str, second: Sequence[bool]) -> Contract:
    """A contract that begins as named; `second` says which tricks are played the other way."""
    both = (tricks.TOPS, tricks.BOTTOMS)
    first, other = both if start == "tops" else both[::-1]
    return Contract(f"{name} {start}", first, tuple(other if one else first for one in second))


TRUMPS = tuple(_uniform_contract(f"trump {suit}", row) for row, suit in enumerate(SUITS))
"""The contracts with a trump."""

WITHOUT_TRUMP = (
    _uniform_contract("tops", tricks.TOPS),
    _uniform_contract("bottoms", tricks.BOTTOMS),
)
SLALOM = tuple(
    _alternating_contract("slalom", start, [trick % 2 == 1 for trick in range(TRICKS)])
    for start in ("tops", "bottoms")
)
GUSCHTI = tuple(
    _alternating_contract("guschti", start, [trick >= GUSCHTI_TURNS for trick in range(TRICKS)])
    for start in ("tops", "bottoms")
)
CONTRACTS = {one.text: one for one in (*TRUMPS, *WITHOUT_TRUMP, *SLALOM, *GUSCHTI)}
"""All contracts by their text, in their order (CT2)."""


@dataclass(frozen=True, slots=True)
class SlateLine:
    """What may be announced for a factor: a line of a slate, or a contract that is always open.

    Attributes:
        text: what stands on the slate; a joker with its factor.
        factor: by what the points are multiplied.
        announcements: the ways to announce it, in order.
    """

    text: str
    factor: int
    announcements: tuple[str, ...]


class ContractRound(CommonRound):
    """A finished round: what was announced `by` whom, with what `factor`, and what was scored.

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
    """What views of these games have in common.

    `contract` is how the round is played, `line` the announcement in full, `by` the seat that made
    it, all null before; `pushes` counts the pushes of this round.
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
        slate: the lines, in their order.
        line_of: the line of each announcement.
        contract: what was announced, None before.
        line: the announcement in full, None before.
        by: the seat that announced, `NOBODY` before.
        pushes: how often it was pushed in this round.
        total: the points written by each side.
        swept: the side that took all nine tricks once they are counted, else None (CT6).
    """

    PACKETS: ClassVar = {4: (3, 3, 3)}  # CT1
    sides = PARTNERS
    scoring_kind = BY_SIDE
    nets = "contracts"
    metric = ScoreMetric(
        "points", "points", True, marks_as_numbers, 3.0, own_reason_id="lead", standing_key="points"
    )

    max_pushes: ClassVar[int]
    """How often it is pushed in a round before somebody must announce (SC1, CO2)."""

    push_distance: ClassVar[int]
    """By how many seats a push goes on (SC1, CO2)."""

    announcer_leads: ClassVar[bool] = False
    """Whether whoever announced leads the first trick (CO3), and not forehand (SC1)."""

    plays_each_line_once: ClassVar[bool] = False
    """Whether a side plays each line once (CO1)."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.total = [0, 0]
        self.slate_lines = self.lines(game)
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
        """The slate besides, which is given with the options."""
        return (*super().frozen_parts(), self.slate_lines, self.line_by_announcement)

    # What a game answers.

    @classmethod
    @abstractmethod
    def lines(cls, game: Game) -> tuple[SlateLine, ...]:
        """What may be announced in a game with these options, in its order."""

    @abstractmethod
    def announcement_refusal(self, seat: int, text: str) -> Refusal:
        """Why a seat may not say this, which is none of its announcements."""

    def open_lines(self, _seat: int) -> Sequence[SlateLine]:
        """What is open to the side of a seat."""
        return self.slate_lines

    @classmethod
    def score_weight(cls, view: Mapping[str, Any], action: str) -> int:
        """The factor of the round, or of the announcement; 1 for a push."""
        if view["phase"] != "announce":
            return int(view["factor"])
        lines = cls.lines(Game(view["game"], view["options"]))
        return next((one.factor for one in lines if action in one.announcements), 1)

    @classmethod
    def side_factors(cls, factor: int, _by: int | None) -> tuple[int, int]:
        """What a point is worth to each side, once this seat has announced with this factor."""
        return factor, factor

    def written_points(self) -> list[int]:
        """What each side writes for this round as it stands, after the factor."""
        factors = self.side_factors(self.factor(), self.by)
        return [points * factor for points, factor in zip(self.side_points(), factors, strict=True)]

    def factor(self) -> int:
        """By what the points of this round are multiplied; the contract is known."""
        assert self.line is not None
        return self.line_by_announcement[self.line].factor

    # The announcement (CT2).

    def after_deal(self, pack: Sequence[int]) -> None:
        """Forehand is asked for a contract."""
        self.ask(self.playing[0])

    def announcements(self, seat: int) -> Sequence[str]:
        """What a seat may announce, and `push` where it may or nothing is open (SC1, CO2)."""
        lines = tuple(text for line in self.open_lines(seat) for text in line.announcements)
        return lines if lines and self.must_announce else (*lines, PUSH)

    @property
    def must_announce(self) -> bool:
        """Whether it has been pushed as often as it may (SC1, CO2)."""
        return self.pushes >= self.max_pushes

    def next_to_announce(self, seat: int) -> int:
        """Who is asked once this seat has pushed; who must announce has an open line (SC1, CO2)."""
        asked = (seat + self.push_distance) % self.players
        while self.must_announce and not self.open_lines(asked):
            asked = (asked + 1) % self.players
        return asked

    def ask(self, seat: int) -> None:
        """This seat is to announce."""
        self.phase = "announce"
        self.to_act = SINGLE_SEATS[seat]

    def announce(self, seat: int, text: str) -> None:
        """Notes the contract of an announcement, and play begins."""
        self.line = text
        self.by = seat
        self.contract = CONTRACTS[contract_text(text)]
        self.trump = self.contract.valued
        self.begin_play()

    def first_leader(self) -> int:
        """Who leads the first trick (SC1, CO3)."""
        return self.by if self.announcer_leads else super().first_leader()

    def start_trick(self, seat: int) -> None:
        """A new trick begins at this seat, ranked as the contract has it (CT4)."""
        assert self.contract is not None
        self.ranking = self.contract.rankings[len(self.history)]
        super().start_trick(seat)

    def rankings_left(self) -> Sequence[int]:
        """The ranking of each trick that is still to be led, as the contract has it (CT4)."""
        assert self.contract is not None
        return self.contract.rankings[len(self.history) :]

    # Counting by side (CT1, CT6).

    @property
    def match_bonus(self) -> int:
        """What a side gets more for all nine tricks (CT6)."""
        bonus = self.game.options["match_bonus"]
        assert isinstance(bonus, int)
        return bonus

    def after_trick(self, cards: tuple[int, ...], winner: int) -> None:
        """The last trick may bring a match."""
        if len(self.history) == TRICKS:
            takers = {seat % 2 for _, _, seat in self.history}
            if len(takers) == 1:
                (self.match_side,) = takers
                self.extra[winner] += self.match_bonus

    def points(self) -> list[int]:
        """What the side of each seat has in this round, before the factor."""
        return self.side_sums(super().points())

    def side_points(self) -> list[int]:
        """What each side has in this round, before the factor."""
        return self.points()[:2]

    def side_sums(self, own: Sequence[int]) -> list[int]:
        """For each seat what its side has together."""
        return [own[seat] + own[(seat + 2) % 4] for seat in range(4)]

    def side_to_seats(self, by_side: Sequence[int]) -> list[int]:
        """Figures of the sides as figures of the seats."""
        return [by_side[seat % 2] for seat in range(4)]

    def write_round(self, **own: object) -> None:
        """Writes the round: what each side took, and what it is worth."""
        written = self.written_points()
        assert self.contract is not None
        self.total = [sum(pair) for pair in zip(self.total, written, strict=True)]
        self.finished_round(
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

    def leaders(self) -> list[int]:
        """The seats of the side with most points; all four where both have the same."""
        best = max(self.total)
        return [seat for seat in range(self.players) if self.total[seat % 2] == best]

    # Actions.

    def legal(self, seat: int) -> Sequence[str]:
        """The announcements, or the cards a seat may play, with and without Weis."""
        if self.phase == "announce":
            return self.announcements(seat) if seat in self.to_act else ()
        return super().legal(seat)

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not announce or play so now; None when it may."""
        if self.phase != "announce":
            return super().refusal(seat, action)
        out_of_turn = self.turn_refusal(seat)
        if out_of_turn is not None:
            return out_of_turn
        text = normalize_announcement(action)
        return None if text in self.announcements(seat) else self.announcement_refusal(seat, text)

    def act_normalized(self, seat: int, action: str) -> str:
        """Does an action in any spelling, or refuses it with the reason (C12)."""
        if self.phase == "announce" and self.refusal(seat, action) is None:
            return self.do(normalize_announcement(action), seat)
        return super().act_normalized(seat, action)

    def do(self, action: str, seat: int) -> str:
        """Notes an announcement or a push, or plays a card."""
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
        """Nothing more."""
        return super().private_view(seat)

    def table_view(self, seat: int | None) -> Json:
        """The tricks, the Weis, and what was announced by whom."""
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


def normalize_announcement(action: object) -> str:
    """An announcement as the log writes it: small letters, the suit of a trump as a capital."""
    words = normalize_action(action).split()
    if len(words) >= 2 and words[-2] == "trump":
        words[-1] = words[-1].upper()
    return " ".join(words)

"""Coiffeur: each side plays every line of the slate once, for its factor.

This file decides the slate with its jokers (CO1), which seat is asked while all push (CO2), that
the announcer leads (CO3), and that only the announcer's side writes (CO4).
"""

from jasstisch.engine.errors import Refusal
from jasstisch.games.contracts import (
    CONTRACT_GAME_OPTIONS,
    MATCH_BONUS_OPTION,
    PUSH,
    UNDERTRUMP_OPTION,
    ContractGame,
    ContractRound,
    ContractView,
    SideStanding,
    SlateLine,
)
from jasstisch.games.options import Choice
from jasstisch.games.rules import Game, Json, ViewDelta

_SUITS_BY_FACTOR = {"swiss": "CHSD", "french": "SCDH"}
"""The suits by ascending factor, from 1 to 4, for each value of the option `suits` (CO1)."""

_LINES_AFTER_SUITS = {
    "eight": ("tops", "bottoms", "joker", "joker"),
    "ten": ("tops", "bottoms", "slalom", "guschti", "joker", "joker"),
}
"""The lines after the four suits, by the option `lines` (CO1)."""

_JOKER_CONTRACTS = (*(f"trump {suit}" for suit in "CDHS"), "tops", "bottoms")
"""The contracts that a joker may stand for, in the order of CT2."""


def slate_lines_of(game: Game) -> tuple[SlateLine, ...]:
    """The lines of the slate in their order (CO1)."""
    suits = _SUITS_BY_FACTOR[str(game.options["suits"])]
    names = (*(f"trump {suit}" for suit in suits), *_LINES_AFTER_SUITS[str(game.options["lines"])])
    return tuple(_slate_line(name, factor) for factor, name in enumerate(names, start=1))


def _slate_line(name: str, factor: int) -> SlateLine:
    if name == "joker":
        text = f"joker {factor}"
        return SlateLine(text, factor, tuple(f"{text} {contract}" for contract in _JOKER_CONTRACTS))
    if name in ("slalom", "guschti"):
        return SlateLine(name, factor, tuple(f"{name} {start}" for start in ("tops", "bottoms")))
    return SlateLine(name, factor, (name,))


class CoiffeurRound(ContractRound):
    """A finished round of Coiffeur, with the announcement in full."""

    line: str


class CoiffeurStanding(SideStanding):
    """The standing of a side with the points of each line it has played (CO4)."""

    lines: dict[str, int]


class CoiffeurView(ContractView):
    """A view of Coiffeur."""

    rounds: list[CoiffeurRound]
    standing: list[CoiffeurStanding]


class Coiffeur(ContractGame, name="coiffeur"):
    """One match of Coiffeur for four players in two sides.

    Attributes:
        played: for each side, the points written for each line it has played.
    """

    options = (
        *CONTRACT_GAME_OPTIONS,
        Choice("lines", ("eight", "ten")),
        Choice("suits", ("swiss", "french")),
        MATCH_BONUS_OPTION,
        UNDERTRUMP_OPTION,
    )
    view_type = CoiffeurView
    max_pushes = 4
    push_distance = 1
    announcer_leads = True
    plays_each_line_once = True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.played: tuple[dict[str, int], dict[str, int]] = ({}, {})

    # The announcement (CO1 - CO3).

    @classmethod
    def make_slate_lines(cls, game: Game) -> tuple[SlateLine, ...]:
        """The lines of the slate (CO1)."""
        return slate_lines_of(game)

    @property
    def is_weis_scored(self) -> bool:
        """No Weis and no Stöck count (CO3)."""
        return False

    def open_lines(self, seat: int) -> list[SlateLine]:
        """The lines that the side of a seat has still to play."""
        return [line for line in self.slate_lines if line.text not in self.played[seat % 2]]

    def announcement_refusal(self, seat: int, text: str) -> Refusal:
        """Why the seat may not announce this: the line is played, or it is none (CO1, CO2)."""
        if text == PUSH:
            return Refusal("CO2", "push", "all have pushed: a line must be announced")
        line = self.line_by_announcement.get(text)
        if line is not None:
            return Refusal("CO1", "line", f"the line {line.text} has been played by this side")
        announced = ", ".join(one.text for one in self.open_lines(seat))
        return Refusal("CO2", "contract", f"an open line is announced: {announced or PUSH}")

    def weis_refusal_text(self, seat: int) -> str:
        """Why a seat may not announce Weis (CO3)."""
        return "no Weis count at Coiffeur"

    # Counting (CO4, CO5).

    @classmethod
    def side_factors(cls, factor: int, by: int | None) -> tuple[int, int]:
        """Only the side that announced writes (CO4)."""
        return (0, 0) if by is None else (0, factor) if by % 2 else (factor, 0)

    def after_play(self) -> None:
        """Writes the line, and goes on or ends the match when all are played (CO4, CO5)."""
        assert self.line is not None
        side = self.by % 2
        self.played[side][self.line_by_announcement[self.line].text] = self.written_points()[side]
        self.write_round(line=self.line)
        if all(len(played) == len(self.slate_lines) for played in self.played):
            self.finish(self.leading_side_seats())
        else:
            self.next_deal()

    def rest_is_decided(self, seat: int) -> bool:
        """Always: all cards are in play, and only who takes them decides a line's points (CO4)."""
        return True

    def standing(self) -> list[Json]:
        """The side of each seat, its points, and the lines it has played."""
        return [
            {
                "side": seat % 2,
                "points": self.total[seat % 2],
                "lines": dict(self.played[seat % 2]),
            }
            for seat in range(self.players)
        ]

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views."""
        return self.card_delta(action)

    def private_view(self, seat: int) -> Json:
        """Nothing beside the common part."""
        return super().private_view(seat)

    def table_view(self, seat: int | None) -> Json:
        """The tricks, and the line being played."""
        return super().table_view(seat) | {"line": self.line}

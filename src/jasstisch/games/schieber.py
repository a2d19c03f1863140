"""Schieber: two against two, forehand announces how the round is played or pushes to his partner.

What this file decides: who may announce what (SC1, SC2), that Weis and Stöck belong to the side
(SC3, SC4), the factors (SC5), and the end: points count when they fall, in the order Stöck, Weis,
trick, and a side that has reached the target has won at once (SC6).
"""

from collections.abc import Mapping
from typing import ClassVar

from jasstisch import tricks
from jasstisch.cards import SUITS
from jasstisch.errors import Refusal
from jasstisch.games.contracts import (
    COMMON,
    CONTRACTS,
    MATCH_BONUS,
    PARTNERS,
    PUSH,
    UNDERTRUMPING,
    Contracted,
    ContractRound,
    ContractView,
    Line,
    SideStanding,
)
from jasstisch.games.options import Choice, Value
from jasstisch.games.rules import Game, Json, Trace
from jasstisch.games.trick_taking import NOBODY, counted
from jasstisch.games.weis import KING_AND_QUEEN, STOECK

__all__ = ["DOUBLE", "Schieber", "factor_of", "open_contracts"]

DOUBLE = {"swiss": "DS", "french": "CS"}
"""The suits that count double, by the option `multipliers` (SC5)."""


def open_contracts(options: Mapping[str, Value]) -> tuple[str, ...]:
    """The contracts that may be announced, in the order of CT2 (SC2)."""
    closed = ("guschti",) if options["slalom"] == "on" else ("guschti", "slalom")
    return tuple(text for text in CONTRACTS if not text.startswith(closed))


class SchieberView(ContractView):
    """A view of Schieber."""

    rounds: list[ContractRound]
    standing: list[SideStanding]


class Schieber(Contracted, name="schieber"):
    """One match of Schieber for four players in two sides."""

    options = (
        *COMMON,
        Choice("target", (1000, 1500, 2500, 3000)),
        Choice("rounds", (0, 4, 8, 12, 16)),
        Choice("multipliers", ("none", "swiss", "french")),
        Choice("weis", ("on", "off")),
        Choice("slalom", ("off", "on")),
        MATCH_BONUS,
        Choice("end", ("at_once", "round")),
        UNDERTRUMPING,
    )
    view = SchieberView
    weis_clause: ClassVar[str] = "SC3"
    most_pushes = 1
    push_goes = 2  # to the partner (SC1)

    def clear(self) -> None:
        """Leaves the table empty, as between rounds."""
        super().clear()
        self.caller = NOBODY  # whose Stöck lies in the trick in progress

    # The announcement (SC1, SC2).

    @classmethod
    def lines(cls, game: Game) -> tuple[Line, ...]:
        """The contracts with their factors (SC2, SC5)."""
        multipliers = str(game.options["multipliers"])
        return tuple(
            Line(text, factor_of(CONTRACTS[text].valued, multipliers), (text,))
            for text in open_contracts(game.options)
        )

    def refuse_announcement(self, seat: int, text: str) -> Refusal:
        """Why this is not open: a second push, or a contract of another game (SC1, SC2)."""
        if text == PUSH:
            return Refusal("SC1", "push", "the partner has pushed: a contract must be announced")
        return Refusal("SC2", "contract", f"a contract is announced: {', '.join(self.line_of)}")

    # Weis and Stöck (SC3, SC4).

    @property
    def weis_counts(self) -> bool:
        """Whether Weis and Stöck count: not at tournaments (SC4)."""
        return self.game.options["weis"] == "on"

    def announceable(self, seat: int) -> list[int]:
        """The melds a seat may still announce, once the contract is known (SC3)."""
        return [] if self.contract is None else super().announceable(seat)

    def why_no_weis(self, seat: int) -> str:
        """Why a seat may not announce Weis with this card (SC3, SC4)."""
        if not self.weis_counts:
            return "no Weis is announced at this table"
        return super().why_no_weis(seat)

    def scorers(self, seat: int) -> tuple[int, ...]:
        """The side of the best announced meld (SC3)."""
        return PARTNERS[seat % 2]

    def call_stoeck(self, seat: int) -> None:
        """Notes the Stöck, which counts once the trick is complete (SC4)."""
        self.caller = seat

    def count_stoeck(self) -> bool:
        """Counts the Stöck whose second card lies in the trick (SC6); whether there was any."""
        called = self.caller != NOBODY
        if called:
            super().call_stoeck(self.caller)
            self.caller = NOBODY
        return called

    def count_weis(self) -> bool:
        """Counts the Weis with the first trick (SC6); whether it was the first."""
        first = len(self.history) == 1
        if first:
            self.score_weis()
        return first

    # Counting and the end (SC5 - SC7).

    def take_trick(self) -> None:
        """Counts Stöck, Weis and the trick, as far as the match goes on (SC6)."""
        self.history.append((self.leader, tuple(self.trick), self.holder))
        for count in (self.count_stoeck, self.count_weis):
            if count() and self.decided():
                self.end_play()
                return
        self.count_trick()

    def decided(self) -> bool:
        """Whether a side has reached the target in the middle of a round (SC6)."""
        options = self.game.options
        if options["rounds"] or options["end"] != "at_once":
            return False
        return max(self.with_round()) >= self.target

    def with_round(self) -> list[int]:
        """The total of each side with what it has in this round (SC6)."""
        return [sum(pair) for pair in zip(self.total, self.written(), strict=True)]

    @property
    def target(self) -> int:
        """The points that win the match (SC6)."""
        target = self.game.options["target"]
        assert isinstance(target, int)
        return target

    def after_play(self) -> None:
        """Writes the round, and goes on or ends the match (SC6, SC7)."""
        self.write_round()
        rounds = self.game.options["rounds"]
        if rounds:
            over = len(self.rounds) == rounds
        else:
            over = max(self.total) >= self.target and self.total[0] != self.total[1]
        if over:
            self.finish(self.leaders())
        else:
            self.next_deal()

    def rest_is_settled(self, seat: int) -> bool:
        """Once no Weis can come: all cards fall, and with them all Stöck, if the round is finished.

        Where a side might reach the target before, which trick does it is up to what falls (SC6).
        """
        return not self.weis_to_come and not self.may_be_decided(seat)

    def may_be_decided(self, seat: int) -> bool:
        """Whether a side may reach the target before the round is over, if this seat takes all."""
        options = self.game.options
        if options["rounds"] or options["end"] != "at_once":
            return False
        most = [points + self.most_stoeck for points in self.by_side()]
        fallen = sum(counted(taken, self.valued) for taken in self.taken)
        most[seat % 2] += tricks.ALL_POINTS - fallen + self.match_bonus
        factor = self.factor()
        totals = [total + points * factor for total, points in zip(self.total, most, strict=True)]
        return max(totals) >= self.target

    @property
    def most_stoeck(self) -> int:
        """What a side may still get for Stöck, as far as everybody knows (SC4)."""
        open_still = self.weis_counts and KING_AND_QUEEN[self.valued] and not any(self.stoeck)
        return STOECK if open_still else 0

    def standing(self) -> list[Json]:
        """The side of each seat and its points."""
        return [{"side": seat % 2, "points": self.total[seat % 2]} for seat in range(self.players)]

    def trace(self, action: str) -> Trace | None:
        """What a card has changed."""
        return self.card_trace(action)


def factor_of(ranking: int, multipliers: str) -> int:
    """What a contract multiplies by (SC5).

    Args:
        ranking: the ranking by which its cards count.
        multipliers: the option of that name.
    """
    if multipliers == "none":
        return 1
    if not tricks.TRUMP_CARDS[ranking]:
        return 3
    return 2 if SUITS[ranking] in DOUBLE[multipliers] else 1

"""Schieber: two against two, forehand announces how the round is played or pushes to his partner.

What this file decides: who may announce what (SC1, SC2), that Weis and Stöck belong to the side
(SC3, SC4), the factors (SC5), and the end: points count when they fall, in the order Stöck, Weis,
trick, and a side that has reached the target has won at once (SC6).
"""

from collections.abc import Mapping
from typing import ClassVar

from jasstisch.engine import tricks
from jasstisch.engine.cards import SUITS
from jasstisch.engine.errors import Refusal
from jasstisch.games.contracts import (
    CONTRACT_GAME_OPTIONS,
    CONTRACTS,
    MATCH_BONUS_OPTION,
    PARTNERS,
    PUSH,
    UNDERTRUMP_OPTION,
    ContractGame,
    ContractRound,
    ContractView,
    SideStanding,
    SlateLine,
)
from jasstisch.games.options import Choice, Value
from jasstisch.games.rules import Game, Json, ViewDelta
from jasstisch.games.trick_taking import NO_SEAT, points_of
from jasstisch.games.weis import KING_AND_QUEEN, STOECK

__all__ = ["DOUBLED_SUITS", "Schieber", "factor_of", "open_contracts"]

DOUBLED_SUITS = {"swiss": "DS", "french": "CS"}
"""The suits that count double, by the option `multipliers` (SC5)."""


def open_contracts(options: Mapping[str, Value]) -> tuple[str, ...]:
    """The contracts that may be announced, in the order of CT2 (SC2)."""
    closed = ("guschti",) if options["slalom"] == "on" else ("guschti", "slalom")
    return tuple(text for text in CONTRACTS if not text.startswith(closed))


class SchieberView(ContractView):
    """A view of Schieber."""

    rounds: list[ContractRound]
    standing: list[SideStanding]


class Schieber(ContractGame, name="schieber"):
    """One match of Schieber for four players in two sides."""

    options = (
        *CONTRACT_GAME_OPTIONS,
        Choice("target", (1000, 1500, 2500, 3000)),
        Choice("rounds", (0, 4, 8, 12, 16)),
        Choice("multipliers", ("none", "swiss", "french")),
        Choice("weis", ("on", "off")),
        Choice("slalom", ("off", "on")),
        MATCH_BONUS_OPTION,
        Choice("end", ("at_once", "round")),
        UNDERTRUMP_OPTION,
    )
    view_type = SchieberView
    weis_clause: ClassVar[str] = "SC3"
    max_pushes = 1
    push_distance = 2  # to the partner (SC1)

    def clear(self) -> None:
        """Leaves the table empty, as between rounds."""
        super().clear()
        self.stoeck_caller = NO_SEAT  # whose Stöck lies in the trick in progress

    # The announcement (SC1, SC2).

    @classmethod
    def lines(cls, game: Game) -> tuple[SlateLine, ...]:
        """The contracts with their factors (SC2, SC5)."""
        multipliers = str(game.options["multipliers"])
        return tuple(
            SlateLine(text, factor_of(CONTRACTS[text].valued, multipliers), (text,))
            for text in open_contracts(game.options)
        )

    def announcement_refusal(self, seat: int, text: str) -> Refusal:
        """Why this is not open: a second push, or a contract of another game (SC1, SC2)."""
        if text == PUSH:
            return Refusal("SC1", "push", "the partner has pushed: a contract must be announced")
        return Refusal(
            "SC2", "contract", f"a contract is announced: {', '.join(self.line_by_announcement)}"
        )

    # Weis and Stöck (SC3, SC4).

    @property
    def weis_counts(self) -> bool:
        """Whether Weis and Stöck count: not at tournaments (SC4)."""
        return self.game.options["weis"] == "on"

    def announceable(self, seat: int) -> list[int]:
        """The melds a seat may still announce, once the contract is known (SC3)."""
        return [] if self.contract is None else super().announceable(seat)

    def weis_refusal_text(self, seat: int) -> str:
        """Why a seat may not announce Weis with this card (SC3, SC4)."""
        if not self.weis_counts:
            return "no Weis is announced at this table"
        return super().weis_refusal_text(seat)

    def scoring_seats(self, seat: int) -> tuple[int, ...]:
        """The side of the best announced meld (SC3)."""
        return PARTNERS[seat % 2]

    def call_stoeck(self, seat: int) -> None:
        """Notes the Stöck, which counts once the trick is complete (SC4)."""
        self.stoeck_caller = seat

    def count_stoeck(self) -> bool:
        """Counts the Stöck whose second card lies in the trick (SC6); whether there was any."""
        called = self.stoeck_caller != NO_SEAT
        if called:
            super().call_stoeck(self.stoeck_caller)
            self.stoeck_caller = NO_SEAT
        return called

    def count_weis(self) -> bool:
        """Counts the Weis with the first trick (SC6); whether it was the first."""
        first = len(self.history) == 1
        if first:
            self.score_weis()
        return first

    # Counting and the end (SC5 - SC7).

    def complete_trick(self) -> None:
        """Counts Stöck, Weis and the trick, as far as the match goes on (SC6)."""
        self.history.append((self.leader, tuple(self.trick), self.holder))
        for count in (self.count_stoeck, self.count_weis):
            if count() and self.is_match_decided():
                self.end_play()
                return
        self.score_trick()

    def is_match_decided(self) -> bool:
        """Whether a side has reached the target in the middle of a round (SC6)."""
        options = self.game.options
        if options["rounds"] or options["end"] != "at_once":
            return False
        return max(self.running_totals()) >= self.target

    def running_totals(self) -> list[int]:
        """The total of each side with what it has in this round (SC6)."""
        return [sum(pair) for pair in zip(self.total, self.written_points(), strict=True)]

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

    def rest_is_decided(self, seat: int) -> bool:
        """Once no Weis can come: all cards fall, and with them all Stöck, if the round is finished.

        Where a side might reach the target before, which trick does it is up to what falls (SC6).
        """
        return not self.weis_possible and not self.may_end_early(seat)

    def may_end_early(self, seat: int) -> bool:
        """Whether a side may reach the target before the round is over, if this seat takes all."""
        options = self.game.options
        if options["rounds"] or options["end"] != "at_once":
            return False
        most = [points + self.possible_stoeck for points in self.side_points()]
        fallen = sum(points_of(taken, self.valued) for taken in self.taken)
        most[seat % 2] += tricks.ALL_POINTS - fallen + self.match_bonus
        factor = self.factor()
        totals = [total + points * factor for total, points in zip(self.total, most, strict=True)]
        return max(totals) >= self.target

    @property
    def possible_stoeck(self) -> int:
        """What a side may still get for Stöck, as far as everybody knows (SC4)."""
        open_still = self.weis_counts and KING_AND_QUEEN[self.valued] and not any(self.stoeck)
        return STOECK if open_still else 0

    def standing(self) -> list[Json]:
        """The side of each seat and its points."""
        return [{"side": seat % 2, "points": self.total[seat % 2]} for seat in range(self.players)]

    def action_delta(self, action: str) -> ViewDelta | None:
        """What a card has changed."""
        return self.card_delta(action)


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
    return 2 if SUITS[ranking] in DOUBLED_SUITS[multipliers] else 1

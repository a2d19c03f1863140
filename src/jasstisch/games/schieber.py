"""Schieber: two against two; forehand announces the contract or pushes to their partner.

This file decides which seat may announce which contract (SC1, SC2), that Weis and Stöck belong to
the side (SC3, SC4), the factors (SC5), and the end of the match: points count when they are made,
in the order Stöck, Weis, trick, and a side that reaches the target wins at once (SC6).
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
        self.stoeck_caller = NO_SEAT  # the seat that called Stöck in the trick in progress

    # The announcement (SC1, SC2).

    @classmethod
    def make_slate_lines(cls, game: Game) -> tuple[SlateLine, ...]:
        """The contracts with their factors (SC2, SC5)."""
        multipliers = str(game.options["multipliers"])
        return tuple(
            SlateLine(text, factor_of(CONTRACTS[text].value_ranking, multipliers), (text,))
            for text in open_contracts(game.options)
        )

    def announcement_refusal(self, seat: int, text: str) -> Refusal:
        """Why the seat may not announce this: a second push, or no open contract (SC1, SC2)."""
        if text == PUSH:
            return Refusal("SC1", "push", "the partner has pushed: a contract must be announced")
        return Refusal(
            "SC2", "contract", f"a contract is announced: {', '.join(self.line_by_announcement)}"
        )

    # Weis and Stöck (SC3, SC4).

    @property
    def is_weis_scored(self) -> bool:
        """Whether Weis and Stöck count: not at tournaments (SC4)."""
        return self.game.options["weis"] == "on"

    def announceable_melds(self, seat: int) -> list[int]:
        """The melds a seat may still announce, once the contract is known (SC3)."""
        return [] if self.contract is None else super().announceable_melds(seat)

    def weis_refusal_text(self, seat: int) -> str:
        """Why a seat may not announce Weis with this card (SC3, SC4)."""
        if not self.is_weis_scored:
            return "no Weis is announced at this table"
        return super().weis_refusal_text(seat)

    def weis_scoring_seats(self, seat: int) -> tuple[int, ...]:
        """The seats of the side with the best announced meld (SC3)."""
        return PARTNERS[seat % 2]

    def call_stoeck(self, seat: int) -> None:
        """Records the Stöck, which counts once the trick is complete (SC4)."""
        self.stoeck_caller = seat

    def count_stoeck(self) -> bool:
        """Scores Stöck completed in this trick (SC6); returns whether there was any."""
        called = self.stoeck_caller != NO_SEAT
        if called:
            super().call_stoeck(self.stoeck_caller)
            self.stoeck_caller = NO_SEAT
        return called

    def count_weis(self) -> bool:
        """Scores the Weis with the first trick (SC6); returns whether this was the first."""
        first = len(self.history) == 1
        if first:
            self.score_weis()
        return first

    # Counting and the end (SC5 - SC7).

    def complete_trick(self) -> None:
        """Scores Stöck, Weis and the trick in this order, until the match is decided (SC6)."""
        self.history.append((self.leader, tuple(self.trick), self.holder))
        for count in (self.count_stoeck, self.count_weis):
            if count() and self.ends_mid_round():
                self.end_play()
                return
        self.score_trick()

    def ends_mid_round(self) -> bool:
        """Whether a side has reached the target within the round (SC6)."""
        options = self.game.options
        if options["rounds"] or options["end"] != "at_once":
            return False
        return max(self.running_totals()) >= self.target

    def running_totals(self) -> list[int]:
        """The total of each side, including this round so far (SC6)."""
        return [sum(pair) for pair in zip(self.total, self.written_points(), strict=True)]

    @property
    def target(self) -> int:
        """The points that win the match (SC6)."""
        target = self.game.options["target"]
        assert isinstance(target, int)
        return target

    def after_play(self) -> None:
        """Writes the round, and begins the next one or ends the match (SC6, SC7)."""
        self.write_round()
        rounds = self.game.options["rounds"]
        if rounds:
            over = len(self.rounds) == rounds
        else:
            over = max(self.total) >= self.target and self.total[0] != self.total[1]
        if over:
            self.finish(self.leading_side_seats())
        else:
            self.next_deal()

    def rest_is_decided(self, seat: int) -> bool:
        """Once no Weis can follow, unless a side may reach the target within the round (SC6).

        In a round played to its end all cards fall, and with them all Stöck. Where the target may
        be reached before, the cards of the others decide with which trick.
        """
        return not self.weis_possible and not self.may_end_mid_round(seat)

    def may_end_mid_round(self, seat: int) -> bool:
        """Whether a side may reach the target within the round if this seat takes all tricks."""
        options = self.game.options
        if options["rounds"] or options["end"] != "at_once":
            return False
        most = [points + self.possible_stoeck_points for points in self.side_points()]
        fallen = sum(points_of(taken, self.value_ranking) for taken in self.taken)
        most[seat % 2] += tricks.ALL_POINTS - fallen + self.match_bonus
        factor = self.factor()
        totals = [total + points * factor for total, points in zip(self.total, most, strict=True)]
        return max(totals) >= self.target

    @property
    def possible_stoeck_points(self) -> int:
        """The points a side may still get for Stöck, by public information (SC4)."""
        open_still = (
            self.is_weis_scored and KING_AND_QUEEN[self.value_ranking] and not any(self.stoeck)
        )
        return STOECK if open_still else 0

    def standing(self) -> list[Json]:
        """The side of each seat and its points."""
        return [{"side": seat % 2, "points": self.total[seat % 2]} for seat in range(self.players)]

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views."""
        return self.card_delta(action)


def factor_of(ranking: int, multipliers: str) -> int:
    """The factor of a contract (SC5).

    Args:
        ranking: the ranking by which the cards count.
        multipliers: the option of that name.
    """
    if multipliers == "none":
        return 1
    if not tricks.TRUMP_CARDS[ranking]:
        return 3
    return 2 if SUITS[ranking] in DOUBLED_SUITS[multipliers] else 1

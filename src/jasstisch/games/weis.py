"""Weis and Stöck, shared by the games that count them (JS7, JS8, SC3, SC4).

The shared part: with the first card a player may announce their melds. After the first trick the
best announced meld decides who shows and scores. King and queen of trumps from one hand score
Stöck. A game defines who scores beside the holder of the best meld, and when Stöck counts.
"""

from collections.abc import Sequence
from typing import ClassVar, TypedDict

from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import Refusal
from jasstisch.games.rules import Json, ViewDelta
from jasstisch.games.trick_taking import CARD_BY_ACTION, NO_SEAT, TrickTaking, normalize_action
from jasstisch.games.views import Card, CommonView

WEIS = " weis"
"""The suffix of a play that announces Weis."""

STOECK = 20
"""The points of Stöck, king and queen of trumps (JS8)."""

KING_AND_QUEEN = tuple(
    0b11 << tricks.RANKS * row + 6 if trumps else 0 for row, trumps in enumerate(tricks.TRUMP_CARDS)
)
"""The Stöck of each ranking as a set of cards, empty without a trump (JS8)."""


class Meld(TypedDict):
    """A run or a four as Weis, with its points (JS7)."""

    cards: list[Card]
    points: int


class Announced(TypedDict):
    """Weis announced: the points of the seat's best meld (JS7, SC3)."""

    seat: int
    points: int


class WeisShown(TypedDict):
    """The melds shown after the first trick, by the holder of the best one or a side (JS7, SC3).

    `seat` is that of the holder, whose own melds come first.
    """

    seat: int
    melds: list[Meld]


class WeisView(CommonView):
    """The part of a view that games with Weis share.

    `melds` are those the reader may still announce, best first; `weis` and `stoeck` are the points
    scored for them in this round.
    """

    melds: list[Meld]
    announced: list[Announced]
    weis_shown: WeisShown | None
    weis: list[int]
    stoeck: list[int]


class WeisGame(TrickTaking):
    """A trick-taking game in which Weis and Stöck score too.

    Attributes:
        announced: the Weis announced, in order: seat and all its melds, best first.
        weis, stoeck: points scored for them, per seat.
        stoeck_holder: the seat that has played king or queen of trumps from a hand with both.
    """

    revealing_keys: ClassVar[tuple[str, ...]] = ("announced", "weis_shown", "weis", "stoeck")
    weis_clause: ClassVar[str] = "JS7"
    """The id of the clause that says who may announce Weis, and when."""

    def clear(self) -> None:
        """Leaves the table empty, as between rounds."""
        super().clear()
        self.announced: list[tuple[int, list[int]]] = []
        self.weis = [0] * self.players
        self.stoeck = [0] * self.players
        self.stoeck_holder = NO_SEAT

    @property
    def is_weis_scored(self) -> bool:
        """Whether Weis and Stöck count at this table."""
        return True

    # Weis (JS7, SC3).

    def announceable_melds(self, seat: int) -> list[int]:
        """The melds a seat may still announce, best first."""
        opened = bool(self.history) or seat in [other for other, _ in self.current_trick()]
        if opened or not self.hands[seat] or not self.is_weis_scored:
            return []
        return melds.melds_in_hand(self.hands[seat], self.value_ranking)

    def best_announced(self) -> tuple[int, list[int]]:
        """The seat with the best announced meld, the earlier among equals, and all its melds."""
        return max(
            self.announced, key=lambda one: melds.weis_strength(one[1][0], self.value_ranking)
        )

    def weis_scoring_seats(self, seat: int) -> tuple[int, ...]:
        """The seats whose announced melds score where this seat holds the best: only its own."""
        return (seat,)

    def shown_weis(self) -> list[tuple[int, list[int]]]:
        """The melds shown by each seat, the holder of the best meld first; [] before that."""
        if not self.history or not self.announced:
            return []
        best, _ = self.best_announced()
        shown = [one for one in self.announced if one[0] in self.weis_scoring_seats(best)]
        return sorted(shown, key=lambda one: one[0] != best)

    def score_weis(self) -> None:
        """Scores the melds that are shown after the first trick."""
        for seat, own in self.shown_weis():
            self.weis[seat] = sum(map(melds.weis_points, own))
            self.extra[seat] += self.weis[seat]

    @property
    def weis_possible(self) -> bool:
        """Whether somebody may still announce Weis in this round."""
        return self.is_weis_scored and not self.history

    # Stöck (JS8, SC4).

    def play(self, card: int) -> None:
        """Plays a legal card; the second card of king and queen of trumps calls Stöck."""
        seat = self.turn
        pair = KING_AND_QUEEN[self.value_ranking]
        if pair >> card & 1 and self.is_weis_scored:
            if self.hands[seat] & pair == pair:
                self.stoeck_holder = seat
            elif self.stoeck_holder == seat:
                self.call_stoeck(seat)
        super().play(card)

    def call_stoeck(self, seat: int) -> None:
        """Scores the Stöck of a seat."""
        self.stoeck[seat] = STOECK
        self.extra[seat] += STOECK

    # Actions.

    def legal(self, seat: int) -> Sequence[str]:
        """The cards a seat may play, then the same with Weis where it may announce any."""
        plays = super().legal(seat)
        if not plays or self.history or not self.announceable_melds(seat):
            return plays
        return (*plays, *(play + WEIS for play in plays))

    def other_actions(self) -> Sequence[str] | None:
        """No actions besides the play of a card, with or without Weis."""
        return ()

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not do this now; None when it may."""
        out_of_turn = self.turn_refusal(seat)
        if out_of_turn is not None:
            return out_of_turn
        text = normalize_action(action)
        card = text.removesuffix(WEIS)
        if card != text and card in CARD_BY_ACTION and not self.announceable_melds(seat):
            return Refusal(self.weis_clause, "weis", self.weis_refusal_text(seat))
        return super().refusal(seat, card)

    def weis_refusal_text(self, seat: int) -> str:
        """Why a seat may not announce Weis with this card."""
        if self.history:
            return "Weis is announced with the first card only"
        return f"seat {seat} holds no run of three or more and no four"

    def do(self, action: str, seat: int) -> str:
        """Plays a legal card and records the Weis announced with it."""
        card = action.removesuffix(WEIS)
        if card != action:
            self.announced.append((seat, self.announceable_melds(seat)))
        super().do(card, seat)
        return action

    def is_undoable(self, action: str) -> bool:
        """Excludes plays that announced Weis, and the play after which Weis were shown."""
        just_shown = len(self.history) == 1 and not self.trick and bool(self.shown_weis())
        return super().is_undoable(action) and not just_shown

    # What can be seen.

    def card_delta(self, action: str) -> ViewDelta | None:
        """The changes of a card in the views, where it can have scored neither Weis nor Stöck."""
        if (
            not self.history
            or not self.trick
            or KING_AND_QUEEN[self.value_ranking] >> self.trick[-1] & 1
        ):
            return None
        return super().card_delta(action)

    def private_view(self, seat: int) -> Json:
        """The Weis that this seat could announce."""
        return super().private_view(seat) | {"melds": _melds_json(self.announceable_melds(seat))}

    def table_view(self, seat: int | None) -> Json:
        """The tricks, and Weis and Stöck as far as they are known."""
        own = [] if seat is None else self.announceable_melds(seat)
        shown = self.shown_weis()
        return super().table_view(seat) | {
            "melds": _melds_json(own),
            "announced": [
                {"seat": other, "points": melds.weis_points(melds_of[0])}
                for other, melds_of in self.announced
            ],
            "weis_shown": {
                "seat": shown[0][0],
                "melds": _melds_json([meld for _, of in shown for meld in of]),
            }
            if shown
            else None,
            "weis": list(self.weis),
            "stoeck": list(self.stoeck),
        }


def _melds_json(of: Sequence[int]) -> list[Json]:
    """Melds as JSON, as in views."""
    return [{"cards": JASS.texts_of(meld), "points": melds.weis_points(meld)} for meld in of]

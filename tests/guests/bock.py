"""Bock: forehand names a trump or pushes; the player who named it writes the tricks they take."""

from collections.abc import Sequence
from typing import ClassVar

from jasstisch.engine.cards import SUITS
from jasstisch.engine.errors import Refusal
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import COMMON_OPTIONS, Game, Json
from jasstisch.games.trick_taking import SINGLE_SEATS, TrickTaking, normalize_action

TRUMPS = tuple(f"trump {suit}" for suit in SUITS)
PUSH = "push"
SAID = {action.lower(): action for action in (*TRUMPS, PUSH)}
"""What may be said before the play, by its spelling in small letters."""


class Bock(TrickTaking, name="bock"):
    """One match of Bock for four players.

    Attributes:
        by: who named the trump, None before.
        goats: the tricks each seat has written.
        finest: the most that each has written in one round, and in which.
    """

    options = (
        Whole("players", 4, low=4, high=4),
        *COMMON_OPTIONS,
        Choice("undertrump", ("if_void",)),
        Choice("goat_colour", ("black", "white")),
        Whole("rounds", 2, low=1, high=8),
    )
    PACKETS: ClassVar = {4: (3, 3, 3)}

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.by: int | None = None
        self.goats = [0] * self.players
        self.finest: list[Json] = [{} for _ in range(self.players)]

    def after_deal(self, pack: Sequence[int]) -> None:
        """Forehand is asked first."""
        self.by = None
        self.phase = "announce"
        self.to_act = SINGLE_SEATS[self.playing[0]]

    def legal(self, seat: int) -> Sequence[str]:
        """A trump or `push`, which the last to be asked may not; or the cards."""
        if self.phase != "announce":
            return super().legal(seat)
        if seat not in self.to_act:
            return ()
        return TRUMPS if seat == self.playing[-1] else (*TRUMPS, PUSH)

    def refusal(self, seat: int, action: str) -> Refusal | None:
        """Why a seat may not say or play this now; None when it may."""
        if self.phase != "announce":
            return super().refusal(seat, action)
        turn = self.turn_refusal(seat)
        if turn is not None or SAID.get(normalize_action(action)) in self.legal(seat):
            return turn
        return Refusal("B2", "announce", "name a trump, or push unless you are the last")

    def do(self, action: str, seat: int) -> str:
        """Does a legal action."""
        if self.phase != "announce":
            return super().do(action, seat)
        said = SAID[action]
        if said == PUSH:
            self.to_act = SINGLE_SEATS[self.playing[self.playing.index(seat) + 1]]
        else:
            self.trump = SUITS.index(said[-1])
            self.by = seat
            self.begin_play()
        return said

    def after_play(self) -> None:
        """The player who named the trump writes the tricks they took."""
        assert self.by is not None
        taken = sum(winner == self.by for _, _, winner in self.history)
        marks = ["-"] * self.players
        marks[self.by] = f"+{taken}"
        self.goats[self.by] += taken
        best = self.finest[self.by]
        if taken > best.get("goats", -1):
            self.finest[self.by] = {"goats": taken, "round": len(self.rounds) + 1}
        self.finish_round(self.points(), marks, by=self.by)
        if len(self.rounds) == self.game.options["rounds"]:
            most = max(self.goats)
            self.finish([seat for seat, goats in enumerate(self.goats) if goats == most])
        else:
            self.next_deal()

    def standing(self) -> list[Json]:
        """What each seat has written."""
        return [
            {"goats": goats, "leads": goats == max(self.goats) > 0, "best_round": dict(best)}
            for goats, best in zip(self.goats, self.finest, strict=True)
        ]

    def table_view(self, seat: int | None) -> Json:
        """Who named the trump, besides what lies on the table."""
        return {**super().table_view(seat), "by": self.by}

"""One step of a match as the learner sees it: the views before and after it, and legal actions.

The module answers the questions about a step that the triggers of several games ask.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

View = Mapping[str, Any]
"""The view of a seat, from `Match.view`."""


@dataclass(frozen=True, slots=True)
class MatchStep:
    """The change by one pack or action, from the learner's point of view.

    Attributes:
        before: the learner's view before it; None at the start.
        view: the learner's view now.
        legal: the learner's legal actions; empty out of turn.
        suggested_action: the suggested action; None out of turn.
    """

    before: View | None
    view: View
    legal: Sequence[str]
    suggested_action: str | None = None

    @property
    def learner_seat(self) -> int:
        """The learner's seat."""
        return int(self.view["seat"])

    @property
    def my_turn(self) -> bool:
        """Whether the learner may act."""
        return len(self.legal) > 0

    @property
    def just_dealt(self) -> bool:
        """Whether the round has just been dealt."""
        return bool(self.view["hand"]) and not (self.before and self.before["hand"])

    @property
    def hand(self) -> list[str]:
        """The learner's cards."""
        return list(self.view["hand"])

    # Tricks.

    @property
    def must_play_card(self) -> bool:
        """Whether the learner is to play a card."""
        return self.my_turn and self.view["phase"] == "play"

    @property
    def led_suit(self) -> str | None:
        """The suit led in the trick in progress."""
        return str(self.view["trick"][0][1][1]) if self.view["trick"] else None

    @property
    def on_table(self) -> list[str]:
        """The cards of the trick in progress."""
        return [card for _, card in self.view["trick"]]

    @property
    def playable(self) -> list[str]:
        """The cards the learner may play now."""
        return [action.split()[1] for action in self.legal if action.startswith("play ")]

    @property
    def completed_trick(self) -> View | None:
        """The trick that has just been completed."""
        if self.before is None:
            return None
        ended = self.finished_round
        tricks = self.view["tricks"] if ended is None else ended["tricks"]
        return tricks[-1] if len(tricks) > len(self.before["tricks"]) else None

    @property
    def finished_round(self) -> View | None:
        """The round that has just ended."""
        if self.before is None or len(self.view["rounds"]) == len(self.before["rounds"]):
            return None
        finished: View = self.view["rounds"][-1]
        return finished

    @property
    def trump(self) -> str | None:
        """The trump suit, also at the end of the round."""
        ended = self.finished_round
        trump = self.view["trump"] if ended is None else ended["trump"]
        return None if trump is None else str(trump)

    @property
    def trump_just_made(self) -> bool:
        """Whether a suit has just become trump."""
        return self.before is not None and not self.before["trump"] and self.trump is not None

    @property
    def last_played(self) -> tuple[int, str] | None:
        """The seat that has just played a card, and the card."""
        before, trick = self.before, self.completed_trick
        if trick is not None:
            players = len(trick["cards"])
            order = [(trick["leader"] + step) % players for step in range(players)]
            return order[-1], trick["cards"][-1]
        if before is None or len(self.view["trick"]) <= len(before["trick"]):
            return None
        seat, card = self.view["trick"][-1]
        return seat, card

"""What a player remembers beside what its view still shows: perfect recall over a whole match.

A view tells a round in full while it lasts. What is gone with it is kept here: the hands a seat has
held, each time it got cards, and all that it saw of a round at its end.
"""

import json
from typing import Any

from jasstisch.env.matches.encoded_match import EncodedMatch

__all__ = ["RecallBuffer"]


class RecallBuffer:
    """What each seat remembers.

    Attributes:
        entries: for each seat, in order; texts of JSON.
    """

    def __init__(self, players: int) -> None:
        self.entries: list[tuple[str, ...]] = [()] * players
        self._hands = [0] * players

    def __deepcopy__(self, _memo: object) -> "RecallBuffer":
        made = RecallBuffer(len(self.entries))
        made.entries, made._hands = self.entries[:], self._hands[:]
        return made

    def observe(self, playing: EncodedMatch) -> None:
        """Takes in how a match stands after a pack or an action."""
        rules = playing.rules
        for seat, before in enumerate(self._hands):
            hand = rules.hand(seat)
            if hand & ~before:
                self._append(seat, rules.deck.texts_of(hand))
            self._hands[seat] = hand
            if not rules.to_act:
                self._append(seat, rules.table_view(seat))

    def _append(self, seat: int, told: Any) -> None:  # noqa: ANN401 - any JSON
        self.entries[seat] = (*self.entries[seat], json.dumps(told, separators=(",", ":")))

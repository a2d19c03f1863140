"""What a player remembers beside what its view still shows: perfect recall over a whole match.

A view tells a round in full while it lasts. What is gone with it is kept here: the hands a seat has
held, each time it got cards, and all that it saw of a round at its end.
"""

import json
from typing import Any

from jasstisch.env.matches.playing import Playing

__all__ = ["Memory"]


class Memory:
    """What each seat remembers.

    Attributes:
        kept: for each seat, in order; texts of JSON.
    """

    def __init__(self, players: int) -> None:
        self.kept: list[tuple[str, ...]] = [()] * players
        self._hands = [0] * players

    def __deepcopy__(self, _memo: object) -> "Memory":
        made = Memory(len(self.kept))
        made.kept, made._hands = self.kept[:], self._hands[:]
        return made

    def look(self, playing: Playing) -> None:
        """Takes in how a match stands after a pack or an action."""
        rules = playing.rules
        for seat, before in enumerate(self._hands):
            hand = rules.hand(seat)
            if hand & ~before:
                self._keep(seat, rules.deck.write(hand))
            self._hands[seat] = hand
            if not rules.to_act:
                self._keep(seat, rules.table(seat))

    def _keep(self, seat: int, told: Any) -> None:  # noqa: ANN401 - any JSON
        self.kept[seat] = (*self.kept[seat], json.dumps(told, separators=(",", ":")))

"""Perfect recall: the memory of each player over an episode, beyond the current view.

A view contains a round in full while it lasts. What it loses afterwards is kept here: the hands
that a seat has held, each time it received cards, and all that it saw of a round at its end.
"""

import json
from typing import Any

from jasstisch.env.matches.encoded_match import EncodedMatch
from jasstisch.env.matches.game_features import WHOLE_ROUND_OBSERVED
from jasstisch.games.rules import Game


def is_round_in_tensor(game: Game) -> bool:
    """Whether the tensor of an observation contains all that a seat has learnt in its round.

    The cards drawn for the deal are left out. A void deal is forgotten (MV7), and so is in
    I Doubt It which cards were taken up when.
    """
    return game.rules in WHOLE_ROUND_OBSERVED and game.options.get("no_trump") != "annul"


class RecallBuffer:
    """The memory of each seat.

    Attributes:
        entries: the entries of each seat in order, as JSON texts.
    """

    def __init__(self, players: int) -> None:
        self.entries: list[tuple[str, ...]] = [()] * players
        self._hands = [0] * players

    def __deepcopy__(self, _memo: object) -> "RecallBuffer":
        made = RecallBuffer(len(self.entries))
        made.entries, made._hands = self.entries[:], self._hands[:]
        return made

    def observe(self, playing: EncodedMatch) -> None:
        """Records the state of a match after a pack or an action."""
        rules = playing.rules
        for seat, before in enumerate(self._hands):
            hand = rules.hand(seat)
            if hand & ~before:
                self._append(seat, rules.deck.texts_of(hand))
            self._hands[seat] = hand
            if not rules.to_act:
                self._append(seat, rules.table_view(seat))

    def _append(self, seat: int, entry: Any) -> None:  # noqa: ANN401 - any JSON
        self.entries[seat] = (*self.entries[seat], json.dumps(entry, separators=(",", ":")))

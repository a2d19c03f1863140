"""Offenbach Molotov, the earlier form: at most five players, and two sacks for five (MV0)."""

from jasstisch.games.molotov import Molotov
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import Trace

__all__ = ["Offenbach"]

CHANGED: dict[str, Option] = {
    "players": Whole("players", 4, low=3, high=5),  # MV1
    "five_player_marks": Choice("five_player_marks", ("2-1-2", "3-1-1")),  # MV8
}


class Offenbach(Molotov, name="offenbach"):
    """One match of Offenbach Molotov for three to five players."""

    options = tuple(CHANGED.get(option.name, option) for option in Molotov.options)

    def rest_is_settled(self, seat: int) -> bool:
        """Where no run can come together any more, as in the later form."""
        return Molotov.rest_is_settled(self, seat)

    def trace(self, action: str) -> Trace | None:
        """What a card has changed, as in the later form."""
        return Molotov.trace(self, action)

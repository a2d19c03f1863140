"""Offenbach Molotov, the earlier form: at most five players, and two sacks for five (MV0)."""

from jasstisch.games.molotov import Molotov
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import ViewDelta

_CHANGED_OPTIONS: dict[str, Option] = {
    "players": Whole("players", 4, low=3, high=5),  # MV1
    "five_player_marks": Choice("five_player_marks", ("2-1-2", "3-1-1")),  # MV8
}


class Offenbach(Molotov, name="offenbach"):
    """One match of Offenbach Molotov for three to five players."""

    options = tuple(_CHANGED_OPTIONS.get(option.name, option) for option in Molotov.options)

    def rest_is_decided(self, seat: int) -> bool:
        """If the seat wins in any order and no run can occur, as in the later form."""
        return Molotov.rest_is_decided(self, seat)

    def action_delta(self, action: str) -> ViewDelta | None:
        """What the last card played changed in the views, as in the later form."""
        return Molotov.action_delta(self, action)

"""A bot of Molotov in a file: plays the card that counts least, and talks to nobody.

Try it: jasstisch arena molotov examples/low.py:Low --against random
"""

from collections.abc import Sequence
from random import Random

from jasstisch.bots import View

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}


class Low:
    """Whoever takes few points is well off at Molotov, so it plays what few will want."""

    name = "low"
    games = ("molotov", "offenbach")

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """The card that counts least; where it is not about cards, anything."""
        cards = [action for action in legal if action.startswith("play ")]
        if not cards:
            return rng.choice(legal)
        return min(cards, key=lambda action: worth(action.split()[1], view["trump"]))


def worth(card: str, trump: str | None) -> int:
    """What a card such as `JC` counts, the suit being its second letter."""
    points = TRUMP_POINTS if card[1] == trump else POINTS
    return points.get(card[0], 0)

"""A Molotov bot in one file: it plays the legal card with the fewest points.

Try it: jasstisch arena molotov examples/low.py:Low --against random
"""

from collections.abc import Sequence
from random import Random

from jasstisch.bots import View

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}


class Low:
    """A bot that plays low cards, because few points are good at Molotov."""

    name = "low"
    games = ("molotov", "offenbach")

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Plays the card with the fewest points; any action if no card can be played."""
        cards = [action for action in legal if action.startswith("play ")]
        if not cards:
            return rng.choice(legal)
        return min(cards, key=lambda action: card_points(action.split()[1], view["trump"]))


def card_points(card: str, trump: str | None) -> int:
    """The points of a card such as `JC`, whose suit is the second letter."""
    points = TRUMP_POINTS if card[1] == trump else POINTS
    return points.get(card[0], 0)

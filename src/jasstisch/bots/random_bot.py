"""The bot `random`: any legal action, each with the same chance."""

from collections.abc import Sequence
from random import Random

from jasstisch.bots.api import View

__all__ = ["RandomBot"]


class RandomBot:
    """A player without any idea of the game: the one that every other must beat."""

    name = "random"

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """One of the legal actions, by chance."""
        return legal[rng.randrange(len(legal))]

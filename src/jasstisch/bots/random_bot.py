"""The bot `random`: a uniformly random legal action."""

from collections.abc import Sequence
from random import Random

from jasstisch.bots.api import View


class RandomBot:
    """A player that chooses uniformly at random: the baseline that every other bot must beat."""

    name = "random"

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Returns one of the legal actions, all equally likely."""
        return legal[rng.randrange(len(legal))]

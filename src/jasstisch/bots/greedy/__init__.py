"""The bot `greedy`: rules of thumb, one look ahead, no search.

It gives every card it may play a figure and plays the best; equal cards, the first. How a card is
judged is another matter in every game: each game has a module of its own in this package, and a
module that is here is known. In a game without one `greedy` refuses to play rather than play badly.
"""

from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from random import Random

from jasstisch.bots.api import View
from jasstisch.bots.greedy.registry import STRATEGIES
from jasstisch.engine.errors import GameError

__all__ = ["GreedyBot"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")


class GreedyBot:
    """A sensible player that never looks further than the trick on the table."""

    name = "greedy"

    @property
    def games(self) -> tuple[str, ...]:
        """The games it has rules of thumb for, in alphabetical order."""
        return tuple(sorted(STRATEGIES))

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """The action its rules of thumb like best; chance plays no part.

        Raises:
            GameError: it has no rules of thumb for this game.
        """
        choose = STRATEGIES.get(view["game"])
        if choose is None:
            raise GameError(f"greedy cannot play {view['game']}; it plays {', '.join(self.games)}")
        return choose(view, legal)

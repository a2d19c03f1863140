"""The bot `greedy`: heuristics that look one card ahead, without search.

The bot scores every legal action and plays the best; of equal actions, the first. This package
decides how an action is scored: each game has a module of its own here, which is found and imported
automatically.

It does not decide what is legal, and it uses no randomness. `greedy` refuses games without such a
module.

Begin with `registry`, then `trick_estimates`, then any game.
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
    """A heuristic player that looks no further than the trick on the table."""

    name = "greedy"

    @property
    def games(self) -> tuple[str, ...]:
        """The games for which there are heuristics, in alphabetical order."""
        return tuple(sorted(STRATEGIES))

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Returns the action that the heuristics score highest; `rng` is not used.

        Raises:
            GameError: there are no heuristics for this game.
        """
        choose = STRATEGIES.get(view["game"])
        if choose is None:
            raise GameError(f"greedy cannot play {view['game']}; it plays {', '.join(self.games)}")
        return choose(view, legal)

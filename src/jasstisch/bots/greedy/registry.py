"""Which games `greedy` knows. A module of this package adds its games with `plays`."""

from collections.abc import Callable, Sequence

from jasstisch.bots.api import View

__all__ = ["STRATEGIES", "Strategy", "strategy_for"]

Strategy = Callable[[View, Sequence[str]], str]
"""Chooses one of the legal actions of the seat whose view it is."""

STRATEGIES: dict[str, Strategy] = {}
"""The rules of thumb of each game, by its name."""


def strategy_for(*games: str) -> Callable[[Strategy], Strategy]:
    """Makes the decorated function the rules of thumb for these games."""

    def add(choose: Strategy) -> Strategy:
        STRATEGIES.update(dict.fromkeys(games, choose))
        return choose

    return add

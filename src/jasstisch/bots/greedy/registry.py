"""The registry of heuristics: modules of this package add their games with `strategy_for`."""

from collections.abc import Callable, Sequence

from jasstisch.bots.api import View

Strategy = Callable[[View, Sequence[str]], str]
"""Chooses one of the legal actions of the seat that a view belongs to."""

STRATEGIES: dict[str, Strategy] = {}
"""The heuristics of each game, by its name."""


def strategy_for(*games: str) -> Callable[[Strategy], Strategy]:
    """Registers the decorated function as the heuristics of these games."""

    def add(choose: Strategy) -> Strategy:
        STRATEGIES.update(dict.fromkeys(games, choose))
        return choose

    return add

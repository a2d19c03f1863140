"""The registry of heuristics: modules of this package add their games with `register_strategy`."""

from collections.abc import Callable, Sequence

from jasstisch.bots.api import View

Strategy = Callable[[View, Sequence[str]], str]
"""Chooses one of the legal actions of the seat that a view belongs to."""

STRATEGIES: dict[str, Strategy] = {}
"""The heuristics of each game, by its name."""


def register_strategy(*games: str) -> Callable[[Strategy], Strategy]:
    """Registers the decorated function as the heuristics of these games."""

    def add(choose: Strategy) -> Strategy:
        STRATEGIES.update(dict.fromkeys(games, choose))
        return choose

    return add

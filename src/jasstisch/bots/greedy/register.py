"""Which games `greedy` knows. A module of this package adds its games with `plays`."""

from collections.abc import Callable, Sequence

from jasstisch.bots import View

__all__ = ["KNOWN", "Choose", "plays"]

Choose = Callable[[View, Sequence[str]], str]
"""Chooses one of the legal actions of the seat whose view it is."""

KNOWN: dict[str, Choose] = {}
"""The rules of thumb of each game, by its name."""


def plays(*games: str) -> Callable[[Choose], Choose]:
    """Makes the decorated function the rules of thumb for these games."""

    def add(choose: Choose) -> Choose:
        KNOWN.update(dict.fromkeys(games, choose))
        return choose

    return add

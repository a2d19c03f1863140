"""Which games the searching players know. A module of this package adds its games with `thinks`."""

from collections.abc import Callable, Sequence
from random import Random

from jasstisch.bots import View
from jasstisch.bots.searching.effort import Candidate, Effort

__all__ = ["KNOWN", "Weigh", "thinks"]

Weigh = Callable[[View, Sequence[str], Random, Effort], list[Candidate]]
"""Weighs the legal actions of the seat whose view it is, with so much effort; best first."""

KNOWN: dict[str, Weigh] = {}
"""How each game is thought about, by its name."""


def thinks(*games: str) -> Callable[[Weigh], Weigh]:
    """Makes the decorated function the way to think about these games."""

    def add(weigh: Weigh) -> Weigh:
        KNOWN.update(dict.fromkeys(games, weigh))
        return weigh

    return add

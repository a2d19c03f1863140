"""Which games the searching players know, and how each is thought about.

A module of this package adds the games that need a way of their own with `thinks`. Any other game
of tricks is played as `otherwise` says: its cards are known by the rules that all of them share.
"""

from collections.abc import Callable, Sequence
from random import Random

from jasstisch.bots import View
from jasstisch.bots.searching.effort import Candidate, Effort
from jasstisch.games.rules import REGISTRY
from jasstisch.games.trick_taking import TrickTaking

__all__ = ["OWN", "Weigh", "known", "otherwise", "thinks", "thought_of"]

Weigh = Callable[[View, Sequence[str], Random, Effort], list[Candidate]]
"""Weighs the legal actions of the seat whose view it is, with so much effort; best first."""

OWN: dict[str, Weigh] = {}
"""How games are thought about that need a way of their own, by their names."""

OTHERS: list[Weigh] = []
"""How all other games of tricks are; one entry once it is there."""


def thinks(*games: str) -> Callable[[Weigh], Weigh]:
    """Makes the decorated function the way to think about these games."""

    def add(weigh: Weigh) -> Weigh:
        OWN.update(dict.fromkeys(games, weigh))
        return weigh

    return add


def otherwise(weigh: Weigh) -> Weigh:
    """Makes the decorated function the way to think about all other games of tricks."""
    OTHERS.append(weigh)
    return weigh


def thought_of(game: str) -> Weigh | None:
    """How a game is thought about; None where nobody can.

    A game of tricks without a figure is none of those: nobody knows whether points are good.
    """
    if game in OWN:
        return OWN[game]
    rules = REGISTRY.get(game)
    plays_tricks = rules is not None and issubclass(rules, TrickTaking) and rules.figure is not None
    return OTHERS[0] if plays_tricks else None


def known() -> list[str]:
    """The games that can be thought about, in alphabetical order."""
    return sorted(game for game in REGISTRY if thought_of(game) is not None)

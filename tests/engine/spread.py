"""For each game a few choices of options which together hold every value of every option."""

import random
from collections.abc import Iterator
from typing import Any

import jasstisch as jt
from jasstisch.games.options import Choice, Dealer, Option
from jasstisch.games.rules import REGISTRY

__all__ = ["spread"]

# Numbers within wide bounds: short matches are enough.
NUMBERS = {"target": (1, 2, 3), "rounds": (1, 2), "max_turns": (20, 30)}
SHORTEST = {"differenzler": {"rounds": 4}, "jass": {"target": 5}}


def values(option: Option, players: int) -> tuple[Any, ...]:
    """The values of an option to spread; a dealer is a seat at every number of players."""
    match option:
        case Choice():
            return option.values
        case Dealer():
            return (None, players - 1, 0)
        case _ if option.name == "players":
            return tuple(range(option.low, option.high + 1))
        case _:
            return NUMBERS[option.name]


def spread(name: str, *, turns: int = 1, shortest: bool = False) -> Iterator[jt.Game]:
    """Games of this name; every value of every option is in one of them at least.

    Args:
        name: the game.
        turns: how often to go through all values, each time in other company.
        shortest: leave out the values that make matches long.
    """
    options = REGISTRY[name].options
    count = max(len(values(option, 0)) for option in options)
    for number in range(turns * count):
        chosen: dict[str, Any] = {}
        for option in options:
            among = values(option, chosen.get("players", 0))
            go, place = divmod(number, len(among))
            order = random.Random(f"{name} {option.name} {go}").sample(
                range(len(among)), len(among)
            )
            chosen[option.name] = among[order[place]]
        if shortest:
            chosen |= SHORTEST.get(name, {})
        yield jt.game(name, **chosen)

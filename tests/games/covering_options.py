"""A few games of each name whose options together cover every value of every option."""

import random
from collections.abc import Iterator
from typing import Any

import jasstisch as jt
from jasstisch.games.options import Choice, DealerOption, Option
from jasstisch.games.rules import REGISTRY

# Numbers within wide bounds: short matches are enough.
NUMERIC_VALUES = {"target": (1, 2, 3), "rounds": (1, 2), "max_turns": (20, 30)}
SHORTEST: dict[str, dict[str, tuple[Any, ...]]] = {
    "differenzler": {"rounds": (4,)},
    "i-doubt-it": {"rounds": (1, 1, 1, 2)},
    "jass": {"target": (5,)},
    "schieber": {"target": (1000,), "rounds": (0, 4, 4)},
    "coiffeur": {"dealer": (None, 3)},
}
"""The values to choose from where matches have to be short.

A match of Coiffeur is never short: two cover its other options. One match of Schieber is played to
its target.
"""


def values(option: Option, players: int) -> tuple[Any, ...]:
    """The values of an option to cover; a dealer is a seat that this number of players has."""
    match option:
        case Choice():
            return option.values
        case DealerOption():
            return (None, players - 1, 0)
        case _ if option.name == "players":
            return tuple(range(option.low, option.high + 1))
        case _:
            return NUMERIC_VALUES[option.name]


def covering_games(name: str, *, turns: int = 1, shortest: bool = False) -> Iterator[jt.Game]:
    """Yields games of this name; every value of every option is in at least one of them.

    Args:
        name: the game.
        turns: how often to go through all values, each time in other combinations.
        shortest: leave out the values that make matches long (`SHORTEST`).
    """
    options = REGISTRY[name].options
    among_few = SHORTEST.get(name, {}) if shortest else {}
    count = max(len(among_few.get(option.name, values(option, 0))) for option in options)
    for number in range(turns * count):
        chosen: dict[str, Any] = {}
        for option in options:
            among = among_few.get(option.name, values(option, chosen.get("players", 0)))
            go, place = divmod(number, len(among))
            order = random.Random(f"{name} {option.name} {go}").sample(
                range(len(among)), len(among)
            )
            chosen[option.name] = among[order[place]]
        yield jt.game(name, **chosen)

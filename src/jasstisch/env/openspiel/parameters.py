"""The options of a game as parameters of OpenSpiel, each a number or a text.

OpenSpiel knows no None: the dealer is -1 where they draw for it, and a number whose default depends
on the number of players is 0 where none is chosen. It takes a text of digits and hyphens for a
number, so that `3-1-1` is written `3_1_1`.
"""

from collections.abc import Mapping

from jasstisch.games.options import Choice, Dealer, Option, Value, Whole
from jasstisch.games.rules import REGISTRY, Game

__all__ = ["Parameter", "default_parameters", "game_from_parameters"]

Parameter = int | str
"""The value of a parameter."""

DRAWN = -1
"""The dealer is drawn for."""

GAME_DEFAULT = 0
"""As usual with this number of players."""


def default_parameters(options: tuple[Option, ...]) -> dict[str, Parameter]:
    """Every parameter with its default."""
    return {one.name: _default(one) for one in options}


def _default(option: Option) -> Parameter:
    if isinstance(option, Dealer):
        return DRAWN
    if isinstance(option, Whole) and option.defaults_by_players:
        return GAME_DEFAULT
    return _to_parameter(option.default)


def _to_parameter(value: Value) -> Parameter:
    """A value as a parameter."""
    assert value is not None
    if isinstance(value, str) and value[0].isdigit():
        return value.replace("-", "_")
    return value


def game_from_parameters(name: str, given: Mapping[str, Parameter]) -> Game:
    """The game with these parameters.

    Raises:
        GameError: a value is not allowed.
    """
    options = REGISTRY[name].options
    usual = default_parameters(options)
    chosen: dict[str, Value] = {key: one for key, one in given.items() if one != usual.get(key)}
    for option in options:
        if isinstance(option, Choice) and option.name in chosen:
            spelled = {_to_parameter(value): value for value in option.values}
            chosen[option.name] = spelled.get(given[option.name], given[option.name])
    return Game(name, chosen)

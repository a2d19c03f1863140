"""The options of a game and what an episode is, as parameters of OpenSpiel.

A parameter is a number or a string.

OpenSpiel has no None: the dealer is -1 if it is drawn by lot, and a number whose default depends on
the number of players is 0 if it is not chosen. OpenSpiel reads a string of digits and hyphens as a
number, so `3-1-1` is written `3_1_1`.
"""

from collections.abc import Mapping

from jasstisch.env.matches.encoded_match import MATCH, check_episode
from jasstisch.games.options import Choice, DealerOption, Option, Value, Whole
from jasstisch.games.rules import REGISTRY, Game

Parameter = int | str
"""The value of a parameter."""

_DRAWN = -1
"""The dealer is drawn by lot."""

_GAME_DEFAULT = 0
"""The default for the number of players."""


_EPISODE = "episode"
"""The parameter that says what an episode is."""


def default_parameters(options: tuple[Option, ...]) -> dict[str, Parameter]:
    """All parameters with their defaults."""
    return {_EPISODE: MATCH} | {one.name: _default(one) for one in options}


def episode_from_parameters(given: Mapping[str, Parameter]) -> str:
    """What an episode is: a match, or a round.

    Raises:
        GameError: it is neither.
    """
    return check_episode(given.get(_EPISODE, MATCH))


def _default(option: Option) -> Parameter:
    if isinstance(option, DealerOption):
        return _DRAWN
    if isinstance(option, Whole) and option.defaults_by_players:
        return _GAME_DEFAULT
    return _to_parameter(option.default)


def _to_parameter(value: Value) -> Parameter:
    """Converts a value to a parameter."""
    assert value is not None
    if isinstance(value, str) and value[0].isdigit():
        return value.replace("-", "_")
    return value


def game_from_parameters(name: str, given: Mapping[str, Parameter]) -> Game:
    """The game with these parameters.

    Raises:
        GameError: a value is invalid.
    """
    options = REGISTRY[name].options
    usual = default_parameters(options)
    chosen: dict[str, Value] = {
        key: one for key, one in given.items() if key != _EPISODE and one != usual.get(key)
    }
    for option in options:
        if isinstance(option, Choice) and option.name in chosen:
            spelled = {_to_parameter(value): value for value in option.values}
            chosen[option.name] = spelled.get(given[option.name], given[option.name])
    return Game(name, chosen)

"""House rules as options of a game: the types of option, their defaults and validation.

A game lists its options once. That list defines the validated keywords of `jasstisch.game`, the
defaults that complete a record, and the choices that a table offers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jasstisch.engine.errors import GameError, quote

Value = int | str | None
"""The value of an option: plain JSON."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a few values; the first is the default."""

    name: str
    values: tuple[Value, ...]

    @property
    def default(self) -> Value:
        """The default value."""
        return self.values[0]

    def default_for(self, players: int) -> Value:
        """The default at this number of players."""
        return self.default

    def allows(self, value: object, players: int) -> bool:
        """Whether the value equals one of those listed and has the same type."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def allowed_text(self, players: int) -> str:
        """The allowed values, as an English phrase."""
        return " or ".join(repr(one) for one in self.values)


@dataclass(frozen=True, slots=True)
class Whole:
    """An option that is a whole number within bounds, both included.

    Where the default depends on the number of players, `defaults_by_players` holds it for each
    (ID7, ID8).
    """

    name: str
    default: int
    low: int
    high: int
    defaults_by_players: Mapping[int, int] = field(default_factory=dict, hash=False)

    def default_for(self, players: int) -> Value:
        """The default at this number of players."""
        return self.defaults_by_players.get(players, self.default)

    def allows(self, value: object, players: int) -> bool:
        """Whether the value is an int within the bounds; `True` is not an int here."""
        return type(value) is int and self.low <= value <= self.high

    def allowed_text(self, players: int) -> str:
        """The allowed values, as an English phrase."""
        if self.low == self.high:
            return str(self.low)
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class DealerOption:
    """The option that fixes the first dealer: a seat, or None to draw for the deal (C5)."""

    name: str = "dealer"
    default: None = None

    def default_for(self, players: int) -> Value:
        """The default at this number of players."""
        return self.default

    def allows(self, value: object, players: int) -> bool:
        """Whether the value is None or one of the seats."""
        return value is None or (type(value) is int and 0 <= value < players)

    def allowed_text(self, players: int) -> str:
        """The allowed values, as an English phrase."""
        return f"None or a seat from 0 to {players - 1}"


Option = Choice | Whole | DealerOption


def display_value(option: Option, value: Value) -> str:
    """A value of an option as people read it: seats count from 1."""
    return (
        str(value + 1)
        if isinstance(option, DealerOption) and isinstance(value, int)
        else str(value)
    )


def effective_options(
    game: str, options: Sequence[Option], given: Mapping[str, object]
) -> dict[str, Value]:
    """Every option with its effective value.

    Args:
        game: name of the game, for the messages.
        options: the options of the game, `players` first.
        given: the options chosen.

    Raises:
        GameError: an option is unknown or its value is not allowed.
    """
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise GameError(
                f"{game} has no option {quote(name)}; its options are {', '.join(names)}"
            )
    result: dict[str, Value] = {}
    for option in options:
        players = result.get("players", 0)
        assert isinstance(players, int)
        value = given.get(option.name, option.default_for(players))
        if not option.allows(value, players):
            raise GameError(
                f"{game}: {option.name} is {option.allowed_text(players)}, not {quote(value)}"
            )
        assert value is None or isinstance(value, int | str)
        result[option.name] = value
    return result

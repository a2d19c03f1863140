"""Argument parsing: one-line errors, reusable argument types, and flags for house rules.

A game lists its options once, in its module. The flags of `jasstisch play` are generated from that
list, and `jasstisch.game` validates their values.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from jasstisch import i18n
from jasstisch.cli.errors import UsageError
from jasstisch.cli.ui.pager import NO_PAGER, show_paged
from jasstisch.engine.errors import GameError, did_you_mean, quote, shorten
from jasstisch.games import game
from jasstisch.games.options import Choice, DealerOption, Option, Whole
from jasstisch.games.rules import REGISTRY, Game

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_INTEGER_PATTERN = re.compile(r"[+-]?[0-9]{1,18}")

_MAX_SEATS = 64
"""The most seats of any table."""

_SEATS_FROM_ONE = "; seats count from 1"


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors say in one line what is wrong and what is allowed."""

    def __init__(
        self,
        prog: str,
        description: str,
        *,
        usage: str | None = None,
        epilog: str | None = None,
    ) -> None:
        super().__init__(
            prog=prog,
            description=description,
            usage=usage,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.at_once = False
        self.add_argument("--help", "-h", action="help", help="print this help and exit")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Prints the help, through a pager on a terminal."""
        if file is not None:
            super().print_help(file)
        else:
            show_paged(self.format_help(), at_once=self.at_once)

    @property
    def accepted_arguments(self) -> Sequence[argparse.Action]:
        """The options and positional arguments of the command."""
        return self._actions

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parses the arguments of a command.

        Raises:
            UsageError: an argument is unknown, missing or not allowed.
        """
        self.at_once = NO_PAGER in argv
        parsed, surplus = self.parse_known_args(self._attach_values(argv))
        if surplus:
            self.error(self.unknown_argument_message(surplus[0]))
        return parsed

    def _attach_values(self, argv: Sequence[str]) -> list[str]:
        """Returns the arguments with values that begin with a hyphen joined to their option.

        argparse would take such a value for an option, and the last part of a link may begin with a
        hyphen.
        """
        flags = {flag: one for one in self._actions for flag in one.option_strings}
        joined: list[str] = []
        for word in argv:
            before = flags.get(joined[-1]) if joined else None
            stray = word.startswith("-") and word.partition("=")[0] not in flags
            if before is not None and before.nargs is None and stray:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined

    def unknown_argument_message(self, word: str) -> str:
        """Returns the error message for an argument that the command does not accept."""
        if not word.startswith("-"):
            return f"unexpected {shorten(word)!r}"
        name = shorten(word.partition("=")[0])
        flags = [action.option_strings[0] for action in self._actions if action.option_strings]
        every = [flag for action in self._actions for flag in action.option_strings]
        near = did_you_mean(name, every)
        return f"unknown option {name}; the options are {', '.join(flags)}{near}"

    def error(self, message: str) -> NoReturn:
        """Raises a `UsageError` in place of exiting, as argparse would."""
        raise UsageError(f"{message}; see {self.prog} --help")


def add_pager_flag(parser: Parser) -> None:
    """Adds the flag that turns the pager off."""
    parser.add_argument(NO_PAGER, action="store_true", help="print without a pager")


def int_range(low: int, high: int | None = None) -> Callable[[str], int]:
    """Returns the argument type for a whole number within bounds, both included."""
    allowed = f"from {low} to {high}" if high is not None else f"of {low} or more"

    def read(text: str) -> int:
        number = int(text) if _INTEGER_PATTERN.fullmatch(text) else None
        if number is None or number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(
                f"a whole number {allowed} is needed, not {shorten(text)!r}"
            )
        return number

    return read


def parse_seat(text: str) -> int:
    """Argument type for a seat as people type it, counted from 1.

    Returns:
        The seat as Python counts it, from 0.
    """
    try:
        return int_range(1, _MAX_SEATS)(text) - 1
    except argparse.ArgumentTypeError as error:
        hint = _SEATS_FROM_ONE if _INTEGER_PATTERN.fullmatch(text) and int(text) < 1 else ""
        raise argparse.ArgumentTypeError(f"{error}{hint}") from error


def check_seat(seat: int, seats: int) -> None:
    """Checks that a table with this many seats has a seat.

    Raises:
        UsageError: there is no such seat; the message counts from 1.
    """
    if seat >= seats:
        raise UsageError(f"the seats of this table are 1 to {seats}, not {seat + 1}")


def add_house_rules(parser: Parser, games: Iterable[str]) -> None:
    """Adds a flag for each option of the games.

    The flags appear in the help only if there is exactly one game.
    """
    names = list(games)
    options = {option.name: option for name in names for option in REGISTRY[name].options}
    group = parser.add_argument_group("house rules")
    for option in options.values():
        group.add_argument(
            _option_flag(option.name),
            dest=option_dest(option.name),
            metavar=_option_metavar(option),
            help=_option_help(option, names[0]) if len(names) == 1 else argparse.SUPPRESS,
        )


def house_rules(arguments: argparse.Namespace) -> dict[str, object]:
    """Returns the given house rules as keyword arguments for `make_game`, which checks them."""
    names = dict.fromkeys(option.name for rules in REGISTRY.values() for option in rules.options)
    given: Mapping[str, str | None] = vars(arguments)
    chosen = {name: given.get(option_dest(name)) for name in names}
    own = {option.name: option for option in _options_of_game(arguments.game)}
    return {
        name: _parse_option_value(own.get(name), text)
        for name, text in chosen.items()
        if text is not None
    }


def parse_house_rule(game: str, text: str) -> tuple[str, object]:
    """Parses a house rule written `name=value` for `make_game`, which checks it.

    Raises:
        UsageError: it has another form.
    """
    name, equals, chosen = text.partition("=")
    if not equals:
        raise UsageError(f"a house rule is written name=value, not {shorten(text)!r}")
    own = {one.name: one for one in _options_of_game(game)}
    return name, _parse_option_value(own.get(name), chosen)


def make_game(name: str, chosen: Mapping[str, object]) -> Game:
    """Creates a game with the house rules that `house_rules` or `parse_house_rule` returned.

    Raises:
        UsageError: an unknown game, option or value; the message counts seats from 1.
    """
    seats = {
        option.name: chosen[option.name]
        for option in _options_of_game(name)
        if isinstance(option, DealerOption) and option.name in chosen
    }
    try:
        # The other options come first: they decide how many seats there are.
        others = game(name, **{rule: chosen[rule] for rule in chosen if rule not in seats})
        for rule, seat in seats.items():
            if not (isinstance(seat, int) and 0 <= seat < others.players):
                typed = seat + 1 if isinstance(seat, int) else seat
                hint = _SEATS_FROM_ONE if isinstance(seat, int) and seat < 0 else ""
                raise UsageError(
                    f"{name}: {rule} is a seat from 1 to {others.players}, not {quote(typed)}{hint}"
                )
        return game(name, **chosen)
    except GameError as error:
        raise UsageError(str(error)) from error


def _options_of_game(game: str | None) -> Sequence[Option]:
    """Returns the options of a game; none if the game is unknown."""
    return REGISTRY[game].options if game is not None and game in REGISTRY else ()


def _option_flag(name: str) -> str:
    """Returns the flag of an option."""
    return "--" + name.replace("_", "-")


def option_dest(name: str) -> str:
    """Returns the attribute of the parsed arguments for an option, distinct from other flags."""
    return f"house_rule_{name}"


def _option_metavar(option: Option) -> str:
    """Returns the placeholder of the value in the help."""
    return "WORD" if isinstance(option, Choice) else "N"


def _option_help(option: Option, game: str) -> str:
    """Returns the help of an option: description, allowed values and default."""
    words = i18n.load_game_texts(game).options.get(option.name)
    about = words.help.rstrip(".") if words and words.help else option.name.replace("_", " ")
    return f"{about}: {_option_choices_text(option)}"


def _option_choices_text(option: Option) -> str:
    """Returns the allowed values and the default of an option in words."""
    match option:
        case Choice(values=values):
            first, *others = map(str, values)
            texts = [f"{first} (default)", *others]
            return " or ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
        case Whole(low=low, high=high) if low == high:
            return str(low)
        case Whole(low=low, high=high):
            return f"{low} to {high} (default {_option_default_text(option)})"
        case DealerOption():
            return "a seat, counted from 1 (default: the players draw for it)"


def _option_default_text(option: Whole) -> str:
    """Returns the default in words; it may depend on the number of players."""
    if not option.defaults_by_players:
        return str(option.default)
    if all(players == number for players, number in option.defaults_by_players.items()):
        return "one for each player"
    return ", ".join(
        [f"{number} for {players}" for players, number in option.defaults_by_players.items()]
    )


def _parse_option_value(option: Option | None, text: str) -> object:
    """Returns the value that a text stands for; an invalid text is left for the game to refuse."""
    meant = int(text) if _INTEGER_PATTERN.fullmatch(text) else text
    match option:
        case Choice(values=values):
            return next((one for one in values if str(one) == text), meant)
        case DealerOption() if isinstance(meant, int):
            return meant - 1  # people count seats from 1
        case _:
            return meant

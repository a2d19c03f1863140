"""`jasstisch completion`: prints a shell completion script for commands, options, games and bots.

The parsers of the commands supply the options. The metavar of an argument decides how its values
are completed: a game, a bot, a language, a file.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module

import jasstisch as jt
from jasstisch import i18n
from jasstisch.bots import bots
from jasstisch.cli.arguments import Parser, option_dest
from jasstisch.cli.commands import load
from jasstisch.cli.errors import CommandError
from jasstisch.extras import MissingExtraError
from jasstisch.games.options import Choice
from jasstisch.games.rules import REGISTRY

_SHELLS = {
    "bash": 'eval "$(jasstisch completion bash)"',
    "zsh": 'eval "$(jasstisch completion zsh)"',
    "fish": "jasstisch completion fish | source",
}
"""The supported shells, each with the line for its start-up file."""

_GAME_COMMANDS = ("play", "rules")
"""Commands whose parser depends on the game."""

_PATH_METAVARS = {"FILE": "file", "PATH": "file", "DIR": "directory"}
"""Metavars that stand for a file or a folder."""


def run(argv: list[str]) -> int:
    """Prints the completion script of a shell.

    Raises:
        UsageError: no such shell.
        CommandError: a required package is not installed.
    """
    arguments = parser().parse(argv)
    try:
        print(shell_script(arguments.shell), end="")
    except ModuleNotFoundError as error:
        raise CommandError(f"completion needs {error.name}: pip install {error.name}") from error
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    lines = "\n".join(f"  {shell:<5} {line}" for shell, line in _SHELLS.items())
    result = Parser(
        "jasstisch completion",
        "Print a completion script for commands, options, games and bots.",
        epilog=f"Add the line of your shell to its start-up file (~/.bashrc, ~/.zshrc, "
        f"~/.config/fish/config.fish):\n\n{lines}",
    )
    result.add_argument(
        "shell", metavar="SHELL", choices=list(_SHELLS), help=f"one of {', '.join(_SHELLS)}"
    )
    return result


def shell_script(shell: str) -> str:
    """Returns the completion script of a shell."""
    import shtab  # noqa: PLC0415 - nothing else needs it

    return str(shtab.complete(_build_root_parser(), shell=shell)) + "\n"


def _build_root_parser() -> argparse.ArgumentParser:
    """Builds one parser for the whole command line."""
    from jasstisch.cli import COMMANDS  # noqa: PLC0415 - avoids an import cycle

    root = argparse.ArgumentParser("jasstisch", add_help=False)
    root.add_argument("--help", action="help", help="print this help and exit")
    root.add_argument("--version", action="version", version="", help="print the version and exit")
    _add_subparsers(root, dict(_load_parsers(COMMANDS)), COMMANDS)
    return root


def _add_subparsers(
    root: argparse.ArgumentParser, found: Mapping[str, Parser], purposes: Mapping[str, str]
) -> None:
    """Adds parsers as subcommands of another, each under its name."""
    below = root.add_subparsers(parser_class=argparse.ArgumentParser)
    for name, one in found.items():
        for action in one.accepted_arguments:
            _set_completion(action, one.prog)
        made = below.add_parser(name, parents=[one], add_help=False, help=purposes[name])
        if one.prog == "jasstisch admin":
            admin = import_module("jasstisch.cli.commands.admin")
            purposes_of = admin.SUBCOMMANDS
            _add_subparsers(made, {call: admin.parser(call) for call in purposes_of}, purposes_of)


def _load_parsers(names: Mapping[str, str]) -> Iterator[tuple[str, Parser]]:
    """Yields the parsers of the commands, except those whose extra is not installed."""
    for name in names:
        try:
            module = load(name)
        except MissingExtraError:
            continue
        if name in _GAME_COMMANDS:
            yield name, module.parser(jt.games())
        else:
            yield name, module.top_parser() if name == "admin" else module.parser()


def _set_completion(action: argparse.Action, command: str) -> None:
    """Sets how an argument is completed."""
    import shtab  # noqa: PLC0415 - nothing else needs it

    words = _argument_choices(action, command)
    if words:
        action.choices = words
    elif str(action.metavar) in _PATH_METAVARS:
        kind = _PATH_METAVARS[str(action.metavar)]
        action.complete = shtab.FILE if kind == "file" else shtab.DIRECTORY  # type: ignore[attr-defined]
    for option in _HOUSE_RULES:
        if action.dest == option_dest(option):
            action.help = option.replace("_", " ")


def _argument_choices(action: argparse.Action, command: str) -> Sequence[str]:
    """Returns the values to offer for an argument; none if any value is possible."""
    if action.choices is not None:
        return [str(one) for one in action.choices]
    if action.dest in _HOUSE_RULE_VALUES:
        return _HOUSE_RULE_VALUES[action.dest]
    match str(action.metavar):
        case "GAME":
            return i18n.games_with_sheet() if command == "jasstisch rules" else jt.games()
        case "BOT":
            return bots()
        case "DECK":
            return ("french", "swiss")
        case "LANG" | "LANGUAGE":
            return i18n.LANGUAGES
        case _:
            return ()


_HOUSE_RULES = {option.name: option for rules in REGISTRY.values() for option in rules.options}
"""The house rules of all games by name; the flags are generated from them."""

_HOUSE_RULE_VALUES: Mapping[str, Sequence[str]] = {
    option_dest(name): list(
        dict.fromkeys(
            str(value)
            for rules in REGISTRY.values()
            for option in rules.options
            if option.name == name and isinstance(option, Choice)
            for value in option.values
        )
    )
    for name in _HOUSE_RULES
}
"""The values of each house rule in all games together, where they can be listed."""

"""`jasstisch rules`: the rule sheet of a game with its options.

On a terminal the sheet is rendered; into a file or pipe it is written as Markdown. If house rules
are given, as for `jasstisch play`, each entry of the list of options shows the effective value.
"""

import argparse
import os
from collections.abc import Sequence

from jasstisch import i18n
from jasstisch.cli.arguments import (
    Parser,
    add_house_rules,
    add_pager_flag,
    house_rules,
    make_game,
)
from jasstisch.cli.errors import UsageError
from jasstisch.cli.ui.rule_sheet import print_rule_sheet
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import environment_language
from jasstisch.engine.errors import GameError


def run(argv: list[str]) -> int:
    """Prints a rule sheet.

    Raises:
        UsageError: no such game, language, house rule or value.
    """
    arguments = _parse_arguments(argv)
    language = arguments.lang or environment_language(os.environ)
    try:
        # The message for an unknown game lists the sheets there are.
        i18n.rule_sheet(arguments.game, language)
    except GameError as error:
        raise UsageError(str(error)) from error
    chosen = house_rules(arguments)
    game = make_game(arguments.game, chosen) if chosen else arguments.game
    print_rule_sheet(Terminal(at_once=arguments.no_pager), game, language)
    return 0


def _parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parses the arguments; a game adds its own flags, wherever its name appears."""
    games = i18n.games_with_sheet()
    without_help = [word for word in argv if word not in {"-h", "--help"}]
    scouted, _ = parser(games, needed=False).parse_known_args(without_help)
    return parser([scouted.game] if scouted.game in games else games).parse(argv)


def parser(games: Sequence[str], *, needed: bool = True) -> Parser:
    """Returns the parser of the command, with the house rules of these games.

    Args:
        games: the games whose house rules are known.
        needed: whether a game is required.
    """
    languages = ", ".join(i18n.LANGUAGES)
    result = Parser(
        "jasstisch rules",
        "Print the rule sheet of a game with its options; house rules given here are marked in it.",
        usage=f"jasstisch rules {games[0] if len(games) == 1 else 'GAME'} [options]",
        epilog="The house rules of a game: jasstisch rules GAME --help" if games[1:] else None,
    )
    result.add_argument(
        "game",
        metavar="GAME",
        nargs=None if needed else "?",
        help=f"one of: {', '.join(i18n.games_with_sheet())}",
    )
    result.add_argument(
        "--lang",
        metavar="LANGUAGE",
        help=f"one of {languages} (default: the language of the environment)",
    )
    add_pager_flag(result)
    add_house_rules(result, games)
    return result

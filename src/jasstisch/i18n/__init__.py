"""Localized texts: the rule sheets of the games, the names of their parts, and text templates.

The package loads and renders texts in four languages; the texts themselves are data files. A rule
sheet explains a game on one page to a beginner and names the clauses of docs/rules.md in brackets.
The files of the built-in games are in `jasstisch/games/texts`, those of a game from another package
are beside its module. Begin with `game_texts`, which loads the names of options, actions and
scores; `templates` renders texts with placeholders.
"""

import re

from jasstisch.engine.errors import GameError, did_you_mean, quote
from jasstisch.games.options import display_value
from jasstisch.games.rules import Game
from jasstisch.i18n import game_files
from jasstisch.i18n.game_texts import (
    ActionTexts,
    Emblem,
    GameMetadata,
    GameTexts,
    OptionTexts,
    SheetExample,
    load_game_metadata,
    load_game_texts,
)
from jasstisch.i18n.templates import LANGUAGES

__all__ = [
    "LANGUAGES",
    "ActionTexts",
    "Emblem",
    "GameMetadata",
    "GameTexts",
    "OptionTexts",
    "SheetExample",
    "games_with_sheet",
    "load_game_metadata",
    "load_game_texts",
    "rule_sheet",
    "sheet_languages",
    "table_rule_sheet",
]

OPTION_ENTRY = re.compile(r"^- `(?P<option>\w+)`", re.MULTILINE)
"""The start of an option's entry in the list of house rules, the last section of a sheet."""


def games_with_sheet() -> tuple[str, ...]:
    """Names of the games that have a sheet, in alphabetical order."""
    return tuple(
        sorted({game for lang in LANGUAGES for game in game_files.games_with_file(f"{lang}.md")})
    )


def sheet_languages(game: str) -> tuple[str, ...]:
    """The languages in which a game has a sheet, the default first."""
    return tuple(lang for lang in LANGUAGES if game_files.read_text(game, f"{lang}.md") is not None)


def rule_sheet(game: str, lang: str = "en") -> str:
    """The rule sheet of a game with its options, as Markdown text.

    Args:
        game: one of `games_with_sheet()`.
        lang: one of `sheet_languages(game)`.

    Raises:
        GameError: there is no sheet for this game or in this language; the message lists those
            that exist.
    """
    text = game_files.read_text(game, f"{lang}.md") if lang in LANGUAGES else None
    if text is not None:
        return text
    if there := sheet_languages(game):
        raise GameError(f"no rule sheet in {quote(lang)}; the languages are {', '.join(there)}")
    near = did_you_mean(game, games_with_sheet())
    raise GameError(
        f"no rule sheet for {quote(game)}; there is one for {', '.join(games_with_sheet())}{near}"
    )


def table_rule_sheet(game: Game, lang: str = "en") -> str:
    """The rule sheet for one table: the entry of each house rule names the value chosen there.

    A value that differs from the default is bold. Where no first dealer is fixed nothing is added,
    because that entry begins with the default.

    Args:
        game: a game with its options.
        lang: one of `LANGUAGES`.

    Raises:
        GameError: no sheet for this game or in this language.
    """
    options = {option.name: option for option in game.rules.options}

    def in_force(entry: re.Match[str]) -> str:
        option = options[entry["option"]]
        value = game.options[option.name]
        if value is None:
            return entry[0]
        text = f"`{display_value(option, value)}`"
        usual = value == option.default_for(game.players)
        return f"{entry[0]} = {text if usual else f'**{text}**'}"

    rules, heading, entries = rule_sheet(game.name, lang).rpartition("\n## ")
    return rules + heading + OPTION_ENTRY.sub(in_force, entries)

"""The rule sheets: each game on one page, in four languages, for somebody who never played it.

The full rule book with every clause is docs/rules.md; a sheet tells the same rules as one tells
them at the table and names the clauses in brackets. Sheets are data files of the package, named
`game.language.md`.
"""

import re
from importlib.resources import files

from jasstisch.errors import GameError, quote
from jasstisch.games.rules import Game

__all__ = ["LANGUAGES", "games", "sheet", "table_sheet", "title"]

LANGUAGES = ("en", "de", "fr", "it")
"""The languages of the sheets, the default first."""

ENTRY = re.compile(r"^- `(?P<option>\w+)`", re.MULTILINE)
"""How the entry of an option begins in the list of house rules, the last section of a sheet."""


def games() -> tuple[str, ...]:
    """Names of the games that have a sheet, in alphabetical order."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".en.md") for name in names if name.endswith(".en.md")))


def sheet(game: str, lang: str = "en") -> str:
    """The rule sheet of a game with its options, as Markdown text.

    Args:
        game: one of `games()`.
        lang: one of `LANGUAGES`.

    Raises:
        GameError: no sheet for this game or in this language; the message names what there is.
    """
    if game not in games():
        raise GameError(f"no rule sheet for {quote(game)}; there is one for {', '.join(games())}")
    if lang not in LANGUAGES:
        raise GameError(f"no rule sheet in {quote(lang)}; the languages are {', '.join(LANGUAGES)}")
    return files(__name__).joinpath(f"{game}.{lang}.md").read_text(encoding="utf-8")


def title(game: str, lang: str = "en") -> str:
    """What a game is called, which is the heading of its sheet.

    Raises:
        GameError: no sheet for this game or in this language; the message names what there is.
    """
    return sheet(game, lang).partition("\n")[0].removeprefix("# ")


def table_sheet(game: Game, lang: str = "en") -> str:
    """The rule sheet as it holds at one table: each house rule names the value chosen there.

    A value that differs from the usual one stands in bold. Where nobody is named as first dealer
    nothing is added, since that entry begins with what then holds.

    Args:
        game: a game with its options.
        lang: one of `LANGUAGES`.

    Raises:
        GameError: no sheet for this game or in this language.
    """
    usual = {option.name: option.default_for(game.players) for option in game.rules.options}

    def in_force(entry: re.Match[str]) -> str:
        name = entry["option"]
        value = game.options[name]
        if value is None:
            return entry[0]
        text = f"`{value}`" if value == usual[name] else f"**`{value}`**"
        return f"{entry[0]} = {text}"

    rules, heading, options = sheet(game.name, lang).rpartition("\n## ")
    return rules + heading + ENTRY.sub(in_force, options)

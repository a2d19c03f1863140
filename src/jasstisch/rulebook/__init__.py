"""The rule sheets: each game on one page, in four languages, for somebody who never played it.

The full rule book with every clause is docs/rules.md; a sheet tells the same rules as one tells
them at the table and names the clauses in brackets. Sheets are data files of the package, named
`game.language.md`.
"""

from importlib.resources import files

from jasstisch.errors import GameError, quote

__all__ = ["LANGUAGES", "games", "sheet"]

LANGUAGES = ("en", "de", "fr", "it")
"""The languages of the sheets, the default first."""


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

"""`jasstisch rules`: the rule sheet of a game with its options.

On a terminal the sheet is set for reading; into a file or pipe it goes as the Markdown text it is.
"""

from rich.markdown import Markdown

from jasstisch import rulebook
from jasstisch.cli.arguments import Parser
from jasstisch.cli.exits import UsageError
from jasstisch.cli.terminal import Terminal
from jasstisch.errors import GameError

__all__ = ["run", "show"]


def run(words: list[str]) -> int:
    """Prints a rule sheet.

    Raises:
        UsageError: no such game or language.
    """
    arguments = parser().read(words)
    try:
        show(Terminal(), arguments.game, arguments.lang)
    except GameError as error:
        raise UsageError(str(error)) from error
    return 0


def parser() -> Parser:
    """The words the command takes."""
    languages = ", ".join(rulebook.LANGUAGES[1:])
    result = Parser("jasstisch rules", "Print the rule sheet of a game with its options.")
    result.add_argument("game", metavar="GAME", help=f"one of: {', '.join(rulebook.games())}")
    result.add_argument(
        "--lang", default="en", metavar="LANGUAGE", help=f"en (default), {languages}"
    )
    return result


def show(terminal: Terminal, game: str, language: str) -> None:
    """Prints the rule sheet of a game.

    Raises:
        GameError: no such sheet.
    """
    sheet = rulebook.sheet(game, language)
    if terminal.console.is_terminal:
        terminal.say(Markdown(sheet))
    else:
        terminal.console.file.write(sheet)

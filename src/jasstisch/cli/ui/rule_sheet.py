"""Rule sheets: rendered and paged on a terminal, Markdown in a file or pipe."""

from rich.markdown import Markdown

from jasstisch import i18n
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.games.rules import Game


def print_rule_sheet(terminal: Terminal, game: Game | str, language: str) -> None:
    """Prints the rule sheet of a game.

    Args:
        terminal: where to print.
        game: a game with its options, whose values are marked; or only its name.
        language: one of `i18n.LANGUAGES`.

    Raises:
        GameError: there is no such sheet.
    """
    if isinstance(game, str):
        sheet = i18n.rule_sheet(game, language)
    else:
        sheet = i18n.table_rule_sheet(game, language)
    if terminal.console.is_terminal:
        terminal.write_paged(Markdown(sheet))
    else:
        terminal.console.file.write(sheet)

"""The menu of games, for `jasstisch play` without a game."""

from rich.text import Text

import jasstisch as jt
from jasstisch import i18n
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.text_tables import borderless_table
from jasstisch.cli.ui.translator import Translator


def choose_game(terminal: Terminal, translator: Translator) -> str | None:
    """Lists the games and asks for one; returns None if the person wants none.

    Raises:
        EOFError: the input has ended.
        KeyboardInterrupt: Ctrl-C.
    """
    games = _games_in_menu_order()
    table = borderless_table("", "", "", title=translator.plain("menu.title"))
    table.show_header = False
    table.columns[0].justify = "right"
    table.columns[1].no_wrap = True
    for number, game in enumerate(games, start=1):
        words = translator.game_texts(game)
        table.add_row(Text(f"{number:>2}", "dim"), Text(words.name, "bold"), words.about)
    terminal.write(table, Text())
    while True:
        typed = terminal.ask(translator.plain("menu.which", last=len(games))).lower()
        if typed in {"q", "quit", "exit", translator.plain("play.quit_word")}:
            return None
        if chosen := _parse_choice(typed, games, translator):
            return chosen


def _games_in_menu_order() -> list[str]:
    """Returns the names of all games, the best known first."""
    places = {game: i18n.load_game_metadata(game).order for game in jt.games()}
    return sorted(places, key=lambda game: (places[game] is None, places[game] or 0))


def _parse_choice(typed: str, games: list[str], translator: Translator) -> str | None:
    """Returns the game of this number, or the only one with this prefix."""
    if typed.isdecimal():
        return games[int(typed) - 1] if 1 <= int(typed) <= len(games) else None
    names = {game: {game, translator.game_texts(game).name.lower()} for game in games}
    whole = [game for game, spelt in names.items() if typed in spelt]
    begun = [
        game
        for game, spelt in names.items()
        if typed and any(name.startswith(typed) for name in spelt)
    ]
    return (whole or begun)[0] if whole or len(begun) == 1 else None

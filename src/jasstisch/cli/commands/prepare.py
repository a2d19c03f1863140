"""`jasstisch prepare`: compiles the search bots and the batches ahead, once for each machine."""

import time

from rich.text import Text

import jasstisch as jt
from jasstisch.bots.searching import registry, warmup
from jasstisch.cli.arguments import Parser, make_game
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.engine.errors import GameError
from jasstisch.env.warmup import prepare_game as prepare_batch
from jasstisch.games.rules import Game
from jasstisch.search.jit.compiler import cache_folder


def run(argv: list[str]) -> int:
    """Compiles everything for the chosen games, or for all, and says how long it took.

    Raises:
        UsageError: there is no such game.
    """
    arguments = parser().parse(argv)
    terminal = Terminal()
    games = [make_game(name, {}) for name in arguments.games or jt.games()]
    for game in games:
        began = time.monotonic()
        with terminal.spinner(f"Compiling {game.name}"):
            prepared = _prepare(game)
        seconds = f"{time.monotonic() - began:.1f} s"
        terminal.write(
            Text(f"{game.name}: {' and '.join(prepared) or 'nothing to compile'}, {seconds}")
        )
    terminal.write_unwrapped(f"The compiled code is in {cache_folder()}.")
    return 0


def _prepare(game: Game) -> list[str]:
    """Compiles what there is for a game; returns its names."""
    prepared = []
    if registry.find_searcher(game.name) is not None:
        warmup.prepare_game(game.name)
        prepared.append("bots")
    try:
        prepare_batch(game)
    except GameError:  # games of other packages may have none
        return prepared
    return [*prepared, "batch"]


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch prepare",
        "Compile the bots that search and the batches of rounds, so that nobody waits for it\n"
        "later. That takes minutes the first time after an installation, and seconds from then on.",
    )
    result.add_argument(
        "games",
        metavar="GAME",
        nargs="*",
        help=f"one of {', '.join(jt.games())}; all if omitted",
    )
    return result

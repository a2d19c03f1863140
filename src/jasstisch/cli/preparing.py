"""Computer players are made ready before the first card, not in the middle of a game.

What those that search need is compiled once on a machine, which takes about a minute; a person who
waits for it is told so.
"""

from collections.abc import Iterable

from rich.console import Console

from jasstisch.bots import Bot, prepare
from jasstisch.cli.exits import CommandError
from jasstisch.cli.terminal import working

__all__ = ["make_ready"]

TOLD = "Preparing the computer players, about a minute the first time"


def make_ready(players: Iterable[Bot], game: str, console: Console) -> None:
    """Makes each of these players ready for a game.

    Raises:
        CommandError: one of them failed.
    """
    with working(console, TOLD):
        for player in {one.name: one for one in players}.values():
            try:
                prepare(player, game)
            except Exception as error:
                text = f"the bot {player.name} could not make itself ready: {error!r}"
                raise CommandError(text) from error

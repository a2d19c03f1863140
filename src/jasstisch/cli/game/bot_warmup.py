"""Warms bots up before the first card instead of in the middle of a game.

The code of the search bots is compiled once per machine, which takes about a minute; a message says
so.
"""

from collections.abc import Iterable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread

from rich.console import Console

from jasstisch.bots import Bot, prepare
from jasstisch.bots.validation import format_error
from jasstisch.cli.errors import CommandError
from jasstisch.cli.ui.terminal import show_spinner

_WARMUP_MESSAGE = "Compiling the bots, about a minute the first time"

_POLL_INTERVAL_S = 0.1
"""How often the main thread looks for Ctrl-C, which does not interrupt a wait on Windows."""


def warm_up(players: Iterable[Bot], game: str, console: Console) -> None:
    """Warms each of these bots up for a game.

    A daemon thread does the work, because Ctrl-C must not raise an exception inside the compiler: a
    callback would lose it, or the compiler would continue with half-made objects and crash. After
    Ctrl-C the thread goes on until the process ends.

    Raises:
        CommandError: one of them failed.
        KeyboardInterrupt: Ctrl-C.
    """
    done: Future[None] = Future()
    arguments = (_prepare_all, list(players), game, done)
    thread = Thread(target=copy_context().run, args=arguments, daemon=True, name="warm-up")
    with show_spinner(console, _WARMUP_MESSAGE):
        thread.start()
        while not wait([done], _POLL_INTERVAL_S).done:
            pass
    done.result()


def _prepare_all(players: list[Bot], game: str, done: "Future[None]") -> None:
    """Prepares these bots for a game and completes the future, with the first error if any."""
    for player in {one.name: one for one in players}.values():
        try:
            prepare(player, game)
        except BaseException as error:  # noqa: BLE001 - the main thread waits for an outcome
            text = f"the bot {player.name} failed to prepare: {format_error(error)}"
            done.set_exception(CommandError(text) if isinstance(error, Exception) else error)
            return
    done.set_result(None)

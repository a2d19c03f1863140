"""Warms bots up before the first card instead of in the middle of a game.

The code of the search bots is compiled once per machine, which takes about a minute; a message says
so.
"""

import signal
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console

from jasstisch.bots import Bot, prepare
from jasstisch.cli.errors import CommandError
from jasstisch.cli.ui.terminal import show_spinner

__all__ = ["warm_up"]

WARMUP_MESSAGE = "Compiling the bots, about a minute the first time"


def warm_up(players: Iterable[Bot], game: str, console: Console) -> None:
    """Warms each of these bots up for a game.

    Raises:
        CommandError: one of them failed.
        KeyboardInterrupt: Ctrl-C.
    """
    with show_spinner(console, WARMUP_MESSAGE), interruptible():
        for player in {one.name: one for one in players}.values():
            try:
                prepare(player, game)
            except Exception as error:
                text = f"the bot {player.name} failed to prepare: {error!r}"
                raise CommandError(text) from error


@contextmanager
def interruptible() -> Iterator[None]:
    """Makes Ctrl-C end the body wherever it arrives.

    While the compiler calls back into Python, an exception is lost: the compiler fails for some
    other reason or continues. Elsewhere the interruption leaves half-made objects, whose finalizers
    print errors; the person who pressed Ctrl-C should not see them.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or handled by other code
        yield
        return
    received: list[int] = []

    def on_interrupt(number: int, _: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    def ignore_after_interrupt(lost: "sys.UnraisableHookArgs") -> None:
        if not received:
            previous_hook(lost)

    previous_hook, sys.unraisablehook = sys.unraisablehook, ignore_after_interrupt
    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    except BaseException as error:
        if not received:
            raise
        clear_tracebacks(error)
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = previous_hook
    if received:
        raise KeyboardInterrupt


def clear_tracebacks(error: BaseException | None) -> None:
    """Clears the frames of an error and its causes, which releases the objects they hold."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__

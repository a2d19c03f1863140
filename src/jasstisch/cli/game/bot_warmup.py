"""Computer players are made ready before the first card, not in the middle of a game.

What those that search need is compiled once on a machine, which takes about a minute; a person who
waits for it is told so.
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
    """Makes each of these players ready for a game.

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
    """Makes sure that Ctrl-C ends what is done here, wherever it comes.

    While the compiler calls back into Python nobody can be interrupted: what is raised there is
    lost, and the compiler fails for a reason of its own or goes on. Elsewhere it leaves objects
    half made, which complain when they are let go; whoever pressed Ctrl-C need not read that.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or somebody else's affair
        yield
        return
    heard: list[int] = []

    def hear(number: int, _: FrameType | None) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    def leave_unsaid(lost: "sys.UnraisableHookArgs") -> None:
        if not heard:
            told(lost)

    told, sys.unraisablehook = sys.unraisablehook, leave_unsaid
    signal.signal(signal.SIGINT, hear)
    try:
        yield
    except BaseException as error:
        if not heard:
            raise
        clear_tracebacks(error)
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = told
    if heard:
        raise KeyboardInterrupt


def clear_tracebacks(error: BaseException | None) -> None:
    """Lets go of all that the frames hold through which an error and its causes came."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__

"""Long pages, shown one screen after the other where somebody reads them on a terminal.

By the program that `PAGER` names, else by `less`; an empty `PAGER` wants none. Into a pipe or a
file everything goes at once.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from shutil import get_terminal_size, which

from jasstisch.cli.ui.encoding import ERROR_HANDLER

__all__ = ["NO_PAGER", "show_paged"]

NO_PAGER = "--no-pager"
"""The option that prints everything at once."""

DEFAULT_PAGER = "less"
LESS_OPTIONS = "FRX"
"""What `less` is told where the person tells it nothing: colours, and no screen of its own."""


def show_paged(text: str, *, at_once: bool = False) -> None:
    """Prints a text, by a pager where it is longer than the screen of a terminal.

    Args:
        text: what is shown, with its line ends.
        at_once: no pager is wanted.
    """
    reader = None if at_once or not is_interactive() or fits_screen(text) else pager_command()
    if reader is None or not run_pager(reader, text):
        sys.stdout.write(text)


def is_interactive() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def fits_screen(text: str) -> bool:
    """Whether all of it can be seen at once, with a line left to type in."""
    return text.count("\n") < get_terminal_size().lines


def pager_command() -> Sequence[str] | None:
    """The words that start the pager; None where there is none or none is wanted."""
    try:
        words = shlex.split(os.environ.get("PAGER", DEFAULT_PAGER))
    except ValueError:  # a quotation mark without its other half
        return None
    return words if words and which(words[0]) else None


def run_pager(words: Sequence[str], text: str) -> bool:
    """Has a pager show a text, until the person leaves it; whether it could be started."""
    sys.stdout.flush()
    surroundings = {"LESS": LESS_OPTIONS, **os.environ}
    try:
        started = subprocess.Popen(  # noqa: S603 - the person's own choice
            words, stdin=subprocess.PIPE, env=surroundings
        )
    except OSError:
        return False
    content: bytes | None = text.encode(sys.stdout.encoding or "utf-8", ERROR_HANDLER)
    while True:
        try:
            started.communicate(content)
            return True
        except KeyboardInterrupt:  # that is for the pager, which goes on
            content = None

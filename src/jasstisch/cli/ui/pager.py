"""Pager for long texts on a terminal.

It uses the program that `PAGER` names, else `less`; an empty `PAGER` turns it off. Output to a pipe
or a file is not paged.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from shutil import get_terminal_size, which

from jasstisch.cli.ui.encoding import ERROR_HANDLER

NO_PAGER = "--no-pager"
"""The option that turns the pager off."""

_DEFAULT_PAGER = "less"
_LESS_OPTIONS = "FRX"
"""The default options of `less`: colours, and no alternate screen."""


def show_paged(text: str, *, at_once: bool = False) -> None:
    """Prints a text, through a pager if it is longer than the screen of a terminal.

    Args:
        text: the text, with its line ends.
        at_once: whether to print without a pager.
    """
    reader = None if at_once or not _is_interactive() or _fits_screen(text) else _pager_command()
    if reader is None or not _run_pager(reader, text):
        sys.stdout.write(text)


def _is_interactive() -> bool:
    """Returns whether a person is at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _fits_screen(text: str) -> bool:
    """Returns whether the text fits the screen with one line left for input."""
    return text.count("\n") < get_terminal_size().lines


def _pager_command() -> Sequence[str] | None:
    """Returns the command line of the pager; None if there is none or it is turned off."""
    try:
        words = shlex.split(os.environ.get("PAGER", _DEFAULT_PAGER))
    except ValueError:  # an unbalanced quotation mark
        return None
    return words if words and which(words[0]) else None


def _run_pager(command: Sequence[str], text: str) -> bool:
    """Shows a text in a pager until the person leaves it; returns whether it could be started."""
    sys.stdout.flush()
    surroundings = {"LESS": _LESS_OPTIONS, **os.environ}
    try:
        started = subprocess.Popen(  # noqa: S603 - the person's own setting
            command, stdin=subprocess.PIPE, env=surroundings
        )
    except OSError:
        return False
    content: bytes | None = text.encode(sys.stdout.encoding or "utf-8", ERROR_HANDLER)
    while True:
        try:
            started.communicate(content)
            return True
        except KeyboardInterrupt:  # the signal is for the pager, which continues
            content = None

"""How far something slow is, beside what is printed, on a terminal and beyond a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.text import Text

from jasstisch.cli.ui.terminal import stderr_console

__all__ = ["SHOW_AFTER_S", "Progress", "show_progress"]

SHOW_AFTER_S = 2.0
"""Seconds after which it is told how far it is."""


class Progress:
    """Tells how far something is, to whoever has waited for a while.

    Args:
        what: what goes on.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._console = stderr_console()
        self._status = self._console.status(Text(what))
        self._since = monotonic()
        self._shown = False

    def __call__(self, part: float) -> None:
        """Notes which part is done, from 0 to 1."""
        self._update(f"{self._what} {part:.0%}" if part else self._what)

    def count(self, what: str, done: int) -> None:
        """Notes how much of something is done, where nobody knows of how much."""
        self._update(f"{what}: {done:,}")

    def _update(self, text: str) -> None:
        if not self._console.is_terminal or monotonic() - self._since < SHOW_AFTER_S:
            return
        if not self._shown:
            self._shown = True
            self._status.start()
        self._status.update(Text(text))

    def close(self) -> None:
        """Shows nothing any more."""
        if self._shown:
            self._status.stop()


@contextmanager
def show_progress(what: str) -> Iterator[Progress]:
    """Shows how far something is until its end."""
    shown = Progress(what)
    try:
        yield shown
    finally:
        shown.close()

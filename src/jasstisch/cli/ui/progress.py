"""Progress of slow operations, shown on a terminal on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.text import Text

from jasstisch.cli.ui.terminal import stderr_console

SHOW_AFTER_S = 2.0
"""Seconds before the progress is shown."""


class Progress:
    """Shows the progress of an operation that takes a while.

    Args:
        what: the operation.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._console = stderr_console()
        self._status = self._console.status(Text(what))
        self._since = monotonic()
        self._shown = False

    def __call__(self, part: float) -> None:
        """Updates the completed fraction, from 0 to 1."""
        self._update(f"{self._what} {part:.0%}" if part else self._what)

    def update_count(self, what: str, done: int) -> None:
        """Updates the completed number, if the total is unknown."""
        self._update(f"{what}: {done:,}")

    def _update(self, text: str) -> None:
        if not self._console.is_terminal or monotonic() - self._since < SHOW_AFTER_S:
            return
        if not self._shown:
            self._shown = True
            self._status.start()
        self._status.update(Text(text))

    def close(self) -> None:
        """Stops showing the progress."""
        if self._shown:
            self._status.stop()


@contextmanager
def show_progress(what: str) -> Iterator[Progress]:
    """Shows the progress of an operation until it ends."""
    shown = Progress(what)
    try:
        yield shown
    finally:
        shown.close()

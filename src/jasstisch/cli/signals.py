"""Graceful termination: SIGTERM and SIGHUP end a command as Ctrl-C does.

Code that catches `KeyboardInterrupt` to save something handles these signals as well.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from jasstisch.cli.errors import EXIT_INTERRUPTED

_TERMINATION_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""The termination signals that this platform has."""


class TerminationRequested(KeyboardInterrupt):
    """A termination signal was received.

    Args:
        number: the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number


def exit_status(error: KeyboardInterrupt) -> int:
    """Returns the exit status after Ctrl-C or a termination signal."""
    return error.status if isinstance(error, TerminationRequested) else EXIT_INTERRUPTED


@contextmanager
def raise_on_termination_signal() -> Iterator[None]:
    """Raises `TerminationRequested` in the body when a termination signal arrives."""
    if current_thread() is not main_thread():  # Python handles signals only in the main thread
        yield
        return
    before = {number: signal.signal(number, _on_signal) for number in _TERMINATION_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _on_signal(number: int, _: FrameType | None) -> None:
    for one in _TERMINATION_SIGNALS:
        signal.signal(one, signal.SIG_IGN)  # let nothing interrupt the clean-up
    raise TerminationRequested(number)

"""Ending in order when the system asks for it: a closed window is as Ctrl-C is.

Whoever catches `KeyboardInterrupt` to keep something catches these ends as well.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from jasstisch.cli.errors import EXIT_INTERRUPTED

__all__ = ["TerminationRequested", "exit_status", "terminate_gracefully"]

TERMINATION_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""How the system asks a program to end, by the names that it knows."""


class TerminationRequested(KeyboardInterrupt):
    """The system asks for the end.

    Args:
        number: the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number


def exit_status(error: KeyboardInterrupt) -> int:
    """The exit status after such an end."""
    return error.status if isinstance(error, TerminationRequested) else EXIT_INTERRUPTED


@contextmanager
def terminate_gracefully() -> Iterator[None]:
    """What runs within ends as by Ctrl-C when the system asks for it."""
    if current_thread() is not main_thread():  # where Python takes no signals
        yield
        return
    before = {number: signal.signal(number, _on_signal) for number in TERMINATION_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _on_signal(number: int, _: FrameType | None) -> None:
    for one in TERMINATION_SIGNALS:
        signal.signal(one, signal.SIG_IGN)  # it ends already, and nothing is to disturb it
    raise TerminationRequested(number)

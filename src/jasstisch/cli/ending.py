"""Ending in order when the system asks for it: a closed window is as Ctrl-C is.

Whoever catches `KeyboardInterrupt` to keep something catches these ends as well.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from jasstisch.cli.exits import INTERRUPTED

__all__ = ["Ended", "ends_in_order", "status_of"]

ASKED = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""How the system asks a program to end, by the names that it knows."""


class Ended(KeyboardInterrupt):
    """The system asks for the end.

    Args:
        number: the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number


def status_of(error: KeyboardInterrupt) -> int:
    """The exit status after such an end."""
    return error.status if isinstance(error, Ended) else INTERRUPTED


@contextmanager
def ends_in_order() -> Iterator[None]:
    """What runs within ends as by Ctrl-C when the system asks for it."""
    if current_thread() is not main_thread():  # where Python takes no signals
        yield
        return
    before = {number: signal.signal(number, _end) for number in ASKED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _: FrameType | None) -> None:
    for one in ASKED:
        signal.signal(one, signal.SIG_IGN)  # it ends already, and nothing is to disturb it
    raise Ended(number)

"""Warnings before the time of a turn runs out, while the person types."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

_LAST_WARNING_S = 10
"""The last warning comes so many seconds before the end."""

_MIN_GAP_S = 3
"""The fewest seconds between the start of a turn or a warning and the next warning."""


def warning_moments(seconds: float) -> list[int]:
    """The seconds before the end of a turn of this length at which a warning is due.

    They are a third of the turn and its last ten seconds, as on the page.
    """
    third = round(seconds / 3)
    moments = [_LAST_WARNING_S]
    if third >= _LAST_WARNING_S + _MIN_GAP_S:
        moments.insert(0, third)
    return [moment for moment in moments if moment <= seconds - _MIN_GAP_S]


@contextmanager
def time_warnings(seconds: float | None, warn: Callable[[int], None]) -> Iterator[None]:
    """Calls `warn` from another thread with the seconds that are left, until the block ends.

    Args:
        seconds: the time that is left; None if it is unlimited.
        warn: shows a warning.
    """
    moments = [] if seconds is None else warning_moments(seconds)
    timers = [Timer((seconds or 0) - moment, warn, [moment]) for moment in moments]
    for timer in timers:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()

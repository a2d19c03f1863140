"""When computers answer: on a beat that tells nothing of the position.

How long a player thinks tells what it holds: a forced card comes at once, a choice takes its time.
So the answer waits for the beat, whatever it is, and thinking goes on meanwhile. Each player has an
effort, the longest it thinks; from when its thought begins that much time passes in any case. How
late an answer is then depends on how long the server let it wait for a thinker, which has nothing
to do with cards.
"""

import asyncio
from contextlib import suppress

__all__ = [
    "HINT_DELAY_S",
    "MAX_DELAY_S",
    "MIN_THINK_TIME_S",
    "MoveDelay",
    "MoveTimer",
    "min_think_time",
]

MIN_THINK_TIME_S = {
    "random": 0.004,
    "sociable": 0.004,
    "greedy": 0.004,
    "club": 0.05,
    "master": 0.25,
}
"""Seconds in which each of our players has answered for sure, where nothing holds it up."""

DEFAULT_MIN_THINK_TIME_S = 0.25
"""The same for players from elsewhere, as far as anybody can know."""

HINT_DELAY_S = 0.5
"""A hint comes so many seconds after its thought began, whatever there was to think of."""

SLACK_FACTOR = 1.5
"""By how much the beat is longer than what did not fit into it."""

DECAY_FACTOR = 0.9
"""With every answer that fits, a beat that had become longer goes back by this factor."""


MAX_DELAY_S = 5.0
"""Seconds to which load slows a beat at most.

An answer later than that tells of trouble, as of a machine that slept or a player that hangs. Its
moves come when they can, and the ones after it are not held up for minutes.
"""


def min_think_time(player: str) -> float:
    """Seconds from the beginning of a player's thought to its answer, at least."""
    return MIN_THINK_TIME_S.get(player, DEFAULT_MIN_THINK_TIME_S)


class MoveTimer:
    """The beat of one table: where the server is loaded it slows down for every move alike."""

    def __init__(self) -> None:
        self._load_delay = 0.0

    def delay(self, pause: float, player: str) -> float:
        """Seconds after which the next answer is due.

        Args:
            pause: seconds that people want before a computer's move.
            player: whose answer it is; its effort fits the beat twice.
        """
        return max(pause, 2 * min_think_time(player), self._load_delay)

    def observe(self, seconds: float, beat: float) -> None:
        """Notes how long an answer took that was due after a beat."""
        if seconds > beat:
            self._load_delay = min(MAX_DELAY_S, SLACK_FACTOR * seconds)
        else:
            self._load_delay *= DECAY_FACTOR


class MoveDelay:
    """The time that one answer waits for, which people may end.

    Args:
        least: seconds that pass in any case, so that no answer tells how long it was thought of.
        most: seconds that pass where nobody ends it.
    """

    def __init__(self, least: float, most: float) -> None:
        self._min, self._max = least, most
        self._skipped = asyncio.Event()

    @property
    def seconds(self) -> float:
        """Seconds from the beginning of the thought after which the answer is due."""
        return self._min if self._skipped.is_set() else self._max

    def skip(self) -> None:
        """Has the answer come as soon as it may."""
        self._skipped.set()

    async def wait(self, took: float) -> None:
        """Waits until an answer is due that is there after so many seconds."""
        due = asyncio.get_running_loop().time() - took + self._max
        await asyncio.sleep(self._min - took)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(due):
                await self._skipped.wait()

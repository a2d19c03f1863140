"""When computers answer: on a beat that tells nothing of the position.

How long a player thinks tells what it holds: a forced card comes at once, a choice takes its time.
So the answer waits for the beat, whatever it is, and thinking goes on meanwhile. Each player has an
effort, the longest it thinks; from when its thought begins that much time passes in any case. How
late an answer is then depends on how long the server let it wait for a thinker, which has nothing
to do with cards.
"""

import asyncio
from contextlib import suppress

__all__ = ["EFFORTS", "HINT_SECONDS", "SLOWEST", "Beat", "Pause", "effort"]

EFFORTS = {"random": 0.004, "sociable": 0.004, "greedy": 0.004, "club": 0.05, "master": 0.25}
"""Seconds in which each of our players has answered for sure, where nothing holds it up."""

OTHERS = 0.25
"""The same for players from elsewhere, as far as anybody can know."""

HINT_SECONDS = 0.5
"""A hint comes so many seconds after its thought began, whatever there was to think of."""

ROOM = 1.5
"""By how much the beat is longer than what did not fit into it."""

RELAXING = 0.9
"""With every answer that fits, a beat that had become longer goes back by this factor."""


SLOWEST = 5.0
"""Seconds to which load slows a beat at most.

An answer later than that tells of trouble, as of a machine that slept or a player that hangs. Its
moves come when they can, and the ones after it are not held up for minutes.
"""


def effort(player: str) -> float:
    """Seconds from the beginning of a player's thought to its answer, at least."""
    return EFFORTS.get(player, OTHERS)


class Beat:
    """The beat of one table: where the server is loaded it slows down for every move alike."""

    def __init__(self) -> None:
        self._slowed = 0.0

    def seconds(self, pause: float, player: str) -> float:
        """Seconds after which the next answer is due.

        Args:
            pause: seconds that people want before a computer's move.
            player: whose answer it is; its effort fits the beat twice.
        """
        return max(pause, 2 * effort(player), self._slowed)

    def took(self, seconds: float, beat: float) -> None:
        """Notes how long an answer took that was due after a beat."""
        if seconds > beat:
            self._slowed = min(SLOWEST, ROOM * seconds)
        else:
            self._slowed *= RELAXING


class Pause:
    """The time that one answer waits for, which people may end.

    Args:
        least: seconds that pass in any case, so that no answer tells how long it was thought of.
        most: seconds that pass where nobody ends it.
    """

    def __init__(self, least: float, most: float) -> None:
        self._least, self._most = least, most
        self._ended = asyncio.Event()

    @property
    def seconds(self) -> float:
        """Seconds from the beginning of the thought after which the answer is due."""
        return self._least if self._ended.is_set() else self._most

    def end(self) -> None:
        """Has the answer come as soon as it may."""
        self._ended.set()

    async def over(self, took: float) -> None:
        """Waits until an answer is due that is there after so many seconds."""
        due = asyncio.get_running_loop().time() - took + self._most
        await asyncio.sleep(self._least - took)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(due):
                await self._ended.wait()

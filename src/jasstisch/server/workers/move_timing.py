"""The timing of bots' answers, so that it reveals nothing about their cards.

A bot's thinking time is a side channel: a forced card comes at once, a choice takes longer. So each
answer is delayed to a common interval, during which the bot computes. Each bot has a minimum
thinking time, the longest that it usually needs, which passes in any case from the start of its
task. The remaining delay then depends on how long the task waited for a worker, which is
independent of the cards.
"""

import asyncio
from contextlib import suppress

MIN_THINK_TIME_S = {
    "random": 0.004,
    "sociable": 0.004,
    "greedy": 0.004,
    "club": 0.05,
    "master": 0.25,
}
"""The time in seconds within which each of our bots has answered, without load."""

_DEFAULT_MIN_THINK_TIME_S = 0.25
"""The same for bots of other packages, as a guess."""

HINT_DELAY_S = 0.5
"""The time after which a hint is shown, in seconds from the start of its task."""

_SLACK_FACTOR = 1.5
"""The factor by which the interval exceeds an answer that did not fit into it."""

_DECAY_FACTOR = 0.9
"""The factor by which a lengthened interval shrinks with each answer that fits."""


MAX_DELAY_S = 5.0
"""The maximum interval under load, in seconds.

A later answer has another cause, such as a suspended machine or a hanging bot. It is sent when it
is ready, and the moves after it are not delayed for minutes.
"""


def min_think_time(player: str) -> float:
    """The minimum time from the start of a bot's task to its answer, in seconds."""
    return MIN_THINK_TIME_S.get(player, _DEFAULT_MIN_THINK_TIME_S)


class MoveTimer:
    """The interval for the answers of one table; under load it grows for all moves alike."""

    def __init__(self) -> None:
        self._load_delay = 0.0

    def delay(self, pause: float, player: str) -> float:
        """The delay in seconds after which the next answer is due.

        Args:
            pause: the pause in seconds that people want before a bot's move.
            player: the bot; its minimum thinking time fits into the interval twice.
        """
        return max(pause, 2 * min_think_time(player), self._load_delay)

    def observe(self, seconds: float, interval: float) -> None:
        """Records how long an answer took, and the interval at that time."""
        if seconds > interval:
            self._load_delay = min(MAX_DELAY_S, _SLACK_FACTOR * seconds)
        else:
            self._load_delay *= _DECAY_FACTOR


class MoveDelay:
    """The delay of one answer, which people may end early.

    Args:
        least: seconds that pass in any case, so that the delay does not reveal the thinking time.
        limit: seconds that pass if nobody ends it early.
    """

    def __init__(self, least: float, limit: float) -> None:
        self._min, self._max = least, limit
        self._finished = asyncio.Event()

    @property
    def seconds(self) -> float:
        """Seconds from the start of the task after which the answer is due."""
        return self._min if self._finished.is_set() else self._max

    def finish(self) -> None:
        """Ends the delay as early as it may end."""
        self._finished.set()

    async def wait(self, took: float) -> None:
        """Waits until the answer is due that was ready after `took` seconds."""
        due = asyncio.get_running_loop().time() - took + self._max
        await asyncio.sleep(self._min - took)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(due):
                await self._finished.wait()

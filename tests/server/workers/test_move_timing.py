"""Constant-time bot moves: the delay reveals nothing about the choice."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from jasstisch.server.context import ServerContext
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.workers.fair_scheduler import FairWorkerPool
from jasstisch.server.workers.move_timing import (
    HINT_DELAY_S,
    MAX_DELAY_S,
    MIN_THINK_TIME_S,
    MoveTimer,
)
from jasstisch.storage import SqliteStore
from jasstisch.table import AccessRules, PackSource, Progress, Table, commands, events
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import new_table

Thinking = Callable[[Sequence[str]], float]
"""Seconds that a player thinks, with these actions to choose from."""


class TimestampStore(SqliteStore):
    """A store that keeps only the time of each append, and takes no time."""

    def __init__(self) -> None:
        self.done: list[float] = []

    async def append(
        self,
        table: str,
        after: int,
        done: Sequence[events.Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> None:
        self.done.append(asyncio.get_running_loop().time())


class TimedScheduler(FairWorkerPool):
    """A scheduler whose tasks take as long as the test says, in virtual time.

    Attributes:
        legal: among how many actions each thought had to choose.
    """

    def __init__(self, thinking: Thinking, waiting: float = 0.0) -> None:
        self.legal: list[int] = []
        self._thinking, self._waiting = thinking, waiting

    async def run(
        self, account: Any, seconds: float, thought: Any, *arguments: Any, lasts: float = 0.0
    ) -> Any:
        loop, legal = asyncio.get_running_loop(), arguments[-1]
        await asyncio.sleep(self._waiting)
        ends = loop.time() + lasts
        self.legal.append(len(legal))
        await asyncio.sleep(self._thinking(legal))
        await asyncio.sleep(ends - loop.time())
        return legal[0]

    def close(self) -> None:
        """Has nothing to close."""


class LoopTimeServices(ServerContext):
    """Services that run on the clock of the event loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()


async def _moves(player: str, pause: int, services: LoopTimeServices) -> list[float]:
    """The times of the moves of a round of bots."""
    made = new_table("molotov", [None, player, player, player], pause=pause).state.creation_event
    table = Table(replace(made, stand_in=player))
    memory, shuffle = services.store, Random(5).sample
    assert isinstance(memory, TimestampStore)
    for command in (commands.Sit("a", 0, "Anna"), commands.StartMatch("a"), commands.Stand("a")):
        list(table.execute(command, PackSource(lambda pack: shuffle(pack, len(pack)))))
    live = TableActor(table, services, lambda _: None)
    while table.state.phase == "playing":  # noqa: ASYNC110 - in a time that passes at once
        await asyncio.sleep(1.0)
    live.evict()
    return memory.done


def gaps(player: str, pause: int, thinkers: TimedScheduler) -> dict[bool, list[float]]:
    """The delays between moves, forced and free ones apart."""
    moves = run_in_virtual_time(
        _moves(player, pause, LoopTimeServices(TimestampStore(), worker_pool=thinkers))
    )
    found: dict[bool, list[float]] = {True: [], False: []}
    for legal, (before, now) in zip(thinkers.legal[1:], pairwise(moves), strict=True):
        found[legal == 1].append(round(now - before, 3))
    return found


def by_choice(seconds: float) -> Thinking:
    """A thinking time of 0 where a card is forced, else `seconds`."""
    return lambda legal: 0.0 if len(legal) == 1 else seconds


@pytest.mark.parametrize("pause", [0, 100, 700])
@pytest.mark.parametrize("player", MIN_THINK_TIME_S)
def test_forced_and_free_moves_take_equally_long(player: str, pause: int) -> None:
    times = gaps(player, pause, TimedScheduler(by_choice(MIN_THINK_TIME_S[player] * 0.95)))
    assert len(times[True]) > 3
    assert len(times[False]) > 10
    assert set(times[True]) <= set(times[False])
    # Two beats where a trick has just been completed, and one else.
    assert len(set(times[False])) <= 2


def test_pause_and_thinking_overlap() -> None:
    times = gaps("master", 700, TimedScheduler(by_choice(0.2)))
    assert set(times[False]) == {0.7, 1.4}


def test_under_load_the_pace_of_the_table_slows_for_all_moves_alike() -> None:
    times = gaps("master", 100, TimedScheduler(by_choice(0.2), waiting=1.0))
    late = {one for one in (*times[True], *times[False]) if one > 0.5}
    assert set(times[True]) <= set(times[False]) <= late
    assert min(late) >= 1.25


def test_the_pace_recovers_when_answers_are_in_time() -> None:
    beat = MoveTimer()
    assert beat.delay(0.7, "greedy") == 0.7
    beat.observe(2.0, 0.7)
    assert beat.delay(0.7, "greedy") == 3.0
    for _ in range(20):
        beat.observe(0.1, beat.delay(0.7, "greedy"))
    assert beat.delay(0.7, "greedy") == 0.7


def test_a_bot_plays_at_the_usual_pace_after_its_warm_up() -> None:
    async def moves() -> list[float]:
        loop = asyncio.get_running_loop()
        services = LoopTimeServices(TimestampStore(), worker_pool=TimedScheduler(by_choice(0.2)))
        services.warmup.mark_bots_unknown()
        loop.call_later(60.0, services.warmup._bots_known.set)
        return await _moves("master", 100, services)

    first, *others = run_in_virtual_time(moves())
    assert first > 60.0
    assert max(now - before for before, now in pairwise([first, *others])) <= 0.5


def test_one_slow_answer_does_not_slow_all_later_moves() -> None:
    beat = MoveTimer()
    beat.observe(3600.0, 0.7)  # the machine was asleep meanwhile
    assert beat.delay(0.7, "greedy") <= MAX_DELAY_S
    assert beat.delay(2 * MAX_DELAY_S, "greedy") == 2 * MAX_DELAY_S


def test_every_bots_effort_fits_its_minimum_thinking_time() -> None:
    for player, seconds in MIN_THINK_TIME_S.items():
        assert MoveTimer().delay(0.0, player) >= 2 * seconds


def test_the_reported_duration_of_a_task_is_constant() -> None:
    async def lasting(*took: float) -> list[float]:
        loop, ended = asyncio.get_running_loop(), []
        for seconds in took:
            began = loop.time()
            thinkers = TimedScheduler(lambda _, seconds=seconds: seconds)  # type: ignore[misc] # bound now
            await thinkers.run(None, 9.0, None, ["play JC"], lasts=HINT_DELAY_S)
            ended.append(loop.time() - began)
        return ended

    assert run_in_virtual_time(lasting(0.0, 0.1, 0.4)) == pytest.approx([HINT_DELAY_S] * 3)

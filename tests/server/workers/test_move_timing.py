"""Computers answer on a beat: when, tells nothing of what they had to think of."""

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
from jasstisch.table import PackSource, Progress, Table, commands, events
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import new_table

Thinking = Callable[[Sequence[str]], float]
"""Seconds that a player thinks, with these actions to choose from."""


class Memory(SqliteStore):
    """A store that keeps nothing but when something was done, and takes no time."""

    def __init__(self) -> None:
        self.done: list[float] = []

    async def append(
        self, table: str, after: int, done: Sequence[events.Event], finished: Progress | None = None
    ) -> None:
        self.done.append(asyncio.get_running_loop().time())


class Timed(FairWorkerPool):
    """Thinkers that think as long as a test says, in the time of the loop.

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
        """Nothing to end."""


class InLoopTime(ServerContext):
    """Services whose time is that of the event loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()


async def _moves(player: str, pause: int, services: InLoopTime) -> list[float]:
    """When each move of a round of computers came."""
    made = new_table("molotov", [None, player, player, player], pause=pause).state.created
    table = Table(replace(made, stand_in=player))
    memory, shuffle = services.store, Random(5).sample
    assert isinstance(memory, Memory)
    for command in (commands.Sit("a", 0, "Anna"), commands.StartMatch("a"), commands.Stand("a")):
        list(table.execute(command, PackSource(lambda pack: shuffle(pack, len(pack)))))
    live = TableActor(table, services, lambda _: None)
    while table.state.phase == "playing":  # noqa: ASYNC110 - in a time that passes at once
        await asyncio.sleep(1.0)
    live.evict()
    return memory.done


def gaps(player: str, pause: int, thinkers: Timed) -> dict[bool, list[float]]:
    """The times between moves, forced and free ones apart."""
    moves = run_in_virtual_time(_moves(player, pause, InLoopTime(Memory(), worker_pool=thinkers)))
    found: dict[bool, list[float]] = {True: [], False: []}
    for legal, (before, now) in zip(thinkers.legal[1:], pairwise(moves), strict=True):
        found[legal == 1].append(round(now - before, 3))
    return found


def by_choice(seconds: float) -> Thinking:
    """Nothing to think of where a card is forced, all that is allowed where it is not."""
    return lambda legal: 0.0 if len(legal) == 1 else seconds


@pytest.mark.parametrize("pause", [0, 100, 700])
@pytest.mark.parametrize("player", MIN_THINK_TIME_S)
def test_a_forced_card_comes_when_a_choice_comes(player: str, pause: int) -> None:
    times = gaps(player, pause, Timed(by_choice(MIN_THINK_TIME_S[player] * 0.95)))
    assert len(times[True]) > 3
    assert len(times[False]) > 10
    assert set(times[True]) <= set(times[False])
    # Two beats where a trick has just been completed, and one else.
    assert len(set(times[False])) <= 2


def test_the_pause_and_the_thinking_overlap() -> None:
    times = gaps("master", 700, Timed(by_choice(0.2)))
    assert set(times[False]) == {0.7, 1.4}


def test_where_the_server_is_loaded_the_beat_of_the_table_slows_and_not_that_of_a_choice() -> None:
    times = gaps("master", 100, Timed(by_choice(0.2), waiting=1.0))
    late = {one for one in (*times[True], *times[False]) if one > 0.5}
    assert set(times[True]) <= set(times[False]) <= late
    assert min(late) >= 1.25


def test_a_beat_that_slowed_comes_back_when_answers_fit_again() -> None:
    beat = MoveTimer()
    assert beat.delay(0.7, "greedy") == 0.7
    beat.observe(2.0, 0.7)
    assert beat.delay(0.7, "greedy") == 3.0
    for _ in range(20):
        beat.observe(0.1, beat.delay(0.7, "greedy"))
    assert beat.delay(0.7, "greedy") == 0.7


def test_a_player_that_had_to_be_made_ready_plays_on_the_usual_beat_afterwards() -> None:
    async def moves() -> list[float]:
        loop = asyncio.get_running_loop()
        services = InLoopTime(Memory(), worker_pool=Timed(by_choice(0.2)))
        services.warmup.start()
        loop.call_later(60.0, services.warmup._bots_known.set)
        return await _moves("master", 100, services)

    first, *others = run_in_virtual_time(moves())
    assert first > 60.0
    assert max(now - before for before, now in pairwise([first, *others])) <= 0.5


def test_one_answer_that_took_for_ever_does_not_hold_up_all_that_follow() -> None:
    beat = MoveTimer()
    beat.observe(3600.0, 0.7)  # the machine was asleep meanwhile
    assert beat.delay(0.7, "greedy") <= MAX_DELAY_S
    assert beat.delay(2 * MAX_DELAY_S, "greedy") == 2 * MAX_DELAY_S


def test_every_players_effort_fits_its_beat() -> None:
    for player, seconds in MIN_THINK_TIME_S.items():
        assert MoveTimer().delay(0.0, player) >= 2 * seconds


def test_a_thought_looks_as_long_from_outside_whatever_it_took() -> None:
    async def lasting(*took: float) -> list[float]:
        loop, ended = asyncio.get_running_loop(), []
        for seconds in took:
            began = loop.time()
            thinkers = Timed(lambda _, seconds=seconds: seconds)  # type: ignore[misc] # bound now
            await thinkers.run(None, 9.0, None, ["play JC"], lasts=HINT_DELAY_S)
            ended.append(loop.time() - began)
        return ended

    assert run_in_virtual_time(lasting(0.0, 0.1, 0.4)) == pytest.approx([HINT_DELAY_S] * 3)

"""Fair scheduling of bots on worker processes, and worker failures."""

import asyncio
import errno
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from jasstisch.bots import BUILT_IN, STRENGTH_ORDER, View, bot
from jasstisch.client import Client
from jasstisch.server.workers import tasks
from jasstisch.server.workers.fair_scheduler import BillingKey, FairWorkerPool, TaskFailedError
from jasstisch.server.workers.worker import ProcessWorker, TaskFunction, TaskResult
from tests.server.running_server import running_server
from tests.server.worker_tasks import (
    exit_process,
    fail_with_card,
    find_crashing_bot,
    hang,
    pid,
    return_unpicklable,
)

AGES = 60.0
"""Seconds no thought of these tests needs, however busy the machine is."""

NOT_SENT = ["AttributeError", "PicklingError"]
"""What Python raises, by its version, for a function that another process cannot find."""


def of(table: str) -> BillingKey:
    """The account of a table whose creator has no other table."""
    return BillingKey(f"maker of {table}", table)


@pytest.fixture
def one_process() -> Iterator[FairWorkerPool]:
    thinkers = FairWorkerPool([ProcessWorker()])
    yield thinkers
    thinkers.close()


@pytest.mark.outside
async def test_tasks_run_in_a_worker_process(one_process: FairWorkerPool) -> None:
    first = await one_process.run(of("a"), AGES, pid)
    assert first != os.getpid()
    assert await one_process.run(of("b"), AGES, pid) == first


@pytest.mark.outside
async def test_a_crashed_worker_fails_one_task_and_is_replaced(
    one_process: FairWorkerPool,
) -> None:
    first = await one_process.run(of("a"), AGES, pid)
    waiting = asyncio.gather(
        one_process.run(of("a"), AGES, exit_process),
        one_process.run(of("b"), AGES, pid),
        return_exceptions=True,
    )
    died, other = await waiting
    assert isinstance(died, TaskFailedError)
    assert died.details == {"error": "worker_died"}
    assert isinstance(other, int)
    assert other not in (first, os.getpid())


@pytest.mark.outside
async def test_a_task_that_times_out_is_killed_with_its_process(
    one_process: FairWorkerPool,
) -> None:
    first = await one_process.run(of("a"), AGES, pid)
    with pytest.raises(TaskFailedError, match="TimeoutError"):
        await one_process.run(of("a"), 0.05, hang)
    assert await one_process.run(of("a"), AGES, pid) != first


@pytest.mark.outside
@pytest.mark.parametrize(
    ("thought", "arguments", "errors"),
    [
        (fail_with_card, ("JC",), ["KeyError"]),
        (fail_with_card, (lambda: 1,), NOT_SENT),
        (return_unpicklable, (), NOT_SENT),
    ],
)
async def test_a_failed_task_reports_its_error_type_without_cards(
    one_process: FairWorkerPool,
    thought: TaskFunction,
    arguments: tuple[object, ...],
    errors: list[str],
) -> None:
    with pytest.raises(TaskFailedError) as caught:
        await one_process.run(of("a"), AGES, thought, *arguments)
    assert caught.value.details["error"] in errors
    assert "JC" not in str(caught.value.details)
    assert isinstance(await one_process.run(of("a"), AGES, pid), int)


@pytest.mark.outside
async def test_a_worker_is_replaced_later_if_no_process_can_start(
    one_process: FairWorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(_: object) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    with monkeypatch.context() as patched:
        patched.setattr("multiprocessing.context.SpawnProcess.start", none_left)
        for _ in range(2):
            with pytest.raises(TaskFailedError, match="OSError"):
                await one_process.run(of("a"), AGES, exit_process)
    with pytest.raises(TaskFailedError, match="worker_died"):
        await one_process.run(of("a"), AGES, pid)
    assert isinstance(await one_process.run(of("a"), AGES, pid), int)


class RaisingWorker:
    """A worker that raises instead of reporting a failure."""

    def run(self, thought: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        raise MemoryError

    def abort_task(self) -> None:
        """Has nothing to stop."""

    def close(self) -> None:
        """Has nothing to close."""


async def test_a_worker_that_raises_is_free_for_the_next_task() -> None:
    thinkers = FairWorkerPool([RaisingWorker()])
    with pytest.raises(TaskFailedError, match="MemoryError"):
        await thinkers.run_on(RaisingWorker(), AGES, exit_process)
    for _ in range(3):
        with pytest.raises(TaskFailedError, match="MemoryError"):
            await asyncio.wait_for(thinkers.run(of("a"), AGES, pid), AGES)
    thinkers.close()


@pytest.mark.outside
async def test_a_cancelled_task_still_times_out(
    one_process: FairWorkerPool,
) -> None:
    """Otherwise a task that never ends would block its worker for ever."""
    first = await one_process.run(of("a"), AGES, pid)
    waiting = asyncio.create_task(one_process.run(of("a"), 0.2, hang))
    await asyncio.sleep(0.05)
    waiting.cancel()
    assert await one_process.run(of("b"), AGES, pid) != first


@pytest.mark.outside
async def test_background_tasks_time_out(one_process: FairWorkerPool) -> None:
    apart = ProcessWorker()
    with pytest.raises(TaskFailedError, match="worker_died"):
        await one_process.run_on(apart, 0.05, hang)
    apart.close()


@pytest.mark.outside
async def test_a_background_worker_replaces_another(
    one_process: FairWorkerPool,
) -> None:
    newcomer = ProcessWorker()
    old = await one_process.run(of("a"), AGES, pid)
    new = await one_process.run_on(newcomer, AGES, pid)
    assert old != new
    await one_process.swap_in(newcomer, pid)
    for table in "ab":
        assert await one_process.run(of(table), AGES, pid) == new


@pytest.mark.outside
async def test_a_worker_crash_does_not_stop_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thinkers = FairWorkerPool([ProcessWorker(), ProcessWorker()])
    async with (
        running_server(tmp_path, find_bot=find_crashing_bot, thinkers=thinkers) as url,
        Client(url) as anna,
    ):
        made = await anna.create_table(
            "molotow", ["me", *["bot:greedy"] * 3], name="Anna", options={"rounds": 1}, start=True
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        assert table.phase == "over"
    output = capsys.readouterr()
    assert "worker_died" in output.out + output.err


class StepwiseWorker:
    """A worker that finishes each task when the test allows, at a given cost."""

    def __init__(self) -> None:
        self.costs = {"slow": 9.0, "quick": 1.0, "short": 0.012, "shorter": 0.001}
        self.order: list[str] = []
        self.did_chore = threading.Event()
        self._go_on = threading.Semaphore(0)

    def run(self, thought: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        self._go_on.acquire(timeout=AGES)
        table = str(arguments[0])
        self.order.append(table)
        if table == "short":
            self.did_chore.set()
        return TaskResult(table, None, self.costs[table.partition("-")[0]])

    def let(self) -> None:
        self._go_on.release()

    def abort_task(self) -> None:
        """Has nothing to stop."""

    def close(self) -> None:
        for _ in range(100):
            self._go_on.release()


async def test_a_newcomer_gets_one_task_before_all_others_get_one_each() -> None:
    first, second, newcomer = StepwiseWorker(), StepwiseWorker(), StepwiseWorker()
    thinkers = FairWorkerPool([first, second])
    busy = asyncio.create_task(thinkers.run(of("quick-1"), AGES, pid, "quick-1"))
    await asyncio.sleep(0)
    # The one that is free makes way; the other one thinks when it is done.
    await thinkers.swap_in(newcomer, pid, "short")
    others = [
        asyncio.create_task(thinkers.run(of(f"quick-{n}"), AGES, pid, f"quick-{n}")) for n in "234"
    ]
    for worker in (first, second, newcomer):
        for _ in range(6):
            worker.let()
    await asyncio.gather(busy, *others)
    kept = next(worker for worker in (first, second) if worker.order)
    await asyncio.to_thread(kept.did_chore.wait, AGES)  # no thought waits for what is done besides
    thinkers.close()
    assert kept.order[:2] == ["quick-1", "short"]
    assert "short" not in newcomer.order
    everything = sorted([*kept.order, *newcomer.order])
    assert everything == ["quick-1", "quick-2", "quick-3", "quick-4", "short"]


async def served(turns: dict[str, int], account: Callable[[str], BillingKey] = of) -> list[str]:
    """The order in which one worker serves tables with so many tasks each."""
    worker = StepwiseWorker()
    thinkers = FairWorkerPool([worker])
    thought = 0

    async def play(table: str) -> None:
        nonlocal thought
        for _ in range(turns[table]):
            await thinkers.run(account(table), AGES, pid, table)
            thought += 1

    playing = [asyncio.create_task(play(table)) for table in turns]
    for number in range(sum(turns.values())):
        worker.let()
        # A served table asks for its next turn before the next task can end.
        while thought == number:  # noqa: ASYNC110 - a thread of the worker ends the thought
            await asyncio.sleep(0)
    await asyncio.gather(*playing)
    thinkers.close()
    return worker.order


async def test_slow_bots_do_not_starve_other_tables() -> None:
    turns = {"slow-1": 6, "slow-2": 6, "quick-1": 20, "quick-2": 20}
    order = await served(turns)
    # All had to be served once before anybody was known to be slow; from then on a slow table
    # waits for nine thoughts of each quick one. None is passed over for good.
    early = order[:24]
    assert [early.count(table) for table in turns] == [2, 2, 10, 10]
    assert sorted(order) == sorted(table for table in turns for _ in range(turns[table]))


async def test_a_person_with_a_hundred_tables_has_the_same_share_as_one_with_one() -> None:
    turns = {f"short-{number}": 1 for number in range(100)} | {"shorter": 20}
    order = await served(turns, lambda table: BillingKey(table.split("-")[0], table))
    # They take turns from the moment both wait, whatever the number of their tables.
    places = [place for place, table in enumerate(order) if table == "shorter"]
    assert places[0] <= 2
    assert [later - sooner for sooner, later in pairwise(places)] == [2] * 19
    assert sorted(order) == sorted(table for table in turns for _ in range(turns[table]))


async def test_tables_of_one_person_take_turns() -> None:
    turns = {"slow-1": 6, "quick-1": 20, "quick-2": 20}
    order = await served(turns, lambda table: BillingKey("one", table))
    # A slow thought takes as long as nine quick ones of each of the others.
    slow, *quick = [order[:23].count(table) for table in turns]
    assert slow <= 3
    assert max(quick) - min(quick) <= 1


async def test_tables_with_short_tasks_take_turns() -> None:
    """Twelve tasks of one millisecond for each of twelve would be fair in time only."""
    order = await served({"short-1": 8, "shorter-1": 8})
    for place in range(0, 16, 2):
        assert sorted(order[place : place + 2]) == ["short-1", "shorter-1"]


async def test_a_cancelled_request_blocks_nobody() -> None:
    worker = StepwiseWorker()
    thinkers = FairWorkerPool([worker])
    tables = ["quick-1", "quick-2", "quick-3"]
    first, second, third = [
        asyncio.create_task(thinkers.run(of(table), AGES, pid, table)) for table in tables
    ]
    await asyncio.sleep(0)
    second.cancel()
    for _ in tables:
        worker.let()
    await asyncio.gather(first, third)
    thinkers.close()
    assert worker.order == ["quick-1", "quick-3"]


async def test_a_cancelled_task_occupies_its_worker_until_it_ends() -> None:
    worker = StepwiseWorker()
    thinkers = FairWorkerPool([worker])
    first = asyncio.create_task(thinkers.run(of("quick-1"), AGES, pid, "quick-1"))
    await asyncio.sleep(0)
    second = asyncio.create_task(thinkers.run(of("quick-2"), AGES, pid, "quick-2"))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    assert not second.done()
    worker.let()
    worker.let()
    await second
    thinkers.close()
    assert worker.order == ["quick-1", "quick-2"]


class PreparingBot:
    """A bot with something to prepare in the two games it knows."""

    name = "slow"
    games = ("jass", "molotov")
    ready: ClassVar[list[str]] = []

    def prepare(self, game: str) -> None:
        self.ready.append(game)

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        return legal[0]


class BotWithInvalidGames(PreparingBot):
    """A bot whose list of games is invalid."""

    name = "nonsense"
    games = None  # type: ignore[assignment]


def test_a_bot_with_invalid_games_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (BotWithInvalidGames, PreparingBot):
        monkeypatch.setitem(BUILT_IN, kind.name, (__name__, kind.__name__))
    found = tasks.bots_by_game(["molotov", "molotow"])
    ours = {"random": False, "greedy": False, "club": True, "master": True}
    assert list(ours) == [name for name in STRENGTH_ORDER if name != "sociable"]
    assert found == {"molotov": {**ours, "slow": True}, "molotow": ours}
    assert list(found["molotov"]) == [*ours, "slow"]


class BotThatFailsToPrepare(PreparingBot):
    name = "broken"

    def prepare(self, game: str) -> None:
        raise RuntimeError(game)


def test_a_bot_that_fails_to_prepare_hides_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PreparingBot, "ready", [])
    for kind in (BotThatFailsToPrepare, PreparingBot):
        monkeypatch.setitem(BUILT_IN, kind.name, (__name__, kind.__name__))
    tasks.warm_up_all([("broken", "jass"), ("slow", "jass"), ("slow", "molotov")])
    assert PreparingBot.ready == ["jass", "molotov"]

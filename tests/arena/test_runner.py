"""Runs on any executor give the same report."""

import doctest
import multiprocessing
import time
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.bots.searching import SearchBot
from jasstisch.bots.searching.budget import CLUB
from jasstisch.testing.view_type_checks import type_mismatches

P = ParamSpec("P")
T = TypeVar("T")

DUEL = arena.contest(jt.game("molotov"), ["greedy"], against="random")


def without_times(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without machine-dependent values."""
    bots = [
        {key: value for key, value in one.items() if not key.startswith("ms_")}
        for one in report["bots"]
    ]
    return {**report, "bots": bots}


class LazyFuture(Future[T]):
    """A future whose task runs when its result is requested."""

    def __init__(self, task: Callable[[], T]) -> None:
        super().__init__()
        self.task = task

    def work(self) -> None:
        if not self.done():
            self.set_result(self.task())

    def result(self, timeout: float | None = None) -> T:
        self.work()
        return super().result(timeout)


class LazyExecutor(Executor):
    """An executor that runs each task when its result is requested."""

    def __init__(self) -> None:
        self.futures: list[LazyFuture[Any]] = []

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = LazyFuture(lambda: fn(*args, **kwargs))
        self.futures.append(future)
        return future


def test_the_docstring_example_of_the_package_runs() -> None:
    results = doctest.testmod(arena)
    assert results.attempted > 3
    assert results.failed == 0


@pytest.mark.outside
def test_two_processes_report_the_same_as_one() -> None:
    alone = arena.run(DUEL, deals=12, seed=3)
    with arena.process_pool(2) as executor:
        shared = arena.run(DUEL, deals=12, seed=3, executor=executor)
    assert without_times(shared) == without_times(alone)


@pytest.mark.outside
def test_without_a_clock_reports_do_not_depend_on_machine_or_executor() -> None:
    """With a clock a search may be cut short; here it always is, with a limit of 0 seconds."""
    game = jt.game("molotow")
    duel = arena.contest(game, ["club"], against="random")
    alone = arena.run(duel, deals=3, clock=False)
    assert alone["clock"] is False
    with arena.process_pool(2) as executor:
        shared = arena.run(duel, deals=3, clock=False, executor=executor)
    assert without_times(shared) == without_times(alone)
    breathless = InstantClub(replace(CLUB, time_limit_s=0.0))
    cut = arena.run(arena.contest(game, [breathless], against="random"), deals=3)
    whole = arena.run(arena.contest(game, [breathless], against="random"), deals=3, clock=False)
    mean, best = cut["bots"][0]["mean"], alone["bots"][0]["mean"]
    assert whole["bots"][0]["mean"] == best != mean


class InstantClub(SearchBot):
    """A searching bot of another name."""

    name = "breathless"


def test_several_threads_report_the_same_as_one() -> None:
    alone = arena.run(DUEL, deals=12, seed=3)
    with ThreadPoolExecutor(3) as executor:
        shared = arena.run(DUEL, deals=12, seed=3, executor=executor)
    assert without_times(shared) == without_times(alone)


def test_boards_come_in_order_whatever_finishes_first() -> None:
    executor = LazyExecutor()
    played = arena.ContestRun(DUEL, 6).play(executor)
    assert [board.number for board in next(played)] == [0]
    for future in reversed(executor.futures):
        future.work()
    *_, boards = played
    assert [board.number for board in boards] == [0, 1, 2, 3, 4, 5]


def test_closing_cancels_pending_tasks() -> None:
    executor = LazyExecutor()
    session = arena.ContestRun(DUEL, 4)
    played = session.play(executor)
    next(played)
    played.close()
    assert [future.cancelled() for future in executor.futures] == [False, True, True, True]
    assert len(session.boards) == 1


def test_a_run_continues_where_it_stopped() -> None:
    session = arena.ContestRun(DUEL, 5, seed=2)
    next(session.play())
    assert len(session.boards) == 1
    for _ in session.play():
        pass
    assert without_times(session.report()) == without_times(arena.run(DUEL, deals=5, seed=2))


def test_chunks_are_small_enough_to_show_progress() -> None:
    session = arena.ContestRun(DUEL, 3)
    assert [len(boards) for boards in session.play()] == [1, 2, 3]


@pytest.mark.parametrize("deals", [1, 0, -3, 2.0, True])
def test_too_few_deals_for_an_interval_are_refused(deals: int) -> None:
    with pytest.raises(jt.GameError, match="2 deals or more make an interval, not"):
        arena.run(DUEL, deals=deals)


def test_a_report_needs_two_boards() -> None:
    with pytest.raises(jt.GameError, match="not 0"):
        arena.ContestRun(DUEL, 5).report()


@pytest.mark.parametrize("number", [0, -1, 1.5, True])
def test_zero_processes_are_refused(number: int) -> None:
    with (
        pytest.raises(jt.GameError, match="1 process or more can play, not"),
        arena.process_pool(number),
    ):
        pass


def interrupted() -> None:
    """A run on two processes that is interrupted by Ctrl-C."""
    with arena.process_pool(2) as executor:
        assert executor
        next(arena.ContestRun(DUEL, 400).play(executor))
        raise KeyboardInterrupt


@pytest.mark.outside
def test_an_interrupted_run_kills_its_processes() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert multiprocessing.active_children() == []


@pytest.mark.outside
def test_a_dying_process_tolerates_cancelled_tasks() -> None:
    with arena.process_pool(2) as executor:
        assert executor
        futures = [executor.submit(time.sleep, 600) for _ in range(20)]
        for future in futures[10:]:
            assert future.cancel()
        multiprocessing.active_children()[0].kill()
        for future in futures[:10]:
            assert isinstance(future.exception(timeout=60), BrokenExecutor)
    assert all(future.cancelled() for future in futures[10:])


@pytest.mark.outside
def test_an_interrupted_run_leaves_other_processes_alone() -> None:
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert multiprocessing.active_children() == [other]
    finally:
        other.kill()
        other.join()


@pytest.mark.parametrize(
    "contest",
    [
        arena.contest(jt.game("molotov"), ["greedy", "random"], against="random"),
        arena.contest(jt.game("molotow"), ["greedy", "random", "random", "random"]),
        arena.contest(jt.game("differenzler"), ["greedy", "random"]),
        arena.contest(jt.game("i-doubt-it"), ["greedy"], against="random"),
        arena.contest(jt.game("schieber"), ["greedy", "random"]),
    ],
)
def test_a_report_matches_its_type(contest: arena.Contest) -> None:
    report = arena.run(contest, deals=2)
    assert list(type_mismatches(report, arena.ArenaReport, "report")) == []

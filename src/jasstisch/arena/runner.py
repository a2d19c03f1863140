"""Runs a contest in this thread or on any executor, and reports.

Deals are submitted in small chunks and collected in order. The boards at any moment are therefore a
prefix of the whole, and the report does not depend on which worker played which deal.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar, cast

from jasstisch.arena.contests import Contest
from jasstisch.arena.duplicate_boards import BoardResult, ContestTask, play_deals
from jasstisch.arena.reports import ArenaReport
from jasstisch.engine.errors import GameError, quote

_P = ParamSpec("_P")
_T = TypeVar("_T")

MIN_DEALS = 2
"""The minimum number of deals for an interval."""

_MAX_CHUNK_DEALS = 8
_MIN_CHUNKS = 200
"""The minimum number of chunks, if there are enough deals: for progress and small losses."""


@dataclass
class ContestRun:
    """A run of a contest over some deals, with the boards played so far.

    Attributes:
        contest: the contest.
        deal_count: the number of deals, two or more.
        seed: the random seed; the result of a deal depends only on game, bots, seed and its number.
        plays_whole_matches: whether each deal is the first of a whole match.
        uses_clock: whether bots with a time limit observe it; without it the result is the same on
            every machine, however busy.
        boards: the boards played so far, in order.

    Raises:
        GameError: fewer than two deals.
    """

    contest: Contest
    deal_count: int
    seed: int = 1
    plays_whole_matches: bool = False
    uses_clock: bool = True
    boards: list[BoardResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        _check_deals(self.deal_count)

    @property
    def task(self) -> ContestTask:
        """The assignment for the workers."""
        who = self.contest
        return ContestTask(
            *(
                who.game,
                who.line_ups,
                self.seed,
                self.plays_whole_matches,
                who.bot_objects,
                self.uses_clock,
                who.origins,
            )
        )

    def play(self, executor: Executor | None = None) -> Generator[Sequence[BoardResult]]:
        """Plays the remaining deals, chunk by chunk; closing the iterator cancels pending chunks.

        Args:
            executor: where to play; this thread when left out. It is not shut down.

        Yields:
            All boards so far, whenever some have been added.

        Raises:
            BotError: a bot failed.
        """
        size = max(1, min(_MAX_CHUNK_DEALS, self.deal_count // _MIN_CHUNKS))
        starts = range(len(self.boards), self.deal_count, size)
        chunks = [range(first, min(first + size, self.deal_count)) for first in starts]
        for played in _iter_chunks(self.task, chunks, executor):
            self.boards += played
            yield self.boards

    def report(self) -> ArenaReport:
        """Returns the report on the deals played so far, as plain JSON.

        Raises:
            GameError: there are fewer than two.
        """
        _check_deals(len(self.boards))
        game = self.contest.game
        report = {
            "game": game.name,
            "options": dict(game.options),
            "deals": len(self.boards),
            "matches": self.plays_whole_matches,
            "seed": self.seed,
            "clock": self.uses_clock,
            **self.contest.report(self.boards),
        }
        # A test checks it for every kind of contest.
        return cast("ArenaReport", report)


def _iter_chunks(
    assignment: ContestTask, chunks: Sequence[range], executor: Executor | None
) -> Iterator[list[BoardResult]]:
    """Yields the boards of each chunk, in order."""
    if executor is None:
        for numbers in chunks:
            yield play_deals(assignment, numbers)
        return
    futures = [executor.submit(play_deals, assignment, numbers) for numbers in chunks]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def run(
    contest: Contest,
    *,
    deals: int,
    seed: int = 1,
    matches: bool = False,
    clock: bool = True,
    executor: Executor | None = None,
) -> ArenaReport:
    """Lets bots play against each other on the same deals, in every seating.

    Args:
        contest: the contest, from `jasstisch.arena.contest`.
        deals: the number of deals, two or more.
        seed: the random seed; the result of a deal depends only on game, bots, seed and its number.
        matches: whether each deal is the first of a whole match that is played to its end.
        clock: whether bots with a time limit observe it; without it the result is the same on
            every machine, however busy.
        executor: where to play; this thread when left out. It is not shut down.

    Returns:
        The report as plain JSON, as printed by `jasstisch arena --json`.

    Raises:
        GameError: fewer than two deals.
        BotError: a bot failed.
    """
    session = ContestRun(contest, deals, seed, matches, clock)
    for _ in session.play(executor):
        pass
    return session.report()


@contextmanager
def process_pool(number: int, *, separate: bool = False) -> Iterator[Executor | None]:
    """Yields an executor with this many processes of this machine; None, this thread, for one.

    The processes are spawned, since threads and compiled code may be running in this process.
    Ctrl-C reaches only this process, which then terminates the others.

    Args:
        number: the number of processes.
        separate: whether one process is another one too, because it may end at any moment.

    Raises:
        GameError: fewer than one.
    """
    if type(number) is not int or number < 1:
        raise GameError(f"1 process or more can play, not {quote(number)}")
    if number == 1 and not separate:
        yield None
        return
    pool = _CancellablePool(
        number, mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts
    )
    others = set(multiprocessing.active_children())  # of the caller
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _CancellablePool(ProcessPoolExecutor):
    """A process pool whose futures can be cancelled at any time, also during shutdown.

    A process that is terminated breaks the pool, and the thread that then fails all pending futures
    raises an error for cancelled ones (Python 3.11: InvalidStateError, a traceback on the
    terminal). So only the pool cancels its own futures, when it is shut down.
    """

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Runs a call in a process; returns a separate future that receives its result."""
        future: Future[_T] = Future()

        def tell(done: Future[_T]) -> None:
            if done.cancelled():
                future.cancel()
            if not future.set_running_or_notify_cancel():
                return
            error = done.exception()
            if error is None:
                future.set_result(done.result())
            else:
                future.set_exception(error)

        super().submit(fn, *args, **kwargs).add_done_callback(tell)
        return future


def _ignore_interrupts() -> None:
    """Leaves Ctrl-C to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _check_deals(deals: int) -> None:
    """Checks that there are enough deals for an interval.

    Raises:
        GameError: there are too few.
    """
    if type(deals) is not int or deals < MIN_DEALS:
        raise GameError(f"{MIN_DEALS} deals or more make an interval, not {quote(deals)}")

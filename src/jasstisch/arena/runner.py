"""Plays a contest, here or on any executor, and reports.

Deals are sent out in small chunks and come back in their order, so that what is there at any moment
is the beginning of the whole, and the report is the same whoever played which deal.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar, cast

from jasstisch.arena.boards import Assignment, Board, play_deals
from jasstisch.arena.contests import Contest
from jasstisch.arena.reports import ArenaReport
from jasstisch.engine.errors import GameError, quote

__all__ = ["MIN_DEALS", "ContestRun", "process_pool", "run"]

P = ParamSpec("P")
T = TypeVar("T")

MIN_DEALS = 2
"""The interval needs a spread."""

MAX_CHUNK_DEALS = 8
MIN_CHUNKS = 200
"""So many chunks or more, as long as each has a deal: progress is seen, and little is lost."""


@dataclass
class ContestRun:
    """A contest to be played over some deals, and what has been played of it.

    Attributes:
        contest: who plays whom.
        deals: how many deals there shall be, two or more.
        seed: the seed of all chance; the result of a deal depends on game, bots, seed and its
            number only.
        matches: whether each deal is the first of a whole match.
        clock: whether bots that limit their time by a clock do so; without it the result is the
            same on every machine, however busy.
        boards: those that have been played, in their order.

    Raises:
        GameError: fewer than two deals.
    """

    contest: Contest
    deals: int
    seed: int = 1
    matches: bool = False
    clock: bool = True
    boards: list[Board] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_deals(self.deals)

    @property
    def assignment(self) -> Assignment:
        """What workers are told."""
        who = self.contest
        return Assignment(
            *(who.game, who.line_ups, self.seed, self.matches, who.guests, self.clock, who.origins)
        )

    def play(self, executor: Executor | None = None) -> Generator[Sequence[Board]]:
        """Plays on, chunk by chunk; closing the iterator calls off what has not begun.

        Args:
            executor: where the deals are played; in this thread when left out. It is not shut down.

        Yields:
            All boards so far, whenever some have been added.

        Raises:
            BotError: a bot failed.
        """
        size = max(1, min(MAX_CHUNK_DEALS, self.deals // MIN_CHUNKS))
        starts = range(len(self.boards), self.deals, size)
        chunks = [range(first, min(first + size, self.deals)) for first in starts]
        for played in iter_chunks(self.assignment, chunks, executor):
            self.boards += played
            yield self.boards

    def report(self) -> ArenaReport:
        """What is known after the deals played so far, as plain JSON.

        Raises:
            GameError: there are fewer than two.
        """
        check_deals(len(self.boards))
        game = self.contest.game
        told = {
            "game": game.name,
            "options": dict(game.options),
            "deals": len(self.boards),
            "matches": self.matches,
            "seed": self.seed,
            "clock": self.clock,
            **self.contest.report(self.boards),
        }
        # A test holds every kind of contest to it.
        return cast("ArenaReport", told)


def iter_chunks(
    assignment: Assignment, chunks: Sequence[range], executor: Executor | None
) -> Iterator[list[Board]]:
    """The boards of each chunk, in order, wherever they are played."""
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
        contest: who plays whom, from `jasstisch.arena.contest`.
        deals: how many deals are played, two or more.
        seed: the seed of all chance; the result of a deal depends on game, bots, seed and its
            number only.
        matches: each deal is the first of a whole match, which is played to its end.
        clock: bots that limit their time by a clock do so; without it the result is the same on
            every machine, however busy.
        executor: where the deals are played; in this thread when left out. It is not shut down.

    Returns:
        The report as plain JSON, the same that `jasstisch arena --json` prints.

    Raises:
        GameError: fewer than two deals.
        BotError: a bot failed.
    """
    session = ContestRun(contest, deals, seed, matches, clock)
    for _ in session.play(executor):
        pass
    return session.report()


@contextmanager
def process_pool(number: int) -> Iterator[Executor | None]:
    """An executor over this many processes of this machine; None, this thread, for one.

    They start fresh, as threads and compiled code may be at work in this process. Ctrl-C reaches
    this process only, which then ends them in the middle of what they do.

    Raises:
        GameError: fewer than one.
    """
    if type(number) is not int or number < 1:
        raise GameError(f"1 process or more can play, not {quote(number)}")
    if number == 1:
        yield None
        return
    pool = CancellablePool(
        number, mp_context=multiprocessing.get_context("spawn"), initializer=ignore_interrupts
    )
    others = set(multiprocessing.active_children())  # of whoever uses the arena
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class CancellablePool(ProcessPoolExecutor):
    """Processes whose futures can be cancelled at any time, also while they are being ended.

    A process that ends breaks the pool, and the thread that then fails everything still pending
    stumbles over what has been cancelled (Python 3.11: InvalidStateError, a traceback on the
    terminal). So only the pool itself cancels its own futures, when it is shut down.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Plays in a process; a future of its own, which is told what came of it."""
        told: Future[T] = Future()

        def tell(done: Future[T]) -> None:
            if done.cancelled():
                told.cancel()
            if not told.set_running_or_notify_cancel():
                return
            error = done.exception()
            if error is None:
                told.set_result(done.result())
            else:
                told.set_exception(error)

        super().submit(fn, *args, **kwargs).add_done_callback(tell)
        return told


def ignore_interrupts() -> None:
    """Leaves Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_deals(deals: int) -> None:
    """Refuses what gives no interval.

    Raises:
        GameError: there are too few deals.
    """
    if type(deals) is not int or deals < MIN_DEALS:
        raise GameError(f"{MIN_DEALS} deals or more make an interval, not {quote(deals)}")

"""Who thinks next: the thoughts of all tables, shared out fairly among a few workers."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar, cast

from jasstisch.server.log import failure
from jasstisch.server.worker import InThread, Outcome, Worker

__all__ = ["Thinkers", "ThoughtError"]

_Result = TypeVar("_Result")

THREADS = 4
"""So many threads think where there are no workers of another kind."""

SHORT = 0.02
"""Seconds that every thought counts at least.

By time alone a table in its first tricks, where there is most to think of, would wait for several
moves of all others.
"""

REMEMBERED = 1024
"""Tables whose shares are known before those that wait no longer for theirs are forgotten."""


class ThoughtError(Exception):
    """A thought that came to nothing.

    Attributes:
        details: what a log line may say of it: its type and where it happened.
    """

    def __init__(self, details: dict[str, str]) -> None:
        super().__init__(details["error"])
        self.details = details


class Thinkers:
    """Thinks for all tables, a few thoughts at a time.

    A table that has used more of the workers' time than another waits until that one has had as
    much: a table of slow players slows down itself and hardly anybody else. Short thoughts all
    count alike, so that tables of quick players take turns, whatever each of them has to think of.

    Args:
        workers: what thinks; some threads if not given.
    """

    def __init__(self, workers: Sequence[Worker] | None = None) -> None:
        self._workers = list(workers or [InThread() for _ in range(THREADS)])
        self._free = list(self._workers)
        self._chores: dict[Worker, tuple[Callable[..., object], tuple[object, ...]]] = {}
        self._threads = ThreadPoolExecutor(len(self._workers), thread_name_prefix="thinker")
        self._apart = ThreadPoolExecutor(1, thread_name_prefix="thinker-apart")
        self._queue = _FairQueue()

    async def think(
        self,
        table: str,
        seconds: float,
        thought: Callable[..., _Result],
        *arguments: object,
    ) -> _Result:
        """Waits for the table's turn and then for the thought.

        Args:
            table: whose thought it is.
            seconds: how long it may take, from when it begins.
            thought: a function of a module, so that a worker in another process finds it.
            arguments: for it.

        Raises:
            ThoughtError: it failed, or took too long.
        """
        worker = await self._turn(table)
        thinking = self._begin(worker, table, thought, arguments)
        # The limit holds also when nobody waits for the thought any more.
        limit = asyncio.get_running_loop().call_later(seconds, _stop, worker, thinking)
        try:
            async with asyncio.timeout(seconds):
                return cast("_Result", await _result(thinking))
        except TimeoutError:
            _stop(worker, thinking)
            raise ThoughtError({"error": "TimeoutError", "where": f"after {seconds:g} s"}) from None
        finally:
            if thinking.done():
                limit.cancel()

    async def think_apart(
        self, worker: Worker, seconds: float, thought: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Has a worker think that is not one of these.

        Raises:
            ThoughtError: it failed, or took longer than so many seconds.
        """
        thinking = self._apart.submit(worker.think, thought, arguments)
        limit = asyncio.get_running_loop().call_later(seconds, _stop, worker, thinking)
        try:
            return cast("_Result", await _result(thinking))
        finally:
            limit.cancel()

    async def take_in(
        self, worker: Worker, thought: Callable[..., object], *arguments: object
    ) -> None:
        """Takes a worker in for one of these; all the others think this once, when they are free.

        Args:
            worker: has thought already what the others are to think.
            thought: a function of a module.
            arguments: for it.
        """
        old = await self._turn("")
        old.close()
        self._workers[self._workers.index(old)] = worker
        self._chores = {other: (thought, arguments) for other in self._workers if other != worker}
        idle, self._free = self._free, []
        for one in (worker, *idle):
            self._release(one)

    def close(self) -> None:
        """Ends the workers without waiting for a thought under way."""
        self._chores.clear()
        for worker in self._workers:
            worker.close()
        for threads in (self._threads, self._apart):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, table: str) -> Worker:
        """The next free worker, when it is this table's turn."""
        if self._free:
            self._queue.note(table)
            return self._free.pop()
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._queue.put(table, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(turn.result())
            raise

    def _begin(
        self,
        worker: Worker,
        table: str,
        thought: Callable[..., object],
        arguments: tuple[object, ...],
    ) -> Future[Outcome]:
        """Has a worker think; it is free again when the thought ends, wanted or not."""
        loop = asyncio.get_running_loop()

        def ended(thinking: Future[Outcome]) -> None:
            failed = thinking.cancelled() or thinking.exception() is not None
            seconds = 0.0 if failed else thinking.result().seconds
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._ended, worker, table, seconds)

        thinking = self._threads.submit(worker.think, thought, arguments)
        thinking.add_done_callback(ended)
        return thinking

    def _ended(self, worker: Worker, table: str, seconds: float) -> None:
        self._queue.charge(table, seconds)
        self._release(worker)

    def _release(self, worker: Worker) -> None:
        chore = self._chores.pop(worker, None)
        if chore is not None:
            self._begin(worker, "", *chore)
            return
        turn = self._queue.take()
        if turn is None:
            self._free.append(worker)
        else:
            turn.set_result(worker)


def _stop(worker: Worker, thinking: Future[Outcome]) -> None:
    """Has a worker give up a thought, unless it has ended just now."""
    if not thinking.done():
        worker.stop()


async def _result(thinking: Future[Outcome]) -> object:
    """What a thought came to.

    Raises:
        ThoughtError: it failed, or its worker did.
    """
    try:
        outcome = await asyncio.wrap_future(thinking)
    except Exception as error:
        raise ThoughtError(failure(error)) from error
    if outcome.failure is not None:
        raise ThoughtError(outcome.failure)
    return outcome.result


class _FairQueue:
    """Those who wait for a worker, in the order of what their tables have used (fair queueing).

    A table's mark is the time it has been charged, but never less than the mark of whoever was
    served last: time that a table let pass unused gives it no claim.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[Worker]]] = []
        self._used: dict[str, float] = {}
        self._served = 0.0
        self._numbers = count()

    def note(self, table: str) -> float:
        """The table's mark, now that it wants to think."""
        mark = self._used[table] = max(self._served, self._used.get(table, 0.0))
        return mark

    def put(self, table: str, turn: "asyncio.Future[Worker]") -> None:
        """Lets somebody wait."""
        heappush(self._waiting, (self.note(table), next(self._numbers), turn))

    def take(self) -> "asyncio.Future[Worker] | None":
        """Who is served next; None when nobody waits any more."""
        while self._waiting:
            self._served, _, turn = heappop(self._waiting)
            if not turn.done():
                return turn
        return None

    def charge(self, table: str, seconds: float) -> None:
        """Adds to what a table has used."""
        self._used[table] = self._used.get(table, self._served) + max(SHORT, seconds)
        if len(self._used) > REMEMBERED:
            self._used = {one: used for one, used in self._used.items() if used > self._served}

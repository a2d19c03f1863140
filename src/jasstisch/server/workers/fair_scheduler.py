"""Who thinks next: the thoughts of all tables, shared out fairly among a few workers."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar, cast

from jasstisch.server.limits import SharedUsage
from jasstisch.server.observability import Histogram, describe_exception
from jasstisch.server.workers.worker import TaskResult, ThreadWorker, Worker

__all__ = ["SYSTEM", "BillingKey", "FairWorkerPool", "TaskFailedError"]

_Result = TypeVar("_Result")

DEFAULT_THREADS = 4
"""So many threads think where there are no workers of another kind."""

MIN_COST_S = 0.02
"""Seconds that every thought counts at least.

By time alone a table in its first tricks, where there is most to think of, would wait for several
moves of all others.
"""

MAX_REMEMBERED = 1024
"""People, or tables of one, whose use is known before those who have had no more than others are
forgotten."""


@dataclass(frozen=True, slots=True)
class BillingKey:
    """Who is charged for a thought.

    Attributes:
        person: whose table it is for.
        table: the table's id.
    """

    person: str
    table: str


SYSTEM = BillingKey("", "")
"""The account of what the server itself wants to know."""


class TaskFailedError(Exception):
    """A thought that came to nothing.

    Attributes:
        details: what a log line may say of it: its type and where it happened.
    """

    def __init__(self, details: dict[str, str]) -> None:
        super().__init__(details["error"])
        self.details = details


class FairWorkerPool:
    """Thinks for all tables, a few thoughts at a time.

    Who has used more of the workers' time than somebody else waits until that one has had as much:
    first the people whose tables these are, however many each has, then the tables of one person.
    Slow players slow down their own tables and hardly anybody else's. Short thoughts all count
    alike, so that tables of quick players take turns, whatever each of them has to think of.

    Args:
        workers: what thinks; some threads if not given.

    Attributes:
        waits: how long thoughts have waited, in seconds; None where nobody wants to know.
        waiting: how many wait.
    """

    def __init__(self, workers: Sequence[Worker] | None = None) -> None:
        self._workers = list(workers or [ThreadWorker() for _ in range(DEFAULT_THREADS)])
        self._idle = list(self._workers)
        self._setup_tasks: dict[Worker, tuple[Callable[..., object], tuple[object, ...]]] = {}
        self._threads = ThreadPoolExecutor(len(self._workers), thread_name_prefix="thinker")
        self._extra_thread = ThreadPoolExecutor(1, thread_name_prefix="thinker-apart")
        self._queue = _FairQueue()
        self.wait_times: Histogram | None = None
        self.queue_length = 0
        self._recorded_usage: Callable[[], Counter[str] | None] = lambda: None

    def share_usage(self, shared: SharedUsage) -> None:
        """Counts what people use of the workers of other nodes as if it were of these.

        That of a person is enough: a table thinks at one node only.
        """
        self._recorded_usage = shared.register_debit("thinking", self._queue.charge_person)

    async def run(
        self,
        account: BillingKey,
        seconds: float,
        thought: Callable[..., _Result],
        *arguments: object,
        lasts: float = 0.0,
    ) -> _Result:
        """Waits for its turn and then for the thought.

        Args:
            account: who is charged for it.
            seconds: how long it may take, from when it begins.
            thought: a function of a module, so that a worker in another process finds it.
            arguments: for it.
            lasts: seconds from its beginning to its end as it looks from outside, at least.

        Raises:
            TaskFailedError: it failed, or took too long.
        """
        worker = await self._acquire_worker(account)
        loop = asyncio.get_running_loop()
        ends = loop.time() + lasts
        thinking = self._submit(worker, account, thought, arguments)
        # The limit holds also when nobody waits for the thought any more.
        limit = loop.call_later(seconds, _stop_task, worker, thinking)
        try:
            async with asyncio.timeout(seconds):
                result = cast("_Result", await _task_result(thinking))
            await asyncio.sleep(ends - loop.time())
            return result
        except TimeoutError:
            _stop_task(worker, thinking)
            raise TaskFailedError(
                {"error": "TimeoutError", "where": f"after {seconds:g} s"}
            ) from None
        finally:
            if thinking.done():
                limit.cancel()

    async def run_on(
        self, worker: Worker, seconds: float, thought: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Has a worker think that is not one of these.

        Raises:
            TaskFailedError: it failed, or took longer than so many seconds.
        """
        thinking = self._extra_thread.submit(worker.run, thought, arguments)
        limit = asyncio.get_running_loop().call_later(seconds, _stop_task, worker, thinking)
        try:
            return cast("_Result", await _task_result(thinking))
        finally:
            limit.cancel()

    async def swap_in(
        self, worker: Worker, thought: Callable[..., object], *arguments: object
    ) -> None:
        """Takes a worker in for one of these; all the others think this once, when they are free.

        Args:
            worker: has thought already what the others are to think.
            thought: a function of a module.
            arguments: for it.
        """
        old = await self._acquire_worker(SYSTEM)
        old.close()
        self._workers[self._workers.index(old)] = worker
        self._setup_tasks = {
            other: (thought, arguments) for other in self._workers if other != worker
        }
        idle, self._idle = self._idle, []
        for one in (worker, *idle):
            self._release(one)

    def close(self) -> None:
        """Ends the workers without waiting for a thought under way."""
        self._setup_tasks.clear()
        for worker in self._workers:
            worker.close()
        for threads in (self._threads, self._extra_thread):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _acquire_worker(self, account: BillingKey) -> Worker:
        """The next free worker, when it is this account's turn."""
        if self._idle:
            self._queue.on_served(account)
            self._observe_wait(0.0)
            return self._idle.pop()
        loop = asyncio.get_running_loop()
        came, turn = loop.time(), loop.create_future()
        self._queue.put(account, turn)
        self.queue_length += 1
        try:
            worker: Worker = await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(turn.result())
            raise
        finally:
            self.queue_length -= 1
        self._observe_wait(loop.time() - came)
        return worker

    def _observe_wait(self, seconds: float) -> None:
        if self.wait_times is not None:
            self.wait_times.observe(seconds)

    def _submit(
        self,
        worker: Worker,
        account: BillingKey,
        thought: Callable[..., object],
        arguments: tuple[object, ...],
    ) -> Future[TaskResult]:
        """Has a worker think; it is free again when the thought ends, wanted or not."""
        loop = asyncio.get_running_loop()

        def ended(thinking: Future[TaskResult]) -> None:
            failed = thinking.cancelled() or thinking.exception() is not None
            seconds = 0.0 if failed else thinking.result().seconds
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._on_task_done, worker, account, seconds)

        thinking = self._threads.submit(worker.run, thought, arguments)
        thinking.add_done_callback(ended)
        return thinking

    def _on_task_done(self, worker: Worker, account: BillingKey, seconds: float) -> None:
        self._queue.charge(account, seconds)
        used = self._recorded_usage()
        if used is not None and account.person:
            used[account.person] += round(max(MIN_COST_S, seconds) * 1000)
        self._release(worker)

    def _release(self, worker: Worker) -> None:
        chore = self._setup_tasks.pop(worker, None)
        if chore is not None:
            self._submit(worker, SYSTEM, *chore)
            return
        turn = self._queue.pop()
        if turn is None:
            self._idle.append(worker)
        else:
            turn.set_result(worker)


def _stop_task(worker: Worker, thinking: Future[TaskResult]) -> None:
    """Has a worker give up a thought, unless it has ended just now."""
    if not thinking.done():
        worker.stop()


async def _task_result(thinking: Future[TaskResult]) -> object:
    """What a thought came to.

    Raises:
        TaskFailedError: it failed, or its worker did.
    """
    try:
        outcome = await asyncio.wrap_future(thinking)
    except Exception as error:
        raise TaskFailedError(describe_exception(error)) from error
    if outcome.failure is not None:
        raise TaskFailedError(outcome.failure)
    return outcome.result


_WorkerFuture = asyncio.Future[Worker]


class _VirtualTimes:
    """What each of some has used: the time charged, and never less than who was served last.

    Time that one of them let pass unused gives him no claim.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._last_served = 0.0

    def get(self, one: str) -> float:
        """What counts as used by one of them."""
        return max(self._last_served, self._used.get(one, 0.0))

    def on_served(self, one: str) -> None:
        """It is his turn; he is charged for a short thought at once, for others wait already."""
        self._last_served = self.get(one)
        self.charge(one, MIN_COST_S)

    def charge(self, one: str, seconds: float) -> None:
        """Adds to what he has used."""
        self._used[one] = self.get(one) + seconds
        if len(self._used) > MAX_REMEMBERED:
            self._used = {one: used for one, used in self._used.items() if used > self._last_served}


class _PersonQueue:
    """Those of one person who wait, by table, and what each of his tables has used."""

    def __init__(self) -> None:
        self.table_times = _VirtualTimes()
        self.waiting: dict[str, deque[_WorkerFuture]] = {}

    def put(self, table: str, turn: _WorkerFuture) -> None:
        self.waiting.setdefault(table, deque()).append(turn)

    def pop(self) -> tuple[str, _WorkerFuture] | None:
        """Who of them is served next; None when nobody waits any more."""
        while self.waiting:
            table = min(self.waiting, key=self.table_times.get)
            turns = self.waiting[table]
            turn = turns.popleft()
            if not turns:
                del self.waiting[table]
            if not turn.done():
                return table, turn
        return None


class _FairQueue:
    """Those who wait for a worker: by what people have used, then by what their tables have.

    A person who waits stands in the heap once, with his mark of that moment. Marks only grow: who
    comes to the front with one that has grown meanwhile is put back.
    """

    def __init__(self) -> None:
        self._person_times = _VirtualTimes()
        self._person_queues: dict[str, _PersonQueue] = {}
        self._heap: list[tuple[float, int, str]] = []
        self._numbers = count()

    def on_served(self, account: BillingKey) -> None:
        """Notes that somebody was served without waiting."""
        self._person_times.on_served(account.person)
        share = self._person_queues.get(account.person)
        if share is not None:
            share.table_times.on_served(account.table)

    def put(self, account: BillingKey, turn: _WorkerFuture) -> None:
        """Lets somebody wait."""
        share = self._person_queues.get(account.person)
        if share is None:
            share = self._person_queues[account.person] = _PersonQueue()
        if not share.waiting:
            self._push_person(account.person)
        share.put(account.table, turn)

    def pop(self) -> _WorkerFuture | None:
        """Who is served next; None when nobody waits any more."""
        while self._heap:
            mark, _, person = heappop(self._heap)
            share = self._person_queues[person]
            if mark < self._person_times.get(person) and len(self._heap) > 0:
                self._push_person(person)
                continue
            found = share.pop()
            if found is None:
                self._drop_person(person)
                continue
            table, turn = found
            self._person_times.on_served(person)
            share.table_times.on_served(table)
            if share.waiting:
                self._push_person(person)
            return turn
        return None

    def charge(self, account: BillingKey, seconds: float) -> None:
        """Adds what a thought took beyond what was charged when it began."""
        more = max(0.0, seconds - MIN_COST_S)
        self._person_times.charge(account.person, more)
        share = self._person_queues.get(account.person)
        if share is not None:
            share.table_times.charge(account.table, more)
            if not share.waiting and len(self._person_queues) > MAX_REMEMBERED:
                self._drop_person(account.person)

    def charge_person(self, person: str, milliseconds: int) -> None:
        """Adds what somebody has used elsewhere."""
        self._person_times.charge(person, milliseconds / 1000)

    def _push_person(self, person: str) -> None:
        heappush(self._heap, (self._person_times.get(person), next(self._numbers), person))

    def _drop_person(self, person: str) -> None:
        del self._person_queues[person]

"""A fair scheduler: shares a few workers among the tasks of all tables (weighted fair queueing)."""

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

_Result = TypeVar("_Result")

_DEFAULT_THREADS = 4
"""The number of worker threads, where no workers of another kind are given."""

_MIN_COST_S = 0.02
"""The minimum cost of a task, in seconds.

If only time counted, a table in its first tricks, whose moves take longest to compute, would wait
for several moves of all other tables.
"""

_MAX_REMEMBERED = 1024
"""The number of people, or tables of a person, whose usage is remembered; beyond, those who have
used no more than others are dropped."""


@dataclass(frozen=True, slots=True)
class BillingKey:
    """The account that a task is billed to.

    Attributes:
        person: the person whose table it is for.
        table: the table's id.
    """

    person: str
    table: str


SYSTEM = BillingKey("", "")
"""The account of the server's own tasks."""


class TaskFailedError(Exception):
    """A task has failed.

    Attributes:
        details: the fields for the log: the type of the failure and where it happened.
    """

    def __init__(self, details: dict[str, str]) -> None:
        super().__init__(details["error"])
        self.details = details


class FairWorkerPool:
    """Runs tasks for all tables, a few at a time.

    An account that has used more of the workers' time than another waits until the other has used
    as much. This applies first between people, however many tables each has, then between the
    tables of one person. Slow bots thus slow down their own tables and hardly any others. Short
    tasks all cost the same, so that tables of quick bots take turns, whatever each of them
    computes.

    Args:
        workers: the workers; some threads if not given.

    Attributes:
        wait_times: the histogram of waiting times in seconds; None if nobody needs it.
        queue_length: the number of waiting tasks.
    """

    def __init__(self, workers: Sequence[Worker] | None = None) -> None:
        self._workers = list(workers or [ThreadWorker() for _ in range(_DEFAULT_THREADS)])
        self._idle = list(self._workers)
        self._setup_tasks: dict[Worker, tuple[Callable[..., object], tuple[object, ...]]] = {}
        self._threads = ThreadPoolExecutor(len(self._workers), thread_name_prefix="thinker")
        self._extra_thread = ThreadPoolExecutor(1, thread_name_prefix="thinker-apart")
        self._queue = _FairQueue()
        self.wait_times: Histogram | None = None
        self.queue_length = 0
        self._recorded_usage: Callable[[], Counter[str] | None] = lambda: None

    def share_usage(self, shared: SharedUsage) -> None:
        """Counts people's usage of the workers of other nodes as usage of these.

        Usage by person suffices, as a table uses the workers of one node only.
        """
        self._recorded_usage = shared.register_debit_handler("thinking", self._queue.charge_person)

    async def run(
        self,
        billing_key: BillingKey,
        seconds: float,
        task: Callable[..., _Result],
        *arguments: object,
        lasts: float = 0.0,
    ) -> _Result:
        """Waits for the account's turn, then runs a task and returns its result.

        Args:
            billing_key: the account that is billed.
            seconds: the time limit, from the start of the task.
            task: a module-level function, so that a worker process finds it.
            arguments: its arguments.
            lasts: the minimum time in seconds from its start until the result is returned.

        Raises:
            TaskFailedError: the task failed, or took too long.
        """
        worker = await self._acquire_worker(billing_key)
        loop = asyncio.get_running_loop()
        ends = loop.time() + lasts
        future = self._submit(worker, billing_key, task, arguments)
        # The limit applies even if nobody waits for the result any more.
        limit = loop.call_later(seconds, _stop_task, worker, future)
        try:
            async with asyncio.timeout(seconds):
                result = cast("_Result", await _task_result(future))
            await asyncio.sleep(ends - loop.time())
            return result
        except TimeoutError:
            _stop_task(worker, future)
            raise TaskFailedError(
                {"error": "TimeoutError", "where": f"after {seconds:g} s"}
            ) from None
        finally:
            if future.done():
                limit.cancel()

    async def run_on(
        self, worker: Worker, seconds: float, task: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Runs a task on a worker outside the pool.

        Raises:
            TaskFailedError: the task failed, or took longer than `seconds`.
        """
        future = self._extra_thread.submit(worker.run, task, arguments)
        limit = asyncio.get_running_loop().call_later(seconds, _stop_task, worker, future)
        try:
            return cast("_Result", await _task_result(future))
        finally:
            limit.cancel()

    async def swap_in(
        self, worker: Worker, task: Callable[..., object], *arguments: object
    ) -> None:
        """Replaces a worker of the pool; all others run a task once, when they are free.

        Args:
            worker: the new worker, which has run the task already.
            task: a module-level function.
            arguments: its arguments.
        """
        old = await self._acquire_worker(SYSTEM)
        old.close()
        self._workers[self._workers.index(old)] = worker
        self._setup_tasks = {other: (task, arguments) for other in self._workers if other != worker}
        idle, self._idle = self._idle, []
        for one in (worker, *idle):
            self._release(one)

    def close(self) -> None:
        """Stops the workers without waiting for running tasks."""
        self._setup_tasks.clear()
        for worker in self._workers:
            worker.close()
        for threads in (self._threads, self._extra_thread):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _acquire_worker(self, billing_key: BillingKey) -> Worker:
        """The next free worker, when it is this account's turn."""
        if self._idle:
            self._queue.on_served(billing_key)
            self._observe_wait(0.0)
            return self._idle.pop()
        loop = asyncio.get_running_loop()
        came, turn = loop.time(), loop.create_future()
        self._queue.put(billing_key, turn)
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
        billing_key: BillingKey,
        task: Callable[..., object],
        arguments: tuple[object, ...],
    ) -> Future[TaskResult]:
        """Starts a task on a worker, which becomes free when the task ends, needed or not."""
        loop = asyncio.get_running_loop()

        def ended(future: Future[TaskResult]) -> None:
            failed = future.cancelled() or future.exception() is not None
            seconds = 0.0 if failed else future.result().seconds
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(self._on_task_done, worker, billing_key, seconds)

        future = self._threads.submit(worker.run, task, arguments)
        future.add_done_callback(ended)
        return future

    def _on_task_done(self, worker: Worker, billing_key: BillingKey, seconds: float) -> None:
        self._queue.charge(billing_key, seconds)
        used = self._recorded_usage()
        if used is not None and billing_key.person:
            used[billing_key.person] += round(max(_MIN_COST_S, seconds) * 1000)
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


def _stop_task(worker: Worker, future: Future[TaskResult]) -> None:
    """Has a worker abort a task, unless it has just ended."""
    if not future.done():
        worker.abort_task()


async def _task_result(future: Future[TaskResult]) -> object:
    """The result of a task.

    Raises:
        TaskFailedError: the task failed, or its worker did.
    """
    try:
        outcome = await asyncio.wrap_future(future)
    except Exception as error:
        raise TaskFailedError(describe_exception(error)) from error
    if outcome.failure is not None:
        raise TaskFailedError(outcome.failure)
    return outcome.result


_WorkerFuture = asyncio.Future[Worker]


class _VirtualTimes:
    """The virtual time of each account: its billed usage, at least that of the last one served.

    An account cannot save up time that it leaves unused.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._last_served = 0.0

    def get(self, one: str) -> float:
        """The virtual time of an account."""
        return max(self._last_served, self._used.get(one, 0.0))

    def on_served(self, one: str) -> None:
        """Bills a served account for a short task at once, because others wait already."""
        self._last_served = self.get(one)
        self.charge(one, _MIN_COST_S)

    def charge(self, one: str, seconds: float) -> None:
        """Adds usage to an account."""
        self._used[one] = self.get(one) + seconds
        if len(self._used) > _MAX_REMEMBERED:
            self._used = {one: used for one, used in self._used.items() if used > self._last_served}


class _PersonQueue:
    """The waiting tasks of one person, by table, and the virtual times of the tables."""

    def __init__(self) -> None:
        self.table_times = _VirtualTimes()
        self.waiting: dict[str, deque[_WorkerFuture]] = {}

    def put(self, table: str, turn: _WorkerFuture) -> None:
        self.waiting.setdefault(table, deque()).append(turn)

    def pop(self) -> tuple[str, _WorkerFuture] | None:
        """The next task to serve; None if none waits."""
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
    """The tasks that wait for a worker, ordered by people's usage, then by their tables' usage.

    Each waiting person is in the heap once, with the virtual time at that moment. Virtual times
    only grow: a person at the front whose time has grown meanwhile is put back.
    """

    def __init__(self) -> None:
        self._person_times = _VirtualTimes()
        self._person_queues: dict[str, _PersonQueue] = {}
        self._heap: list[tuple[float, int, str]] = []
        self._numbers = count()

    def on_served(self, billing_key: BillingKey) -> None:
        """Records that an account was served without waiting."""
        self._person_times.on_served(billing_key.person)
        share = self._person_queues.get(billing_key.person)
        if share is not None:
            share.table_times.on_served(billing_key.table)

    def put(self, billing_key: BillingKey, turn: _WorkerFuture) -> None:
        """Adds a waiting task."""
        share = self._person_queues.get(billing_key.person)
        if share is None:
            share = self._person_queues[billing_key.person] = _PersonQueue()
        if not share.waiting:
            self._push_person(billing_key.person)
        share.put(billing_key.table, turn)

    def pop(self) -> _WorkerFuture | None:
        """The next task to serve; None if none waits."""
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

    def charge(self, billing_key: BillingKey, seconds: float) -> None:
        """Adds the cost of a task beyond what was billed at its start."""
        more = max(0.0, seconds - _MIN_COST_S)
        self._person_times.charge(billing_key.person, more)
        share = self._person_queues.get(billing_key.person)
        if share is not None:
            share.table_times.charge(billing_key.table, more)
            if not share.waiting and len(self._person_queues) > _MAX_REMEMBERED:
                self._drop_person(billing_key.person)

    def charge_person(self, person: str, milliseconds: int) -> None:
        """Adds a person's usage on other nodes."""
        self._person_times.charge(person, milliseconds / 1000)

    def _push_person(self, person: str) -> None:
        heappush(self._heap, (self._person_times.get(person), next(self._numbers), person))

    def _drop_person(self, person: str) -> None:
        del self._person_queues[person]

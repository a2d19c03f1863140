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

from jasstisch.server.log import failure
from jasstisch.server.meters import Histogram
from jasstisch.server.shared import Shared
from jasstisch.server.worker import InThread, Outcome, Worker

__all__ = ["NOBODY", "Account", "Thinkers", "ThoughtError"]

_Result = TypeVar("_Result")

THREADS = 4
"""So many threads think where there are no workers of another kind."""

SHORT = 0.02
"""Seconds that every thought counts at least.

By time alone a table in its first tricks, where there is most to think of, would wait for several
moves of all others.
"""

REMEMBERED = 1024
"""People, or tables of one, whose use is known before those who have had no more than others are
forgotten."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who is charged for a thought.

    Attributes:
        person: whose table it is for.
        table: the table's id.
    """

    person: str
    table: str


NOBODY = Account("", "")
"""The account of what the server itself wants to know."""


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
        self._workers = list(workers or [InThread() for _ in range(THREADS)])
        self._free = list(self._workers)
        self._chores: dict[Worker, tuple[Callable[..., object], tuple[object, ...]]] = {}
        self._threads = ThreadPoolExecutor(len(self._workers), thread_name_prefix="thinker")
        self._apart = ThreadPoolExecutor(1, thread_name_prefix="thinker-apart")
        self._queue = _FairQueue()
        self.waits: Histogram | None = None
        self.waiting = 0
        self._used: Callable[[], Counter[str] | None] = lambda: None

    def share(self, shared: Shared) -> None:
        """Counts what people use of the workers of other nodes as if it were of these.

        That of a person is enough: a table thinks at one node only.
        """
        self._used = shared.debited("thinking", self._queue.charge_person)

    async def think(
        self,
        account: Account,
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
            ThoughtError: it failed, or took too long.
        """
        worker = await self._turn(account)
        loop = asyncio.get_running_loop()
        ends = loop.time() + lasts
        thinking = self._begin(worker, account, thought, arguments)
        # The limit holds also when nobody waits for the thought any more.
        limit = loop.call_later(seconds, _stop, worker, thinking)
        try:
            async with asyncio.timeout(seconds):
                result = cast("_Result", await _result(thinking))
            await asyncio.sleep(ends - loop.time())
            return result
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
        old = await self._turn(NOBODY)
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

    async def _turn(self, account: Account) -> Worker:
        """The next free worker, when it is this account's turn."""
        if self._free:
            self._queue.served(account)
            self._note_wait(0.0)
            return self._free.pop()
        loop = asyncio.get_running_loop()
        came, turn = loop.time(), loop.create_future()
        self._queue.put(account, turn)
        self.waiting += 1
        try:
            worker: Worker = await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(turn.result())
            raise
        finally:
            self.waiting -= 1
        self._note_wait(loop.time() - came)
        return worker

    def _note_wait(self, seconds: float) -> None:
        if self.waits is not None:
            self.waits.add(seconds)

    def _begin(
        self,
        worker: Worker,
        account: Account,
        thought: Callable[..., object],
        arguments: tuple[object, ...],
    ) -> Future[Outcome]:
        """Has a worker think; it is free again when the thought ends, wanted or not."""
        loop = asyncio.get_running_loop()

        def ended(thinking: Future[Outcome]) -> None:
            failed = thinking.cancelled() or thinking.exception() is not None
            seconds = 0.0 if failed else thinking.result().seconds
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._ended, worker, account, seconds)

        thinking = self._threads.submit(worker.think, thought, arguments)
        thinking.add_done_callback(ended)
        return thinking

    def _ended(self, worker: Worker, account: Account, seconds: float) -> None:
        self._queue.charge(account, seconds)
        used = self._used()
        if used is not None and account.person:
            used[account.person] += round(max(SHORT, seconds) * 1000)
        self._release(worker)

    def _release(self, worker: Worker) -> None:
        chore = self._chores.pop(worker, None)
        if chore is not None:
            self._begin(worker, NOBODY, *chore)
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


_Turn = asyncio.Future[Worker]


class _Marks:
    """What each of some has used: the time charged, and never less than who was served last.

    Time that one of them let pass unused gives him no claim.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._served = 0.0

    def of(self, one: str) -> float:
        """What counts as used by one of them."""
        return max(self._served, self._used.get(one, 0.0))

    def serve(self, one: str) -> None:
        """It is his turn; he is charged for a short thought at once, for others wait already."""
        self._served = self.of(one)
        self.charge(one, SHORT)

    def charge(self, one: str, seconds: float) -> None:
        """Adds to what he has used."""
        self._used[one] = self.of(one) + seconds
        if len(self._used) > REMEMBERED:
            self._used = {one: used for one, used in self._used.items() if used > self._served}


class _Share:
    """Those of one person who wait, by table, and what each of his tables has used."""

    def __init__(self) -> None:
        self.marks = _Marks()
        self.waiting: dict[str, deque[_Turn]] = {}

    def put(self, table: str, turn: _Turn) -> None:
        self.waiting.setdefault(table, deque()).append(turn)

    def take(self) -> tuple[str, _Turn] | None:
        """Who of them is served next; None when nobody waits any more."""
        while self.waiting:
            table = min(self.waiting, key=self.marks.of)
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
        self._people = _Marks()
        self._shares: dict[str, _Share] = {}
        self._order: list[tuple[float, int, str]] = []
        self._numbers = count()

    def served(self, account: Account) -> None:
        """Notes that somebody was served without waiting."""
        self._people.serve(account.person)
        share = self._shares.get(account.person)
        if share is not None:
            share.marks.serve(account.table)

    def put(self, account: Account, turn: _Turn) -> None:
        """Lets somebody wait."""
        share = self._shares.get(account.person)
        if share is None:
            share = self._shares[account.person] = _Share()
        if not share.waiting:
            self._line_up(account.person)
        share.put(account.table, turn)

    def take(self) -> _Turn | None:
        """Who is served next; None when nobody waits any more."""
        while self._order:
            mark, _, person = heappop(self._order)
            share = self._shares[person]
            if mark < self._people.of(person) and len(self._order) > 0:
                self._line_up(person)
                continue
            found = share.take()
            if found is None:
                self._forget(person)
                continue
            table, turn = found
            self._people.serve(person)
            share.marks.serve(table)
            if share.waiting:
                self._line_up(person)
            return turn
        return None

    def charge(self, account: Account, seconds: float) -> None:
        """Adds what a thought took beyond what was charged when it began."""
        more = max(0.0, seconds - SHORT)
        self._people.charge(account.person, more)
        share = self._shares.get(account.person)
        if share is not None:
            share.marks.charge(account.table, more)
            if not share.waiting and len(self._shares) > REMEMBERED:
                self._forget(account.person)

    def charge_person(self, person: str, milliseconds: int) -> None:
        """Adds what somebody has used elsewhere."""
        self._people.charge(person, milliseconds / 1000)

    def _line_up(self, person: str) -> None:
        heappush(self._order, (self._people.of(person), next(self._numbers), person))

    def _forget(self, person: str) -> None:
        del self._shares[person]

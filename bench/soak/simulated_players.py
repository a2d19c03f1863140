"""Simulated tables of four people who play as fast as the servers respond, despite kills.

The people use the published client. Their requests and responses are recorded, and compared with
the log when a table ends.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from typing import Protocol, TypeVar

from websockets.exceptions import ConnectionClosed, InvalidHandshake

import jasstisch as jt
from bench.soak.audit import Fault, Request, Tally, audit_seat, last_version
from jasstisch.client import Client, ConnectionLostError, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import Table
from jasstisch.table.events import Event
from tests.server.cluster.process_harness import TIMEOUT_S, as_json

PEOPLE = 4
MATCHES_PER_TABLE = 2
"""Matches at a table before a new one is created."""

SEATING_TIMEOUT_S = 3 * TIMEOUT_S
"""Seconds for seating four people, even with repeated kills."""

RETRY_INTERVAL_S = 0.1
"""Seconds between retries."""

STALL_LIMIT_S = 8.0
"""Seconds after a kill from which the next kill waits for a stalled table.

People who have repeatedly lost their server reconnect after up to four seconds, and a deal waits
two seconds for them.
"""

_Done = TypeVar("_Done")

TRANSIENT_ERRORS = (
    OSError,
    EOFError,
    HTTPException,
    InvalidHandshake,
    ConnectionClosed,
    RequestError,
)
"""Errors while a server is killed or overloaded."""


class LogReader(Protocol):
    """Reads the events of tables directly from the store."""

    async def load(self, table: str) -> list[Event]:
        """Returns all events of a table."""


@dataclass(slots=True)
class Progress:
    """The results at all tables so far.

    Attributes:
        acknowledged: acknowledged actions.
        tables: audited tables.
        matches: finished matches.
        recovery_times: seconds from each kill to the next acknowledgement at each table.
        tally: the outcomes of the requests at audited tables.
    """

    acknowledged: int = 0
    tables: int = 0
    matches: int = 0
    recovery_times: list[float] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    _marks: list[tuple[int, asyncio.Event]] = field(default_factory=list)

    def acknowledge(self) -> None:
        """Counts one more acknowledged action."""
        self.acknowledged += 1
        for mark, reached in self._marks:
            if self.acknowledged >= mark:
                reached.set()

    async def wait_for(self, actions: int) -> None:
        """Waits for this many more actions.

        Raises:
            TimeoutError: they do not come.
        """
        mark = (self.acknowledged + actions, asyncio.Event())
        self._marks.append(mark)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await mark[1].wait()
        finally:
            self._marks.remove(mark)


class TableGroup:
    """Four people who play at one table after the other.

    Args:
        urls: the server of each of them.
        logs: the logs to compare with.
        counter: the results.
        rng: chooses games and actions.
    """

    def __init__(
        self, urls: Sequence[str], logs: LogReader, counter: Progress, rng: random.Random
    ) -> None:
        self._clients = [Client(url, patience=TIMEOUT_S) for url in urls]
        self._logs = logs
        self._counter = counter
        self._rng = rng
        self._tables: list[WatchedTable] = []
        self._asks: list[list[Request]] = []
        self._playing = False
        self._struck: float | None = None
        self._going = asyncio.Event()
        self._stopping = False

    def on_kill(self, now: float) -> None:
        """Notes a kill: from now on the recovery of the table is timed, if it was active."""
        if not self._playing:
            return
        if self._struck is None:
            self._struck = now
            self._going.clear()

    async def wait_until_not_stalled(self) -> None:
        """Waits until a table that has stalled too long after kills goes on."""
        now = asyncio.get_running_loop().time()
        if self._struck is not None and now - self._struck > STALL_LIMIT_S:
            await self.wait_for_recovery()

    async def wait_for_recovery(self) -> None:
        """Waits until play has resumed after the last kill, if the table was active."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._going.wait()
        except TimeoutError:
            self._is_stalled()

    def _is_stalled(self) -> None:
        says = f"nothing was acknowledged for {TIMEOUT_S:.0f} s although nothing was killed"
        table, version = (
            ("none", 0) if not self._tables else (self._tables[0].id, self._latest_version())
        )
        self._counter.tally.faults.append(Fault("still", table, None, version, says))
        self._struck = None

    def _latest_version(self) -> int:
        """Returns the latest version that one of them has seen."""
        return max(table.version for table in self._tables)

    def stop(self) -> None:
        """Makes everybody stop after their pending request."""
        self._stopping = True
        for table in self._tables:
            table.wake()

    async def play(self) -> None:
        """Plays until it is stopped, and audits the tables."""
        try:
            for client in self._clients:
                await retry(client.open)
            while not self._stopping:
                async with asyncio.timeout(SEATING_TIMEOUT_S):
                    await self._sit_down()
                self._playing = True
                await self._play_matches()
                self._playing, self._struck = False, None
                self._going.set()
                await self._audit()
        finally:
            for client in self._clients:
                await client.close()

    async def _play_matches(self) -> None:
        for _ in range(MATCHES_PER_TABLE):
            await asyncio.gather(*(self._play_match(seat) for seat in range(PEOPLE)))
            if self._stopping:
                return
            self._counter.matches += 1

    async def _sit_down(self) -> None:
        """Creates a table and seats all four people."""
        game = self._rng.choice(jt.games())
        seats = ["me", *["open"] * (PEOPLE - 1)]
        host = self._clients[0]
        made = await retry(
            partial(host.create_table, game, seats, name="P0", thinking_time="unlimited")
        )
        self._tables, self._asks = [], [[] for _ in range(PEOPLE)]
        for seat, client in enumerate(self._clients):
            table = await retry(partial(client.watch, made.table))
            self._tables.append(table)
            while table.seat is None:
                await attempt(table, table.sit(seat, f"P{seat}"))
        while self._tables[0].phase == "open":
            await attempt(self._tables[0], self._tables[0].start())

    async def _play_match(self, seat: int) -> None:
        table = self._tables[seat]
        await self._insist_on_ready(seat, lambda: table.phase not in ("open", "over"))
        while True:
            await table.until(lambda one: self._stopping or self._possible_actions(one))
            if self._stopping or table.phase == "over":
                return
            if table.turn is None:
                await self._insist_on_ready(seat, lambda: not self._is_awaited(table))
            else:
                await self._act(seat, table.turn.legal)

    def _possible_actions(self, table: WatchedTable) -> bool:
        return table.is_current and (
            table.phase == "over" or table.turn is not None or self._is_awaited(table)
        )

    def _is_awaited(self, table: WatchedTable) -> bool:
        """Returns whether the table waits for this person to continue."""
        seat = table.room.seats[table.seat or 0]
        return table.phase in ("between", "over") and not seat.ready

    async def _insist_on_ready(self, seat: int, reached: Callable[[], bool]) -> None:
        """Requests to continue until the table does, or waits only for others."""
        table = self._tables[seat]
        while not self._stopping:
            await table.until(lambda one: one.is_current or self._stopping)
            if reached():
                return
            if self._is_awaited(table):
                await attempt(table, table.declare_ready())
            else:
                version = table.version
                await table.until(lambda one: self._stopping or one.version != version)  # noqa: B023

    async def _act(self, seat: int, legal: Sequence[str]) -> None:
        """Requests one of the legal actions, and records the outcome."""
        table = self._tables[seat]
        ask = Request(self._rng.choice(legal), table.version)
        self._asks[seat].append(ask)
        try:
            done = await self._clients[seat].request(messages.Act(0, table.id, ask.action))
        except ConnectionLostError:
            return
        except RequestError as error:
            ask.code = error.code
            await asyncio.sleep(RETRY_INTERVAL_S)
            return
        ask.acknowledged_version = done.version or 0
        self._acknowledged()

    def _acknowledged(self) -> None:
        self._counter.acknowledge()
        if self._struck is not None:
            self._counter.recovery_times.append(asyncio.get_running_loop().time() - self._struck)
            self._struck = None
        self._going.set()

    async def _audit(self) -> None:
        """Compares the responses and the states of all clients with the log."""
        table = self._tables[0].id
        try:
            tally = await self._audit_matching()
        except (TimeoutError, CorruptionError) as error:
            seen = [one.version for one in self._tables]
            says = f"the log is not what people see (versions {seen}): {error!r}"
            tally = Tally(faults=[Fault("history", table, None, self._latest_version(), says)])
        self._counter.tables += 1
        self._counter.tally.add(tally)
        for client in self._clients:
            await retry(partial(client.unwatch, table))

    async def _audit_matching(self) -> Tally:
        """Audits the table while its clients are at the last version of the log.

        Raises:
            TimeoutError: a client is not notified.
            CorruptionError: the log has a gap.
        """
        while True:
            log = await self._settled_log()
            tally = await asyncio.to_thread(audit_table, self._tables, self._asks, log)
            # A deal that waits for contributions continues by itself, and may have done so.
            if all(one.version == last_version(log) for one in self._tables):
                return tally

    async def _settled_log(self) -> list[Event]:
        """Returns the log once all clients have received it.

        Raises:
            TimeoutError: a client is not notified.
            CorruptionError: it has a gap.
        """
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                for table in self._tables:
                    await table.until(lambda one: one.is_current)
                log = await self._log()
                version = last_version(log)
                if all(one.is_current and one.version == version for one in self._tables):
                    return log
                await asyncio.sleep(RETRY_INTERVAL_S)

    async def _log(self) -> list[Event]:
        """Returns the log of the table; empty if it cannot be read at the moment.

        Raises:
            CorruptionError: a part of it is missing.
        """
        try:
            return await self._logs.load(self._tables[0].id)
        except CorruptionError:
            raise
        except StoreError:
            return []


def audit_table(
    tables: Sequence[WatchedTable], asks: Sequence[Sequence[Request]], log: Sequence[Event]
) -> Tally:
    """Audits a table: the outcomes of all requests, and the states of all clients.

    Args:
        tables: the copy of each client.
        asks: the requests of each client.
        log: the events of the table.
    """
    table, version = tables[0].id, last_version(log)
    tally = Tally()
    for seat, own in enumerate(asks):
        tally.add(audit_seat(table, seat, log, own))
    try:
        state = Table.from_events(log).state
    except Exception as error:  # noqa: BLE001 - a wrong event may raise anything
        says = f"its events do not follow from each other ({type(error).__name__})"
        tally.faults.append(Fault("history", table, None, version, says))
        return tally
    room = as_json(state.room())
    for seat, copy in enumerate(tables):
        if as_json(match_view(copy)) != as_json(state.view(seat)):
            tally.faults.append(Fault("view", table, seat, version, "sees another match"))
        if as_json(copy.room) != room:
            says = f"sees another room: {', '.join(differing_keys(as_json(copy.room), room))}"
            tally.faults.append(Fault("view", table, seat, version, says))
    return tally


def differing_keys(one: dict[str, object], other: dict[str, object]) -> list[str]:
    """Returns the keys under which two objects differ."""
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


def match_view(table: WatchedTable) -> object:
    """Returns the match as a client sees it; None if none has begun."""
    try:
        return table.view
    except LookupError:
        return None


async def attempt(table: WatchedTable, request: Awaitable[None]) -> None:
    """Makes a request, and waits until the copy of the table shows whether it was done."""
    try:
        await request
    except (ConnectionLostError, RequestError):
        await asyncio.sleep(RETRY_INTERVAL_S)
    await table.until(lambda one: one.is_current)


async def retry(what: Callable[[], Awaitable[_Done]]) -> _Done:
    """Retries until it succeeds, while servers come and go.

    Raises:
        TimeoutError: it never succeeds.
    """
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            with suppress(*TRANSIENT_ERRORS):
                return await what()
            await asyncio.sleep(RETRY_INTERVAL_S)

"""Contributions to verifiable shuffles, as one table waits for them."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from jasstisch.fairness import Ledger, MatchId
from jasstisch.fairness.contributions import commitment
from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.deal_contributions import OPENING_TIMEOUT_S
from jasstisch.storage import StoreError
from jasstisch.table import (
    AccessRules,
    PackSource,
    Progress,
    Table,
    commands,
    events,
    per_reader_info,
)
from tests.server.workers.test_move_timing import LoopTimeServices, TimedScheduler, TimestampStore
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import new_table

DISK_SECONDS = 0.01
COMMITTING_SECONDS = Limits().commitment_wait_s


class FaultyStore(TimestampStore):
    """A store of one table that fails on demand.

    Attributes:
        log: the events of the table.
        tries: how often something was to be added.
        loads: how often the table was read.
        fails: nothing can be added.
    """

    def __init__(self, log: Sequence[events.Event]) -> None:
        super().__init__()
        self.log = list(log)
        self.tries = self.loads = 0
        self.fails = False

    async def append(
        self,
        table: str,
        after: int,
        done: Sequence[events.Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> None:
        self.tries += 1
        await asyncio.sleep(DISK_SECONDS)
        if self.fails:
            raise StoreError("the disk is full")
        self.log += done

    async def load(self, table: str) -> list[events.Event]:
        self.loads += 1
        return list(self.log)


class FakeConnection:
    """A connection of Anna, who holds seat 0."""

    person = "a"
    closed = False

    def send(self, text: bytes) -> None:
        """Discards the message."""


class ContributionHarness:
    """A table in memory at which Anna plays against bots."""

    def __init__(self) -> None:
        seats = [None, "random", "random", "random"]
        made = replace(new_table("differenzler", seats, rounds=4).state.creation_event, host="a")
        table, shuffle = Table(made), Random(5).sample
        self.chance = Random(6)
        done = list(table.execute(commands.Sit("a", 0, "Anna"), PackSource(list)))
        self.disk = FaultyStore([made, *done])
        services = LoopTimeServices(self.disk, worker_pool=TimedScheduler(lambda _: 0.0))
        services.new_pack_source = lambda: PackSource(  # type: ignore[method-assign]
            lambda pack: shuffle(pack, len(pack)), self.chance.randbytes
        )
        self.services = services
        self.live = TableActor(table, services, lambda _: None)
        self.seq = 0

    @property
    def state(self) -> Any:
        """The state of the table."""
        return self.live._state

    async def ask(self, device: FakeConnection, kind: Any, **more: Any) -> None:
        """Sends a request and waits for it."""
        self.seq += 1
        await self.live.request(device, kind(self.seq, self.live.id, **more))

    async def start(self, *devices: FakeConnection) -> None:
        """Starts the match with these options."""
        for device in devices:
            await self.ask(device, messages.Watch)
        await self.ask(devices[0], messages.StartMatch)

    async def begin(self, *devices: FakeConnection) -> None:
        """Starts the match with these options and without contributions to its first packs."""
        await self.start(*devices)
        await asyncio.sleep(2 * COMMITTING_SECONDS)

    def restart(self) -> None:
        """Restarts the server on the same store."""
        self.live.evict()
        self.live = TableActor(Table.from_events(self.disk.log), self.services, lambda _: None)

    async def commit(self, device: FakeConnection, pack: int, match: int = 1) -> list[bytes]:
        """Commits to a pack on a connection; returns the opening."""
        which = MatchId.of(self.live.id, match)
        made = [self.chance.randbytes(32) for _ in range(4)]
        texts = [
            commitment(which, pack, attempt, 0, one).hex()
            for attempt, one in enumerate(made, start=1)
        ]
        await self.ask(device, messages.CommitContributions, pack=pack, commitments=texts)
        return made

    async def play_until_called(self, device: FakeConnection) -> None:
        """Plays until openings are requested."""
        await self._play(device, lambda ledger: ledger.pending_pack_call is not None)

    async def play_on(self, device: FakeConnection, pack: int) -> None:
        """Plays until a pack is requested."""
        await self._play(device, lambda ledger: ledger.next_pack_number > pack)

    async def _play(self, device: FakeConnection, reached: Callable[[Ledger], bool]) -> None:
        while not reached(self.state.deal_ledger):
            await self.act(device)

    async def act(self, device: FakeConnection) -> None:
        """Makes Anna's next move, if she is to act, and lets a moment pass."""
        turn = per_reader_info.turn(self.state, 0)
        if turn is not None:
            await self.ask(device, messages.Act, action=turn.legal[0])
        elif self.state.phase == "between":
            await self.ask(device, messages.Ready)
        await asyncio.sleep(0.1)


def in_time(work: Coroutine[Any, Any, None]) -> None:
    """Runs a test in virtual time, in which waiting costs nothing."""

    async def within() -> None:
        await asyncio.wait_for(work, 1e6)

    run_in_virtual_time(within())


def test_the_first_pack_is_requested_once_everyone_has_committed() -> None:
    async def committing() -> None:
        anna, scene = FakeConnection(), ContributionHarness()
        await scene.start(anna)
        assert (scene.state.phase, scene.state.deal_ledger.attempts_by_pack) == ("playing", ())
        assert scene.state.room().fair.next_pack == 1  # and what it takes to commit oneself is told
        await asyncio.sleep(COMMITTING_SECONDS / 2)
        await scene.commit(anna, 2)
        assert scene.state.deal_ledger.attempts_by_pack == ()
        await scene.commit(anna, 1)
        assert scene.state.deal_ledger.asked_seats == (0,)

    in_time(committing())


def test_missing_commitments_delay_the_first_pack_only_briefly() -> None:
    async def waiting() -> None:
        anna, scene = FakeConnection(), ContributionHarness()
        await scene.start(anna)
        await asyncio.sleep(0.9 * COMMITTING_SECONDS)
        assert scene.state.deal_ledger.attempts_by_pack == ()
        await asyncio.sleep(0.2 * COMMITTING_SECONDS)
        assert scene.state.deal_ledger.attempts_by_pack[0] == ((),)
        assert per_reader_info.turn(scene.state, 0) is not None or scene.state.match.to_act

    in_time(waiting())


def test_after_a_restart_the_first_pack_waits_again_and_is_dealt() -> None:
    async def restarting() -> None:
        anna, scene = FakeConnection(), ContributionHarness()
        await scene.start(anna)
        scene.restart()
        await scene.ask(anna, messages.Watch)
        assert scene.state.deal_ledger.attempts_by_pack == ()
        await scene.commit(anna, 1)
        assert scene.state.deal_ledger.asked_seats == (0,)
        await asyncio.sleep(2 * OPENING_TIMEOUT_S)
        assert scene.state.deal_ledger.pending_pack_call is None

    in_time(restarting())


def test_the_first_pack_of_a_rematch_waits_for_commitments() -> None:
    async def again() -> None:
        anna, scene = FakeConnection(), ContributionHarness()
        await scene.begin(anna)
        while scene.state.phase != "over":
            await scene.act(anna)
        await scene.ask(anna, messages.Ready)
        assert (scene.state.match_number, scene.state.deal_ledger.attempts_by_pack) == (2, ())
        await scene.commit(anna, 1, match=2)
        assert scene.state.deal_ledger.asked_seats == (0,)

    in_time(again())


def test_closing_a_table_cancels_the_wait_for_openings() -> None:
    async def closing() -> None:
        anna, scene = FakeConnection(), ContributionHarness()
        await scene.begin(anna)
        await scene.commit(anna, scene.state.deal_ledger.next_pack_number)
        await scene.play_until_called(anna)
        await scene.ask(anna, messages.CloseTable)
        assert scene.state.phase == "closed"
        await asyncio.sleep(10 * OPENING_TIMEOUT_S)
        assert scene.disk.loads == 0
        scene.live.unsubscribe(anna)
        await asyncio.sleep(61.0)
        assert scene.live.closed

    in_time(closing())


def test_openings_are_retried_while_the_store_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def at_once(work: Any, *arguments: Any) -> Any:
        return work(*arguments)

    monkeypatch.setattr(asyncio, "to_thread", at_once)

    async def failing() -> None:
        anna, scene = FakeConnection(), ContributionHarness()
        await scene.begin(anna)
        await scene.commit(anna, scene.state.deal_ledger.next_pack_number)
        await scene.play_until_called(anna)
        scene.disk.fails, scene.disk.tries = True, 0
        await asyncio.sleep(10 * OPENING_TIMEOUT_S)
        assert 1 <= scene.disk.tries <= 10
        scene.disk.fails = False
        await asyncio.sleep(2 * OPENING_TIMEOUT_S)
        assert scene.state.deal_ledger.pending_pack_call is None

    in_time(failing())


def test_a_closed_connection_withdraws_only_its_own_commitments() -> None:
    async def going() -> None:
        laptop, phone, scene = FakeConnection(), FakeConnection(), ContributionHarness()
        await scene.begin(laptop, phone)
        first = scene.state.deal_ledger.next_pack_number
        await scene.commit(phone, first)
        await scene.commit(laptop, first)
        await scene.commit(laptop, first + 1)
        await scene.commit(phone, first + 1)
        scene.live.unsubscribe(laptop)
        await scene.play_on(phone, first)
        # Only the laptop could have opened it: nobody is waited for, and nobody has missed it.
        assert scene.state.deal_ledger.attempts_by_pack[first - 1] == ((),)
        await scene.play_on(phone, first + 1)
        assert scene.state.deal_ledger.asked_seats == (0,)

    in_time(going())

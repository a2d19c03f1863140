"""Skipping the pauses before bot moves, at one table in memory."""

import asyncio
from collections.abc import Sequence

from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.tables.actor import TableActor
from jasstisch.table import commands
from tests.server.tables.test_broadcaster import Listener
from tests.server.workers.test_move_timing import (
    LoopTimeServices,
    TimedScheduler,
    TimestampStore,
    by_choice,
)
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import TableDriver, new_table

PAUSE = 700


class PauseHarness:
    """Anna plays with bots at a table in memory, in virtual time."""

    def __init__(
        self, game: str = "molotov", player: str = "master", seed: int = 1, thinks: float = 0.2
    ) -> None:
        self.host = TableDriver(new_table(game, [None, *[player] * 3], pause=PAUSE), seed)
        self.host.seat_people("a")
        self.host.execute(commands.StartMatch("a"))
        self.memory = TimestampStore()
        self.thinkers = TimedScheduler(by_choice(thinks))
        services: ServerContext = LoopTimeServices(self.memory, worker_pool=self.thinkers)
        self.live = TableActor(self.host.table, services, lambda _: None)
        self.anna = Listener("a")

    def playing(self) -> bool:
        return self.host.state.phase == "playing"

    @property
    def to_act(self) -> Sequence[int]:
        match = self.host.state.match
        assert match is not None
        return match.to_act if self.playing() else ()

    async def ask(self, message: messages.ClientMessage) -> messages.ServerMessage:
        assert not isinstance(message, messages.Ping)
        await self.live.request(self.anna, message)
        return self.anna.got[-1]

    async def hurry(self, *, to_end: bool = False) -> messages.ServerMessage:
        return await self.ask(messages.SkipPause(1, self.live.id, to_end))

    async def act(self) -> None:
        """Does the first legal action, and never stays in a round of Jass."""
        match = self.host.state.match
        assert match is not None
        legal = match.legal(0)
        action = "drop" if "drop" in legal else legal[0]
        await self.ask(messages.Act(1, self.live.id, action))

    async def computed(self) -> float:
        """Waits for the next bot move; returns its time."""
        version = self.host.table.version
        while self.host.table.version == version:  # noqa: ASYNC110 - in a time that passes at once
            await asyncio.sleep(0.001)
        return self.memory.done[-1]


def waits(hurried_after: float | None, player: str = "master") -> set[float]:
    """The delays of the bot moves of a round, each skipped so long after the previous move."""

    async def playing() -> set[float]:
        table, found = PauseHarness(player=player), set()
        while table.playing():
            if 0 in table.to_act:
                await table.act()
            elif table.to_act:
                before = asyncio.get_running_loop().time()
                if hurried_after is not None:
                    await asyncio.sleep(hurried_after)
                    assert isinstance(await table.hurry(), messages.Ack)
                found.add(round(await table.computed() - before, 2))
        assert min(table.thinkers.legal) == 1 < max(table.thinkers.legal)
        table.live.evict()
        return found

    return run_in_virtual_time(playing())


def test_bot_moves_come_after_the_pause_of_the_table() -> None:
    assert waits(None) <= {0.7, 1.4}


def test_a_skipped_pause_ends_at_once_after_the_minimum_thinking_time() -> None:
    assert waits(0.6) == {0.6}


def test_skipping_at_once_reveals_nothing_about_the_choice() -> None:
    assert waits(0.1) == {0.5}


def test_skipping_stores_no_events() -> None:
    async def hurrying() -> None:
        table = PauseHarness()
        while 0 in table.to_act:
            await table.act()
        version, log = table.host.table.version, list(table.memory.done)
        assert isinstance(await table.hurry(), messages.Ack)
        assert (table.host.table.version, table.memory.done) == (version, log)
        table.live.evict()

    run_in_virtual_time(hurrying())


def test_skipping_is_rate_limited() -> None:
    async def hurrying() -> list[messages.ServerMessage]:
        table = PauseHarness()
        while 0 in table.to_act:
            await table.act()
        told = [await table.hurry() for _ in range(40)]
        table.live.evict()
        return told

    told = run_in_virtual_time(hurrying())
    assert all(isinstance(one, messages.Ack) for one in told[:30])
    last = told[-1]
    assert isinstance(last, messages.ErrorMessage)
    assert last.code == "too_fast"


def test_a_player_who_dropped_out_can_skip_to_the_end_of_the_round_only() -> None:
    async def playing() -> tuple[list[float], list[float]]:
        for seed in range(20):
            table = PauseHarness("jass", "greedy", seed, thinks=0.0)
            while table.playing():
                if 0 in table.to_act:
                    await table.act()
                    continue
                match = table.host.state.match
                assert match is not None
                if match.is_out_of_round(0) and match.trick:
                    return await rest_and_next(table)
                await table.computed()
            table.live.evict()
        raise AssertionError("somebody always ended the round alone")

    async def rest_and_next(table: PauseHarness) -> tuple[list[float], list[float]]:
        assert isinstance(await table.hurry(to_end=True), messages.Ack)
        rest, now = [], asyncio.get_running_loop().time()
        while table.playing():
            rest.append(await table.computed() - now)
            now = table.memory.done[-1]
        await table.ask(messages.Ready(1, table.live.id))
        later = []
        while 0 not in table.to_act and table.playing():
            now = asyncio.get_running_loop().time()
            later.append(await table.computed() - now)
        if 0 in table.to_act:
            await table.act()
            now = asyncio.get_running_loop().time()
            later.append(await table.computed() - now)
        table.live.evict()
        return rest, later

    rest, later = run_in_virtual_time(playing())
    assert len(rest) > 3
    assert max(rest[1:]) < 0.02
    assert min(later) > 0.19


def test_skipping_at_a_table_with_other_people_is_refused() -> None:
    async def hurrying() -> messages.ServerMessage:
        table = PauseHarness()
        stranger = Listener("b")
        await table.live.request(stranger, messages.SkipPause(1, table.live.id))
        table.live.evict()
        return stranger.got[-1]

    told = run_in_virtual_time(hurrying())
    assert isinstance(told, messages.ErrorMessage)
    assert told.code == "not_seated"
    assert told.message == "only who sits at this table can hurry the computers"

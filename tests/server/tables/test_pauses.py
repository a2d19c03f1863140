"""Pauses between rounds and after a match, at one table in memory."""

import asyncio

from jasstisch.server.api import messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.table import commands
from tests.server.tables.test_broadcaster import Listener
from tests.server.workers.test_move_timing import LoopTimeServices, TimedScheduler, TimestampStore
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import TableDriver, new_table


def test_repeated_back_after_the_time_of_a_pause_adds_no_events() -> None:
    host = TableDriver(new_table(seats=[None] * 4, thinking_time=30))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    host.play_until("between")
    # One more may take longer, so that the table goes on waiting.
    host.execute(commands.SetExtendedTime("a", 3, extended=True), commands.ReadyUp("a"))

    async def coming_back() -> list[int]:
        live = TableActor(
            host.table,
            LoopTimeServices(TimestampStore(), worker_pool=TimedScheduler(lambda _: 0.0)),
            lambda _: None,
        )
        listener = Listener("b")
        await live.request(listener, messages.Watch(1, live.id))
        await asyncio.sleep(35.0)
        assert host.state.seats[1].is_away
        versions = []
        for _ in range(5):
            await live.request(listener, messages.ResumeControl(2, live.id))
            await asyncio.sleep(1.0)
            versions.append(host.table.version)
        live.evict()
        return versions

    before = host.table.version
    versions = run_in_virtual_time(coming_back())
    assert versions == [before + 4] * 5  # two were sent away; one is back, and ready
    assert host.state.seats[1].ready
    assert not host.state.seats[1].is_away
    assert host.state.phase == "between"

"""The time of a pause, between rounds and after the match, as one table in memory keeps it."""

import asyncio

from jasstisch.server import messages
from jasstisch.server.live import Live
from jasstisch.table import commands
from tests.server.test_audience import Listener
from tests.server.test_beat import InLoopTime, Memory, Timed
from tests.server.virtual import in_virtual_time
from tests.table.tables import Host, new_table


def test_who_says_back_again_and_again_after_his_time_in_a_pause_adds_no_more_events() -> None:
    host = Host(new_table(seats=[None] * 4, thinking_time=30))
    host.seat_people(*"abcd")
    host.do(commands.Start("a"))
    host.play_until("between")
    # One more may take longer, so that the table goes on waiting.
    host.do(commands.GivePatience("a", 3, patient=True), commands.Proceed("a"))

    async def coming_back() -> list[int]:
        live = Live(host.table, InLoopTime(Memory(), thinkers=Timed(lambda _: 0.0)), lambda _: None)
        listener = Listener("b")
        await live.ask(listener, messages.Watch(1, live.id))
        await asyncio.sleep(35.0)
        assert host.state.places[1].away
        versions = []
        for _ in range(5):
            await live.ask(listener, messages.Back(2, live.id))
            await asyncio.sleep(1.0)
            versions.append(host.table.version)
        live.close()
        return versions

    before = host.table.version
    versions = in_virtual_time(coming_back())
    assert versions == [before + 4] * 5  # two were sent away; one is back, and ready
    assert host.state.places[1].ready
    assert not host.state.places[1].away
    assert host.state.phase == "between"

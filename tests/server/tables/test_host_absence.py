"""The rights of a host who is gone from the lobby."""

import asyncio
from collections.abc import Awaitable, Callable

from jasstisch.server.api import messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.table import commands
from tests.server.tables.test_broadcaster import Listener
from tests.server.workers.test_move_timing import LoopTimeServices, TimedScheduler, TimestampStore
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import TableDriver, host_table


class Lobby:
    """A running table with its connections."""

    def __init__(self, host: TableDriver) -> None:
        services = LoopTimeServices(TimestampStore(), worker_pool=TimedScheduler(lambda _: 0.0))
        self.state = host.state
        self.actor = TableActor(host.table, services, lambda _: None)

    async def come(self, *people: str) -> list[Listener]:
        """Connects these people."""
        listeners = [Listener(person) for person in people]
        for one in listeners:
            await self.actor.request(one, messages.Watch(1, self.actor.id))
        return listeners

    @property
    def host(self) -> str | None:
        return self.state.host_settings.host


def in_lobby(scene: Callable[[Lobby], Awaitable[None]], people: str = "abcd") -> None:
    """Runs a scene in the lobby of A's table in virtual time."""
    host = host_table(people)

    async def run() -> None:
        lobby = Lobby(host)
        await scene(lobby)
        lobby.actor.evict()

    run_in_virtual_time(run())


def test_after_two_minutes_the_person_who_has_sat_longest_is_the_host() -> None:
    async def scene(lobby: Lobby) -> None:
        anna, *others = await lobby.come(*"adcb")
        lobby.actor.unsubscribe(anna)
        await asyncio.sleep(119.0)
        assert lobby.host == "a"
        await asyncio.sleep(2.0)
        assert lobby.host == "b"
        told = others[0].of(messages.Event)[-1]
        assert (told.event.kind, told.room["host"]) == ("host_replaced", 1)
        await lobby.actor.request(others[-1], messages.StartMatch(2, lobby.actor.id))
        assert lobby.state.phase == "playing"

    in_lobby(scene)


def test_people_without_a_connection_are_passed_over() -> None:
    async def scene(lobby: Lobby) -> None:
        anna, reto, _ = await lobby.come(*"abc")
        lobby.actor.unsubscribe(anna)
        lobby.actor.unsubscribe(reto)
        await asyncio.sleep(121.0)
        assert lobby.host == "c"

    in_lobby(scene)


def test_a_short_absence_changes_nothing() -> None:
    async def scene(lobby: Lobby) -> None:
        anna, _ = await lobby.come(*"ab")
        lobby.actor.unsubscribe(anna)
        await asyncio.sleep(60.0)
        (again,) = await lobby.come("a")
        await asyncio.sleep(1.0)
        lobby.actor.unsubscribe(again)
        await asyncio.sleep(119.0)
        assert lobby.host == "a"

    in_lobby(scene)


def test_the_rights_come_back_with_the_host_before_the_first_view() -> None:
    async def scene(lobby: Lobby) -> None:
        anna, reto = await lobby.come(*"ab")
        lobby.actor.unsubscribe(anna)
        await asyncio.sleep(121.0)
        (again,) = await lobby.come("a")
        assert lobby.host == "a"
        assert again.of(messages.Snapshot)[0].host
        assert reto.of(messages.Event)[-1].room["host"] == 0

    in_lobby(scene)


def test_the_rights_pass_on_once_somebody_is_there_to_have_them() -> None:
    async def scene(lobby: Lobby) -> None:
        (anna,) = await lobby.come("a")
        (watcher,) = await lobby.come("x")
        lobby.actor.unsubscribe(anna)
        await asyncio.sleep(600.0)
        assert lobby.host == "a"
        assert not lobby.actor.closed
        await lobby.come("b")
        await asyncio.sleep(0.1)
        assert lobby.host == "b"
        assert watcher.of(messages.Event)[-1].event.kind == "host_replaced"

    in_lobby(scene)


def test_during_the_match_an_absent_host_stays_the_host() -> None:
    async def scene(lobby: Lobby) -> None:
        anna, _ = await lobby.come(*"ab")
        await lobby.actor.request(anna, messages.StartMatch(2, lobby.actor.id))
        lobby.actor.unsubscribe(anna)
        await asyncio.sleep(600.0)
        assert lobby.host == "a"

    in_lobby(scene)


def test_a_program_never_becomes_the_host() -> None:
    driver = host_table("a")
    driver.execute(commands.Sit("p", 1, "P", is_program=True))

    async def scene() -> None:
        lobby = Lobby(driver)
        anna, _ = await lobby.come(*"ap")
        lobby.actor.unsubscribe(anna)
        await asyncio.sleep(600.0)
        assert lobby.host == "a"
        lobby.actor.evict()

    run_in_virtual_time(scene())

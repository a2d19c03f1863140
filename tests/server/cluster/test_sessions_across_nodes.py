"""A client whose line to one node dies comes back over another node, and nothing happens twice."""

import asyncio

import pytest

from tests.server.cluster.simulation import (
    PEOPLE,
    TABLE,
    InProcessNode,
    SimulatedCluster,
    SimulatedPerson,
    check_consistency,
    logged_actions,
)
from tests.support.virtual_time import run_in_virtual_time

pytestmark = pytest.mark.usefixtures("no_threads")

SESSION = "a-session-of-tests"


async def session_at_two_nodes() -> tuple[SimulatedCluster, SimulatedPerson, InProcessNode]:
    """A cluster with one person to act, in a session over a node that has not got the table.

    Returns:
        the cluster, the person, and a third node, which has not got the table either.
    """
    world = await SimulatedCluster().open()
    person, _ = world.next_action()
    here, there = (site for site in world.sites if site is not world.owner)
    person = await move_in_session(world, person, here)
    return world, person, there


async def move_in_session(
    world: SimulatedCluster, person: SimulatedPerson, site: InProcessNode
) -> SimulatedPerson:
    """Moves a person to a node, where they begin a session."""
    moved = person.reconnect_to(site)
    moved.session = SESSION
    world.people[PEOPLE.index(person.person or "")] = await moved.follow()
    return moved


async def come_back(
    world: SimulatedCluster, person: SimulatedPerson, site: InProcessNode
) -> SimulatedPerson:
    """Connects a person to another node; the node before does not notice."""
    back = person.connect_again(site)
    world.people[PEOPLE.index(person.person or "")] = back
    return await back.follow()


async def play_on(world: SimulatedCluster) -> None:
    """Checks that the table is played at, and that everybody has seen the same."""
    assert await world.play(6) == ["done"] * 6
    await asyncio.sleep(0.6)
    check_consistency(world.database, world.people)
    assert len(set(logged_actions(world.database))) == len(logged_actions(world.database))
    await world.close()


def test_an_action_whose_answer_is_lost_is_told_as_settled_at_another_node() -> None:
    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        action = world.next_action()[1]
        assert await person.request(type="act", action=action) == "done"
        back = await come_back(world, person, there)
        assert back.settled == person.seq
        assert [one for _, one in logged_actions(world.database)] == [action]
        await play_on(world)

    run_in_virtual_time(playing())


def test_an_action_that_comes_late_over_the_node_before_is_refused() -> None:
    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        assert await person.request(type="say", phrase="hello") == "done"
        action = world.next_action()[1]
        back = await come_back(world, person, there)
        assert back.settled == person.seq
        assert await person.request(type="act", action=action) == "wrong_phase"
        assert logged_actions(world.database) == []
        assert await back.request(type="act", action=action) == "done"
        await play_on(world)

    run_in_virtual_time(playing())


@pytest.mark.parametrize("lost", ["request", "answer"])
def test_what_becomes_of_an_action_between_nodes_is_told_at_another(lost: str) -> None:
    """The node that has the person's line loses the other one before, or after, it has asked."""

    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        action = world.next_action()[1]
        here = person.site
        if lost == "request":
            here.bus.connected = False
        asked = asyncio.create_task(person.request(type="act", action=action))
        await asyncio.sleep(0.002)
        here.bus.connected = False
        await asyncio.sleep(0.5)
        back = await come_back(world, person, there)
        arrived = [one for _, one in logged_actions(world.database)] == [action]
        assert arrived == (lost == "answer")
        assert (back.settled == person.seq) == arrived
        here.bus.connected = True
        assert await asked in {"busy", "wrong_phase"}
        if not arrived:
            assert await back.request(type="act", action=action) == "done"
        assert [one for _, one in logged_actions(world.database)] == [action]
        await play_on(world)

    run_in_virtual_time(playing())


def test_a_node_that_takes_the_table_over_does_not_guess_what_was_settled() -> None:
    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        action = world.next_action()[1]
        assert await person.request(type="act", action=action) == "done"
        world.evict()
        back = await come_back(world, person, there)
        assert back.settled is None
        back = await come_back(world, back, world.owner)
        assert back.settled is None
        assert [one for _, one in logged_actions(world.database)] == [action]
        await play_on(world)

    run_in_virtual_time(playing())


@pytest.mark.parametrize("first", ["newer", "older"])
def test_an_older_connection_stays_fenced_when_the_table_moves(first: str) -> None:
    """In whatever order the connections of the session come to the node that takes it over."""

    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        back = await come_back(world, person, there)
        late = back if first == "older" else person
        late.site.bus.connected = False
        world.evict()
        await asyncio.sleep(1.0)
        late.site.bus.connected = True
        await asyncio.sleep(2.0)
        action = world.next_action()[1]
        assert await person.request(type="act", action=action) == "wrong_phase"
        assert await person.request(type="watch", session=SESSION) != "done"
        assert await back.request(type="act", action=action) == "done"
        assert world.owner.registry.get_local(TABLE) is not None
        await play_on(world)

    run_in_virtual_time(playing())


def test_a_watch_whose_answer_is_lost_settles_nothing() -> None:
    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        assert await person.request(type="say", phrase="hello") == "done"
        said, person.seq = person.seq, person.seq + 1  # and something that never arrives
        again = await come_back(world, person, there)
        back = await come_back(world, again, world.owner)
        assert back.settled == said
        await play_on(world)

    run_in_virtual_time(playing())


@pytest.mark.parametrize("at", ["the owner", "another node"])
def test_an_action_that_waits_while_its_line_closes_is_settled(at: str) -> None:
    async def playing() -> None:
        world, person, there = await session_at_two_nodes()
        if at == "the owner":
            person = await move_in_session(world, person, world.owner)
        other = next(one for one in world.people if one is not person)
        action = world.next_action()[1]
        at_work = asyncio.create_task(other.request(type="say", phrase="hello"))
        asked = asyncio.create_task(person.request(type="act", action=action))
        await asyncio.sleep(0.002)
        back = person.reconnect_to(there)
        world.people[PEOPLE.index(person.person or "")] = await back.follow()
        await asyncio.gather(at_work, asked)
        arrived = [one for _, one in logged_actions(world.database)] == [action]
        assert (back.settled == person.seq) == arrived
        if not arrived:
            assert await back.request(type="act", action=action) == "done"
        await play_on(world)

    run_in_virtual_time(playing())

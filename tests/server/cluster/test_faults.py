"""Random faults in a simulated cluster: all clients converge, and no action runs twice."""

import asyncio
from collections import Counter
from collections.abc import Coroutine

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.table import Table
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

NODES = 3

STEPS = st.one_of(
    st.tuples(st.just("play"), st.integers(1, 4)),
    st.tuples(st.just("wait"), st.sampled_from([1, 5, 20, 45])),
    st.tuples(st.just("trouble"), st.sampled_from([0, 10, 30, 60])),
    st.tuples(st.just("cut"), st.integers(0, NODES - 1)),
    st.tuples(st.just("bus"), st.integers(0, NODES - 1)),
    st.tuples(st.just("store"), st.integers(0, NODES - 1)),
    st.tuples(st.just("forgetful"), st.integers(0, NODES - 1)),
    st.tuples(st.just("mend"), st.integers(0, NODES - 1)),
    st.tuples(st.just("move"), st.integers(0, 4 * NODES - 1)),
    st.tuples(st.just("spectate"), st.integers(0, NODES - 1)),
    st.tuples(st.just("restart"), st.integers(0, NODES - 1)),
)


class RandomFaults(SimulatedCluster):
    """A simulated cluster with a random sequence of faults and actions."""

    def __init__(self, seed: int) -> None:
        super().__init__(NODES, seed)
        self.asked: list[tuple[str, SimulatedPerson, str, asyncio.Task[str]]] = []
        self.moving: list[asyncio.Task[None]] = []

    async def do(self, what: str, number: int) -> None:
        """Runs one step."""
        match what:
            case "play":
                for _ in range(number):
                    self.act()
                    await asyncio.sleep(0.02)
            case "wait":
                await asyncio.sleep(number / 10)
            case "trouble":
                self.network.fault_rate = number / 100
            case "restart":
                await self.restart(number)
            case "spectate":
                self.begin(self.come(None, number))
            case "move":
                self.begin(self.move(number))
            case _:
                self.inject_fault(what, self.sites[number])

    def inject_fault(self, what: str, site: InProcessNode) -> None:
        """Cuts a node off from the bus, the store or both, or kills it."""
        match what:
            case "cut":
                site.partition()
            case "bus":
                site.bus.connected = False
            case "store":
                site.store.is_down = True
            case "forgetful":
                site.store.loses_next_answer = True
            case _:
                site.heal()

    def act(self) -> None:
        """Makes a legal move for the person to act, according to the log."""
        person, action = self.next_action()
        asked = person.request(type="act", action=action)
        who = person.person or ""
        self.asked.append((who, person, action, asyncio.create_task(asked)))

    def begin(self, work: Coroutine[None, None, None]) -> None:
        self.moving.append(asyncio.create_task(work))

    async def come(self, name: str | None, number: int) -> None:
        self.people.append(await SimulatedPerson(name, self.sites[number % NODES]).follow())

    async def move(self, number: int) -> None:
        seat = number % len(PEOPLE)
        person = next(one for one in self.people if one.person == PEOPLE[seat])
        await self.bring(person, self.sites[number // len(PEOPLE)])

    async def bring(self, person: SimulatedPerson, site: InProcessNode) -> None:
        """Connects a person to another node, unless they have left."""
        if not person.closed:
            there = person.reconnect_to(site)
            self.people[self.people.index(person)] = there
            await there.follow()

    async def restart(self, number: int) -> None:
        """Replaces a node gracefully; its people reconnect to the new one."""
        old = self.sites[number]
        old.heal()
        stopping = asyncio.create_task(old.close())
        self.sites[number] = await self.add_node()
        for person in self.people:
            if person.site is old:
                self.begin(self.bring(person, self.sites[number]))
        await stopping

    async def end(self) -> None:
        """Ends all faults and checks that every person is connected and up to date."""
        self.network.fault_rate = 0.0
        for site in self.sites:
            site.heal()
            site.store.loses_next_answer = False
        await asyncio.gather(*self.moving)
        for person in list(self.people):
            if person.site not in self.sites:
                await self.bring(person, self.sites[0])
        await asyncio.gather(*(task for *_, task in self.asked))
        await asyncio.sleep(15.0)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**16), steps=st.lists(STEPS, min_size=3, max_size=25))
def test_clients_converge_and_no_action_runs_twice_after_random_faults(
    seed: int, steps: list[tuple[str, int]]
) -> None:
    async def evening() -> None:
        world = await RandomFaults(seed).open()
        for what, number in steps:
            await world.do(what, number)
        await world.end()
        people = [one for one in world.people if not one.closed]
        check_consistency(world.database, people)
        done = Counter((PEOPLE[seat], action) for seat, action in logged_actions(world.database))
        asked = Counter((who, action) for who, _, action, _ in world.asked)
        acknowledged = Counter(
            (who, action) for who, _, action, task in world.asked if task.result() == "done"
        )
        # Whoever held a card plays it once: what was acknowledged is there, and nothing twice.
        assert acknowledged <= done
        assert done <= asked
        assert set(done.values()) <= {1}
        Table.from_events(world.database.logs[TABLE])
        holders = [site for site in world.sites if site.registry.get_local(TABLE)]
        assert len(holders) == 1
        connected = [any(one.person == name for one in people) for name in PEOPLE]
        spectators = sum(one.person is None for one in people)
        for one in people:
            assert one.copy.connected == connected
            assert one.copy.spectators == spectators
        await world.close()

    run_in_virtual_time(evening())

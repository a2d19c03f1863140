"""Limits that hold over several nodes: nobody has more of three than of one."""

import asyncio
from collections.abc import Callable

import pytest

from jasstisch.server.addresses import Proxies
from jasstisch.server.gate import FullError, Gate
from jasstisch.server.incidents import Incidents
from jasstisch.server.limits import Limits
from jasstisch.server.nodes.spending import MOST_TOLD, Spending
from jasstisch.server.nodes.talk import Spent
from jasstisch.server.shared import Shared
from tests.nodes.memory import Database, Network
from tests.nodes.sites import Site
from tests.server.virtual import in_virtual_time

pytestmark = pytest.mark.usefixtures("no_threads")


def keeps(told: list[Spent]) -> Callable[[str, Spent], bool]:
    """Keeps what is told, in place of a bus."""

    def keep(_: str, spent: Spent) -> bool:
        told.append(spent)
        return True

    return keep


def test_who_takes_from_a_bucket_at_three_nodes_gets_no_more_than_at_one() -> None:
    async def taking() -> None:
        database, network = Database(), Network()
        sites = [await Site(database, network).open() for _ in range(3)]
        await asyncio.sleep(1.0)
        loop, taken = asyncio.get_running_loop(), 0
        gates = [site.services.shared.buckets("tries", 2.0, 10, loop.time) for site in sites]
        for site in sites:
            site.services.join()
        began = loop.time()
        while loop.time() < began + 60.0:
            taken += sum(bucket.of("ada", loop.time()).take(loop.time()) for bucket in gates)
            await asyncio.sleep(0.1)
        # What one node allows in a minute, and what three allow before they have told each other.
        assert 0.9 * (10 + 120) < taken <= 10 + 120 + 3 * 10
        for site in sites:
            await site.close()

    in_virtual_time(taking())


def test_connections_of_an_address_are_counted_at_all_nodes_and_forgotten_with_a_node() -> None:
    async def connecting() -> None:
        database, network = Database(), Network()
        limits = Limits(connections_per_address=3)
        sites = [await Site(database, network).open() for _ in range(2)]
        gates = [
            Gate(
                limits,
                Proxies(["10.0.0.0/8"]),
                Incidents(),
                asyncio.get_running_loop().time,
                site.services.shared,
            )
            for site in sites
        ]
        for site in sites:
            site.services.join()
        await asyncio.sleep(1.0)
        with gates[0].running("10.0.0.1", "1.2.3.4"), gates[0].running("10.0.0.1", "1.2.3.4"):
            await asyncio.sleep(0.6)
            again = gates[1].running("10.0.0.1", "1.2.3.4")
            with gates[1].running("10.0.0.1", "1.2.3.4"), pytest.raises(FullError), again:
                pass
            await sites[0].kill()
            await asyncio.sleep(5.0)
            with gates[1].running("10.0.0.1", "1.2.3.4"), gates[1].running("10.0.0.1", "1.2.3.4"):
                pass
        await sites[1].close()

    in_virtual_time(connecting())


def test_what_a_person_uses_of_the_thinkers_elsewhere_counts_here() -> None:
    shared = Shared()
    told: list[Spent] = []
    used: list[tuple[str, int]] = []
    noted = shared.debited("thinking", lambda person, spent: used.append((person, spent)))
    spending = Spending(shared, keeps(told))
    assert noted() is None
    shared.begin()
    mine = noted()
    assert mine is not None
    mine["ada"] += 250
    spending.tell(["other"])
    assert told == [Spent({"thinking": {"ada": 250}})]
    spending.heard("other", told[0])
    assert used == [("ada", 250)]
    spending.tell(["other"])
    assert len(told) == 1  # what has not changed is not told


def test_no_more_is_told_at_once_than_a_bus_can_carry_and_the_rest_later() -> None:
    shared = Shared()
    tally = shared.tally("connections_per_person")
    shared.begin()
    told: list[Spent] = []
    spending = Spending(shared, keeps(told))
    for number in range(MOST_TOLD + 10):
        tally.add(f"person {number}")
    for _ in range(3):
        spending.tell(["other"])
    assert [len(one.there["connections_per_person"]) for one in told] == [MOST_TOLD, 10]


def test_a_node_that_tells_all_it_has_replaces_what_it_had_told() -> None:
    shared = Shared()
    tally = shared.tally("running")
    spending = Spending(shared, keeps([]))
    spending.heard("other", Spent({}, {"running": {"ada": 3, "ben": 1}}))
    spending.heard("third", Spent({}, {"running": {"ada": 1}, "newer": {"ada": 1}}))
    assert (tally["ada"], tally["ben"]) == (4, 1)
    spending.heard("other", Spent({}, {"running": {"ada": 2}}, whole=True))
    assert (tally["ada"], tally["ben"]) == (3, 0)
    spending.gone("other")
    assert (tally["ada"], tally["ben"]) == (1, 0)

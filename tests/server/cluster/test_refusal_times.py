"""Somebody from whom a table is hidden learns nothing from the time of an answer, on any node."""

import asyncio

import pytest

from jasstisch.server.errors import TableNotFoundError
from jasstisch.server.identity import new_table_id
from jasstisch.server.tables import TableLookup, Visitor
from jasstisch.table import AccessRules
from jasstisch.table.events import Event, LinkRevoked
from tests.server.cluster.in_memory import FakeDatabase, LossyNetwork, MemoryStore, loop_time
from tests.server.cluster.simulation import InProcessNode, SimulatedPerson, new_log
from tests.support.virtual_time import run_in_virtual_time

pytestmark = pytest.mark.usefixtures("no_threads")

HERE, ELSEWHERE, STORED = (one * 22 for one in "hes")


class SlowStore(MemoryStore):
    """A store that takes two seconds to read a log, and longer than a step to read rules."""

    async def load(self, table: str) -> list[Event]:
        await asyncio.sleep(2.0)
        return await super().load(table)

    async def access_rules(self, table: str) -> AccessRules | None:
        await asyncio.sleep(0.12)
        return await super().access_rules(table)


async def refusal_time(lookup: TableLookup, table: str) -> float:
    """The time until somebody with an old link is refused."""
    began = loop_time()
    with pytest.raises(TableNotFoundError):
        await lookup.find(table, Visitor("stranger", "old", "10.0.0.1"))
    return loop_time() - began


async def compare_refusals() -> None:
    database, network = FakeDatabase(), LossyNetwork()
    renewed: Event = LinkRevoked("new")
    for table in (HERE, ELSEWHERE, STORED):
        database.logs[table] = [*new_log(table=table), renewed]
    node, other = (InProcessNode(database, network, store=SlowStore) for _ in range(2))
    for site in (node, other):
        await site.open()
    for site, table in ((node, HERE), (other, ELSEWHERE)):
        assert await SimulatedPerson("a", site, table).watch() == "done"
    # A proxy of it is known here as well.
    assert await SimulatedPerson("b", node, ELSEWHERE).watch() == "done"
    lookup = TableLookup(node.registry, node.services.alerts)
    expected = await refusal_time(lookup, new_table_id())
    assert expected == pytest.approx(0.15)
    for table in (HERE, ELSEWHERE, STORED):
        for _ in range(2):
            assert await refusal_time(lookup, table) == pytest.approx(expected), table
    assert node.registry.get_local(STORED) is None
    for site in (node, other):
        await site.close()


def test_a_refusal_takes_the_same_time_wherever_a_hidden_table_is() -> None:
    run_in_virtual_time(compare_refusals())

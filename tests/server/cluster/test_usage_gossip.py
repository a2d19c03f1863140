"""Quotas that hold across nodes."""

import asyncio
from collections.abc import Callable

import pytest

from jasstisch.server.cluster.messages import UsageReport
from jasstisch.server.cluster.usage_gossip import _MAX_KEYS_PER_REPORT, UsageGossip
from jasstisch.server.limits.connection_limiter import ConnectionLimiter, LimitReachedError
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.limits.shared_usage import SharedUsage
from jasstisch.server.net.client_address import TrustedProxies
from jasstisch.server.observability.throttled_alerts import AlertLog
from tests.server.cluster.in_memory import FakeDatabase, LossyNetwork
from tests.server.cluster.simulation import InProcessNode
from tests.support.virtual_time import run_in_virtual_time

pytestmark = pytest.mark.usefixtures("no_threads")


def keeps(told: list[UsageReport]) -> Callable[[str, UsageReport], bool]:
    """Records published usage in place of a bus."""

    def keep(_: str, spent: UsageReport) -> bool:
        told.append(spent)
        return True

    return keep


def test_a_token_bucket_is_shared_by_all_nodes() -> None:
    async def taking() -> None:
        database, network = FakeDatabase(), LossyNetwork()
        sites = [await InProcessNode(database, network).open() for _ in range(3)]
        await asyncio.sleep(1.0)
        loop, taken = asyncio.get_running_loop(), 0
        gates = [
            site.services.shared_usage.create_buckets("tries", 2.0, 10, loop.time) for site in sites
        ]
        for site in sites:
            site.services.start_sharing_usage()
        began = loop.time()
        while loop.time() < began + 60.0:
            taken += sum(bucket.try_take("ada", loop.time()) for bucket in gates)
            await asyncio.sleep(0.1)
        # What one node allows in a minute, and what three allow before they have told each other.
        assert 0.9 * (10 + 120) < taken <= 10 + 120 + 3 * 10
        for site in sites:
            await site.close()

    run_in_virtual_time(taking())


def test_connections_per_address_are_counted_across_nodes() -> None:
    async def connecting() -> None:
        database, network = FakeDatabase(), LossyNetwork()
        limits = Limits(connections_per_address=3)
        sites = [await InProcessNode(database, network).open() for _ in range(2)]
        gates = [
            ConnectionLimiter(
                limits,
                TrustedProxies(["10.0.0.0/8"]),
                AlertLog(),
                asyncio.get_running_loop().time,
                site.services.shared_usage,
            )
            for site in sites
        ]
        for site in sites:
            site.services.start_sharing_usage()
        await asyncio.sleep(1.0)
        with (
            gates[0].slot_for_request("10.0.0.1", "1.2.3.4"),
            gates[0].slot_for_request("10.0.0.1", "1.2.3.4"),
        ):
            await asyncio.sleep(0.6)
            again = gates[1].slot_for_request("10.0.0.1", "1.2.3.4")
            with (
                gates[1].slot_for_request("10.0.0.1", "1.2.3.4"),
                pytest.raises(LimitReachedError),
                again,
            ):
                pass
            await sites[0].kill()
            await asyncio.sleep(5.0)
            with (
                gates[1].slot_for_request("10.0.0.1", "1.2.3.4"),
                gates[1].slot_for_request("10.0.0.1", "1.2.3.4"),
            ):
                pass
        await sites[1].close()

    run_in_virtual_time(connecting())


def test_worker_time_used_on_other_nodes_counts() -> None:
    shared = SharedUsage()
    told: list[UsageReport] = []
    used: list[tuple[str, int]] = []
    noted = shared.register_debit_handler(
        "thinking", lambda person, spent: used.append((person, spent))
    )
    spending = UsageGossip(shared, keeps(told))
    assert noted() is None
    shared.start_recording()
    mine = noted()
    assert mine is not None
    mine["ada"] += 250
    spending.send_changes(["other"])
    assert told == [UsageReport({"thinking": {"ada": 250}})]
    spending.apply("other", told[0])
    assert used == [("ada", 250)]
    spending.send_changes(["other"])
    assert len(told) == 1  # what has not changed is not told


def test_large_usage_reports_are_split_over_several_messages() -> None:
    shared = SharedUsage()
    tally = shared.gauge("connections_per_person")
    shared.start_recording()
    told: list[UsageReport] = []
    spending = UsageGossip(shared, keeps(told))
    for number in range(_MAX_KEYS_PER_REPORT + 10):
        tally.add(f"person {number}")
    for _ in range(3):
        spending.send_changes(["other"])
    assert [len(one.there["connections_per_person"]) for one in told] == [_MAX_KEYS_PER_REPORT, 10]


def test_a_full_report_replaces_earlier_ones() -> None:
    shared = SharedUsage()
    tally = shared.gauge("running")
    spending = UsageGossip(shared, keeps([]))
    spending.apply("other", UsageReport({}, {"running": {"ada": 3, "ben": 1}}))
    spending.apply("third", UsageReport({}, {"running": {"ada": 1}, "newer": {"ada": 1}}))
    assert (tally["ada"], tally["ben"]) == (4, 1)
    spending.apply("other", UsageReport({}, {"running": {"ada": 2}}, whole=True))
    assert (tally["ada"], tally["ben"]) == (3, 0)
    spending.remove_node("other")
    assert (tally["ada"], tally["ben"]) == (1, 0)

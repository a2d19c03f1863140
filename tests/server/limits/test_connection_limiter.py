"""Admission and eviction of connections, and what is remembered of closed ones."""

from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from jasstisch.server.limits.connection_limiter import ConnectionLimiter, LimitReachedError
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.net.client_address import TrustedProxies
from jasstisch.server.observability.throttled_alerts import AlertLog

MOST, OF_ONE = 6, 3


class FakeConnection:
    """A connection that can only be evicted."""

    def __init__(self) -> None:
        self.ended = False

    def evict(self) -> None:
        self.ended = True


class LimiterMachine(RuleBasedStateMachine):
    """Any sequence of arrivals and departures keeps the limits and forgets closed connections."""

    def __init__(self) -> None:
        super().__init__()
        limits = Limits(
            sockets=MOST, connections_per_address=OF_ONE, new_connections_per_second=10**9
        )
        self.limiter = ConnectionLimiter(limits, TrustedProxies(["10.0.0.1"]), AlertLog())
        self.inside: dict[FakeConnection, str] = {}
        self.working: set[FakeConnection] = set()

    @rule(address=st.sampled_from(["10.0.0.1", "192.0.2.1", "192.0.2.2", "2001:db8::1"]))
    def open_connection(self, address: str) -> None:
        guest = FakeConnection()
        same = [one for one, known in self.inside.items() if known == address != "10.0.0.1"]
        full = len(self.inside) >= MOST and self.working >= self.inside.keys()
        full_of_one = len(same) >= OF_ONE and self.working >= set(same)
        try:
            self.limiter.admit(guest, address)
        except LimitReachedError:
            assert full or full_of_one
            return
        assert not full_of_one
        ended = [one for one in self.inside if one.ended]
        assert not self.working & set(ended)
        assert len(ended) <= 1
        for one in ended:
            del self.inside[one]
        self.inside[guest] = address

    @rule(data=st.data())
    def change_connection_state(self, data: st.DataObject) -> None:
        if not self.inside:
            return
        guest = data.draw(st.sampled_from(list(self.inside)))
        does = data.draw(st.sampled_from(["mark_active", "mark_idle", "release"]))
        getattr(self.limiter, does)(guest)
        if does == "mark_active":
            self.working.add(guest)
        else:
            self.working.discard(guest)
        if does == "release":
            del self.inside[guest]

    @rule(data=st.data())
    def upgrade_to_websocket(self, data: st.DataObject) -> None:
        if not self.inside:
            return
        guest, socket = data.draw(st.sampled_from(list(self.inside))), FakeConnection()
        self.limiter.replace(socket, guest, self.inside[guest])
        self.inside[socket] = self.inside.pop(guest)
        self.working.discard(guest)
        self.working.add(socket)

    @invariant()
    def only_open_connections_are_counted(self) -> None:
        assert self.limiter._connections.keys() == self.inside.keys()
        assert set(self.limiter._idle) == self.inside.keys() - self.working
        counts = {of: one.connections for of, one in self.limiter._addresses.items()}
        assert sum(counts.values()) == sum(one != "10.0.0.1" for one in self.inside.values())
        assert all(0 < count <= OF_ONE for count in counts.values())
        assert len(self.inside) <= MOST


test_doors = LimiterMachine.TestCase


@given(st.integers(1, 5), st.integers(1, 9))
def test_requests_behind_a_proxy_count_while_they_run(most: int, wanted: int) -> None:
    limits = Limits(connections_per_address=most)
    limiter = ConnectionLimiter(limits, TrustedProxies(["10.0.0.1"]), AlertLog())
    running = [
        limiter.slot_for_request("10.0.0.1", f"2001:db8::{number}") for number in range(wanted)
    ]
    with ExitStack() as entered:
        for one in running[:most]:
            entered.enter_context(one)
        for one in running[most:]:
            with pytest.raises(LimitReachedError) as caught:
                entered.enter_context(one)
            assert (caught.value.limit, caught.value.status) == ("connections_per_address", 429)
    assert not limiter._behind_proxies.local


def test_new_connections_are_rate_limited_by_address() -> None:
    now = 0.0
    limits = Limits(new_connections_per_second=10, connections_per_address=20)
    limiter = ConnectionLimiter(limits, TrustedProxies(["10.0.0.1"]), AlertLog(), lambda: now)

    def come(address: str) -> bool:
        guest = FakeConnection()
        try:
            limiter.admit(guest, address)
        except LimitReachedError as error:
            return error.limit != "new_connections_per_second"
        limiter.release(guest)
        return True

    assert [come("192.0.2.1") for _ in range(25)] == [True] * 20 + [False] * 5
    assert come("192.0.2.2")
    assert all(come("10.0.0.1") for _ in range(100))
    now = 0.5
    assert [come("192.0.2.1") for _ in range(6)] == [True] * 5 + [False]

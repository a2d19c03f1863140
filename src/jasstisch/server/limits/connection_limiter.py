"""Limits the number of connections, in total and for each address.

A connection without a complete request is idle: it was just accepted, sends its headers, or is kept
alive. When a limit is reached, the connection that has been idle longest is closed, so that
half-sent requests, however many, cannot lock others out. Connections of a trusted proxy do not
count for the proxy's address; their requests count for the addresses that the proxy reports.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol, Self

from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.limits.shared_usage import Gauge, SharedUsage
from jasstisch.server.limits.token_bucket import KeyedBuckets
from jasstisch.server.net import TrustedProxies, rate_limit_key
from jasstisch.server.observability import AlertLog

Limit = Literal[
    "sockets",
    "connections",
    "connections_per_address",
    "connections_per_person",
    "new_connections_per_second",
    "requests_per_second",
]

_ERROR_MESSAGES: dict[Limit, str] = {
    "sockets": "too many connections; try again later",
    "connections": "too many connections; try again later",
    "connections_per_address": "too many connections from your address; close some of them",
    "connections_per_person": "too many connections of yours; close a few tabs",
    "new_connections_per_second": "too many new connections from your address; try again later",
    "requests_per_second": "too many requests from your address; try again later",
}


class LimitReachedError(Exception):
    """A limit is reached.

    Attributes:
        limit: the name of the limit.
        status: the HTTP status of the response.
        code: the error code of the response.
    """

    def __init__(self, limit: Limit) -> None:
        super().__init__(_ERROR_MESSAGES[limit])
        self.limit: Limit = limit
        of_the_server = limit in ("sockets", "connections")
        self.status = 503 if of_the_server else 429
        self.code: Literal["busy", "limit"] = "busy" if of_the_server else "limit"


class Evictable(Protocol):
    """A connection, as the connection limiter sees it."""

    def evict(self) -> None:
        """Closes the connection at once."""


_IdleConnections = OrderedDict[Evictable, None]
"""The connections without a request in progress, longest idle first."""


class _AddressState:
    """The state of one address."""

    __slots__ = ("connections", "idle")

    def __init__(self) -> None:
        self.connections = 0
        self.idle: _IdleConnections = OrderedDict()


class _Slot:
    """A context manager that counts one item; it is small, as each connection has a few of them."""

    __slots__ = ("_address", "_gauge", "_key", "_limit", "_limiter")

    def __init__(
        self, limiter: "ConnectionLimiter", limit: Limit, gauge: Gauge, key: str, address: str
    ) -> None:
        self._limiter = limiter
        self._limit: Limit = limit
        self._gauge = gauge
        self._key = key
        self._address = address

    def __enter__(self) -> None:
        self._limiter.check(self._limit, self._gauge[self._key], self._address)
        self._gauge.add(self._key)

    def __exit__(self, *_: object) -> None:
        self._gauge.remove(self._key)


UNCOUNTED: AbstractContextManager[None] = nullcontext()
"""The slot of a connection that is counted elsewhere."""


class SlotStack:
    """Slots that are released together; an `ExitStack` that uses less memory."""

    __slots__ = ("_slots",)

    def __init__(self, entered: tuple[AbstractContextManager[None], ...] = ()) -> None:
        self._slots = entered

    def enter(self, slot: AbstractContextManager[None]) -> None:
        """Acquires another slot.

        Raises:
            LimitReachedError: the limit is reached.
        """
        slot.__enter__()
        if slot is not UNCOUNTED:
            self._slots = (*self._slots, slot)

    def transfer(self) -> "SlotStack":
        """Moves the slots to a new stack, whose owner releases them."""
        entered, self._slots = self._slots, ()
        return SlotStack(entered)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        entered, self._slots = self._slots, ()
        for slot in reversed(entered):
            slot.__exit__(None, None, None)


class ConnectionLimiter:
    """Admits connections and requests up to the limits.

    Args:
        limits: the limits.
        proxies: the proxies whose connections do not count for their address.
        alerts: reports limits that are hit.
        now: returns seconds on a monotonic clock.
        shared: the usage that counts for all nodes together.
    """

    def __init__(
        self,
        limits: Limits,
        proxies: TrustedProxies,
        alerts: AlertLog,
        now: Callable[[], float] = time.monotonic,
        shared: SharedUsage | None = None,
    ) -> None:
        self.alerts = alerts
        self._now = now
        shared = shared or SharedUsage()
        rate = limits.new_connections_per_second
        at_once = max(rate, limits.connections_per_address)
        self._connection_rates = shared.create_buckets("new_connections", rate, at_once, now)
        asked, at_once = limits.requests_per_second, limits.request_burst
        self._request_rates = shared.create_buckets("requests", asked, at_once, now)
        self._connections_by_address = shared.gauge("connections_per_address")
        self._limits = limits
        self._proxies = proxies
        self._connections: dict[Evictable, str | None] = {}
        self._idle: _IdleConnections = OrderedDict()
        self._addresses: dict[str, _AddressState] = {}
        self._behind_proxies = shared.gauge("connections_behind_proxies")

    @property
    def connection_count(self) -> int:
        """The number of connections."""
        return len(self._connections)

    def admit(self, connection: Evictable, address: str) -> None:
        """Registers an accepted connection; it is idle until its first request.

        Raises:
            LimitReachedError: a limit is reached, and there is no idle connection to close.
        """
        of = None if self._proxies.trusts(address) else rate_limit_key(address)
        if of is not None:
            self._check_rate("new_connections_per_second", self._connection_rates, of, address)
            if self._connections_by_address[of] >= self._limits.connections_per_address:
                one = self._addresses.get(of)
                waiting = OrderedDict() if one is None else one.idle
                self._evict_longest_idle("connections_per_address", waiting, address)
        if len(self._connections) >= self._limits.sockets:
            self._evict_longest_idle("sockets", self._idle, address)
        self._register(connection, of)
        self.mark_idle(connection)

    def replace(self, connection: Evictable, previous: Evictable, address: str) -> None:
        """Registers a connection in place of another that it continues; it has a request.

        Args:
            connection: the new connection.
            previous: the registered connection, which is removed.
            address: the address of the client.
        """
        self.release(previous)
        self._register(
            connection, None if self._proxies.trusts(address) else rate_limit_key(address)
        )

    def _register(self, connection: Evictable, of: str | None) -> None:
        self._connections[connection] = of
        if of is not None:
            self._addresses.setdefault(of, _AddressState()).connections += 1
            self._connections_by_address.add(of)

    def mark_idle(self, connection: Evictable) -> None:
        """Marks a connection as idle."""
        if connection in self._connections:
            for waiting in self._idle_lists(connection):
                waiting[connection] = None

    def mark_active(self, connection: Evictable) -> None:
        """Marks a connection as active after complete headers; it is not closed to make room."""
        for waiting in self._idle_lists(connection):
            waiting.pop(connection, None)

    def release(self, connection: Evictable) -> None:
        """Unregisters a connection; an unknown one is ignored."""
        self.mark_active(connection)
        of = self._connections.pop(connection, None)
        if of is not None:
            one = self._addresses[of]
            one.connections -= 1
            self._connections_by_address.remove(of)
            if not one.connections:
                del self._addresses[of]

    def slot_for_request(self, peer: str, address: str) -> AbstractContextManager[None]:
        """Counts a request or WebSocket against the request rate of its address.

        If a trusted proxy forwards the request, it also holds a slot while it runs; other
        connections hold one already.

        Args:
            peer: the address of the connection.
            address: the address of the client.

        Returns:
            A context manager to enter while the request runs.

        Raises:
            LimitReachedError: the address has too many requests at once or in a second.
        """
        self._check_rate(
            "requests_per_second", self._request_rates, rate_limit_key(address), address
        )
        if not self._proxies.trusts(peer):
            return UNCOUNTED
        return self.slot(
            "connections_per_address", self._behind_proxies, rate_limit_key(address), address
        )

    def slot(
        self, limit: Limit, gauge: Gauge, key: str, address: str
    ) -> AbstractContextManager[None]:
        """A slot that counts an item under a key while it is entered.

        Args:
            limit: the name of the limit in `Limits`.
            gauge: the current counts.
            key: the key under which the item counts.
            address: the address of the client, for the log.

        Returns:
            A context manager that raises `LimitReachedError` on entry if the limit is reached.
        """
        return _Slot(self, limit, gauge, key, address)

    def check(self, limit: Limit, count: int, address: str) -> None:
        """Checks that a limit allows one more.

        Raises:
            LimitReachedError: the limit is reached.
        """
        if count >= getattr(self._limits, limit):
            self.alerts.report("limit_hit", limit, address)
            raise LimitReachedError(limit)

    def _idle_lists(self, connection: Evictable) -> Iterator[_IdleConnections]:
        """The lists that hold a connection while it is idle."""
        yield self._idle
        of = self._connections.get(connection)
        if of is not None:
            yield self._addresses[of].idle

    def _check_rate(self, limit: Limit, buckets: KeyedBuckets, of: str, address: str) -> None:
        now = self._now()
        if not buckets.try_take(of, now):
            self.alerts.report("limit_hit", limit, address)
            raise LimitReachedError(limit)

    def _evict_longest_idle(self, limit: Limit, waiting: _IdleConnections, address: str) -> None:
        self.alerts.report("limit_hit", limit, address)
        if not waiting:
            raise LimitReachedError(limit)
        longest = next(iter(waiting))
        self.release(longest)
        longest.evict()

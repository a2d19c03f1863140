"""How many may be connected at once: in all, and from one address.

A connection that has no complete request under way is waiting: it was just accepted, sends its
headers, or is kept alive. Where a limit is reached the one that has waited longest makes room, so
that half-sent requests, however many, keep nobody out. Connections of a trusted proxy are not
counted by its address; what runs behind it is counted by the address it names.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol, Self

from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.limits.shared_quota import Gauge, SharedUsage
from jasstisch.server.limits.token_bucket import KeyedBuckets
from jasstisch.server.net import TrustedProxies, rate_limit_key
from jasstisch.server.observability import AlertLog

__all__ = ["UNCOUNTED", "ConnectionLimiter", "Evictable", "Limit", "LimitReachedError", "SlotStack"]

Limit = Literal[
    "sockets",
    "connections",
    "connections_per_address",
    "connections_per_person",
    "new_connections_per_second",
    "requests_per_second",
]

ERROR_MESSAGES: dict[Limit, str] = {
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
        limit: which one.
        status: how it is told over HTTP.
        code: how it is told to programs.
    """

    def __init__(self, limit: Limit) -> None:
        super().__init__(ERROR_MESSAGES[limit])
        self.limit: Limit = limit
        of_the_server = limit in ("sockets", "connections")
        self.status = 503 if of_the_server else 429
        self.code: Literal["busy", "limit"] = "busy" if of_the_server else "limit"


class Evictable(Protocol):
    """A connection, as far as the gate is concerned."""

    def evict(self) -> None:
        """Ends the connection at once."""


IdleConnections = OrderedDict[Evictable, None]
"""Connections without a request under way, the one that has waited longest first."""


class _AddressState:
    """The connections of one address."""

    __slots__ = ("connections", "idle")

    def __init__(self) -> None:
        self.connections = 0
        self.idle: IdleConnections = OrderedDict()


class _Slot:
    """One more of something, while it is entered; thousands of connections each hold a few."""

    __slots__ = ("_address", "_gauge", "_key", "_limit", "_limiter")

    def __init__(
        self, gate: "ConnectionLimiter", limit: Limit, inside: Gauge, key: str, address: str
    ) -> None:
        self._limiter = gate
        self._limit: Limit = limit
        self._gauge = inside
        self._key = key
        self._address = address

    def __enter__(self) -> None:
        self._limiter.check(self._limit, self._gauge[self._key], self._address)
        self._gauge.add(self._key)

    def __exit__(self, *_: object) -> None:
        self._gauge.remove(self._key)


UNCOUNTED: AbstractContextManager[None] = nullcontext()
"""For what is counted elsewhere."""


class SlotStack:
    """Places that are given up together; an `ExitStack` for which a connection has room."""

    __slots__ = ("_slots",)

    def __init__(self, entered: tuple[AbstractContextManager[None], ...] = ()) -> None:
        self._slots = entered

    def enter(self, place: AbstractContextManager[None]) -> None:
        """Takes one more.

        Raises:
            LimitReachedError: there is no room.
        """
        place.__enter__()
        if place is not UNCOUNTED:
            self._slots = (*self._slots, place)

    def transfer(self) -> "SlotStack":
        """Whoever is given them gives them up."""
        entered, self._slots = self._slots, ()
        return SlotStack(entered)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        entered, self._slots = self._slots, ()
        for place in reversed(entered):
            place.__exit__(None, None, None)


class ConnectionLimiter:
    """Who is connected.

    Args:
        limits: how many may be.
        proxies: whose connections are not counted by their address.
        incidents: where a limit that is hit is noted.
        now: seconds on a clock that never goes back.
        shared: what counts at all nodes together.
    """

    def __init__(
        self,
        limits: Limits,
        proxies: TrustedProxies,
        incidents: AlertLog,
        now: Callable[[], float] = time.monotonic,
        shared: SharedUsage | None = None,
    ) -> None:
        self.alerts = incidents
        self._now = now
        shared = shared or SharedUsage()
        rate = limits.new_connections_per_second
        at_once = max(rate, limits.connections_per_address)
        self._connection_rates = shared.buckets("new_connections", rate, at_once, now)
        asked, at_once = limits.requests_per_second, limits.request_burst
        self._request_rates = shared.buckets("requests", asked, at_once, now)
        self._connections_by_address = shared.gauge("connections_per_address")
        self._limits = limits
        self._proxies = proxies
        self._connections: dict[Evictable, str | None] = {}
        self._idle: IdleConnections = OrderedDict()
        self._addresses: dict[str, _AddressState] = {}
        self._behind_proxies = shared.gauge("connections_behind_proxies")

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._connections)

    def admit(self, guest: Evictable, address: str) -> None:
        """Counts a connection that was accepted; it waits for its first request.

        Raises:
            LimitReachedError: there is no room, and nobody waits who could make some.
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
        self._register(guest, of)
        self.mark_idle(guest)

    def replace(self, guest: Evictable, place: Evictable, address: str) -> None:
        """Counts a connection in the place of another that it goes on for; it has a request.

        Args:
            guest: the connection.
            place: what it was counted as, which is forgotten.
            address: its address.
        """
        self.release(place)
        self._register(guest, None if self._proxies.trusts(address) else rate_limit_key(address))

    def _register(self, guest: Evictable, of: str | None) -> None:
        self._connections[guest] = of
        if of is not None:
            self._addresses.setdefault(of, _AddressState()).connections += 1
            self._connections_by_address.add(of)

    def mark_idle(self, guest: Evictable) -> None:
        """Notes that a connection has no request under way."""
        if guest in self._connections:
            for waiting in self._idle_lists(guest):
                waiting[guest] = None

    def mark_active(self, guest: Evictable) -> None:
        """Notes that the headers of a request are complete: nobody ends it now to make room."""
        for waiting in self._idle_lists(guest):
            waiting.pop(guest, None)

    def release(self, guest: Evictable) -> None:
        """Forgets a connection; one that is not known is none of the gate's."""
        self.mark_active(guest)
        of = self._connections.pop(guest, None)
        if of is not None:
            one = self._addresses[of]
            one.connections -= 1
            self._connections_by_address.remove(of)
            if not one.connections:
                del self._addresses[of]

    def request_slot(self, peer: str, address: str) -> AbstractContextManager[None]:
        """Counts a request or WebSocket: its address may have so many a second.

        While it runs it has a place, where a trusted proxy speaks for the address; other
        connections have theirs already.

        Args:
            peer: the address of the connection.
            address: whose request it is.

        Returns:
            What is entered while it runs.

        Raises:
            LimitReachedError: too many run for this address, or come from it.
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
        self, limit: Limit, inside: Gauge, key: str, address: str
    ) -> AbstractContextManager[None]:
        """Counts something under a key while it is entered.

        Args:
            limit: which limit holds; it is a number in `Limits`.
            inside: how many there are of each key.
            key: under what it is counted.
            address: whose it is, for the log.

        Returns:
            What raises `LimitReachedError` when it is entered and there are as many already.
        """
        return _Slot(self, limit, inside, key, address)

    def check(self, limit: Limit, there: int, address: str) -> None:
        """Makes sure that there may be one more.

        Raises:
            LimitReachedError: there are as many as there may be.
        """
        if there >= getattr(self._limits, limit):
            self.alerts.report("limit_hit", limit, address)
            raise LimitReachedError(limit)

    def _idle_lists(self, guest: Evictable) -> Iterator[IdleConnections]:
        """Where a connection is while it waits."""
        yield self._idle
        of = self._connections.get(guest)
        if of is not None:
            yield self._addresses[of].idle

    def _check_rate(self, limit: Limit, buckets: KeyedBuckets, of: str, address: str) -> None:
        now = self._now()
        if not buckets.bucket_for(of, now).try_take(now):
            self.alerts.report("limit_hit", limit, address)
            raise LimitReachedError(limit)

    def _evict_longest_idle(self, limit: Limit, waiting: IdleConnections, address: str) -> None:
        self.alerts.report("limit_hit", limit, address)
        if not waiting:
            raise LimitReachedError(limit)
        longest = next(iter(waiting))
        self.release(longest)
        longest.evict()

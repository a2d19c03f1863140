"""How many may be connected at once: in all, and from one address.

A connection that has no complete request under way is waiting: it was just accepted, sends its
headers, or is kept alive. Where a limit is reached the one that has waited longest makes room, so
that half-sent requests, however many, keep nobody out. Connections of a trusted proxy are not
counted by its address; what runs behind it is counted by the address it names.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

from jasstisch.server.addresses import Proxies, caller
from jasstisch.server.bucket import Buckets
from jasstisch.server.incidents import Incidents
from jasstisch.server.limits import Limits

__all__ = ["FullError", "Gate", "Guest", "Limit"]

Limit = Literal[
    "sockets",
    "connections",
    "connections_per_address",
    "connections_per_person",
    "new_connections_per_second",
    "requests_per_second",
]

REASONS: dict[Limit, str] = {
    "sockets": "too many connections; try again later",
    "connections": "too many connections; try again later",
    "connections_per_address": "too many connections from your address; close some of them",
    "connections_per_person": "too many connections of yours; close a few tabs",
    "new_connections_per_second": "too many new connections from your address; try again later",
    "requests_per_second": "too many requests from your address; try again later",
}


class FullError(Exception):
    """A limit is reached.

    Attributes:
        limit: which one.
        status: how it is told over HTTP.
        code: how it is told to programs.
    """

    def __init__(self, limit: Limit) -> None:
        super().__init__(REASONS[limit])
        self.limit: Limit = limit
        of_the_server = limit in ("sockets", "connections")
        self.status = 503 if of_the_server else 429
        self.code: Literal["busy", "limit"] = "busy" if of_the_server else "limit"


class Guest(Protocol):
    """A connection, as far as the gate is concerned."""

    def make_room(self) -> None:
        """Ends the connection at once."""


Waiting = OrderedDict[Guest, None]
"""Connections without a request under way, the one that has waited longest first."""


class _Caller:
    """The connections of one address."""

    __slots__ = ("connections", "waiting")

    def __init__(self) -> None:
        self.connections = 0
        self.waiting: Waiting = OrderedDict()


class Gate:
    """Who is connected.

    Args:
        limits: how many may be.
        proxies: whose connections are not counted by their address.
        incidents: where a limit that is hit is noted.
        now: seconds on a clock that never goes back.
    """

    def __init__(
        self,
        limits: Limits,
        proxies: Proxies,
        incidents: Incidents,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.incidents = incidents
        self._now = now
        rate = limits.new_connections_per_second
        self._opening = Buckets(rate, max(rate, limits.connections_per_address))
        self._asking = Buckets(limits.requests_per_second, limits.request_burst)
        self._limits = limits
        self._proxies = proxies
        self._guests: dict[Guest, str | None] = {}
        self._waiting: Waiting = OrderedDict()
        self._callers: dict[str, _Caller] = {}
        self._behind: Counter[str] = Counter()

    def enter(self, guest: Guest, address: str) -> None:
        """Counts a connection that was accepted; it waits for its first request.

        Raises:
            FullError: there is no room, and nobody waits who could make some.
        """
        of = None if self._proxies.trusts(address) else caller(address)
        if of is not None:
            self._check_pace("new_connections_per_second", self._opening, of, address)
            one = self._callers.get(of)
            if one is not None and one.connections >= self._limits.connections_per_address:
                self._make_room("connections_per_address", one.waiting, address)
        if len(self._guests) >= self._limits.sockets:
            self._make_room("sockets", self._waiting, address)
        self._seat(guest, of)
        self.wait(guest)

    def take_over(self, guest: Guest, place: Guest, address: str) -> None:
        """Counts a connection in the place of another that it goes on for; it has a request.

        Args:
            guest: the connection.
            place: what it was counted as, which is forgotten.
            address: its address.
        """
        self.leave(place)
        self._seat(guest, None if self._proxies.trusts(address) else caller(address))

    def _seat(self, guest: Guest, of: str | None) -> None:
        self._guests[guest] = of
        if of is not None:
            self._callers.setdefault(of, _Caller()).connections += 1

    def wait(self, guest: Guest) -> None:
        """Notes that a connection has no request under way."""
        if guest in self._guests:
            for waiting in self._lists(guest):
                waiting[guest] = None

    def work(self, guest: Guest) -> None:
        """Notes that the headers of a request are complete: nobody ends it now to make room."""
        for waiting in self._lists(guest):
            waiting.pop(guest, None)

    def leave(self, guest: Guest) -> None:
        """Forgets a connection; one that is not known is none of the gate's."""
        self.work(guest)
        of = self._guests.pop(guest, None)
        if of is not None:
            one = self._callers[of]
            one.connections -= 1
            if not one.connections:
                del self._callers[of]

    @contextmanager
    def running(self, peer: str, address: str) -> Iterator[None]:
        """Counts a request or WebSocket: its address may have so many a second.

        While it runs it has a place, where a trusted proxy speaks for the address; other
        connections have theirs already.

        Args:
            peer: the address of the connection.
            address: whose request it is.

        Raises:
            FullError: too many run for this address, or come from it.
        """
        self._check_pace("requests_per_second", self._asking, caller(address), address)
        if not self._proxies.trusts(peer):
            yield
            return
        limit: Limit = "connections_per_address"
        with self.counted(limit, self._behind, caller(address), address):
            yield

    @contextmanager
    def counted(self, limit: Limit, inside: Counter[str], key: str, address: str) -> Iterator[None]:
        """Counts something under a key for a while.

        Args:
            limit: which limit holds; it is a number in `Limits`.
            inside: how many there are of each key.
            key: under what it is counted.
            address: whose it is, for the log.

        Raises:
            FullError: there are as many already.
        """
        if inside[key] >= getattr(self._limits, limit):
            self.incidents.note("limit_hit", limit, address)
            raise FullError(limit)
        inside[key] += 1
        try:
            yield
        finally:
            inside[key] -= 1
            if not inside[key]:
                del inside[key]

    def _lists(self, guest: Guest) -> Iterator[Waiting]:
        """Where a connection is while it waits."""
        yield self._waiting
        of = self._guests.get(guest)
        if of is not None:
            yield self._callers[of].waiting

    def _check_pace(self, limit: Limit, buckets: Buckets, of: str, address: str) -> None:
        now = self._now()
        if not buckets.of(of, now).take(now):
            self.incidents.note("limit_hit", limit, address)
            raise FullError(limit)

    def _make_room(self, limit: Limit, waiting: Waiting, address: str) -> None:
        self.incidents.note("limit_hit", limit, address)
        if not waiting:
            raise FullError(limit)
        longest = next(iter(waiting))
        self.leave(longest)
        longest.make_room()

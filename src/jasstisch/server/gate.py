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

from jasstisch.server.addresses import Proxies, caller
from jasstisch.server.bucket import Buckets
from jasstisch.server.incidents import Incidents
from jasstisch.server.limits import Limits
from jasstisch.server.shared import Shared, Tally

__all__ = ["NO_PLACE", "FullError", "Gate", "Guest", "Held", "Limit"]

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


class _Place:
    """One more of something, while it is entered; thousands of connections each hold a few."""

    __slots__ = ("_address", "_gate", "_inside", "_key", "_limit")

    def __init__(self, gate: "Gate", limit: Limit, inside: Tally, key: str, address: str) -> None:
        self._gate = gate
        self._limit: Limit = limit
        self._inside = inside
        self._key = key
        self._address = address

    def __enter__(self) -> None:
        self._gate.check(self._limit, self._inside[self._key], self._address)
        self._inside.add(self._key)

    def __exit__(self, *_: object) -> None:
        self._inside.remove(self._key)


NO_PLACE: AbstractContextManager[None] = nullcontext()
"""For what is counted elsewhere."""


class Held:
    """Places that are given up together; an `ExitStack` for which a connection has room."""

    __slots__ = ("_entered",)

    def __init__(self, entered: tuple[AbstractContextManager[None], ...] = ()) -> None:
        self._entered = entered

    def enter(self, place: AbstractContextManager[None]) -> None:
        """Takes one more.

        Raises:
            FullError: there is no room.
        """
        place.__enter__()
        if place is not NO_PLACE:
            self._entered = (*self._entered, place)

    def hand_over(self) -> "Held":
        """Whoever is given them gives them up."""
        entered, self._entered = self._entered, ()
        return Held(entered)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        entered, self._entered = self._entered, ()
        for place in reversed(entered):
            place.__exit__(None, None, None)


class Gate:
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
        proxies: Proxies,
        incidents: Incidents,
        now: Callable[[], float] = time.monotonic,
        shared: Shared | None = None,
    ) -> None:
        self.incidents = incidents
        self._now = now
        shared = shared or Shared()
        rate = limits.new_connections_per_second
        at_once = max(rate, limits.connections_per_address)
        self._opening = shared.buckets("new_connections", rate, at_once, now)
        asked, at_once = limits.requests_per_second, limits.request_burst
        self._asking = shared.buckets("requests", asked, at_once, now)
        self._connected = shared.tally("connections_per_address")
        self._limits = limits
        self._proxies = proxies
        self._guests: dict[Guest, str | None] = {}
        self._waiting: Waiting = OrderedDict()
        self._callers: dict[str, _Caller] = {}
        self._behind = shared.tally("connections_behind_proxies")

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._guests)

    def enter(self, guest: Guest, address: str) -> None:
        """Counts a connection that was accepted; it waits for its first request.

        Raises:
            FullError: there is no room, and nobody waits who could make some.
        """
        of = None if self._proxies.trusts(address) else caller(address)
        if of is not None:
            self._check_pace("new_connections_per_second", self._opening, of, address)
            if self._connected[of] >= self._limits.connections_per_address:
                one = self._callers.get(of)
                waiting = OrderedDict() if one is None else one.waiting
                self._make_room("connections_per_address", waiting, address)
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
            self._connected.add(of)

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
            self._connected.remove(of)
            if not one.connections:
                del self._callers[of]

    def running(self, peer: str, address: str) -> AbstractContextManager[None]:
        """Counts a request or WebSocket: its address may have so many a second.

        While it runs it has a place, where a trusted proxy speaks for the address; other
        connections have theirs already.

        Args:
            peer: the address of the connection.
            address: whose request it is.

        Returns:
            What is entered while it runs.

        Raises:
            FullError: too many run for this address, or come from it.
        """
        self._check_pace("requests_per_second", self._asking, caller(address), address)
        if not self._proxies.trusts(peer):
            return NO_PLACE
        return self.counted("connections_per_address", self._behind, caller(address), address)

    def counted(
        self, limit: Limit, inside: Tally, key: str, address: str
    ) -> AbstractContextManager[None]:
        """Counts something under a key while it is entered.

        Args:
            limit: which limit holds; it is a number in `Limits`.
            inside: how many there are of each key.
            key: under what it is counted.
            address: whose it is, for the log.

        Returns:
            What raises `FullError` when it is entered and there are as many already.
        """
        return _Place(self, limit, inside, key, address)

    def check(self, limit: Limit, there: int, address: str) -> None:
        """Makes sure that there may be one more.

        Raises:
            FullError: there are as many as there may be.
        """
        if there >= getattr(self._limits, limit):
            self.incidents.note("limit_hit", limit, address)
            raise FullError(limit)

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

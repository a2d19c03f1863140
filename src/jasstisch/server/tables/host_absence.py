"""How the rights of a host who is gone from the lobby pass to another person, and come back.

Before the match only the host may let people in, or begin. If the host's device dies there, the
others could do nothing. After two minutes the rights therefore pass to the person who has sat there
longest, of those who are connected. They come back when the host does, before the match begins.
"""

from collections.abc import Callable
from typing import NamedTuple

from jasstisch.table import State

_ABSENT_AFTER_S = 120.0
"""The seconds without a connection after which the host's rights pass on."""


class _Absence(NamedTuple):
    host: str
    since: float


class HostAbsence:
    """Knows since when the host has had no connection in the lobby.

    Args:
        is_connected: tells whether a person has a connection to the table.
        now: returns the time in seconds of any monotonic clock.
    """

    def __init__(self, is_connected: Callable[[str], bool], now: Callable[[], float]) -> None:
        self._is_connected = is_connected
        self._now = now
        self._absence: _Absence | None = None

    def update(self, state: State) -> None:
        """Notes whether the host is gone; call it after events and changes of connections."""
        host = state.host_settings.host
        if state.phase != "open" or host is None or self._is_connected(host):
            self._absence = None
        elif self._absence is None or self._absence.host != host:
            self._absence = _Absence(host, self._now())

    def next_deadline(self, state: State) -> float | None:
        """When the rights pass on; None where the host is there, or nobody could have them."""
        if self._absence is None or self._successor(state) is None:
            return None
        return self._absence.since + _ABSENT_AFTER_S

    def due_successor(self, state: State) -> str | None:
        """The person to whom the rights pass now, if they do."""
        due = self.next_deadline(state)
        return self._successor(state) if due is not None and due <= self._now() else None

    def _successor(self, state: State) -> str | None:
        humans = (place.person for place in state.seats if not place.is_program)
        seated = [person for person in humans if person is not None]
        seated.sort(key=list(state.seat_by_person).index)
        host = state.host_settings.host
        return next((one for one in seated if one != host and self._is_connected(one)), None)

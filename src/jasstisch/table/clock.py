"""The thinking time of the people at a table. Callers pass the current time in seconds."""

from math import inf

from msgspec import Struct

from jasstisch.table import turns
from jasstisch.table.state import State

UNDO_TIMEOUT_S = 20.0
"""How long the table waits for answers to a request to undo a card."""


class _RunningTurn(Struct, frozen=True, gc=False):
    occasion: int
    began: float
    ends: float


class Clock:
    """The deadlines of the turns a table waits for.

    The time belongs to the turn. It starts when the table begins to wait for a seat and runs until
    the seat has acted, even if its person leaves, returns or changes meanwhile. It expires only for
    a person who is present. A new clock, as after a restart of the server, gives every turn its
    full time. During an undo request all clocks are paused except that of the request.
    """

    def __init__(self) -> None:
        self._turns: dict[int, _RunningTurn] = {}
        self._present: list[int] = []
        self._undo_since: float | None = None

    def update(self, table: State, now: float) -> None:
        """Starts and stops the clocks of turns; call it after every event."""
        stood = self._pause_for_undo(table, now)
        before, self._turns, self._present = self._turns, {}, []
        for seat, (occasion, seconds) in turns.running_clocks(table).items():
            turn = before.get(seat)
            began = now
            if turn is not None and turn.occasion == occasion:
                began = turn.began + now - max(stood, turn.began)
            self._turns[seat] = _RunningTurn(occasion, began, began + seconds)
            if table.seats[seat].is_present:
                self._present.append(seat)

    def _pause_for_undo(self, table: State, now: float) -> float:
        """Starts or ends the clock of an undo request; returns when the other clocks paused."""
        since = self._undo_since
        if table.undo_state.pending is None:
            self._undo_since = None
            return now if since is None else since
        self._undo_since = now if since is None else since
        return now

    def remaining(self, seat: int, now: float) -> float | None:
        """Seconds a seat has left, at least 0; None when its clock does not run."""
        turn = self._turns.get(seat)
        if turn is None or turn.ends == inf or self._undo_since is not None:
            return None
        return max(0.0, turn.ends - now)

    def elapsed(self, seat: int, now: float) -> float:
        """Seconds passed in the present turn of a seat; 0 when its clock does not run."""
        turn = self._turns.get(seat)
        until = now if self._undo_since is None else self._undo_since
        return 0.0 if turn is None else max(0.0, until - turn.began)

    def expired_seats(self, now: float) -> list[int]:
        """The seats of people whose time has run out, ascending."""
        if self._undo_since is not None:
            return []
        return sorted(seat for seat in self._present if self._turns[seat].ends <= now)

    def undo_expired(self, now: float) -> bool:
        """Whether the time to answer the undo request has run out."""
        return self._undo_since is not None and self._undo_since + UNDO_TIMEOUT_S <= now

    def next_deadline(self) -> float | None:
        """The time of the next deadline; None when no clock runs."""
        if self._undo_since is not None:
            return self._undo_since + UNDO_TIMEOUT_S
        ends = min([self._turns[seat].ends for seat in self._present], default=inf)
        return None if ends == inf else ends

"""The thinking time of the people at a table. Time comes in from outside, as seconds."""

from math import inf

from msgspec import Struct

from jasstisch.table.state import State

__all__ = ["UNDO_TIMEOUT_S", "Clock"]

UNDO_TIMEOUT_S = 20.0
"""So long it is waited for the others to say whether somebody may take his last card back."""


class _RunningTurn(Struct, frozen=True, gc=False):
    occasion: int
    began: float
    ends: float


class Clock:
    """Deadlines of the turns a table waits for.

    The time belongs to the turn: it begins when the table starts to wait for a seat and goes on
    until that seat has done something, whoever sits there meanwhile, goes away or comes back. It
    runs out for a person who is present only. A new clock gives everybody the full time, as after a
    restart of the server. While somebody asks for his last card, all times stand still but that of
    the question.
    """

    def __init__(self) -> None:
        self._turns: dict[int, _RunningTurn] = {}
        self._present: list[int] = []
        self._undo_since: float | None = None

    def update(self, table: State, now: float) -> None:
        """Starts and stops the times of turns; call it after every event."""
        stood = self._pause_for_undo(table, now)
        before, self._turns, self._present = self._turns, {}, []
        for seat, (occasion, seconds) in table.running_clocks().items():
            turn = before.get(seat)
            began = now
            if turn is not None and turn.occasion == occasion:
                began = turn.began + now - max(stood, turn.began)
            self._turns[seat] = _RunningTurn(occasion, began, began + seconds)
            if table.is_present(seat):
                self._present.append(seat)

    def _pause_for_undo(self, table: State, now: float) -> float:
        """Begins or ends the time of a question; from when on all others have stood still."""
        since = self._undo_since
        if table.undo_state.pending is None:
            self._undo_since = None
            return now if since is None else since
        self._undo_since = now if since is None else since
        return now

    def remaining(self, seat: int, now: float) -> float | None:
        """Seconds a seat has left, at least 0; None when its time does not run."""
        turn = self._turns.get(seat)
        if turn is None or turn.ends == inf or self._undo_since is not None:
            return None
        return max(0.0, turn.ends - now)

    def elapsed(self, seat: int, now: float) -> float:
        """Seconds of the present turn of a seat that have passed; 0 when its time does not run."""
        turn = self._turns.get(seat)
        until = now if self._undo_since is None else self._undo_since
        return 0.0 if turn is None else max(0.0, until - turn.began)

    def expired(self, now: float) -> list[int]:
        """The seats of people whose time has run out, ascending."""
        if self._undo_since is not None:
            return []
        return sorted(seat for seat in self._present if self._turns[seat].ends <= now)

    def undo_expired(self, now: float) -> bool:
        """Whether the time is over to say whether somebody may take his last card back."""
        return self._undo_since is not None and self._undo_since + UNDO_TIMEOUT_S <= now

    def next_deadline(self) -> float | None:
        """When the next time runs out; None when none does."""
        if self._undo_since is not None:
            return self._undo_since + UNDO_TIMEOUT_S
        ends = min([self._turns[seat].ends for seat in self._present], default=inf)
        return None if ends == inf else ends

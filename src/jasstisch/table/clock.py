"""The thinking time of the people at a table. Time comes in from outside, as seconds."""

from jasstisch.table.state import State

__all__ = ["Clock"]


class Clock:
    """Deadlines of the seats whose people a table waits for.

    A new clock gives everybody the full time, as after a restart of the server. A seat's time
    begins when the table starts to wait for it and begins anew after everything it does.
    """

    def __init__(self) -> None:
        self._running: dict[int, tuple[int, float]] = {}

    def update(self, table: State, now: float) -> None:
        """Starts and stops the seats' times; call it after every event."""
        thinking_time = table.created.thinking_time
        if thinking_time is None:
            return
        awaited = table.awaited()
        for seat in [seat for seat in self._running if seat not in awaited]:
            del self._running[seat]
        for seat, occasion in awaited.items():
            running = self._running.get(seat)
            if running is None or running[0] != occasion:
                self._running[seat] = (occasion, now + thinking_time)

    def left(self, seat: int, now: float) -> float | None:
        """Seconds a seat has left, at least 0; None when its time does not run."""
        running = self._running.get(seat)
        return None if running is None else max(0.0, running[1] - now)

    def due(self, now: float) -> list[int]:
        """The seats whose time has run out, ascending."""
        return sorted(seat for seat, (_, deadline) in self._running.items() if deadline <= now)

    def next_deadline(self) -> float | None:
        """When the next time runs out; None when none runs."""
        return min((deadline for _, deadline in self._running.values()), default=None)

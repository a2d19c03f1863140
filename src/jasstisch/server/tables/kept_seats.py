"""The seats that are kept for people who have left in the middle of a match.

A seat is kept until the round in which its person left is over, and for at least three minutes. A
bot plays meanwhile, the person can sit down again at any time, and others can only ask the host for
the seat. The times are not stored: after a restart of the server the three minutes begin anew.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from jasstisch.table import State

_KEPT_FOR_S = 180.0
"""The least seconds for which a seat is kept."""


class _Vacated(Struct, frozen=True, gc=False):
    owner: str
    since: float
    round_over: bool


class KeptSeats:
    """Knows when people have left, and which of their seats are still kept."""

    def __init__(self) -> None:
        self._vacated: dict[int, _Vacated] = {}

    def update(self, state: State, now: float) -> None:
        """Notes who has left or come back and whether the round has ended; call it after events.

        The seat of a person whom the host has removed is not kept.
        """
        before, self._vacated = self._vacated, {}
        round_over = state.phase != "playing"
        for seat, place in enumerate(state.seats):
            owner = place.vacated_by
            if owner is None or owner in state.host_settings.removed:
                continue
            known = before.get(seat)
            if known is None or known.owner != owner:
                known = _Vacated(owner, now, round_over)
            elif round_over and not known.round_over:
                known = replace(known, round_over=True)
            self._vacated[seat] = known

    def is_kept(self, seat: int, now: float) -> bool:
        """Whether only the person who left this seat may take it."""
        one = self._vacated.get(seat)
        return one is not None and not (one.round_over and now >= one.since + _KEPT_FOR_S)

    def release_times(self) -> Iterator[tuple[int, float]]:
        """The seats whose round is over, each with the time from which it is kept no longer."""
        for seat, one in self._vacated.items():
            if one.round_over:
                yield seat, one.since + _KEPT_FOR_S

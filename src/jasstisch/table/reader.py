"""What one event changes for one reader, as the difference of his views before and after it.

Because a change is computed from two views and nothing else, it cannot tell a reader more than his
view does.
"""

from collections import deque
from itertools import islice
from typing import Any

import msgspec

from jasstisch.table.room import Change, Room
from jasstisch.table.state import State

__all__ = ["MOST_MISSED", "Reader"]

MOST_MISSED = 64
"""So many changes are kept for whoever missed them; a whole view is smaller than more of them."""


class Reader:
    """Follows a table on behalf of one seat, or of the spectators.

    Args:
        table: the table as it is now.
        seat: whose eyes; None for a spectator.
    """

    def __init__(self, table: State, seat: int | None) -> None:
        self.seat = seat
        self._version = table.version
        self._person = _person(table, seat)
        self._room = table.room()
        self._view = table.view(seat)
        self._recent: deque[Change] = deque(maxlen=MOST_MISSED)

    def change(self, table: State) -> Change:
        """What the event just applied changed for this reader; call it after every event."""
        room, view = table.room(), table.view(self.seat)
        changed, last, grown = _difference(self._view or {}, view or {})
        change = Change(
            version=table.version,
            event=table.happened(self.seat),
            room=_room_difference(self._room, room),
            set=changed,
            last=last,
            append=grown,
            turn=table.turn(self.seat),
            hint=table.hint(self.seat),
        )
        self._room, self._view, self._version = room, view, table.version
        self._keep(change, _person(table, self.seat))
        return change

    def missed(self, since: int) -> list[Change] | None:
        """The changes after a version, as they were told; None when not all of them are kept.

        Nothing is kept from before the seat came to the person who holds it now.
        """
        first = self._version - len(self._recent)
        if not first <= since <= self._version:
            return None
        return list(islice(self._recent, since - first, None))

    def _keep(self, change: Change, person: str | None) -> None:
        if person == self._person:
            self._recent.append(change)
        else:
            self._recent.clear()
            self._person = person


def _person(table: State, seat: int | None) -> str | None:
    return None if seat is None else table.places[seat].person


def _room_difference(before: Room, after: Room) -> dict[str, Any]:
    old, new = msgspec.structs.asdict(before), msgspec.structs.asdict(after)
    return {key: value for key, value in new.items() if old[key] != value}


def _difference(
    before: dict[str, Any], after: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[Any]]]:
    """The keys whose values are new; of long lists only a new last item, and the items added.

    A list of objects, such as the turns of a deal, often changes in its last item alone: sent whole
    each time it would make the messages of one deal grow with the square of its length.
    """
    changed: dict[str, Any] = {}
    last: dict[str, Any] = {}
    grown: dict[str, list[Any]] = {}
    for key, value in after.items():
        old = before.get(key)
        if old == value and key in before:
            continue
        if not isinstance(value, list) or not isinstance(old, list) or len(value) < len(old):
            changed[key] = value
        elif old == value[: len(old)]:
            grown[key] = value[len(old) :]
        elif isinstance(old[-1], dict) and old[:-1] == value[: len(old) - 1]:
            last[key] = value[len(old) - 1]
            if len(value) > len(old):
                grown[key] = value[len(old) :]
        else:
            changed[key] = value
    return changed, last, grown

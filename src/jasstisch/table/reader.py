"""What one event changes for one reader, as the difference of his views before and after it.

Because a change is computed from two views and nothing else, it cannot tell a reader more than his
view does.
"""

from typing import Any

import msgspec

from jasstisch.table.room import Change, Room
from jasstisch.table.state import State
from jasstisch.table.table import Table

__all__ = ["Reader", "missed"]


class Reader:
    """Follows a table on behalf of one seat, or of the spectators.

    Args:
        table: the table as it is now.
        seat: whose eyes; None for a spectator.
    """

    def __init__(self, table: State, seat: int | None) -> None:
        self.seat = seat
        self._room = table.room()
        self._view = table.view(seat)

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
        self._room, self._view = room, view
        return change


def missed(table: Table, since: int, person: str | None, seat: int | None) -> list[Change] | None:
    """The changes a reader was not sent: all events after `since`, one by one.

    They equal what he would have been sent then. None when that cannot be told: `since` is of an
    earlier match or of the future, or the reader's seat was not the same all the time.

    Args:
        table: the table as it is now.
        since: the version the reader has.
        person: who reads, None for somebody without an identity.
        seat: the seat he had at that version.
    """
    past = table.at(since)
    if past is None or past.seat_of(person) != seat:
        return None
    reader = Reader(past, seat)
    changes = []
    for event in table.events_after(since):
        past.apply(event)
        if past.seat_of(person) != seat:
            return None
        changes.append(reader.change(past))
    return changes


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

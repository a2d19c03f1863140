"""What one event changes for its readers, as the difference of their views before and after it.

Because a change is computed from two views and nothing else, it cannot tell a reader more than his
view does. What all of them see alike is compared once for all, in `Common`; for each seat only what
it sees otherwise.
"""

from collections import deque
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any

from jasstisch.table.room import Change, Room
from jasstisch.table.state import State

__all__ = ["MOST_MISSED", "Common", "Reader"]

MOST_MISSED = 64
"""So many changes are kept for whoever missed them; a whole view is smaller than more of them."""

View = dict[str, Any]

ROOM = Room.__struct_fields__

NOTHING = object()
"""Stands for what there was not before."""


class Common:
    """What everybody sees of a table, as a spectator does, and what the last event changed of it.

    Args:
        table: the table as it is now.

    Attributes:
        view: what a spectator sees; only to be read.
        change: what the last event changed for a spectator.
    """

    def __init__(self, table: State) -> None:
        self.change = Change(table.version, table.happened(None), {}, {}, {}, {}, None)
        self.view = table.glance()
        self._room = table.room()

    def follow(self, table: State) -> Change:
        """Takes in the event just applied, once however many ask; call it after every event."""
        if self.change.version == table.version:
            return self.change
        room, view = table.room(), table.glance()
        changed, last, grown = _difference(self.view, view)
        self.change = Change(
            version=table.version,
            event=table.happened(None),
            room=_room_difference(self._room, room),
            set=changed,
            last=last,
            append=grown,
            turn=None,
        )
        self._room, self.view = room, view
        return self.change


class Reader:
    """Follows a table on behalf of one seat, or of the spectators.

    Args:
        table: the table as it is now.
        seat: whose eyes; None for a spectator.
        common: what all readers of the table share, as of now; its own where it is left out.
    """

    def __init__(self, table: State, seat: int | None, common: Common | None = None) -> None:
        self.seat = seat
        self._common = common or Common(table)
        self._version = table.version
        self._person = _person(table, seat)
        self._private = table.private(seat)
        self._recent: deque[Change] = deque(maxlen=MOST_MISSED)

    def change(self, table: State) -> Change:
        """What the event just applied changed for this reader; call it after every event.

        Readers for whom it has changed the same are given the same object.
        """
        common = self._common.follow(table)
        change = common if self.seat is None else self._own_change(table, self.seat, common)
        self._version = table.version
        self._keep(change, _person(table, self.seat))
        return change

    def _own_change(self, table: State, seat: int, common: Change) -> Change:
        before, private = self._private, table.private(seat)
        changed, last, grown = _difference(before, private)
        # From now on it sees these as a spectator does, whatever it saw in their place.
        no_more = {key: self._common.view[key] for key in before if key not in private}
        changed |= no_more
        self._private = private
        event, turn, hint = table.happened(seat), table.turn(seat), table.hint(seat)
        parts = (common.set, common.last, common.append)
        # Of what the seat sees otherwise, what changed for a spectator says nothing.
        otherwise = private.keys() | no_more.keys()
        hidden = any(key in otherwise for part in parts for key in part)
        own = changed or last or grown or turn or hint or hidden
        if not own and event == common.event:
            return common
        return Change(
            version=common.version,
            event=event,
            room=common.room,
            set=_without(common.set, otherwise) | changed,
            last=_without(common.last, otherwise) | last,
            append=_without(common.append, otherwise) | grown,
            turn=turn,
            hint=hint,
        )

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


def _without(part: View, keys: AbstractSet[str]) -> View:
    return {key: value for key, value in part.items() if key not in keys}


def _person(table: State, seat: int | None) -> str | None:
    return None if seat is None else table.places[seat].person


def _room_difference(before: Room, after: Room) -> View:
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in ROOM)
    return {name: new for name, old, new in pairs if old != new}


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
        old = before.get(key, NOTHING)
        if old is value or old == value:
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

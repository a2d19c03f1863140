"""Deltas: the change of each event for each reader, as the difference of two views.

A delta is computed only from the reader's views before and after the event, so it reveals no more
than the view itself. The part that all readers share is compared once, in `SharedDeltas`; for each
seat only its private part is compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Generic, TypeVar

from jasstisch.games.rules import ViewDelta
from jasstisch.table import per_reader_info
from jasstisch.table.client_state import RoomInfo, TableDelta, Turn, TutorialHint
from jasstisch.table.state import State

RECENT_LIMIT = 4
"""The number of deltas kept for readers who missed some; a full view is smaller than more."""

_View = dict[str, Any]

_Form = TypeVar("_Form")

_ROOM_FIELDS = RoomInfo.__struct_fields__

_EMPTY_DIFF: tuple[_View, _View, dict[str, list[Any]], _View] = ({}, {}, {}, {})

_MISSING = object()
"""A sentinel for a key that did not exist before."""


class SharedDeltas:
    """The spectator's view of a table, which all readers share, and its last delta.

    Args:
        table: the present state of the table.

    Attributes:
        view: the spectator's view, read-only.
        delta: the delta of the last event for a spectator.
        hand_owner: the seat whose hand is the only private part that the last event changed; None
            where any private part may have changed.
    """

    def __init__(self, table: State) -> None:
        self.delta = TableDelta(
            table.version, per_reader_info.describe_last_event(table, None), {}, {}, {}, {}, None
        )
        self.view = table.spectator_view()
        self._room = table.room()
        self.hand_owner: int | None = None

    def update(self, table: State) -> TableDelta:
        """The delta of the event just applied, computed once; call it after every event."""
        if self.delta.version == table.version:
            return self.delta
        room, trace = table.room(), per_reader_info.last_delta(table)
        changed, last, grown = (
            self._diff_views(table) if trace is None else self._apply_game_delta(trace)
        )
        self.delta = TableDelta(
            version=table.version,
            event=per_reader_info.describe_last_event(table, None),
            room=_room_diff(self._room, room),
            set=changed,
            last=last,
            append=grown,
            turn=None,
        )
        self._room = room
        self.hand_owner = (
            per_reader_info.last_event_actor(table)
            if trace is not None and trace.only_hand_changed
            else None
        )
        return self.delta

    def _diff_views(self, table: State) -> tuple[_View, _View, dict[str, list[Any]]]:
        """The changes, by comparing the full views."""
        before, self.view = self.view, table.spectator_view()
        return diff(before, self.view)

    def _apply_game_delta(self, trace: ViewDelta) -> tuple[_View, _View, dict[str, list[Any]]]:
        """The changes, from the delta that the game provides."""
        view = self.view
        changed = {key: value for key, value in trace.updated.items() if view[key] != value}
        view |= changed
        for key, items in trace.appended.items():
            view[key] = view[key] + items
        return changed, {}, trace.appended

    def affected_seats(self, table: State) -> Sequence[int]:
        """The seats for which the last event may have changed more than for spectators."""
        match = table.match
        if self.hand_owner is None or match is None or table.tutorial_session is not None:
            return range(len(table.seats))
        regrets = () if table.undo_eligible_seat is None else (table.undo_eligible_seat,)
        return (self.hand_owner, *match.to_act, *regrets)


class SeatDeltas:
    """The deltas of a table for one seat, or for the spectators.

    Args:
        table: the present state of the table.
        seat: the seat; None for a spectator.
        common: the deltas shared by all readers of the table, up to date; by default a new one.
    """

    def __init__(self, table: State, seat: int | None, common: SharedDeltas | None = None) -> None:
        self.seat = seat
        self._shared = common or SharedDeltas(table)
        self._private = table.private_view(seat)

    def update(self, table: State) -> TableDelta:
        """The delta of the event just applied for this reader; call it after every event.

        Readers with equal deltas get the same object.
        """
        common, seat = self._shared.update(table), self.seat
        if seat is None:
            return common
        whose = self._shared.hand_owner
        if whose is None:
            return self._diff_views(table, seat, common)
        own: _View = {}
        if whose == seat:
            self._private = table.private_view(seat)
            own = {"hand": self._private["hand"]}
        undoable = table.undo_eligible_seat == seat
        return _with_private(
            common,
            own,
            per_reader_info.turn(table, seat),
            per_reader_info.tutorial_hint(table, seat),
            undoable=undoable,
        )

    def _diff_views(self, table: State, seat: int, common: TableDelta) -> TableDelta:
        """The changes for a seat, by comparing its full private view."""
        before, private = self._private, table.private_view(seat)
        changed, last, grown, no_more = _EMPTY_DIFF
        if private != before:
            changed, last, grown = diff(before, private)
            # These keys are no longer private: the seat now sees the spectator's values.
            no_more = {key: self._shared.view[key] for key in before if key not in private}
            changed |= no_more
            self._private = private
        event, turn = (
            per_reader_info.describe_last_event(table, seat),
            per_reader_info.turn(table, seat),
        )
        hint = per_reader_info.tutorial_hint(table, seat)
        undoable = table.undo_eligible_seat == seat
        # The spectator's changes do not apply to keys with a private value.
        otherwise = private.keys() | no_more.keys() if no_more else private.keys()
        sets, lasts = _without_keys(common.set, otherwise), _without_keys(common.last, otherwise)
        appends = _without_keys(common.append, otherwise)
        hidden = sets is not common.set or lasts is not common.last or appends is not common.append
        own = changed or last or grown or turn or hint or hidden or undoable
        if not own and event == common.event:
            return common
        return TableDelta(
            version=common.version,
            event=event,
            room=common.room,
            set=sets | changed,
            last=lasts | last,
            append=appends | grown,
            turn=turn,
            hint=hint,
            undoable=undoable,
        )


class RecentDeltas(Generic[_Form]):
    """The most recent deltas of each reader, for readers who missed some.

    Deltas from before recording began for a reader, or from before the present person took the
    seat, are not available.

    Args:
        table: the present state of the table.
    """

    __slots__ = ("_begun", "_kept", "_people", "_room", "_version")

    def __init__(self, table: State) -> None:
        self._version = table.version
        self._kept: list[tuple[_Form, Mapping[int, _Form]]] = []
        self._begun: dict[int | None, int] = {}
        self._room, self._people = table.room(), _seated_persons(table)

    def start_recording(self, table: State, seat: int | None) -> None:
        """Starts recording for a seat, or for the spectators (None)."""
        self._begun[seat] = table.version

    def add(self, table: State, deltas: Iterable[tuple[_Form, Mapping[int, _Form]]]) -> None:
        """Stores the deltas of the events since the last call, in any encoding.

        Args:
            table: the state of the table after them.
            deltas: for each event the delta for all readers, and the deltas of the seats that get a
                different one.
        """
        self._kept += deltas
        del self._kept[:-RECENT_LIMIT]
        self._version = table.version
        room = table.room()
        if room is self._room:
            return  # without events, no seat has changed hands either
        before, self._room, self._people = self._people, room, _seated_persons(table)
        for seat, people in enumerate(zip(before, self._people, strict=True)):
            if seat in self._begun and people[0] != people[1]:
                self.start_recording(table, seat)

    def since(self, seat: int | None, since: int) -> list[_Form] | None:
        """The deltas of a reader after a version; None when some of them are no longer kept."""
        first = max(self._version - len(self._kept), self._begun[seat])
        if not first <= since <= self._version:
            return None
        last = self._kept[len(self._kept) - (self._version - since) :]
        return [common if seat is None else own.get(seat, common) for common, own in last]


def _with_private(
    common: TableDelta, own: _View, turn: Turn | None, hint: TutorialHint | None, *, undoable: bool
) -> TableDelta:
    """The delta with a seat's private changes and turn; the same object where there are none."""
    if not own and turn is None and hint is None and not undoable:
        return common
    return TableDelta(
        version=common.version,
        event=common.event,
        room=common.room,
        set=common.set | own,
        last=common.last,
        append=common.append,
        turn=turn,
        hint=hint,
        undoable=undoable,
    )


def _without_keys(part: _View, keys: AbstractSet[str]) -> _View:
    """The part without these keys; the same object where it has none of them."""
    if keys.isdisjoint(part):
        return part
    return {key: value for key, value in part.items() if key not in keys}


def _seated_persons(table: State) -> list[str | None]:
    return [place.person for place in table.seats]


def _room_diff(before: RoomInfo, after: RoomInfo) -> _View:
    if before is after:
        return {}
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in _ROOM_FIELDS)
    return {name: new for name, old, new in pairs if old != new}


def diff(
    before: dict[str, Any], after: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[Any]]]:
    """The keys with new values; for long lists only a changed last item and the items appended.

    A list of objects, such as the turns of a deal, often changes only in its last item. If it were
    sent in full each time, the messages of one deal would grow with the square of its length.
    """
    changed: dict[str, Any] = {}
    last: dict[str, Any] = {}
    grown: dict[str, list[Any]] = {}
    for key, value in after.items():
        old = before.get(key, _MISSING)
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

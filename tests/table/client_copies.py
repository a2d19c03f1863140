"""Readers with client-side copies of a table, who come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from jasstisch.table import (
    SeatDeltas,
    SharedDeltas,
    State,
    TableDelta,
    commands,
    per_reader_info,
)

if TYPE_CHECKING:
    from jasstisch.server.api import messages
    from tests.table.table_driver import TableDriver

ClientCopy = tuple[dict[str, Any], dict[str, Any]]
"""The room and the view."""


def current_copy(state: State, seat: int | None) -> ClientCopy:
    """Room and view computed afresh, without caches."""
    return msgspec.structs.asdict(state._room_now()), state.view(seat) or {}


def apply_delta(copy: ClientCopy, change: TableDelta | messages.Event) -> ClientCopy:
    """Applies a delta to a copy, as a client does."""
    room, view = copy[0] | change.room, copy[1] | change.set
    for key, item in change.last.items():
        view[key] = [*view[key][:-1], item]
    for key, items in change.append.items():
        view[key] = [*view[key], *items]
    return room, view


class ChangingReaders:
    """A table with readers who come and go; equal deltas are shared between them."""

    def __init__(self, host: TableDriver) -> None:
        self.host = host
        self.readers: list[tuple[SeatDeltas, ClientCopy]] = []
        self.log = list(host.log)
        self._common = SharedDeltas(host.state)

    def join(self, seat: int | None) -> None:
        if not self.readers:
            self._common = SharedDeltas(self.host.state)
        reader = SeatDeltas(self.host.state, seat, self._common)
        self.readers.append((reader, current_copy(self.host.state, seat)))

    def leave(self, which: int) -> None:
        if self.readers:
            del self.readers[which % len(self.readers)]

    def execute(self, command: commands.Command) -> None:
        """Executes a command; compares each copy with a fresh one after every event."""
        state = self.host.state
        for event in self.host.table.execute(command, self.host.dealer):
            self.log.append(event)
            changes = [reader.update(state) for reader, _ in self.readers]
            self.readers = [
                (reader, apply_delta(copy, change))
                for (reader, copy), change in zip(self.readers, changes, strict=True)
            ]
            for (reader, copy), change in zip(self.readers, changes, strict=True):
                assert copy == current_copy(state, reader.seat)
                assert change.turn == per_reader_info.turn(state, reader.seat)
                asks = reader.seat is not None and state.undo_eligible_seat == reader.seat
                assert change.undoable == asks

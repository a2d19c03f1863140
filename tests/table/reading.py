"""Readers who keep a copy of what they see, as clients do, and come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from jasstisch.table import Change, Common, Reader, State, commands

if TYPE_CHECKING:
    from jasstisch.server import messages
    from tests.table.tables import Host

Copy = tuple[dict[str, Any], dict[str, Any]]
"""The room and the view."""


def copied(state: State, seat: int | None) -> Copy:
    """Room and view as they are now, whatever is remembered of them."""
    return msgspec.structs.asdict(state._room_now()), state.view(seat) or {}


def applied(copy: Copy, change: Change | messages.Event) -> Copy:
    """What a client makes of a change."""
    room, view = copy[0] | change.room, copy[1] | change.set
    for key, item in change.last.items():
        view[key] = [*view[key][:-1], item]
    for key, items in change.append.items():
        view[key] = [*view[key], *items]
    return room, view


class ComingAndGoing:
    """A host with readers who come and go; those who are there share what they can."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.there: list[tuple[Reader, Copy]] = []
        self.log = list(host.log)
        self._common = Common(host.state)

    def come(self, seat: int | None) -> None:
        if not self.there:
            self._common = Common(self.host.state)
        reader = Reader(self.host.state, seat, self._common)
        self.there.append((reader, copied(self.host.state, seat)))

    def go(self, which: int) -> None:
        if self.there:
            del self.there[which % len(self.there)]

    def do(self, command: commands.Command) -> None:
        """Does it; after every event each copy is what a client would be given now."""
        state = self.host.state
        for event in self.host.table.perform(command, self.host.dealer):
            self.log.append(event)
            changes = [reader.change(state) for reader, _ in self.there]
            self.there = [
                (reader, applied(copy, change))
                for (reader, copy), change in zip(self.there, changes, strict=True)
            ]
            for (reader, copy), change in zip(self.there, changes, strict=True):
                assert copy == copied(state, reader.seat)
                assert change.turn == state.turn(reader.seat)
                asks = reader.seat is not None and state.undoable == reader.seat
                assert change.undoable == asks

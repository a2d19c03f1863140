"""Those who follow a table: what each is told of it, and what those who come back have missed.

What is told costs by what has happened and not by who asks: what all see alike is worked out once,
what a seat sees otherwise once for it, and those for whom the same has changed are sent the same
text. The whole view that newcomers get is made once for each seat and once for all spectators.
Whoever comes back is told the changes he missed while they are kept, and the whole view after that:
nothing is replayed.

Where the host wants it, those who only watch are told of a trick, or a claim, once it is over: all
that happens meanwhile is kept back from them, and newcomers are shown the table before it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from jasstisch.server.api import messages
from jasstisch.table import (
    RECENT_LIMIT,
    EventInfo,
    RecentDeltas,
    Room,
    SeatDeltas,
    SharedDeltas,
    State,
    TableDelta,
    Turn,
    events,
)

__all__ = ["Broadcaster", "Subscriber", "encode_message"]

DISCONNECTED_AFTER_S = 30.0
"""Seconds without a connection after which the others may have the computer play for somebody."""

MAX_DELAYED_EVENTS = 64
"""So much of what happens during a trick is kept for those who are told late; after more of it they
are shown the table anew."""

PRESENCE_INTERVAL_S = 0.5
"""Seconds between two tellings of who is there: thousands may come and go at once."""

_encoder = msgspec.json.Encoder()


def encode_message(message: messages.ServerMessage) -> bytes:
    """A message as it travels, in UTF-8."""
    return _encoder.encode(message)


class Subscriber(Protocol):
    """A connection as a table sees it."""

    @property
    def person(self) -> str | None:
        """Who is behind it; None for somebody without an identity."""

    @property
    def closed(self) -> bool:
        """Whether it is gone."""

    def send(self, text: bytes) -> None:
        """Sends a message, without waiting."""


_StagedChange = tuple[TableDelta, dict[int, TableDelta]]
"""What an event has changed, for everybody but some seats, and for these."""


class Broadcaster:
    """The connections that follow a table.

    Args:
        state: the table as it is now.
        left: gives the seconds of thinking time a seat has left, None where its time does not run.
        now: gives the time, in seconds of any monotonic clock.
        before: the table before the trick in progress, where that is kept from who only watches.
    """

    def __init__(
        self,
        state: State,
        left: Callable[[int], float | None],
        now: Callable[[], float],
        before: State | None = None,
    ) -> None:
        self._state = state
        self._table = state.created.table
        self._time_left = left
        self._now = now
        self._disconnected_since = dict.fromkeys(range(len(state.seats)), now())
        self._ever_connected: set[int] = set()
        self._announced_disconnected: list[bool] = self._disconnected_seats()
        self._subscribers: dict[Subscriber, int | None] = {}
        self._connection_counts: Counter[int | None] = Counter()
        self._seat_deltas: dict[int | None, SeatDeltas] = {}
        self._snapshots: dict[int | None, messages.Snapshot] = {}
        self._shared_delta: SharedDeltas | None = None
        self._staged: list[_StagedChange] = []
        self._turns: dict[int, TableDelta] = {}
        self._recent: RecentDeltas[bytes] = RecentDeltas(state)
        self._last_seen_version: dict[int | None, int] = {}
        self._preparing: Sequence[bool] = [False] * len(state.seats)
        self._room, self._positions = state.room(), _seat_positions(state)
        self._moved: dict[str, EventInfo] = {}
        self._presence_throttle = _Throttle(self._send_presence)
        self._delayed_feed = self._start_delayed_feed(before)
        self._last_quiescent: tuple[int, messages.Snapshot] | None = None
        self._renamed: dict[int, str] = {}

    def __contains__(self, follower: Subscriber) -> bool:
        """Whether a connection follows the table."""
        return follower in self._subscribers

    def __bool__(self) -> bool:
        """Whether anybody follows the table."""
        return bool(self._subscribers)

    def close(self) -> None:
        """Forgets everybody, and whose it is: a table that has left memory is kept by nothing."""
        self._presence_throttle.close()
        self._time_left = _no_time_left
        self._subscribers.clear()
        self._connection_counts.clear()
        self._seat_deltas.clear()
        self._snapshots.clear()
        self._last_seen_version.clear()

    # Coming and going.

    def subscribe(self, follower: Subscriber, since: int | None, seat: int | None) -> None:
        """Has a connection follow the table, and tells it what it does not know yet.

        Args:
            follower: the connection; one that follows the table already is told again.
            since: the version it has, if any.
            seat: the seat it had at that version.
        """
        now_at = self._state.seat_of(follower.person)
        known = follower in self._subscribers
        before = self._connected()
        self._add_subscriber(follower, now_at)
        missed = None
        if since is not None and seat == now_at:
            missed = self._missed_messages(follower, now_at, since)
        if missed is None:
            follower.send(encode_message(self._snapshot_for(follower, now_at)))
        else:
            last = None if now_at is None else self._turns.get(now_at)
            if missed and last is not None:
                # The time it speaks of has gone on since.
                missed[-1] = encode_message(self._event_message(now_at, last))
            for text in missed:
                follower.send(text)
        follower.send(self._encode_presence())
        if not known:
            self._presence_throttle.trigger(at_once=self._connected() != before)

    def _missed_messages(
        self, follower: Subscriber, seat: int | None, since: int
    ) -> list[bytes] | None:
        """What somebody was told after a version; None when not all of it is kept."""
        late = self._delayed_feed
        if (
            late is None
            or late.version == self._state.version
            or not self._is_delayed(follower.person)
        ):
            return self._recent.since(seat, since)
        return [] if since == late.version and not late.renamed else None

    def unsubscribe(self, follower: Subscriber) -> bool:
        """Stops telling a connection about the table; whether it followed it at all."""
        if follower not in self._subscribers:
            return False
        before = self._connected()
        self._remove_subscriber(follower)
        self._presence_throttle.trigger(at_once=self._connected() != before)
        return True

    def evict_unauthorized(self, stays: Callable[[Subscriber], bool]) -> None:
        """Has those leave who may not stay; to them there is no such table any more."""
        gone = messages.ErrorMessage("unknown_table", "there is no such table", table=self._table)
        for follower in [one for one in self._subscribers if not stays(one)]:
            follower.send(encode_message(gone))
            self.unsubscribe(follower)

    def set_preparing(self, preparing: Sequence[bool]) -> None:
        """Tells everybody which seats wait for a computer player that is not ready yet."""
        if list(preparing) != list(self._preparing):
            self._preparing = list(preparing)
            self._presence_throttle.trigger(at_once=True)

    # Telling what happens.

    def stage(self) -> None:
        """Takes in the event just applied; it is told when it is committed."""
        state = self._state
        self._snapshots.clear()
        self._stage_change()
        if state.host_settings.delayed and state.is_quiescent:
            self._last_quiescent = len(self._staged), self._cached_snapshot(None)
        if isinstance(state.last_event, events.NicknameReplaced):
            self._renamed[state.last_event.seat] = state.last_event.name
        room = self._state.room()
        if room is self._room:
            return  # then nobody has moved either
        self._room, standings = room, _seat_positions(self._state)
        if standings != self._positions:
            for person, _ in standings.items() ^ self._positions.items():
                self._moved[person] = self._state.describe_last(None)
            self._positions = standings

    def _stage_change(self) -> None:
        """Works out what the event just applied has changed, for those who follow the table."""
        state = self._state
        if self._shared_delta is not None and self._seat_deltas:
            change, own = self._shared_delta.update(state), {}
            for seat in self._shared_delta.affected_seats(state):
                reader = self._seat_deltas.get(seat)
                of_it = change if reader is None else reader.update(state)
                if of_it is not change:
                    own[seat] = of_it
            self._staged.append((change, own))

    def flush(self) -> None:
        """Tells everybody what was noted, for it is committed; who has moved gets a snapshot."""
        told = [self._encode_change(*noted) for noted in self._staged]
        moved: list[Subscriber] = []
        if self._moved:
            moved = [one for one in self._subscribers if one.person in self._moved]
        elsewhere = {*moved, *self._flush_delayed([text for text, _ in told], moved)}
        for text, own in told:
            for follower, seat in self._subscribers.items():
                if follower not in elsewhere:
                    follower.send(text if seat is None else own.get(seat, text))
        if moved:
            self._resend_snapshots(moved)
        self._commit_flush(told)

    def _resend_snapshots(self, moved: Sequence[Subscriber]) -> None:
        """Shows the table anew to those who have another seat now."""
        before = self._connected()
        for follower in moved:
            self._add_subscriber(follower, self._state.seat_of(follower.person))
        for follower in moved:
            follower.send(encode_message(self._snapshot_for(follower, self._subscribers[follower])))
            follower.send(self._encode_presence())
        if self._connected() != before:
            self._presence_throttle.trigger(at_once=True)

    def reset(self, state: State, before: State | None = None) -> None:
        """Shows everybody another state of the table, when what was noted has come to nothing.

        Args:
            state: the table as it is now.
            before: see `Audience`.
        """
        self._state = state
        self._delayed_feed, self._last_quiescent = self._start_delayed_feed(before), None
        self._renamed.clear()
        self._room, self._positions = state.room(), _seat_positions(state)
        self._moved.clear()
        self._seat_deltas.clear()
        self._snapshots.clear()
        self._staged.clear()
        self._turns = {}
        self._recent = RecentDeltas(state)
        self._last_seen_version.clear()
        followers = list(self._subscribers)
        self._subscribers.clear()
        self._connection_counts.clear()
        for follower in followers:
            self._add_subscriber(follower, state.seat_of(follower.person))
            follower.send(encode_message(self._snapshot_for(follower, self._subscribers[follower])))
        self._presence_throttle.trigger(at_once=True)

    # Those who are told late.

    def delayed_room(self, person: str | None) -> Room | None:
        """The room as somebody sees it who is told late; None for who sees the present one."""
        late = self._delayed_feed
        return late.snapshot.room if late is not None and self._is_delayed(person) else None

    def version_for(self, follower: Subscriber) -> int:
        """The version of the table that somebody may know of."""
        late = self._delayed_feed
        if late is None or not self._is_delayed(follower.person):
            return self._state.version
        return late.version

    def _is_delayed(self, person: str | None) -> bool:
        """Whether somebody is told late where that is wanted; the host decides it, and is not."""
        if person is None:
            return True
        return person != self._state.host_settings.host and self._state.seat_of(person) is None

    def _start_delayed_feed(self, before: State | None) -> "_DelayedFeed | None":
        """What is known of the table by those who are told late; None where nobody is."""
        if not self._state.host_settings.delayed:
            return None
        return _DelayedFeed(_build_snapshot(self._state if before is None else before, None))

    def _flush_delayed(self, texts: list[bytes], moved: Sequence[Subscriber]) -> list[Subscriber]:
        """Tells those who are late what they may know by now; who they are.

        Args:
            texts: what has happened, as all are told who hold no seat.
            moved: those who are shown the table anew in any case.
        """
        rested, self._last_quiescent = self._last_quiescent, None
        renamed, self._renamed = self._renamed, {}
        late, delayed = self._delayed_feed, self._state.host_settings.delayed
        if late is None:
            # From now on: what has been told is told, and whoever comes is shown as much.
            self._delayed_feed = self._start_delayed_feed(None)
            return []
        whom = [
            one
            for one, seat in self._subscribers.items()
            if seat is None and self._is_delayed(one.person)
        ]
        if not delayed:
            self._delayed_feed = None
            self._send_snapshots(one for one in whom if one not in moved)
            return whom
        if rested is None:
            late.buffer(texts)
            if renamed:  # what offends is told nobody until the trick is over
                late.replace_names(renamed)
                self._send_snapshots(one for one in whom if one not in moved)
            return whom
        number, shown = rested
        missed = [*late.buffered, *texts[:number]]
        gaps = len(missed) != shown.version - late.version
        self._delayed_feed = _DelayedFeed(shown, texts[number:])
        if gaps:  # of what happened before anybody followed, or of so much, there are no texts
            self._send_snapshots(one for one in whom if one not in moved)
        else:
            self._send_all(missed, [one for one in whom if one not in moved])
        return whom

    def _send_snapshots(self, whom: Iterable[Subscriber]) -> None:
        for follower in whom:
            follower.send(encode_message(self._snapshot_for(follower, None)))

    def _send_all(self, texts: Sequence[bytes], whom: Sequence[Subscriber]) -> None:
        for text in texts:
            self._send(text, whom)

    def broadcast(self, message: messages.ServerMessage) -> None:
        """Sends everybody a message."""
        self._send(encode_message(message), self._subscribers)

    # What is kept.

    def _add_subscriber(self, follower: Subscriber, seat: int | None) -> None:
        if follower in self._subscribers:
            self._remove_subscriber(follower)
        self._subscribers[follower] = seat
        self._connection_counts[seat] += 1
        if seat is not None:
            self._disconnected_since.pop(seat, None)
            self._ever_connected.add(seat)
        if seat not in self._seat_deltas:
            self._seat_deltas[seat] = SeatDeltas(self._state, seat, self._ensure_shared_delta())
            self._recent.start_recording(self._state, seat)
        self._last_seen_version.pop(seat, None)

    def _ensure_shared_delta(self) -> SharedDeltas:
        """What all readers share as of now; nobody keeps it up to date while there are none."""
        if not self._seat_deltas or self._shared_delta is None:
            self._shared_delta = SharedDeltas(self._state)
        return self._shared_delta

    def _remove_subscriber(self, follower: Subscriber) -> None:
        seat = self._subscribers.pop(follower)
        self._connection_counts[seat] -= 1
        if not self._connection_counts[seat]:
            self._last_seen_version[seat] = self._state.version
            if seat is not None:
                self._disconnected_since[seat] = self._now()

    def _commit_flush(self, told: Sequence[tuple[bytes, dict[int, bytes]]]) -> None:
        """Ends the telling; nobody is listened for who could not be told what he missed."""
        self._moved.clear()
        self._recent.add(self._state, told)
        own = self._staged[-1][1] if self._staged else {}
        self._turns = {seat: one for seat, one in own.items() if one.turn is not None}
        self._staged.clear()
        if self._last_seen_version:
            self._drop_seat_deltas(self._state.version - RECENT_LIMIT)

    def _drop_seat_deltas(self, long_ago: int) -> None:
        """Listens no more for those who have left so long ago that they are shown all anew."""
        for seat in [
            seat for seat, version in self._last_seen_version.items() if version <= long_ago
        ]:
            del self._seat_deltas[seat], self._last_seen_version[seat]

    # What it reads like.

    def _encode_change(
        self, change: TableDelta, own: dict[int, TableDelta]
    ) -> tuple[bytes, dict[int, bytes]]:
        """A change as it travels, to everybody but some seats, and to these."""
        texts = {
            seat: encode_message(self._event_message(seat, of_it)) for seat, of_it in own.items()
        }
        return encode_message(self._event_message(None, change)), texts

    def _event_message(self, seat: int | None, change: TableDelta) -> messages.Event:
        return messages.Event(
            table=self._table,
            version=change.version,
            event=change.event,
            room=change.room,
            set=change.set,
            last=change.last,
            append=change.append,
            turn=self._with_time_left(seat, change.turn),
            hint=change.hint,
            undoable=change.undoable,
        )

    def _snapshot_for(self, follower: Subscriber, seat: int | None) -> messages.Snapshot:
        state = self._state
        whole = self._cached_snapshot(seat)
        if seat is None and self._delayed_feed is not None and self._is_delayed(follower.person):
            whole = self._delayed_feed.snapshot
        turn = self._with_time_left(seat, whole.turn)
        person = follower.person
        host = person is not None and person == state.host_settings.host
        moved = None if person is None else self._moved.get(person)
        asked = next(
            (one.number for one in state.host_settings.requests if one.person == person), None
        )
        room = whole.room
        if asked is not None and whole.version != state.version:
            # What he has asked himself he may know at once.
            room = msgspec.structs.replace(room, requests=state.room().requests)
        return msgspec.structs.replace(
            whole, room=room, turn=turn, host=host, request=asked, moved=moved
        )

    def _cached_snapshot(self, seat: int | None) -> messages.Snapshot:
        """The whole table as a seat, or a spectator, sees it now."""
        whole = self._snapshots.get(seat)
        if whole is None:
            whole = self._snapshots[seat] = _build_snapshot(self._state, seat)
        return whole

    def _with_time_left(self, seat: int | None, turn: Turn | None) -> Turn | None:
        """The turn with the thinking time that is left."""
        if turn is None or seat is None:
            return turn
        left = self._time_left(seat)
        return turn if left is None else msgspec.structs.replace(turn, seconds=round(left, 1))

    # Who is there.

    def _connected(self) -> list[bool]:
        return [self._connection_counts[seat] > 0 for seat in range(len(self._state.seats))]

    def is_disconnected(self, seat: int) -> bool:
        """Whether a seat's person has had no connection for a while."""
        if not 0 <= seat < len(self._state.seats) or self._state.seats[seat].person is None:
            return False
        return (
            seat in self._disconnected_since
            and self._now() >= self._disconnected_since[seat] + DISCONNECTED_AFTER_S
        )

    def is_attended(self, seconds: float) -> bool:
        """Whether somebody who has a seat, or the host, is there, or was until so long ago.

        Whoever has not been there since the table came into memory was not: anybody fetches it. A
        program is nobody in this: with it alone there is nothing to find at a table.
        """
        host, since = self._state.host_settings.host, self._now() - seconds
        places = self._state.seats
        if any(
            (seat is not None and not places[seat].is_program)
            or (host is not None and follower.person == host)
            for follower, seat in self._subscribers.items()
        ):
            return True
        return any(
            gone > since and seat in self._ever_connected
            for seat, gone in self._disconnected_since.items()
            if places[seat].person is not None and not places[seat].is_program
        )

    def next_disconnect(self) -> float | None:
        """When somebody will next have been gone for a while; None when nobody will."""
        if not self._disconnected_since or not self._subscribers:
            return None
        places, now = self._state.seats, self._now()
        moments = [
            since + DISCONNECTED_AFTER_S
            for seat, since in self._disconnected_since.items()
            if places[seat].person is not None and now < since + DISCONNECTED_AFTER_S
        ]
        return min(moments, default=None)

    def on_tick(self) -> None:
        """Tells everybody who has been gone for a while, if that has changed."""
        if self._disconnected_seats() != self._announced_disconnected:
            self._presence_throttle.trigger(at_once=True)

    def _disconnected_seats(self) -> list[bool]:
        return [self.is_disconnected(seat) for seat in range(len(self._state.seats))]

    def _encode_presence(self) -> bytes:
        return encode_message(
            messages.Presence(
                table=self._table,
                connected=self._connected(),
                preparing=list(self._preparing),
                spectators=self._connection_counts[None],
                missing=self._disconnected_seats(),
            )
        )

    def _send_presence(self) -> None:
        self._announced_disconnected = self._disconnected_seats()
        self._send(self._encode_presence(), self._subscribers)

    def _send(self, text: bytes, whom: Iterable[Subscriber]) -> None:
        for follower in list(whom):
            follower.send(text)


class _DelayedFeed:
    """What those who are told late know of a table.

    Attributes:
        shown: the whole table as they may know it.
        held: what has happened since, as they are told it later, unless that is too much.
        renamed: a name in it has been taken away since.
    """

    __slots__ = ("buffered", "renamed", "snapshot")

    def __init__(self, shown: messages.Snapshot, held: Sequence[bytes] = ()) -> None:
        self.snapshot = shown
        self.buffered = list(held)
        self.renamed = False

    @property
    def version(self) -> int:
        """The version of the table that they may know of."""
        return self.snapshot.version

    def buffer(self, texts: Sequence[bytes]) -> None:
        """Keeps what has happened; too much of it is not told, but shown when it may be."""
        self.buffered += texts
        if len(self.buffered) > MAX_DELAYED_EVENTS:
            self.buffered.clear()

    def replace_names(self, names: Mapping[int, str]) -> None:
        """Puts other names in place of those that people went by, at some seats."""
        room, view = self.snapshot.room, self.snapshot.view
        seats = [
            msgspec.structs.replace(seat, name=names[number]) if number in names else seat
            for number, seat in enumerate(room.seats)
        ]
        if view is not None:
            players = [names.get(seat, name) for seat, name in enumerate(view["players"])]
            view = view | {"players": players}
        self.snapshot = msgspec.structs.replace(
            self.snapshot, room=msgspec.structs.replace(room, seats=seats), view=view
        )
        self.buffered.clear()  # the old names are in it
        self.renamed = True


def _build_snapshot(state: State, seat: int | None) -> messages.Snapshot:
    return messages.Snapshot(
        table=state.created.table,
        version=state.version,
        seat=seat,
        room=state.room(),
        view=state.view(seat),
        turn=state.turn(seat),
        hint=state.tutorial_hint(seat),
        undoable=seat is not None and state.undoable_by == seat,
    )


def _seat_positions(state: State) -> dict[str, tuple[str, int]]:
    """Where each person sits, or by which number he asks for a seat."""
    asking = {one.person: ("asks", one.number) for one in state.host_settings.requests}
    places = enumerate(state.seats)
    return asking | {
        place.person: ("sits", seat) for seat, place in places if place.person is not None
    }


def _no_time_left(_: int) -> None:
    """No seat has time left at a table that has left memory."""


def _noop() -> None:
    """What is due there."""


class _Throttle:
    """Does something when it is due, but not again too soon.

    Args:
        do: what.
    """

    def __init__(self, do: Callable[[], None]) -> None:
        self._action = do
        self._timer: asyncio.TimerHandle | None = None
        self._pending = False

    def trigger(self, *, at_once: bool) -> None:
        """It is due: at once where it has not been done for a while, else when that has passed.

        Args:
            at_once: whether it may be done now; what is of little account waits in any case.
        """
        if self._timer is not None:
            self._pending = True
            return
        self._pending = not at_once
        if at_once:
            self._action()
        self._start_timer()

    def close(self) -> None:
        """It is due no more."""
        self._action = _noop
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PRESENCE_INTERVAL_S, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if self._pending:
            self._pending = False
            self._action()
            self._start_timer()

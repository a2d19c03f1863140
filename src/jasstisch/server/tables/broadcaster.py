"""The subscribers of a table: what each receives, and what a returning connection has missed.

The cost of an update depends on what happened, not on the number of subscribers. The common part is
computed once, and what differs for a seat is computed once per seat. Subscribers with the same
changes receive the same encoded text. The full snapshot for a new subscriber is built once per seat
and once for all spectators. A returning connection receives the changes that it missed as long as
they are kept, and a full snapshot after that; nothing is replayed.

If the host has enabled the spectator delay, spectators learn about a trick, or a claim, only when
it is over. Until then all events are withheld from them, and new spectators see the table as it was
before.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from jasstisch.server.api import messages
from jasstisch.server.tables.kept_seats import KeptSeats
from jasstisch.table import (
    RECENT_LIMIT,
    EventInfo,
    RecentDeltas,
    RoomInfo,
    SeatDeltas,
    SharedDeltas,
    State,
    TableDelta,
    Turn,
    events,
    per_reader_info,
)

_DISCONNECTED_AFTER_S = 30.0
"""Seconds without a connection after which the others may have a bot play for a person."""

_MAX_DELAYED_EVENTS = 64
"""How many events of a trick are buffered for delayed spectators; beyond that, they get a new
snapshot."""

_PRESENCE_INTERVAL_S = 0.5
"""Minimum seconds between two presence messages: thousands may come and go at once."""

_encoder = msgspec.json.Encoder()


def encode_message(message: messages.ServerMessage) -> bytes:
    """Encodes a message for the wire, in UTF-8."""
    return _encoder.encode(message)


class Subscriber(Protocol):
    """A connection, as a table sees it."""

    @property
    def person(self) -> str | None:
        """The person behind the connection; None for somebody without an identity."""

    @property
    def closed(self) -> bool:
        """Whether the connection is closed."""

    def send(self, text: bytes) -> None:
        """Sends an encoded message without waiting."""


_StagedChange = tuple[TableDelta, dict[int, TableDelta]]
"""The change by an event: for most subscribers, and for the seats that see another one."""


class Broadcaster:
    """Sends the updates of a table to its subscribers.

    Args:
        state: the current state of the table.
        time_left: returns a seat's remaining thinking time in seconds; None while its clock is
            stopped.
        now: returns the time in seconds of any monotonic clock.
        kept_seats: the seats that are kept for people who have left.
        before: the state before the trick in progress, where spectators are delayed.
    """

    def __init__(
        self,
        state: State,
        time_left: Callable[[int], float | None],
        now: Callable[[], float],
        kept_seats: KeptSeats,
        before: State | None = None,
    ) -> None:
        self._state = state
        self._table = state.creation_event.table
        self._time_left = time_left
        self._now = now
        self._disconnected_since = dict.fromkeys(range(len(state.seats)), now())
        self._ever_connected: set[int] = set()
        self._announced_disconnected: list[bool] = self._disconnected_seats()
        self._kept_seats = kept_seats
        self._announced_kept: list[bool] = self._kept()
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

    def __contains__(self, subscriber: Subscriber) -> bool:
        """Whether a connection is subscribed."""
        return subscriber in self._subscribers

    def __bool__(self) -> bool:
        """Whether there are subscribers."""
        return bool(self._subscribers)

    def close(self) -> None:
        """Drops all subscribers and callbacks, so that nothing keeps an evicted table alive."""
        self._presence_throttle.close()
        self._time_left = _no_time_left
        self._subscribers.clear()
        self._connection_counts.clear()
        self._seat_deltas.clear()
        self._snapshots.clear()
        self._last_seen_version.clear()

    # Subscribing and unsubscribing.

    def subscribe(self, subscriber: Subscriber, since: int | None, seat: int | None) -> None:
        """Subscribes a connection and sends it what it does not know yet.

        Args:
            subscriber: the connection; if it is subscribed already, it is sent the state again.
            since: the version that the connection has, if any.
            seat: the seat that it had at that version.
        """
        now_at = self._state.seats.seat_of(subscriber.person)
        known = subscriber in self._subscribers
        before = self._connected()
        self._add_subscriber(subscriber, now_at)
        missed = None
        if since is not None and seat == now_at:
            missed = self._missed_messages(subscriber, now_at, since)
        if missed is None:
            subscriber.send(encode_message(self._snapshot_for(subscriber, now_at)))
        else:
            last = None if now_at is None else self._turns.get(now_at)
            if missed and last is not None:
                # The clock in the last message has advanced since.
                missed[-1] = encode_message(self._event_message(now_at, last))
            for text in missed:
                subscriber.send(text)
        subscriber.send(self._encode_presence())
        if not known:
            self._presence_throttle.trigger(at_once=self._connected() != before)

    def _missed_messages(
        self, subscriber: Subscriber, seat: int | None, since: int
    ) -> list[bytes] | None:
        """The messages sent to a seat since a version; None if some are no longer kept."""
        late = self._delayed_feed
        if (
            late is None
            or late.version == self._state.version
            or not self._is_delayed(subscriber.person)
        ):
            return self._recent.since(seat, since)
        return [] if since == late.version and not late.renamed else None

    def unsubscribe(self, subscriber: Subscriber) -> bool:
        """Ends a subscription; returns whether the connection was subscribed."""
        if subscriber not in self._subscribers:
            return False
        before = self._connected()
        self._remove_subscriber(subscriber)
        self._presence_throttle.trigger(at_once=self._connected() != before)
        return True

    def evict_unauthorized(self, stays: Callable[[Subscriber], bool]) -> None:
        """Removes the subscribers that may not stay; to them the table no longer exists."""
        gone = messages.ErrorMessage("unknown_table", "there is no such table", table=self._table)
        for subscriber in [one for one in self._subscribers if not stays(one)]:
            subscriber.send(encode_message(gone))
            self.unsubscribe(subscriber)

    def announce_preparing_seats(self, preparing: Sequence[bool]) -> None:
        """Announces which seats wait for a bot that is not ready yet."""
        if list(preparing) != list(self._preparing):
            self._preparing = list(preparing)
            self._presence_throttle.trigger(at_once=True)

    # Publishing events.

    def stage_event(self) -> None:
        """Stages the event just applied; `flush` sends it when it is committed."""
        state = self._state
        self._snapshots.clear()
        self._stage_change()
        if state.host_settings.delayed and state.is_quiescent:
            self._last_quiescent = len(self._staged), self._cached_snapshot(None)
        if isinstance(state.last_event, events.NicknameReplaced):
            self._renamed[state.last_event.seat] = state.last_event.name
        room = self._state.room()
        if room is self._room:
            return  # no person has changed seats either
        self._room, standings = room, _seat_positions(self._state)
        if standings != self._positions:
            for person, _ in standings.items() ^ self._positions.items():
                self._moved[person] = per_reader_info.describe_last_event(self._state, None)
            self._positions = standings

    def _stage_change(self) -> None:
        """Computes the change by the event just applied, if there are subscribers."""
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
        """Sends the staged changes after the commit; persons who changed seats get a snapshot."""
        encoded = [self._encode_change(*noted) for noted in self._staged]
        moved: list[Subscriber] = []
        if self._moved:
            moved = [one for one in self._subscribers if one.person in self._moved]
        elsewhere = {*moved, *self._flush_delayed([text for text, _ in encoded], moved)}
        for text, own in encoded:
            for subscriber, seat in self._subscribers.items():
                if subscriber not in elsewhere:
                    subscriber.send(text if seat is None else own.get(seat, text))
        if moved:
            self._resend_snapshots(moved)
        self._commit_flush(encoded)

    def _resend_snapshots(self, moved: Sequence[Subscriber]) -> None:
        """Sends new snapshots to the persons who have another seat now."""
        before = self._connected()
        for subscriber in moved:
            self._add_subscriber(subscriber, self._state.seats.seat_of(subscriber.person))
        for subscriber in moved:
            subscriber.send(
                encode_message(self._snapshot_for(subscriber, self._subscribers[subscriber]))
            )
            subscriber.send(self._encode_presence())
        if self._connected() != before:
            self._presence_throttle.trigger(at_once=True)

    def resend_after_rollback(self, state: State, before: State | None = None) -> None:
        """Sends another state of the table to everybody, after the staged changes were rolled back.

        Args:
            state: the current state of the table.
            before: as for the constructor.
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
        subscribers = list(self._subscribers)
        self._subscribers.clear()
        self._connection_counts.clear()
        for subscriber in subscribers:
            self._add_subscriber(subscriber, state.seats.seat_of(subscriber.person))
            subscriber.send(
                encode_message(self._snapshot_for(subscriber, self._subscribers[subscriber]))
            )
        self._presence_throttle.trigger(at_once=True)

    # Delayed spectators.

    def delayed_room(self, person: str | None) -> RoomInfo | None:
        """The room as a delayed spectator sees it; None for a person who sees the current room."""
        late = self._delayed_feed
        return late.snapshot.room if late is not None and self._is_delayed(person) else None

    def visible_version(self, subscriber: Subscriber) -> int:
        """The version of the table that a subscriber may know."""
        late = self._delayed_feed
        if late is None or not self._is_delayed(subscriber.person):
            return self._state.version
        return late.version

    def _is_delayed(self, person: str | None) -> bool:
        """Whether a person is a spectator who may be delayed; the host never is."""
        if person is None:
            return True
        state = self._state
        return person != state.host_settings.host and state.seats.seat_of(person) is None

    def _start_delayed_feed(self, before: State | None) -> "_DelayedFeed | None":
        """A new feed for delayed spectators; None if the host has not enabled the delay."""
        if not self._state.host_settings.delayed:
            return None
        return _DelayedFeed(_build_snapshot(self._state if before is None else before, None))

    def _flush_delayed(self, texts: list[bytes], moved: Sequence[Subscriber]) -> list[Subscriber]:
        """Sends the delayed spectators what they may see by now.

        Args:
            texts: the new events, as encoded for subscribers without a seat.
            moved: the subscribers that receive a new snapshot in any case.

        Returns:
            The delayed spectators.
        """
        rested, self._last_quiescent = self._last_quiescent, None
        renamed, self._renamed = self._renamed, {}
        late, delayed = self._delayed_feed, self._state.host_settings.delayed
        if late is None:
            # The delay starts now: everything sent so far stays visible, also to new spectators.
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
            if renamed:  # an offensive name must not be shown until the trick is over
                late.replace_names(renamed)
                self._send_snapshots(one for one in whom if one not in moved)
            return whom
        number, shown = rested
        missed = [*late.buffered, *texts[:number]]
        gaps = len(missed) != shown.version - late.version
        self._delayed_feed = _DelayedFeed(shown, texts[number:])
        if gaps:  # some events are not buffered: they came before any subscriber, or were too many
            self._send_snapshots(one for one in whom if one not in moved)
        else:
            self._send_all(missed, [one for one in whom if one not in moved])
        return whom

    def _send_snapshots(self, subscribers: Iterable[Subscriber]) -> None:
        for subscriber in subscribers:
            subscriber.send(encode_message(self._snapshot_for(subscriber, None)))

    def _send_all(self, texts: Sequence[bytes], subscribers: Sequence[Subscriber]) -> None:
        for text in texts:
            self._send(text, subscribers)

    def broadcast(self, message: messages.ServerMessage) -> None:
        """Sends a message to all subscribers."""
        self._send(encode_message(message), self._subscribers)

    # Caches and readers.

    def _add_subscriber(self, subscriber: Subscriber, seat: int | None) -> None:
        if subscriber in self._subscribers:
            self._remove_subscriber(subscriber)
        self._subscribers[subscriber] = seat
        self._connection_counts[seat] += 1
        if seat is not None:
            self._disconnected_since.pop(seat, None)
            self._ever_connected.add(seat)
        if seat not in self._seat_deltas:
            self._seat_deltas[seat] = SeatDeltas(self._state, seat, self._ensure_shared_delta())
            self._recent.start_recording(self._state, seat)
        self._last_seen_version.pop(seat, None)

    def _ensure_shared_delta(self) -> SharedDeltas:
        """The shared part of the deltas, from now on; it is not maintained without subscribers."""
        if not self._seat_deltas or self._shared_delta is None:
            self._shared_delta = SharedDeltas(self._state)
        return self._shared_delta

    def _remove_subscriber(self, subscriber: Subscriber) -> None:
        seat = self._subscribers.pop(subscriber)
        self._connection_counts[seat] -= 1
        if not self._connection_counts[seat]:
            self._last_seen_version[seat] = self._state.version
            if seat is not None:
                self._disconnected_since[seat] = self._now()
                self._announced_disconnected[seat] = False

    def _commit_flush(self, encoded: Sequence[tuple[bytes, dict[int, bytes]]]) -> None:
        """Finishes a flush; drops the state for readers who would need a snapshot anyway."""
        self._moved.clear()
        self._recent.add(self._state, encoded)
        own = self._staged[-1][1] if self._staged else {}
        self._turns = {seat: one for seat, one in own.items() if one.turn is not None}
        self._staged.clear()
        if self._last_seen_version:
            self._drop_seat_deltas(self._state.version - RECENT_LIMIT)

    def _drop_seat_deltas(self, long_ago: int) -> None:
        """Drops the deltas of seats that left so long ago that they need a snapshot."""
        for seat in [
            seat for seat, version in self._last_seen_version.items() if version <= long_ago
        ]:
            del self._seat_deltas[seat], self._last_seen_version[seat]

    # Encoding.

    def _encode_change(
        self, change: TableDelta, own: dict[int, TableDelta]
    ) -> tuple[bytes, dict[int, bytes]]:
        """Encodes a change: the text for most subscribers, and the texts for some seats."""
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

    def _snapshot_for(self, subscriber: Subscriber, seat: int | None) -> messages.Snapshot:
        state = self._state
        whole = self._cached_snapshot(seat)
        if seat is None and self._delayed_feed is not None and self._is_delayed(subscriber.person):
            whole = self._delayed_feed.snapshot
        turn = self._with_time_left(seat, whole.turn)
        person = subscriber.person
        host = person is not None and person == state.host_settings.host
        former = _former_seat(state, person) if seat is None else None
        moved = None if person is None else self._moved.get(person)
        asked = next(
            (one.number for one in state.host_settings.requests if one.person == person), None
        )
        room = whole.room
        if asked is not None and whole.version != state.version:
            # A person's own requests are answered without delay.
            room = msgspec.structs.replace(room, requests=state.room().requests)
        return msgspec.structs.replace(
            whole, room=room, turn=turn, host=host, request=asked, moved=moved, former=former
        )

    def _cached_snapshot(self, seat: int | None) -> messages.Snapshot:
        """The full view of the table for a seat, or for a spectator."""
        whole = self._snapshots.get(seat)
        if whole is None:
            whole = self._snapshots[seat] = _build_snapshot(self._state, seat)
        return whole

    def _with_time_left(self, seat: int | None, turn: Turn | None) -> Turn | None:
        """The turn with the remaining thinking time filled in."""
        if turn is None or seat is None:
            return turn
        time_left = self._time_left(seat)
        return (
            turn
            if time_left is None
            else msgspec.structs.replace(turn, seconds=round(time_left, 1))
        )

    # Presence.

    def _connected(self) -> list[bool]:
        return [self._connection_counts[seat] > 0 for seat in range(len(self._state.seats))]

    def is_disconnected(self, seat: int) -> bool:
        """Whether the person of a seat has been disconnected for `_DISCONNECTED_AFTER_S`."""
        if not 0 <= seat < len(self._state.seats) or self._state.seats[seat].person is None:
            return False
        return (
            seat in self._disconnected_since
            and self._now() >= self._disconnected_since[seat] + _DISCONNECTED_AFTER_S
        )

    def is_attended(self, seconds: float) -> bool:
        """Whether a seated person or the host is connected, or was within the last `seconds`.

        A person who has not connected since the table was loaded does not count, because anybody
        can have a table loaded. An external program does not count either: visitors would find
        nobody at a table with programs alone.
        """
        host, since = self._state.host_settings.host, self._now() - seconds
        places = self._state.seats
        if any(
            (seat is not None and not places[seat].is_program)
            or (host is not None and subscriber.person == host)
            for subscriber, seat in self._subscribers.items()
        ):
            return True
        return any(
            gone > since and seat in self._ever_connected
            for seat, gone in self._disconnected_since.items()
            if places[seat].person is not None and not places[seat].is_program
        )

    def is_person_connected(self, person: str) -> bool:
        """Whether a person has a subscribed connection, with a seat or without."""
        seat = self._state.seats.seat_of(person)
        if seat is not None:
            return self._connection_counts[seat] > 0
        return any(one.person == person for one in self._subscribers)

    def next_presence_time(self) -> float | None:
        """When a person counts as disconnected next, or a seat is kept no longer; None if never.

        It may be past, until `announce_presence` has told it.
        """
        if not self._subscribers:
            return None
        moments = [
            since + _DISCONNECTED_AFTER_S
            for seat, since in self._disconnected_since.items()
            if self._state.seats[seat].person is not None and not self._announced_disconnected[seat]
        ]
        moments += [
            due for seat, due in self._kept_seats.release_times() if self._announced_kept[seat]
        ]
        return min(moments, default=None)

    def announce_presence(self) -> None:
        """Announces the disconnected persons and the kept seats if they have changed."""
        disconnected, kept = self._disconnected_seats(), self._kept()
        if (disconnected, kept) != (self._announced_disconnected, self._announced_kept):
            self._announced_disconnected, self._announced_kept = disconnected, kept
            self._presence_throttle.trigger(at_once=True)

    def _kept(self) -> list[bool]:
        now = self._now()
        return [self._kept_seats.is_kept(seat, now) for seat in range(len(self._state.seats))]

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
                kept=self._kept(),
            )
        )

    def _send_presence(self) -> None:
        self._announced_disconnected, self._announced_kept = (
            self._disconnected_seats(),
            self._kept(),
        )
        self._send(self._encode_presence(), self._subscribers)

    def _send(self, text: bytes, subscribers: Iterable[Subscriber]) -> None:
        for subscriber in list(subscribers):
            subscriber.send(text)


class _DelayedFeed:
    """The state of a table as delayed spectators know it.

    Attributes:
        snapshot: the full view that they have received.
        buffered: the events since then, encoded for later, unless there are too many.
        renamed: whether a name in the snapshot has been replaced since.
    """

    __slots__ = ("buffered", "renamed", "snapshot")

    def __init__(self, snapshot: messages.Snapshot, buffered: Sequence[bytes] = ()) -> None:
        self.snapshot = snapshot
        self.buffered = list(buffered)
        self.renamed = False

    @property
    def version(self) -> int:
        """The version of the table that delayed spectators know."""
        return self.snapshot.version

    def buffer(self, texts: Sequence[bytes]) -> None:
        """Buffers events; if there are too many, they are replaced by a snapshot later."""
        self.buffered += texts
        if len(self.buffered) > _MAX_DELAYED_EVENTS:
            self.buffered.clear()

    def replace_names(self, names: Mapping[int, str]) -> None:
        """Replaces names of persons at some seats."""
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
        self.buffered.clear()  # its texts contain the old names
        self.renamed = True


def _build_snapshot(state: State, seat: int | None) -> messages.Snapshot:
    return messages.Snapshot(
        table=state.creation_event.table,
        version=state.version,
        seat=seat,
        room=state.room(),
        view=state.view(seat),
        turn=per_reader_info.turn(state, seat),
        hint=per_reader_info.tutorial_hint(state, seat),
        undoable=seat is not None and state.undo_eligible_seat == seat,
        said=per_reader_info.last_said(state, seat),
    )


def _former_seat(state: State, person: str | None) -> int | None:
    """The seat that a person without one has left in the match in progress.

    It is None for people whom the host has removed: they can only ask for a seat.
    """
    in_match = state.phase in ("playing", "between")
    if person is None or not in_match or person in state.host_settings.removed:
        return None
    return state.seat_by_person.get(person)


def _seat_positions(state: State) -> dict[str, tuple[str, int]]:
    """Where each person sits, or their position in the queue for a seat."""
    asking = {one.person: ("asks", one.number) for one in state.host_settings.requests}
    places = enumerate(state.seats)
    return asking | {
        place.person: ("sits", seat) for seat, place in places if place.person is not None
    }


def _no_time_left(_: int) -> None:
    """The clock of a table that has left memory: no seat has time left."""


def _noop() -> None:
    """The action of a throttle of a table that has left memory."""


class _Throttle:
    """Runs an action when it is triggered, but limits how often.

    Args:
        do: the action.
    """

    def __init__(self, do: Callable[[], None]) -> None:
        self._action = do
        self._timer: asyncio.TimerHandle | None = None
        self._pending = False

    def trigger(self, *, at_once: bool) -> None:
        """Triggers the action: it runs now if the last run is long enough ago, otherwise later.

        Args:
            at_once: whether the action may run now; an unimportant change always waits.
        """
        if self._timer is not None:
            self._pending = True
            return
        self._pending = not at_once
        if at_once:
            self._action()
        self._start_timer()

    def close(self) -> None:
        """Cancels a pending run and drops the action."""
        self._action = _noop
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_PRESENCE_INTERVAL_S, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if self._pending:
            self._pending = False
            self._action()
            self._start_timer()

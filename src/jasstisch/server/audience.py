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

from jasstisch.server import messages
from jasstisch.table import (
    MOST_MISSED,
    Change,
    Common,
    Happened,
    Reader,
    Recent,
    Room,
    State,
    Turn,
    events,
)

__all__ = ["Audience", "Follower", "encode"]

MISSING_AFTER = 30.0
"""Seconds without a connection after which the others may have the computer play for somebody."""

MOST_HELD = 64
"""So much of what happens during a trick is kept for those who are told late; after more of it they
are shown the table anew."""

BETWEEN_PRESENCES = 0.5
"""Seconds between two tellings of who is there: thousands may come and go at once."""

_encoder = msgspec.json.Encoder()


def encode(message: messages.ServerMessage) -> bytes:
    """A message as it travels, in UTF-8."""
    return _encoder.encode(message)


class Follower(Protocol):
    """A connection as a table sees it."""

    @property
    def person(self) -> str | None:
        """Who is behind it; None for somebody without an identity."""

    @property
    def closed(self) -> bool:
        """Whether it is gone."""

    def send(self, text: bytes) -> None:
        """Sends a message, without waiting."""


_Noted = tuple[Change, dict[int, Change]]
"""What an event has changed, for everybody but some seats, and for these."""


class Audience:
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
        self._left = left
        self._now = now
        self._gone = dict.fromkeys(range(len(state.places)), now())
        self._seen: set[int] = set()
        self._told_missing: list[bool] = self._missing()
        self._followers: dict[Follower, int | None] = {}
        self._there: Counter[int | None] = Counter()
        self._readers: dict[int | None, Reader] = {}
        self._wholes: dict[int | None, messages.Snapshot] = {}
        self._common: Common | None = None
        self._untold: list[_Noted] = []
        self._turns: dict[int, Change] = {}
        self._recent: Recent[bytes] = Recent(state)
        self._left_at: dict[int | None, int] = {}
        self._preparing: Sequence[bool] = [False] * len(state.places)
        self._room, self._standings = state.room(), _standings(state)
        self._moved: dict[str, Happened] = {}
        self._presence = _Paced(self._tell_presence)
        self._late = self._begin_late(before)
        self._rested: tuple[int, messages.Snapshot] | None = None
        self._renamed: dict[int, str] = {}

    def __contains__(self, follower: Follower) -> bool:
        """Whether a connection follows the table."""
        return follower in self._followers

    def __bool__(self) -> bool:
        """Whether anybody follows the table."""
        return bool(self._followers)

    def close(self) -> None:
        """Forgets everybody, and whose it is: a table that has left memory is kept by nothing."""
        self._presence.close()
        self._left = _nothing_left
        self._followers.clear()
        self._there.clear()
        self._readers.clear()
        self._wholes.clear()
        self._left_at.clear()

    # Coming and going.

    def welcome(self, follower: Follower, since: int | None, seat: int | None) -> None:
        """Has a connection follow the table, and tells it what it does not know yet.

        Args:
            follower: the connection; one that follows the table already is told again.
            since: the version it has, if any.
            seat: the seat it had at that version.
        """
        now_at = self._state.seat_of(follower.person)
        known = follower in self._followers
        before = self._connected()
        self._place(follower, now_at)
        missed = None
        if since is not None and seat == now_at:
            missed = self._missed(follower, now_at, since)
        if missed is None:
            follower.send(encode(self._snapshot(follower, now_at)))
        else:
            last = None if now_at is None else self._turns.get(now_at)
            if missed and last is not None:
                # The time it speaks of has gone on since.
                missed[-1] = encode(self._event(now_at, last))
            for text in missed:
                follower.send(text)
        follower.send(self._presence_text())
        if not known:
            self._presence.changed(at_once=self._connected() != before)

    def _missed(self, follower: Follower, seat: int | None, since: int) -> list[bytes] | None:
        """What somebody was told after a version; None when not all of it is kept."""
        late = self._late
        if (
            late is None
            or late.version == self._state.version
            or not self._is_late(follower.person)
        ):
            return self._recent.missed(seat, since)
        return [] if since == late.version and not late.renamed else None

    def leave(self, follower: Follower) -> bool:
        """Stops telling a connection about the table; whether it followed it at all."""
        if follower not in self._followers:
            return False
        before = self._connected()
        self._displace(follower)
        self._presence.changed(at_once=self._connected() != before)
        return True

    def dismiss(self, stays: Callable[[Follower], bool]) -> None:
        """Has those leave who may not stay; to them there is no such table any more."""
        gone = messages.ErrorMessage("unknown_table", "there is no such table", table=self._table)
        for follower in [one for one in self._followers if not stays(one)]:
            follower.send(encode(gone))
            self.leave(follower)

    def prepare(self, preparing: Sequence[bool]) -> None:
        """Tells everybody which seats wait for a computer player that is not ready yet."""
        if list(preparing) != list(self._preparing):
            self._preparing = list(preparing)
            self._presence.changed(at_once=True)

    # Telling what happens.

    def note(self) -> None:
        """Takes in the event just applied; it is told when it is committed."""
        state = self._state
        self._wholes.clear()
        self._take_in()
        if state.house.delayed and state.at_rest:
            self._rested = len(self._untold), self._whole(None)
        if isinstance(state.last, events.Renamed):
            self._renamed[state.last.seat] = state.last.name
        room = self._state.room()
        if room is self._room:
            return  # then nobody has moved either
        self._room, standings = room, _standings(self._state)
        if standings != self._standings:
            for person, _ in standings.items() ^ self._standings.items():
                self._moved[person] = self._state.happened(None)
            self._standings = standings

    def _take_in(self) -> None:
        """Works out what the event just applied has changed, for those who follow the table."""
        state = self._state
        if self._common is not None and self._readers:
            change, own = self._common.follow(state), {}
            for seat in self._common.concerned(state):
                reader = self._readers.get(seat)
                of_it = change if reader is None else reader.change(state)
                if of_it is not change:
                    own[seat] = of_it
            self._untold.append((change, own))

    def tell(self) -> None:
        """Tells everybody what was noted, for it is committed; who has moved gets a snapshot."""
        told = [self._texts(*noted) for noted in self._untold]
        moved: list[Follower] = []
        if self._moved:
            moved = [one for one in self._followers if one.person in self._moved]
        elsewhere = {*moved, *self._tell_late([text for text, _ in told], moved)}
        for text, own in told:
            for follower, seat in self._followers.items():
                if follower not in elsewhere:
                    follower.send(text if seat is None else own.get(seat, text))
        if moved:
            self._show_anew(moved)
        self._keep(told)

    def _show_anew(self, moved: Sequence[Follower]) -> None:
        """Shows the table anew to those who have another seat now."""
        before = self._connected()
        for follower in moved:
            self._place(follower, self._state.seat_of(follower.person))
        for follower in moved:
            follower.send(encode(self._snapshot(follower, self._followers[follower])))
            follower.send(self._presence_text())
        if self._connected() != before:
            self._presence.changed(at_once=True)

    def begin_anew(self, state: State, before: State | None = None) -> None:
        """Shows everybody another state of the table, when what was noted has come to nothing.

        Args:
            state: the table as it is now.
            before: see `Audience`.
        """
        self._state = state
        self._late, self._rested = self._begin_late(before), None
        self._renamed.clear()
        self._room, self._standings = state.room(), _standings(state)
        self._moved.clear()
        self._readers.clear()
        self._wholes.clear()
        self._untold.clear()
        self._turns = {}
        self._recent = Recent(state)
        self._left_at.clear()
        followers = list(self._followers)
        self._followers.clear()
        self._there.clear()
        for follower in followers:
            self._place(follower, state.seat_of(follower.person))
            follower.send(encode(self._snapshot(follower, self._followers[follower])))
        self._presence.changed(at_once=True)

    # Those who are told late.

    def late_room(self, person: str | None) -> Room | None:
        """The room as somebody sees it who is told late; None for who sees the present one."""
        late = self._late
        return late.shown.room if late is not None and self._is_late(person) else None

    def version_for(self, follower: Follower) -> int:
        """The version of the table that somebody may know of."""
        late = self._late
        if late is None or not self._is_late(follower.person):
            return self._state.version
        return late.version

    def _is_late(self, person: str | None) -> bool:
        """Whether somebody is told late where that is wanted; the host decides it, and is not."""
        if person is None:
            return True
        return person != self._state.house.host and self._state.seat_of(person) is None

    def _begin_late(self, before: State | None) -> "_Late | None":
        """What is known of the table by those who are told late; None where nobody is."""
        if not self._state.house.delayed:
            return None
        return _Late(_whole_of(self._state if before is None else before, None))

    def _tell_late(self, texts: list[bytes], moved: Sequence[Follower]) -> list[Follower]:
        """Tells those who are late what they may know by now; who they are.

        Args:
            texts: what has happened, as all are told who hold no seat.
            moved: those who are shown the table anew in any case.
        """
        rested, self._rested = self._rested, None
        renamed, self._renamed = self._renamed, {}
        late, delayed = self._late, self._state.house.delayed
        if late is None:
            # From now on: what has been told is told, and whoever comes is shown as much.
            self._late = self._begin_late(None)
            return []
        whom = [
            one
            for one, seat in self._followers.items()
            if seat is None and self._is_late(one.person)
        ]
        if not delayed:
            self._late = None
            self._show_each(one for one in whom if one not in moved)
            return whom
        if rested is None:
            late.hold(texts)
            if renamed:  # what offends is told nobody until the trick is over
                late.rename(renamed)
                self._show_each(one for one in whom if one not in moved)
            return whom
        number, shown = rested
        missed = [*late.held, *texts[:number]]
        gaps = len(missed) != shown.version - late.version
        self._late = _Late(shown, texts[number:])
        if gaps:  # of what happened before anybody followed, or of so much, there are no texts
            self._show_each(one for one in whom if one not in moved)
        else:
            self._send_all(missed, [one for one in whom if one not in moved])
        return whom

    def _show_each(self, whom: Iterable[Follower]) -> None:
        for follower in whom:
            follower.send(encode(self._snapshot(follower, None)))

    def _send_all(self, texts: Sequence[bytes], whom: Sequence[Follower]) -> None:
        for text in texts:
            self._send(text, whom)

    def say(self, message: messages.ServerMessage) -> None:
        """Sends everybody a message."""
        self._send(encode(message), self._followers)

    # What is kept.

    def _place(self, follower: Follower, seat: int | None) -> None:
        if follower in self._followers:
            self._displace(follower)
        self._followers[follower] = seat
        self._there[seat] += 1
        if seat is not None:
            self._gone.pop(seat, None)
            self._seen.add(seat)
        if seat not in self._readers:
            self._readers[seat] = Reader(self._state, seat, self._shared())
            self._recent.begin(self._state, seat)
        self._left_at.pop(seat, None)

    def _shared(self) -> Common:
        """What all readers share as of now; nobody keeps it up to date while there are none."""
        if not self._readers or self._common is None:
            self._common = Common(self._state)
        return self._common

    def _displace(self, follower: Follower) -> None:
        seat = self._followers.pop(follower)
        self._there[seat] -= 1
        if not self._there[seat]:
            self._left_at[seat] = self._state.version
            if seat is not None:
                self._gone[seat] = self._now()

    def _keep(self, told: Sequence[tuple[bytes, dict[int, bytes]]]) -> None:
        """Ends the telling; nobody is listened for who could not be told what he missed."""
        self._moved.clear()
        self._recent.keep(self._state, told)
        own = self._untold[-1][1] if self._untold else {}
        self._turns = {seat: one for seat, one in own.items() if one.turn is not None}
        self._untold.clear()
        if self._left_at:
            self._forget_readers(self._state.version - MOST_MISSED)

    def _forget_readers(self, long_ago: int) -> None:
        """Listens no more for those who have left so long ago that they are shown all anew."""
        for seat in [seat for seat, version in self._left_at.items() if version <= long_ago]:
            del self._readers[seat], self._left_at[seat]

    # What it reads like.

    def _texts(self, change: Change, own: dict[int, Change]) -> tuple[bytes, dict[int, bytes]]:
        """A change as it travels, to everybody but some seats, and to these."""
        texts = {seat: encode(self._event(seat, of_it)) for seat, of_it in own.items()}
        return encode(self._event(None, change)), texts

    def _event(self, seat: int | None, change: Change) -> messages.Event:
        return messages.Event(
            table=self._table,
            version=change.version,
            event=change.event,
            room=change.room,
            set=change.set,
            last=change.last,
            append=change.append,
            turn=self._timed(seat, change.turn),
            hint=change.hint,
            undoable=change.undoable,
        )

    def _snapshot(self, follower: Follower, seat: int | None) -> messages.Snapshot:
        state = self._state
        whole = self._whole(seat)
        if seat is None and self._late is not None and self._is_late(follower.person):
            whole = self._late.shown
        turn = self._timed(seat, whole.turn)
        person = follower.person
        host = person is not None and person == state.house.host
        moved = None if person is None else self._moved.get(person)
        asked = next((one.number for one in state.house.requests if one.person == person), None)
        room = whole.room
        if asked is not None and whole.version != state.version:
            # What he has asked himself he may know at once.
            room = msgspec.structs.replace(room, requests=state.room().requests)
        return msgspec.structs.replace(
            whole, room=room, turn=turn, host=host, request=asked, moved=moved
        )

    def _whole(self, seat: int | None) -> messages.Snapshot:
        """The whole table as a seat, or a spectator, sees it now."""
        whole = self._wholes.get(seat)
        if whole is None:
            whole = self._wholes[seat] = _whole_of(self._state, seat)
        return whole

    def _timed(self, seat: int | None, turn: Turn | None) -> Turn | None:
        """The turn with the thinking time that is left."""
        if turn is None or seat is None:
            return turn
        left = self._left(seat)
        return turn if left is None else msgspec.structs.replace(turn, seconds=round(left, 1))

    # Who is there.

    def _connected(self) -> list[bool]:
        return [self._there[seat] > 0 for seat in range(len(self._state.places))]

    def is_missing(self, seat: int) -> bool:
        """Whether a seat's person has had no connection for a while."""
        if not 0 <= seat < len(self._state.places) or self._state.places[seat].person is None:
            return False
        return seat in self._gone and self._now() >= self._gone[seat] + MISSING_AFTER

    def is_attended(self, seconds: float) -> bool:
        """Whether somebody who has a seat, or the host, is there, or was until so long ago.

        Whoever has not been there since the table came into memory was not: anybody fetches it. A
        program is nobody in this: with it alone there is nothing to find at a table.
        """
        host, since = self._state.house.host, self._now() - seconds
        places = self._state.places
        if any(
            (seat is not None and not places[seat].program)
            or (host is not None and follower.person == host)
            for follower, seat in self._followers.items()
        ):
            return True
        return any(
            gone > since and seat in self._seen
            for seat, gone in self._gone.items()
            if places[seat].person is not None and not places[seat].program
        )

    def next_missing(self) -> float | None:
        """When somebody will next have been gone for a while; None when nobody will."""
        if not self._gone or not self._followers:
            return None
        places, now = self._state.places, self._now()
        moments = [
            since + MISSING_AFTER
            for seat, since in self._gone.items()
            if places[seat].person is not None and now < since + MISSING_AFTER
        ]
        return min(moments, default=None)

    def time_passed(self) -> None:
        """Tells everybody who has been gone for a while, if that has changed."""
        if self._missing() != self._told_missing:
            self._presence.changed(at_once=True)

    def _missing(self) -> list[bool]:
        return [self.is_missing(seat) for seat in range(len(self._state.places))]

    def _presence_text(self) -> bytes:
        return encode(
            messages.Presence(
                table=self._table,
                connected=self._connected(),
                preparing=list(self._preparing),
                spectators=self._there[None],
                missing=self._missing(),
            )
        )

    def _tell_presence(self) -> None:
        self._told_missing = self._missing()
        self._send(self._presence_text(), self._followers)

    def _send(self, text: bytes, whom: Iterable[Follower]) -> None:
        for follower in list(whom):
            follower.send(text)


class _Late:
    """What those who are told late know of a table.

    Attributes:
        shown: the whole table as they may know it.
        held: what has happened since, as they are told it later, unless that is too much.
        renamed: a name in it has been taken away since.
    """

    __slots__ = ("held", "renamed", "shown")

    def __init__(self, shown: messages.Snapshot, held: Sequence[bytes] = ()) -> None:
        self.shown = shown
        self.held = list(held)
        self.renamed = False

    @property
    def version(self) -> int:
        """The version of the table that they may know of."""
        return self.shown.version

    def hold(self, texts: Sequence[bytes]) -> None:
        """Keeps what has happened; too much of it is not told, but shown when it may be."""
        self.held += texts
        if len(self.held) > MOST_HELD:
            self.held.clear()

    def rename(self, names: Mapping[int, str]) -> None:
        """Puts other names in place of those that people went by, at some seats."""
        room, view = self.shown.room, self.shown.view
        seats = [
            msgspec.structs.replace(seat, name=names[number]) if number in names else seat
            for number, seat in enumerate(room.seats)
        ]
        if view is not None:
            players = [names.get(seat, name) for seat, name in enumerate(view["players"])]
            view = view | {"players": players}
        self.shown = msgspec.structs.replace(
            self.shown, room=msgspec.structs.replace(room, seats=seats), view=view
        )
        self.held.clear()  # the old names are in it
        self.renamed = True


def _whole_of(state: State, seat: int | None) -> messages.Snapshot:
    return messages.Snapshot(
        table=state.created.table,
        version=state.version,
        seat=seat,
        room=state.room(),
        view=state.view(seat),
        turn=state.turn(seat),
        hint=state.hint(seat),
        undoable=seat is not None and state.undoable == seat,
    )


def _standings(state: State) -> dict[str, tuple[str, int]]:
    """Where each person sits, or by which number he asks for a seat."""
    asking = {one.person: ("asks", one.number) for one in state.house.requests}
    places = enumerate(state.places)
    return asking | {
        place.person: ("sits", seat) for seat, place in places if place.person is not None
    }


def _nothing_left(_: int) -> None:
    """No seat has time left at a table that has left memory."""


def _nothing() -> None:
    """What is due there."""


class _Paced:
    """Does something when it is due, but not again too soon.

    Args:
        do: what.
    """

    def __init__(self, do: Callable[[], None]) -> None:
        self._do = do
        self._timer: asyncio.TimerHandle | None = None
        self._again = False

    def changed(self, *, at_once: bool) -> None:
        """It is due: at once where it has not been done for a while, else when that has passed.

        Args:
            at_once: whether it may be done now; what is of little account waits in any case.
        """
        if self._timer is not None:
            self._again = True
            return
        self._again = not at_once
        if at_once:
            self._do()
        self._wait()

    def close(self) -> None:
        """It is due no more."""
        self._do = _nothing
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(BETWEEN_PRESENCES, self._waited)

    def _waited(self) -> None:
        self._timer = None
        if self._again:
            self._again = False
            self._do()
            self._wait()

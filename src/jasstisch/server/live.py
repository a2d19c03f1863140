"""A table in memory: the one task that writes it, and the connections that follow it.

Whatever is asked of the table waits in its inbox and is done by its task, one at a time: decide,
commit to the store, only then tell and acknowledge. When the store refuses, nothing is told and
the table is built anew from what the store holds.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from jasstisch.server import messages
from jasstisch.server.adviser import Advised, Adviser
from jasstisch.server.log import failure, log, short
from jasstisch.server.names import nickname
from jasstisch.server.services import Services
from jasstisch.store import StoreError
from jasstisch.table import (
    Change,
    Clock,
    Reader,
    Room,
    State,
    Table,
    TableError,
    Turn,
    commands,
    events,
    missed,
)

__all__ = ["Follower", "Live", "TableMessage", "encode"]

TableMessage = (
    messages.Watch
    | messages.Unwatch
    | messages.Sit
    | messages.Stand
    | messages.Swap
    | messages.Answer
    | messages.Withdraw
    | messages.Start
    | messages.Act
    | messages.Ready
    | messages.Back
    | messages.AskHint
)
"""What a client may ask of a table."""

AFTER_TROUBLE = 1.0
"""Seconds the computer waits before it tries again after a failure."""

_encoder = msgspec.json.Encoder()


def encode(message: messages.ServerMessage) -> str:
    """A message as it travels."""
    return _encoder.encode(message).decode()


class Follower(Protocol):
    """A connection as a table sees it."""

    @property
    def person(self) -> str | None:
        """Who is behind it; None for somebody without an identity."""

    @property
    def closed(self) -> bool:
        """Whether it is gone."""

    def send(self, text: str) -> None:
        """Sends a message, without waiting."""


@dataclass(frozen=True, slots=True)
class _Request:
    follower: Follower
    message: TableMessage
    answered: "asyncio.Future[None]"


@dataclass(frozen=True, slots=True)
class _Thought:
    seat: int
    occasion: int
    action: str


@dataclass(frozen=True, slots=True)
class _Hinted:
    request: _Request
    advised: Advised


@dataclass(frozen=True, slots=True)
class _RecordWanted:
    answer: "asyncio.Future[dict[str, Any] | None]"


@dataclass(frozen=True, slots=True)
class _PlayersChanged:
    """More computer players are ready than before, or it is known that fewer are."""


_Item = _Request | _Thought | _Hinted | _RecordWanted | _PlayersChanged


class Live:
    """A table in memory.

    Args:
        table: the table, as the store holds it.
        services: store, chance, computer players.
        forget: called when the table leaves memory.

    Attributes:
        room: the room as last committed.
        closed: the table has left memory; find it anew.
    """

    def __init__(self, table: Table, services: Services, forget: Callable[[str], None]) -> None:
        self.id = table.state.created.table
        self.room: Room = table.state.room()
        self.closed = False
        self._table = table
        self._services = services
        self._forget = forget
        self._inbox: asyncio.Queue[_Item] = asyncio.Queue(services.limits.inbox)
        self._followers: dict[Follower, int | None] = {}
        self._readers: dict[int | None, Reader] = {}
        self._clock = Clock()
        self._clock.update(self._state, services.now())
        self._quiet_since = services.now()
        self._thinking: asyncio.Task[None] | None = None
        self._decided: tuple[int, int] | None = None
        self._troubled = False
        self._adviser = Adviser(self.id, services)
        self._told_preparing = self._preparing()
        self._task = asyncio.create_task(self._run())

    @property
    def _state(self) -> State:
        return self._table.state

    # For connections, from the same thread.

    async def ask(self, follower: Follower, message: TableMessage) -> bool:
        """Has a request done and answered; False when too many wait already.

        Waiting for the answer keeps any one connection from filling the inbox.
        """
        request = _Request(follower, message, asyncio.get_running_loop().create_future())
        if not self._put(request):
            return False
        await request.answered
        return True

    async def record(self) -> dict[str, Any] | None:
        """The record of the match that is over; None while one runs.

        Raises:
            StoreError: too much is asked of the table.
        """
        wanted = _RecordWanted(asyncio.get_running_loop().create_future())
        if not self._put(wanted):
            raise StoreError("the table is busy")
        return await wanted.answer

    def leave(self, follower: Follower) -> None:
        """Stops telling a connection about this table."""
        if follower in self._followers:
            del self._followers[follower]
            self._keep_readers()
            self._quiet_since = self._services.now()
            self._tell_presence(self._followers)

    def players_changed(self) -> None:
        """Has everybody told if a computer player here has become ready."""
        # Where there is no room, the next event tells it.
        self._put(_PlayersChanged())

    def close(self) -> None:
        """Leaves memory; whatever was acknowledged is in the store."""
        self._let_go()
        self._task.cancel()

    def _put(self, item: _Item) -> bool:
        try:
            self._inbox.put_nowait(item)
        except asyncio.QueueFull:
            return False
        return True

    # The one task.

    async def _run(self) -> None:
        self._think()
        while not self.closed:
            item = await self._next()
            try:
                await self._serve(item)
                self._troubled = False
            except Exception as error:  # noqa: BLE001 - one request must not stop the table
                log.error("table_failed", table=short(self.id), **failure(error))
                self._troubled = True
                self._answer_failure(item)
                await self._reload()
            finally:
                _settle(item)
            self._think()

    async def _next(self) -> _Item | None:
        """What is asked next; None when time has passed that changes something."""
        try:
            async with asyncio.timeout(self._patience()):
                return await self._inbox.get()
        except TimeoutError:
            return None

    def _patience(self) -> float | None:
        now = self._services.now()
        deadline = self._clock.next_deadline()
        if deadline is not None:
            return max(0.0, deadline - now)
        if self._followers or self._thinking is not None:
            return None
        return max(0.0, self._quiet_since + self._services.limits.idle_seconds - now)

    async def _serve(self, item: _Item | None) -> None:
        match item:
            case None:
                await self._time_passed()
            case _Request():
                await self._request(item)
            case _Thought():
                if (item.seat, item.occasion) == self._decided:
                    self._thinking = None
                await self._computed(item)
            case _Hinted():
                self._tell_hint(item)
            case _RecordWanted(answer):
                if not answer.done():
                    answer.set_result(self._state.record())
            case _PlayersChanged():
                if self._preparing() != self._told_preparing:
                    self._tell_presence(self._followers)

    async def _computed(self, thought: _Thought) -> None:
        """Does what the computer chose, unless the person came back or acted meanwhile."""
        if self._state.places[thought.seat].moves == thought.occasion:
            with suppress(TableError):
                await self._do(commands.Compute(thought.seat, thought.action))

    async def _time_passed(self) -> None:
        now = self._services.now()
        due = self._clock.due(now)
        if due:
            await self._do(*(commands.TimeUp(seat) for seat in due))
            # Those for whom nothing is decided any more must not be due for ever.
            self._clock.update(self._state, now)
        elif self._patience() == 0.0:
            log.info("table_idle", table=short(self.id))
            self._let_go()

    async def _request(self, request: _Request) -> None:
        follower, message = request.follower, request.message
        self._quiet_since = self._services.now()
        try:
            match message:
                case messages.Watch():
                    await self._watch(follower, message)
                case messages.Unwatch():
                    self.leave(follower)
                case messages.AskHint():
                    await self._ask_hint(request)
                    return  # acknowledged with the hint
                case _:
                    await self._do(*_asked(self._state, follower.person or "", message))
        except TableError as error:
            follower.send(encode(_refused(error, message)))
            return
        ack = messages.Ack(seq=message.seq, table=self.id, version=self._table.version)
        follower.send(encode(ack))

    # Deciding, committing, telling.

    async def _do(self, *asked: commands.Command) -> None:
        """Does commands one after the other, commits what they led to, and tells it.

        Raises:
            TableError: one is refused; those before it are done.
        """
        done: list[events.Event] = []
        changes: dict[int | None, list[Change]] = {seat: [] for seat in self._readers}
        refused: TableError | None = None
        before = self._table.version
        try:
            for command in asked:
                for event in self._table.perform(command, self._services.shuffle):
                    done.append(event)
                    for seat, reader in self._readers.items():
                        changes.setdefault(seat, []).append(reader.change(self._state))
        except TableError as error:
            refused = error
        if done:
            await self._services.store.append(self.id, before, done)
            self._tell(changes)
        if refused is not None:
            raise refused

    def _tell(self, changes: dict[int | None, list[Change]]) -> None:
        """Tells every follower what he may know of what is committed."""
        self._clock.update(self._state, self._services.now())
        self.room = self._state.room()
        told = {
            seat: [encode(self._event(seat, change)) for change in list_]
            for seat, list_ in changes.items()
        }
        moved = []
        for follower, seat in list(self._followers.items()):
            now_at = self._state.seat_of(follower.person)
            if now_at != seat:
                self._followers[follower] = now_at
                moved.append(follower)
                continue
            for text in told.get(seat, ()):
                follower.send(text)
        for follower in moved:
            follower.send(encode(self._snapshot(self._followers[follower])))
        if moved:
            self._keep_readers()
        if moved or self._preparing() != self._told_preparing:
            self._tell_presence(self._followers)

    async def _watch(self, follower: Follower, message: messages.Watch) -> None:
        seat = self._state.seat_of(follower.person)
        if follower.person is not None and seat is not None:
            await self._do(commands.Return(follower.person))
        if follower.closed:
            return
        changes = None
        if message.since is not None and message.seat == seat:
            changes = missed(self._table, message.since, follower.person, seat)
        if changes is None:
            follower.send(encode(self._snapshot(seat)))
        else:
            for change in changes:
                follower.send(encode(self._event(seat, change)))
        known = follower in self._followers
        self._followers[follower] = seat
        self._keep_readers()
        self._tell_presence([follower] if known else self._followers)

    def _keep_readers(self) -> None:
        """Has one reader for each seat that is followed, and for the spectators, and no other."""
        followed = set(self._followers.values())
        for seat in [seat for seat in self._readers if seat not in followed]:
            del self._readers[seat]
        for seat in followed:
            if seat not in self._readers:
                self._readers[seat] = Reader(self._state, seat)

    def _event(self, seat: int | None, change: Change) -> messages.Event:
        return messages.Event(
            table=self.id,
            version=change.version,
            event=change.event,
            room=change.room,
            set=change.set,
            last=change.last,
            append=change.append,
            turn=self._timed(seat, change.turn),
            hint=change.hint,
        )

    def _snapshot(self, seat: int | None) -> messages.Snapshot:
        state = self._state
        return messages.Snapshot(
            table=self.id,
            version=state.version,
            seat=seat,
            room=state.room(),
            view=state.view(seat),
            turn=self._timed(seat, state.turn(seat)),
            hint=state.hint(seat),
        )

    def _timed(self, seat: int | None, turn: Turn | None) -> Turn | None:
        """The turn with the thinking time that is left."""
        if turn is None or seat is None:
            return turn
        left = self._clock.left(seat, self._services.now())
        return turn if left is None else msgspec.structs.replace(turn, seconds=round(left, 1))

    def _tell_presence(self, whom: Iterable[Follower]) -> None:
        seats = set(self._followers.values())
        connected = [seat in seats for seat in range(len(self._state.places))]
        self._told_preparing = self._preparing()
        text = encode(messages.Presence(self.id, connected, self._told_preparing))
        for follower in list(whom):
            follower.send(text)

    def _preparing(self) -> list[bool]:
        """For each seat whether the computer player that plays it is not ready yet."""
        state, readiness = self._state, self._services.readiness
        players = [state.computer(seat) for seat in range(len(state.places))]
        game = state.created.game
        return [one is not None and not readiness.is_ready(one, game) for one in players]

    # Trouble.

    def _answer_failure(self, item: _Item | None) -> None:
        match item:
            case _Request():
                item.follower.send(encode(_failed(item.message.seq, self.id)))
            case _Hinted(request=request):
                self._answer_failure(request)
            case _RecordWanted(answer) if not answer.done():
                answer.set_exception(StoreError("the table failed"))
            case _:
                pass

    async def _reload(self) -> None:
        """Builds the table anew from the store; when that fails, lets it go."""
        try:
            log_of_table = await self._services.store.load(self.id)
            table = await asyncio.to_thread(Table.from_events, log_of_table)
        except Exception as error:  # noqa: BLE001 - whatever it is, the table cannot go on
            log.error("table_lost", table=short(self.id), **failure(error))
            for follower in self._followers:
                follower.send(encode(_failed(None, self.id)))
            self._let_go()
            return
        self._table = table
        self.room = self._state.room()
        self._clock = Clock()
        self._clock.update(self._state, self._services.now())
        self._readers.clear()
        for follower in list(self._followers):
            seat = self._state.seat_of(follower.person)
            self._followers[follower] = seat
            follower.send(encode(self._snapshot(seat)))
        self._keep_readers()
        self._tell_presence(self._followers)

    def _let_go(self) -> None:
        if self.closed:
            return
        self.closed = True
        self._forget(self.id)
        if self._thinking is not None:
            self._thinking.cancel()
        self._adviser.close()
        while not self._inbox.empty():
            item = self._inbox.get_nowait()
            self._answer_failure(item)
            _settle(item)
        self._followers.clear()
        self._readers.clear()

    # Hints.

    async def _ask_hint(self, request: _Request) -> None:
        """Has a hint worked out; the table goes on meanwhile.

        Raises:
            TableError: whoever asks may have none now.
        """
        person = request.follower.person or ""
        await self._do(commands.Return(person))

        async def tell(advised: Advised) -> None:
            await self._inbox.put(_Hinted(request, advised))

        self._adviser.ask(self._state, person, tell)

    def _tell_hint(self, item: _Hinted) -> None:
        """Tells a hint to the one who asked, unless the moment has passed."""
        follower, seq, hint = item.request.follower, item.request.message.seq, item.advised.hint
        if not item.advised.holds(self._state):
            passed = TableError("wrong_phase", "the moment this hint was for has passed")
            follower.send(encode(_refused(passed, item.request.message)))
        elif hint is None:
            follower.send(encode(_failed(seq, self.id)))
        else:
            version = self._table.version
            told = messages.Advice(self.id, version, hint.action, hint.reason, dict(hint.values))
            follower.send(encode(told))
            follower.send(encode(messages.Ack(seq=seq, table=self.id, version=version)))

    # Computer players.

    def _think(self) -> None:
        """Has the computer choose its next action, unless it is about to or nothing is due."""
        turn = self._state.computer_turn()
        match = self._state.match
        if turn is None or match is None or self.closed or self._still_wanted():
            return
        seat, bot = turn
        occasion = self._state.places[seat].moves
        self._decided = (seat, occasion)
        pause = self._state.computer_pause() / 1000 + self._troubled * AFTER_TROUBLE
        view, legal = match.view(seat), match.legal(seat)
        lesson = self._state.lesson
        scripted = None if lesson is None else lesson.scripted(seat, legal)

        async def choose() -> None:
            await asyncio.sleep(pause)
            action = scripted or await self._services.choose(self.id, bot, view, legal)
            await self._inbox.put(_Thought(seat, occasion, action))

        self._thinking = asyncio.create_task(choose())

    def _still_wanted(self) -> bool:
        """Whether the computer thinks about a decision that it still has to make.

        One that waits for a player to be made ready must not hold up the table once the person has
        come back and decided.
        """
        if self._thinking is None or self._decided is None:
            return False
        state, (seat, occasion) = self._state, self._decided
        due = state.match is not None and seat in state.match.to_act
        if due and not state.is_present(seat) and state.places[seat].moves == occasion:
            return True
        self._thinking.cancel()
        self._thinking = None
        return False


def _settle(item: _Item | None) -> None:
    """Lets whoever made a request make the next one."""
    if isinstance(item, _Request) and not item.answered.done():
        item.answered.set_result(None)


def _asked(state: State, person: str, message: TableMessage) -> list[commands.Command]:
    """The commands a request stands for; whoever asks anything is no longer away.

    Raises:
        TableError: a nickname that cannot be shown.
    """
    wanted: commands.Command
    match message:
        case messages.Sit(seat=seat, name=name):
            wanted = commands.Sit(person, seat, nickname(name))
        case messages.Stand():
            wanted = commands.Stand(person)
        case messages.Swap(seat=seat):
            wanted = commands.Swap(person, seat)
        case messages.Answer(seat=seat, accept=accept):
            wanted = commands.Answer(person, seat, accept)
        case messages.Withdraw():
            wanted = commands.Withdraw(person)
        case messages.Start():
            wanted = commands.Start(person)
        case messages.Act(action=action):
            wanted = commands.Act(person, action)
        case messages.Ready():
            wanted = commands.Proceed(person)
        case _:
            return [commands.Return(person)]
    back: list[commands.Command] = []
    if state.seat_of(person) is not None:
        back = [commands.Return(person)]
    return [*back, wanted]


def _refused(error: TableError, message: TableMessage) -> messages.ErrorMessage:
    return messages.ErrorMessage(
        code=error.code,
        message=str(error),
        seq=message.seq,
        table=message.table,
        clause=error.clause,
        reason=error.reason,
        legal=error.legal,
    )


def _failed(seq: int | None, table: str) -> messages.ErrorMessage:
    return messages.ErrorMessage(
        code="internal",
        message="the server could not do this and has noted it; nothing has changed",
        seq=seq,
        table=table,
    )

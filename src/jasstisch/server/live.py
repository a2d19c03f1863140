"""A table in memory: the one task that writes it, and the connections that follow it.

Whatever is asked of the table waits in its inbox and is done by its task, one at a time: decide,
commit to the store, only then tell and acknowledge. When the store refuses, nothing is told and
the table is built anew from what the store holds.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from math import inf

import msgspec
from msgspec import Struct

from jasstisch.record import Record
from jasstisch.server import messages
from jasstisch.server.adviser import Advised, Adviser
from jasstisch.server.analyst import AnalysisStanding, Analyst
from jasstisch.server.audience import Audience, Follower, encode
from jasstisch.server.beat import Beat, Pause
from jasstisch.server.bucket import Bucket, Buckets
from jasstisch.server.identity import new_key
from jasstisch.server.log import failure, log, short
from jasstisch.server.names import nickname
from jasstisch.server.openings import Openings
from jasstisch.server.remarks import remark
from jasstisch.server.request_ids import REQUEST
from jasstisch.server.services import Services
from jasstisch.server.thinkers import Account
from jasstisch.store import Conflict, NotKnownError, StoreError
from jasstisch.store.leases import FencedError
from jasstisch.table import Clock, Room, Table, TableError, commands, events, hurrying

__all__ = ["NOT_KNOWN", "QUIET", "Answered", "Live", "TableMessage", "busy"]

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
    | messages.TakeRest
    | messages.Undo
    | messages.AnswerUndo
    | messages.WithdrawUndo
    | messages.Ready
    | messages.Back
    | messages.Cover
    | messages.Say
    | messages.Write
    | messages.Admit
    | messages.LetIn
    | messages.Relink
    | messages.LetStart
    | messages.LetWrite
    | messages.Publish
    | messages.Delay
    | messages.GivePatience
    | messages.Remove
    | messages.Give
    | messages.Close
    | messages.Commit
    | messages.Open
    | messages.AskHint
    | messages.Hurry
)
"""What a client may ask of a table."""

AFTER_TROUBLE = 1.0
"""Seconds the computer waits before it tries again after a failure."""

QUIET = -1
"""The number of a request of which nobody wants to read that it is done."""

DECIDED_AGAIN = 3
"""So often a request is decided anew when others have written to the table meanwhile."""

WORD_SECONDS = 2.0
"""So long a request waits for this node's lease to hold again, in seconds."""

SHOWN_SECONDS = 3.0
"""So long it is waited until everybody sees how a table stands of which that is not known."""

STORE_AGAIN = 0.25
"""Seconds until a table is read again that could not be, where several nodes share a store."""

NOT_NOW = "the table cannot be reached now; try again"
"""What is told of a request that nobody can do now."""

NOT_KNOWN = "it is not known whether this was done; look at the table"
"""What is told of a request whose fate nobody knows."""

SEATING = (messages.Sit, messages.Stand, messages.Swap, messages.Answer, messages.Withdraw)
"""What moves people about a table; nobody does it without end."""

PUBLISHINGS, PUBLISHINGS_PER_MINUTE = 10, 2
"""How often a person may publish a table, or take it off the list, at once and in the long run."""


UNKNOWN = "there is no table of this id"
"""What is told of a table that there is not, or not for whoever asks."""


Answered = Callable[[bool], None]
"""Told once that a request is answered; or, by False, that it was not taken."""


class _NotAdmittedError(Exception):
    """Whoever asks may not know that there is this table."""


class _Request(Struct, frozen=True):
    """What somebody asks; `answered` is told whether it was taken, or nothing has been done."""

    follower: Follower
    message: TableMessage
    answered: Answered
    origin: str


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
    answer: "asyncio.Future[Record | None]"


@dataclass(frozen=True, slots=True)
class _Operated:
    """The server itself does something to the table, whoever its host is."""

    command: commands.Operating
    done: "asyncio.Future[None]"


@dataclass(frozen=True, slots=True)
class _PlayersChanged:
    """More computer players are ready than before, or it is known that fewer are."""


@dataclass(frozen=True, slots=True)
class _Left:
    """Somebody follows the table no longer."""


_Item = _Request | _Thought | _Hinted | _RecordWanted | _Operated | _PlayersChanged | _Left


class Live:
    """A table in memory.

    Args:
        table: the table, as the store holds it.
        services: store, chance, computer players.
        forget: called when the table leaves memory.
        link_ended: called when it is closed or its link renewed.

    Attributes:
        room: the room as last committed.
        listed_since: seconds since 1970 from when it counts as new in the list of published tables.
        closed: the table has left memory; find it anew.
    """

    def __init__(
        self,
        table: Table,
        services: Services,
        forget: Callable[[str], None],
        link_ended: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.id = table.state.created.table
        self.room: Room = table.state.room()
        self.closed = False
        self._table = table
        self._state = table.state
        self._services = services
        self._forget = forget
        self._link_ended = link_ended
        self._inbox: list[_Item] = []
        self._waiting: asyncio.Future[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = inf
        self._clock = Clock()
        self._clock.update(self._state, services.now())
        self._audience = Audience(self._state, self._left, services.now, table.before)
        table.before = None
        self._quiet_since = services.now()
        self.listed_since, self._was_listed = services.store.now(), self.room.published
        self._publishings = Buckets(PUBLISHINGS_PER_MINUTE / 60, PUBLISHINGS)
        limits = services.limits
        self._seatings = Buckets(limits.seatings_per_minute / 60, limits.seatings)
        each_second = limits.table_seatings_per_minute / 60
        self._all_seatings = Bucket(each_second, limits.table_seatings, self._quiet_since)
        self._talk = Buckets(limits.talk_per_minute / 60, limits.talk)
        self._hurries = Buckets(limits.hurries_per_minute / 60, limits.hurries)
        self._thinking: asyncio.Task[None] | None = None
        self._decided: tuple[int, int] | None = None
        self._beat = Beat()
        self._pause: Pause | None = None
        self._to_end = False
        self._openings = Openings(services)
        self._openings.update(self._state)
        self._troubled = False
        self._stale = False
        self._serving = False
        self._at_work = False
        self._adviser = Adviser(self.account, services)
        self._analyst = Analyst(self.id, services, self._analysed)
        self._audience.prepare(self._preparing())
        # What the table does is for many: it is no part of the request that has fetched it.
        self._task = asyncio.create_task(self._run(), context=Context())

    @property
    def account(self) -> Account:
        """Who is charged for what is thought here."""
        return Account(self._state.house.host or self.id, self.id)

    @property
    def idle(self) -> bool:
        """Whether nobody follows the table and nothing goes on there."""
        rests = self._thinking is None and not self._inbox and not self._serving
        return not self._audience and rests and not self._analyst.busy

    @property
    def quiet_since(self) -> float:
        """When something was last asked of the table."""
        return self._quiet_since

    # For connections, from the same thread.

    async def admits(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether somebody may know of the table, and of a match; see `Hosted.admits`."""
        return self._state.admits(person, key, match)

    async def look(self) -> Room:
        """The room as last committed; see `Hosted.look`."""
        return self.room

    async def look_as(self, person: str | None) -> Room:
        """The room as somebody may see it; see `Hosted.look_as`."""
        late = self._audience.late_room(person)
        return self.room if late is None else late

    async def ask(self, follower: Follower, message: TableMessage) -> bool:
        """Has a request done and answered; False when too many wait already, or it has just left.

        What it is False for has not been done, and can be asked elsewhere. Waiting for the answer
        keeps any one connection from filling the inbox.
        """
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def tell(taken: bool) -> None:
            if not answered.done():
                answered.set_result(taken)

        if not self.post(follower, message, tell):
            return False
        try:
            return await answered
        except asyncio.CancelledError:
            # Nobody waits any more: what has not been begun is not done.
            self._inbox = [item for item in self._inbox if not _is_of(item, tell)]
            raise

    def follows(self, follower: Follower) -> bool:
        """Whether a connection follows the table."""
        return follower in self._audience

    def post(self, follower: Follower, message: TableMessage, answered: Answered) -> bool:
        """Has a request done, and tells when it is answered; False as for `ask`."""
        return self._put(_Request(follower, message, answered, REQUEST.get()))

    async def record(self) -> Record | None:
        """The record of the match that is over; None while one runs.

        Raises:
            StoreError: too much is asked of the table, or it has just left memory.
        """
        wanted = _RecordWanted(asyncio.get_running_loop().create_future())
        if not self._put(wanted):
            raise StoreError("the table is busy")
        return await wanted.answer

    async def analysis(self, match: int) -> AnalysisStanding:
        """How it stands with the analysis of a match; see `Hosted.analysis`."""
        return self._analyst.look(match)

    async def analyse(self, match: int, person: str) -> AnalysisStanding:
        """Has a match analysed; see `Hosted.analyse`.

        Raises:
            StoreError: the table has just left memory.
        """
        if self.closed:
            raise StoreError("the table has just left memory")
        return await self._analyst.ask(self._state, match, person)

    def _analysed(self) -> None:
        """Nothing keeps the table in memory any more but whoever follows it."""
        self._quiet_since = self._services.now()
        self._wake()

    async def operate(self, command: commands.Operating) -> None:
        """Has something done that only the server may; see `Hosted.operate`.

        Raises:
            TableError: it cannot be done.
            StoreError: it could not be done now.
        """
        operated = _Operated(command, asyncio.get_running_loop().create_future())
        if not self._put(operated):
            raise StoreError("the table is busy")
        await operated.done

    @property
    def host(self) -> str | None:
        """Who is the host of the table; for the server alone."""
        return self._state.house.host

    @property
    def people(self) -> list[str | None]:
        """Who holds each seat, None for a computer or nobody; for the server alone."""
        return [place.person for place in self._state.places]

    def leave(self, follower: Follower) -> None:
        """Stops telling a connection about this table."""
        if self._audience.leave(follower):
            self._openings.left(follower)
            self._quiet_since = self._services.now()
            # The task waits for the next deadline at most, and there may be none.
            self._put(_Left())

    def is_attended(self, seconds: float) -> bool:
        """Whether somebody of the table is there, or was until so many seconds ago."""
        return self._audience.is_attended(seconds)

    def players_changed(self) -> None:
        """Has everybody told if a computer player here has become ready."""
        # Where there is no room, the next event tells it.
        self._put(_PlayersChanged())

    def doubt(self) -> None:
        """Has the table read anew: others may have written to it."""
        self._stale = True
        self._wake()

    def close(self, reason: messages.ErrorCode | None = None) -> None:
        """Leaves memory; whatever was acknowledged is in the store.

        Args:
            reason: what those who follow it are told, if anything.
        """
        if reason is not None:
            gone = messages.ErrorMessage(reason, "this table is no longer here", table=self.id)
            self._audience.say(gone)
        self._let_go()
        self._task.cancel()

    async def release(self) -> None:
        """Leaves memory when what is being done is done; what waits has then not been done."""
        if self.closed:
            return
        self._turn_away()
        if self._at_work:
            await asyncio.wait([self._task])
        self._leave_memory()
        self._task.cancel()

    def _put(self, item: _Item) -> bool:
        # Once it is closed nobody would ever take it out.
        if self.closed or len(self._inbox) >= self._services.limits.inbox:
            return False
        self._put_own(item)
        return True

    def _put_own(self, item: _Item) -> None:
        """Adds what the table itself has asked for, which is never too much."""
        if not self.closed:
            self._inbox.append(item)
            self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # The one task.

    async def _run(self) -> None:
        self._think()
        waited = False
        # Once it has left memory: the error would keep what it came through, and so the table.
        with suppress(asyncio.CancelledError):
            while not self.closed:
                if self._stale:
                    self._stale = False
                    await self._reload()
                    self._think()
                    continue
                if not self._inbox:
                    due = self._due()
                    # Not at once: whoever has just found the table is about to ask for something.
                    if not waited or due > self._services.now():
                        waited = True
                        await self._rest(due)
                        continue
                # What is done is kept no longer: a table mostly waits.
                await self._take(self._inbox.pop(0) if self._inbox else None)
                waited = False
                if not self._stale:
                    self._think()

    async def _take(self, item: _Item | None) -> None:
        """Does what is asked, whatever comes of it."""
        self._serving = item is not None
        taken = True
        try:
            alone = self._services.standing is None and not self.closed
            if alone or await self._may_serve(item):
                self._at_work = True
                # Nearly all are; and each step on the way costs as much as one of the rules.
                if isinstance(item, _Request):
                    await self._request(item)
                else:
                    await self._serve(item)
                self._troubled = False
            else:
                taken = self._not_served(item)
        except FencedError:
            taken = self._fenced(item)
        except Conflict:
            taken = await self._decide_anew(item)
        except asyncio.CancelledError:
            taken = self._at_work or self._pass_on(item)
            raise
        except Exception as error:  # noqa: BLE001 - one request must not stop the table
            await self._fail(item, error)
        finally:
            self._serving = self._at_work = False
            _settle(item, taken=taken)

    def _fenced(self, item: _Item | None) -> bool:
        """Nothing may be written now: another node may have the table; whether that is answered.

        Where there is no other, this one has been taken for gone and comes back by itself.
        """
        self._services.incidents.note("lease_lost", "table")
        if self._has_others:
            taken = self._pass_on(item)
            self._let_go()
            return taken
        self._troubled = self._stale = True
        self._answer_failure(item, busy(NOT_NOW))
        return True

    def _not_served(self, item: _Item | None) -> bool:
        """Nothing may be done now; whether that is answered."""
        if self.closed:
            return self._pass_on(item)
        if isinstance(item, _Thought):
            # It is chosen again a while later.
            self._thinking, self._troubled = None, True
        self._answer_failure(item, busy(NOT_NOW))
        return True

    @property
    def _has_others(self) -> bool:
        """Whether another node may have the table once this one has not."""
        standing = self._services.standing
        return standing is not None and standing.has_others

    def _pass_on(self, item: _Item | None) -> bool:
        """Leaves what was not begun to who has the table next; whether it is refused instead."""
        waits = isinstance(item, _Request) and self._has_others
        if not waits:
            self._answer_failure(item)
        return not waits

    async def _may_serve(self, item: _Item | None) -> bool:
        """Whether this node still has the table, where what is asked needs that."""
        standing, writes = self._services.standing, not isinstance(item, _PlayersChanged | _Left)
        if standing is not None and writes and not standing.holds:
            settled = await standing.settled(WORD_SECONDS)
        else:
            settled = True
        # It may have left memory meanwhile; then nothing has been done.
        return settled and not self.closed

    async def _decide_anew(self, item: _Item | None) -> bool:
        """Does what is asked on what somebody else has written meanwhile; whether it is answered.

        Nobody writes between others without end: then it is a failure like any other.
        """
        for left in reversed(range(DECIDED_AGAIN)):
            self._services.incidents.note("written_by_another", "table")
            await self._reload()
            if self.closed:
                return self._pass_on(item)
            try:
                await self._serve(item)
            except FencedError:
                return self._fenced(item)
            except Exception as error:  # noqa: BLE001 - as at the first time
                if isinstance(error, Conflict) and left:
                    continue
                await self._fail(item, error)
            else:
                self._troubled = False
            break
        return True

    async def _fail(self, item: _Item | None, error: Exception) -> None:
        """Answers what has failed; the table goes on with what the store holds.

        It may be that what was asked is done all the same: then that is told when everybody sees
        what the store holds, unless that takes too long.
        """
        log.error("table_failed", table=short(self.id), **_origin(item), **failure(error))
        self._troubled = True
        if isinstance(error, NotKnownError):
            try:
                async with asyncio.timeout(SHOWN_SECONDS):
                    await self._reload()
            except TimeoutError:
                self._stale = True
            self._answer_failure(item, busy(NOT_KNOWN))
            return
        away = isinstance(error, StoreError) and self._services.standing is not None
        self._answer_failure(item, busy(NOT_NOW) if away else None)
        self._stale = True

    def _rest(self, due: float) -> "asyncio.Future[None]":
        """Done when something is asked, or when it is due."""
        # An alarm that comes too early does no harm, and at each move to set a later one would.
        # What is due already is not left to one that the loop may still hold to be far off.
        if due < self._alarm_at or due <= self._services.now():
            self._set_alarm(due)
        self._waiting = asyncio.get_running_loop().create_future()
        return self._waiting

    def _set_alarm(self, due: float) -> None:
        """Has the table look up when time has passed."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = due
        patience = max(0.0, due - self._services.now())
        self._alarm = asyncio.get_running_loop().call_later(patience, self._look_up)

    def _look_up(self) -> None:
        self._alarm, self._alarm_at = None, inf
        self._wake()

    def _due(self) -> float:
        """When something changes by itself; infinity when nothing does.

        Where nobody follows, a clock that runs is no reason to stay: it goes on with whoever comes.
        """
        due = inf
        if not self._audience and self._thinking is None and not self._analyst.busy:
            due = self._quiet_since + self._services.limits.idle_seconds
        for moment in (
            self._clock.next_deadline(),
            self._audience.next_missing(),
            self._openings.due,
        ):
            if moment is not None and moment < due:
                due = moment
        return due

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
            case _Operated():
                await self._operate(item)
            case _PlayersChanged() | _Left():
                # Where somebody has left, how long to wait is worked out anew as well.
                self._audience.prepare(self._preparing())

    async def _operate(self, operated: _Operated) -> None:
        refused: TableError | None = None
        try:
            await self._do(operated.command)
        except TableError as error:
            refused = error.with_traceback(None)
        if operated.done.done():
            return
        if refused is None:
            operated.done.set_result(None)
        else:
            operated.done.set_exception(refused)

    async def _computed(self, thought: _Thought) -> None:
        """Does what the computer chose, unless the person came back or acted meanwhile."""
        if self._state.places[thought.seat].moves == thought.occasion:
            with suppress(TableError):
                await self._do(commands.Compute(thought.seat, thought.action))

    async def _time_passed(self) -> None:
        now = self._services.now()
        self._audience.time_passed()
        if self._openings.due is not None and self._openings.due <= now:
            await self._do(self._openings.settle(self._state))
        if self._clock.unanswered(now):
            await self._do(commands.LapseUndo())
        due = self._clock.due(now)
        if due:
            await self._do(*(commands.TimeUp(seat, self._took(seat)) for seat in due))
            # Those for whom nothing is decided any more must not be due for ever.
            self._clock.update(self._state, now)
        elif self.idle and self._due() <= now:
            log.info("table_idle", table=short(self.id))
            self._let_go()

    async def _request(self, request: _Request) -> None:
        follower, message = request.follower, request.message
        self._quiet_since = self._services.now()
        try:
            self._check_admitted(follower, message)
            if isinstance(message, messages.Act):
                await self._do(self._act(follower.person or "", message.action))
            elif isinstance(message, messages.TakeRest):
                await self._do(self._take_rest(follower.person or ""))
            elif isinstance(message, messages.AskHint):
                await self._ask_hint(request)
                return  # acknowledged with the hint
            else:
                await self._see_to(follower, message)
        except TableError as error:
            if message.seq != QUIET:
                self._services.meters.refused[error.code] += 1
                follower.send(encode(_refused(error, message)))
            return
        except _NotAdmittedError:
            self._services.meters.refused["unknown_table"] += 1
            seq = None if message.seq == QUIET else message.seq
            gone = messages.ErrorMessage("unknown_table", UNKNOWN, seq, self.id)
            follower.send(encode(gone))
            return
        if message.seq == QUIET:
            return
        version = self._audience.version_for(follower)
        ack = messages.Ack(seq=message.seq, table=self.id, version=version)
        follower.send(encode(ack))

    async def _see_to(self, follower: Follower, message: TableMessage) -> None:
        """Does what is no action of the match.

        Raises:
            TableError: it cannot be done.
        """
        match message:
            case messages.Watch():
                self._watch(follower, message)
            case messages.Unwatch():
                self.leave(follower)
            case messages.Commit() | messages.Open():
                await self._contribute(follower, message)
            case messages.Hurry(to_end=to_end):
                self._hurry(follower, to_end=to_end)
            case messages.Say() | messages.Write():
                self._check_talk(follower)
                await self._do(self._asked(follower.person or "", message))
            case _:
                self._check_seatings(follower, message)
                self._check_publishings(follower, message)
                if isinstance(message, messages.Give):
                    await self._check_known(message)
                await self._do(self._asked(follower.person or "", message))

    # Deciding, committing, telling.

    async def _do(self, *asked: commands.Command) -> None:
        """Does commands one after the other, commits what they led to, and tells it.

        Raises:
            TableError: one is refused; those before it are done.
        """
        before = self._table.version
        done, refused = self._decide(*asked)
        if done:
            await self._services.store.append(self.id, before, done, self._state.finished)
            self._tell(done)
        if refused is not None:
            raise refused

    def _decide(self, *asked: commands.Command) -> tuple[list[events.Event], TableError | None]:
        """What commands lead to, one after the other, until one is refused; it has been applied."""
        done: list[events.Event] = []
        try:
            for command in asked:
                for event in self._table.perform(command, self._openings.dealer):
                    done.append(event)
                    self._audience.note()
                    self._openings.note(event)
        except TableError as error:
            return done, error.with_traceback(None)
        return done, None

    def _tell(self, done: list[events.Event]) -> None:
        """Tells what has been kept."""
        self._clock.update(self._state, self._services.now())
        self._openings.update(self._state)
        before, self.room = self.room, self._state.room()
        self._services.meters.moves += sum([isinstance(one, events.Acted) for one in done])
        changed = self.room is not before
        if changed and any(isinstance(event, events.Relinked) for event in done):
            self._audience.dismiss(lambda one: self._state.admits(one.person, None))
        self._audience.tell()
        if any(isinstance(event, events.Relinked | events.Closed) for event in done):
            self._link_ended(self.id)
        self._is_new(done)
        if changed:
            self._audience.prepare(self._preparing())

    def _is_new(self, done: list[events.Event]) -> None:
        """A table is new in the list of published ones when it is first there, or begins."""
        first = self.room.published and not self._was_listed
        self._was_listed |= first
        if first or any(isinstance(event, events.Started) for event in done):
            self.listed_since = self._services.store.now()

    def _watch(self, follower: Follower, message: messages.Watch) -> None:
        if not follower.closed:
            self._audience.welcome(follower, message.since, message.seat)

    async def _contribute(
        self, follower: Follower, message: messages.Commit | messages.Open
    ) -> None:
        """Takes what a person adds to the chance of a pack.

        Raises:
            TableError: it is not what was asked for.
        """
        if self._openings.take(self._state, follower, message):
            await self._do(self._openings.settle(self._state))

    def _check_admitted(self, follower: Follower, message: TableMessage) -> None:
        """Keeps those out who have an old link only.

        Raises:
            _NotAdmittedError: to this one there is no such table.
        """
        if follower in self._audience:
            return
        key = message.key if isinstance(message, messages.Watch) else None
        if not self._state.admits(follower.person, key):
            raise _NotAdmittedError

    async def _check_known(self, message: messages.Give) -> None:
        """Makes sure that a seat is given to a computer player there is.

        Raises:
            TableError: there is none of this name that knows the game.
        """
        if message.bot is not None:
            known = (await self._services.players())[self._state.created.game]
            if message.bot not in known:
                allowed = ", ".join(known)
                text = f"unknown computer player {message.bot!r}; there is {allowed}"
                raise TableError("bad_option", text)

    def _took(self, seat: int) -> int:
        """Milliseconds of a seat's turn, where they are counted."""
        if self._state.created.match_time is None:
            return 0
        return int(1000 * self._clock.spent(seat, self._services.now()))

    def _act(self, person: str, action: str) -> commands.Act:
        """The command to do an action, with the time that it took where that is counted."""
        return commands.Act(person, action, self._took_of(person))

    def _take_rest(self, person: str) -> commands.TakeRest:
        """The command to take the rest, with the time that it took where that is counted."""
        return commands.TakeRest(person, self._took_of(person))

    def _took_of(self, person: str) -> int:
        """Milliseconds of a person's turn, where they are counted."""
        timed = self._state.created.match_time is not None
        seat = self._state.seat_of(person) if timed else None
        return 0 if seat is None else self._took(seat)

    def _asked(self, person: str, message: TableMessage) -> commands.Command:
        """The command a request stands for.

        Raises:
            TableError: a nickname that cannot be shown, or somebody who is there after all.
        """
        match message:
            case messages.Cover(seat=other):
                if not self._audience.is_missing(other):
                    text = f"whoever holds seat {other} is here, or was until a moment ago"
                    raise TableError("wrong_phase", text)
                return commands.Cover(person, other)
            case _:
                return _command(person, message)

    def _check_seatings(self, follower: Follower, message: TableMessage) -> None:
        """Keeps anybody, and all together, from sitting down and standing up without end.

        Raises:
            TableError: this one has done so too often, or everybody has.
        """
        if not isinstance(message, SEATING):
            return
        now = self._services.now()
        if not self._seatings.of(follower.person or "", now).take(now):
            self._services.incidents.note("limit_hit", "seatings")
            raise TableError("limit", "you have changed seats often enough; wait a minute")
        # People cost nothing: each may come as somebody else. Whoever gives up or withdraws what
        # has been counted is let go.
        gives_up = isinstance(message, messages.Stand | messages.Withdraw)
        if not gives_up and not self._all_seatings.take(now):
            self._services.incidents.note("limit_hit", "table_seatings")
            raise TableError("limit", "seats have changed often enough here; wait a minute")

    def _check_publishings(self, follower: Follower, message: TableMessage) -> None:
        """Keeps anybody from putting a table on the list and taking it off without end.

        Raises:
            TableError: this one has done so too often.
        """
        now = self._services.now()
        if not isinstance(message, messages.Publish):
            return
        if not self._publishings.of(follower.person or "", now).take(now):
            self._services.incidents.note("limit_hit", "publishings")
            raise TableError("limit", "you have published the table often enough; wait a minute")

    def _check_talk(self, follower: Follower) -> None:
        """Keeps anybody from saying too much in short order.

        Raises:
            TableError: this one has said enough for the moment.
        """
        now = self._services.now()
        if not self._talk.of(follower.person or "", now).take(now):
            self._services.incidents.note("limit_hit", "talk")
            raise TableError("too_fast", "you have said enough for the moment; wait a little")

    def _left(self, seat: int) -> float | None:
        return self._clock.left(seat, self._services.now())

    def _preparing(self) -> list[bool]:
        """For each seat whether the computer player that plays it is not ready yet."""
        state, readiness = self._state, self._services.readiness
        players = [state.computer(seat) for seat in range(len(state.places))]
        game = state.created.game
        return [one is not None and not readiness.is_ready(one, game) for one in players]

    # Trouble.

    def _answer_failure(
        self, item: _Item | None, told: messages.ErrorMessage | None = None
    ) -> None:
        match item:
            case _Request(message=message) if message.seq != QUIET:
                failed = told or _failed(None, self.id)
                self._services.meters.refused[failed.code] += 1
                error = msgspec.structs.replace(failed, seq=message.seq, table=self.id)
                item.follower.send(encode(error))
            case _Hinted(request=request):
                self._answer_failure(request, told)
            case _:
                pass

    async def _reload(self) -> None:
        """Builds the table anew from the store; when that fails, lets it go."""
        try:
            table = await self._stored()
        except Exception as error:  # noqa: BLE001 - whatever it is, the table cannot go on
            if self.closed:
                return  # it leaves memory in any case
            log.error("table_lost", table=short(self.id), **failure(error))
            self._audience.say(_failed(None, self.id))
            self._let_go()
            return
        self._table, self._state = table, table.state
        self.room = self._state.room()
        self._clock = Clock()
        self._clock.update(self._state, self._services.now())
        self._openings.begin_anew(self._state)
        self._audience.begin_anew(self._state, table.before)
        table.before = None
        self._audience.prepare(self._preparing())

    async def _stored(self) -> Table:
        """The table as the store holds it.

        A store that is reached over a network is waited for: nobody else could read it either.

        Raises:
            StoreError: it cannot be read.
            ValueError: its log is damaged.
        """
        while True:
            try:
                log_of_table = await self._services.store.load(self.id)
            except StoreError:
                if self._services.standing is None or self.closed:
                    raise
                self._services.incidents.note("store_away", "table")
                self._refuse_waiting()
                await asyncio.sleep(STORE_AGAIN)
            else:
                return await asyncio.to_thread(Table.from_events, log_of_table)

    def _refuse_waiting(self) -> None:
        """Answers those who wait while the store is away; what is no request waits on."""
        waiting, self._inbox = self._inbox, []
        for item in waiting:
            if isinstance(item, _Request):
                self._answer_failure(item, busy(NOT_NOW))
                _settle(item)
            else:
                self._inbox.append(item)

    def _let_go(self) -> None:
        if not self.closed:
            self._turn_away()
            self._leave_memory()

    def _turn_away(self) -> None:
        """Takes nothing more; what waits is not done."""
        self.closed = True
        while self._inbox:
            item = self._inbox.pop(0)
            _settle(item, taken=self._pass_on(item))

    def _leave_memory(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        self._adviser.close()
        self._analyst.close()
        self._audience.close()
        self._forget(self.id)

    # Hints.

    async def _ask_hint(self, request: _Request) -> None:
        """Has a hint worked out; the table goes on meanwhile.

        Raises:
            TableError: whoever asks may have none now.
        """
        person = request.follower.person or ""

        async def tell(advised: Advised) -> None:
            self._put_own(_Hinted(request, advised))

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

    def _hurry(self, follower: Follower, *, to_end: bool) -> None:
        """Has the computers' next move come without a pause, or all until the round is over.

        Raises:
            TableError: whoever asks may not, or has done so too often.
        """
        now, person = self._services.now(), follower.person or ""
        if not self._hurries.of(person, now).take(now):
            self._services.incidents.note("limit_hit", "hurries")
            raise TableError("too_fast", "you have hurried the computers enough; wait a little")
        hurrying.check(self._state, person, to_end=to_end)
        self._to_end |= to_end
        if self._pause is not None:
            self._pause.end()

    def _pause_before(self, bot: str) -> Pause:
        """The time that a computer's answer waits for, which begins when its thought does."""
        beat, wanted = self._beat, self._state.computer_pause() / 1000
        pause = Pause(beat.seconds(0.0, bot), beat.seconds(wanted, bot))
        # Somebody may have come who plays himself.
        if self._to_end and hurrying.only_watched(self._state):
            pause.end()
        return pause

    def _think(self) -> None:
        """Has the computer choose its next action, unless it is about to or nothing is due."""
        if self._state.phase != "playing":
            self._to_end = False
        turn = self._state.computer_turn()
        match = self._state.match
        if turn is None or match is None or self.closed or self._still_wanted():
            return
        seat, bot = turn
        occasion = self._state.places[seat].moves
        self._decided = (seat, occasion)
        loop = asyncio.get_running_loop()
        trouble = self._troubled * AFTER_TROUBLE
        pause = self._pause = self._pause_before(bot)
        view, legal = match.view(seat), match.legal(seat)
        lesson = self._state.lesson
        scripted = None if lesson is None else lesson.scripted(seat, legal)
        account = self.account

        async def choose() -> None:
            await asyncio.sleep(trouble)
            # Being made ready happens once: it must not slow the beat of all that follows.
            await self._services.readiness.ready(bot, match.game.name)
            asked = loop.time()
            action = scripted or await self._services.choose(account, bot, view, legal)
            took = loop.time() - asked
            await pause.over(took)
            self._beat.took(took, pause.seconds)
            self._put_own(_Thought(seat, occasion, action))

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
        due = due and state.undoing.question is None
        if due and not state.is_present(seat) and state.places[seat].moves == occasion:
            return True
        self._thinking.cancel()
        self._thinking = None
        return False


def _is_of(item: _Item, answered: Answered) -> bool:
    return isinstance(item, _Request) and item.answered is answered


def _settle(item: _Item | None, *, taken: bool = True) -> None:
    """Lets whoever made a request make the next one; who has no answer yet gets none."""
    match item:
        case _Request(answered=tell):
            try:
                tell(taken)
            except Exception as error:  # noqa: BLE001 - it must not end the table of many
                log.error("answer_failed", **failure(error))
        case _Operated(done=waiting) | _RecordWanted(answer=waiting) if not waiting.done():
            waiting.set_exception(StoreError("the table failed"))
        case _:
            pass


def _command(person: str, message: TableMessage) -> commands.Command:
    """The command a request stands for by itself.

    Raises:
        TableError: a nickname or a line that cannot be shown.
    """
    match message:
        case messages.Sit(seat=seat, name=name, face=face, program=program):
            return commands.Sit(person, seat, nickname(name), face, program)
        case messages.Stand():
            return commands.Stand(person)
        case messages.Swap(seat=seat):
            return commands.Swap(person, seat)
        case messages.Answer(seat=seat, accept=accept):
            return commands.Answer(person, seat, accept)
        case messages.Withdraw():
            return commands.Withdraw(person)
        case _:
            return _sharing(person, message)


def _sharing(person: str, message: TableMessage) -> commands.Command:
    """The command for what people do together besides playing.

    Raises:
        TableError: a line that cannot be shown.
    """
    match message:
        case messages.Start():
            return commands.Start(person)
        case messages.Ready():
            return commands.Proceed(person)
        case messages.Back():
            return commands.Return(person)
        case messages.Say(phrase=phrase):
            return commands.Say(person, phrase)
        case messages.Write(text=text):
            return commands.Write(person, remark(text))
        case _:
            return _undoing(person, message)


def _undoing(person: str, message: TableMessage) -> commands.Command:
    match message:
        case messages.Undo():
            return commands.Undo(person)
        case messages.AnswerUndo(accept=accept):
            return commands.AnswerUndo(person, accept)
        case messages.WithdrawUndo():
            return commands.WithdrawUndo(person)
        case _:
            return _hosting(person, message)


def _hosting(person: str, message: TableMessage) -> commands.Command:
    match message:
        case messages.LetIn(number=number, accept=accept):
            return commands.LetIn(person, number, accept)
        case messages.GivePatience(seat=seat, patient=patient):
            return commands.GivePatience(person, seat, patient)
        case messages.Remove(seat=seat):
            return commands.Remove(person, seat)
        case messages.Give(seat=seat, bot=bot):
            return commands.Give(person, seat, bot)
        case _:
            return _ruling(person, message)


def _ruling(person: str, message: TableMessage) -> commands.Command:
    match message:
        case messages.Admit(entry=entry):
            return commands.Admit(person, entry)
        case messages.LetStart(who=who):
            return commands.LetStart(person, who)
        case messages.LetWrite(allowed=allowed):
            return commands.LetWrite(person, allowed)
        case messages.Publish(published=published):
            return commands.Publish(person, published, new_key())
        case messages.Delay(delayed=delayed):
            return commands.Delay(person, delayed)
        case messages.Relink():
            return commands.Relink(person, new_key())
        case messages.Close():
            return commands.Close(person)
        case _:
            raise AssertionError(f"{type(message).__name__} is no command")


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


def _origin(item: _Item | None) -> dict[str, str]:
    """What a log line says of the request that something was done for."""
    return {"request": item.origin} if isinstance(item, _Request) and item.origin else {}


def busy(text: str) -> messages.ErrorMessage:
    """What is told of a request that cannot be done, or of which it is not known."""
    return messages.ErrorMessage(code="busy", message=text)


def _failed(seq: int | None, table: str) -> messages.ErrorMessage:
    return messages.ErrorMessage(
        code="internal",
        message="the server could not do this and has noted it; nothing has changed",
        seq=seq,
        table=table,
    )

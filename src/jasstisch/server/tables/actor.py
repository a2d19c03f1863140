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

from jasstisch.match.record import Record
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.observability import CURRENT_REQUEST_ID, describe_exception, log, short_id
from jasstisch.server.tables.analysis_jobs import AnalysisJobs, AnalysisStatus
from jasstisch.server.tables.bot_turns import BotMove, BotTurns
from jasstisch.server.tables.broadcaster import Broadcaster, Subscriber, encode_message
from jasstisch.server.tables.command_mapping import to_command
from jasstisch.server.tables.deal_contributions import DealContributions
from jasstisch.server.tables.handle import (
    ERR_NO_SUCH_TABLE,
    ERR_OUTCOME_UNKNOWN,
    ERR_UNAVAILABLE,
    NO_ACK,
    OnAnswered,
    TableMessage,
)
from jasstisch.server.tables.hints import ComputedHint, HintService
from jasstisch.server.tables.rate_limits import TableRateLimits
from jasstisch.server.workers import BillingKey
from jasstisch.storage import Conflict, OutcomeUnknownError, StoreError
from jasstisch.storage.leases import FencedError
from jasstisch.table import Clock, Room, Table, TableError, commands, events

__all__ = ["TableActor"]

MAX_CONFLICT_RETRIES = 3
"""So often a request is decided anew when others have written to the table meanwhile."""

LEASE_WAIT_S = 2.0
"""So long a request waits for this node's lease to hold again, in seconds."""

RESYNC_TIMEOUT_S = 3.0
"""So long it is waited until everybody sees how a table stands of which that is not known."""

STORE_RETRY_S = 0.25
"""Seconds until a table is read again that could not be, where several nodes share a store."""


class _AccessDeniedError(Exception):
    """Whoever asks may not know that there is this table."""


class _Request(Struct, frozen=True):
    """What somebody asks; `answered` is told whether it was taken, or nothing has been done."""

    follower: Subscriber
    message: TableMessage
    answered: OnAnswered
    origin: str


@dataclass(frozen=True, slots=True)
class _HintReady:
    request: _Request
    advised: ComputedHint


@dataclass(frozen=True, slots=True)
class _GetRecord:
    answer: "asyncio.Future[Record | None]"


@dataclass(frozen=True, slots=True)
class _AdminCommand:
    """The server itself does something to the table, whoever its host is."""

    command: commands.AdminCommand
    done: "asyncio.Future[None]"


@dataclass(frozen=True, slots=True)
class _BotsChanged:
    """More computer players are ready than before, or it is known that fewer are."""


@dataclass(frozen=True, slots=True)
class _Unsubscribed:
    """Somebody follows the table no longer."""


_InboxItem = (
    _Request | BotMove | _HintReady | _GetRecord | _AdminCommand | _BotsChanged | _Unsubscribed
)


class TableActor:
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
        services: ServerContext,
        forget: Callable[[str], None],
        link_ended: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.id = table.state.created.table
        self.room: Room = table.state.room()
        self.closed = False
        self._table = table
        self._state = table.state
        self._context = services
        self._on_evicted = forget
        self._on_link_revoked = link_ended
        self._inbox: list[_InboxItem] = []
        self._wakeup: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = inf
        self._clock = Clock()
        self._clock.update(self._state, services.now())
        self._broadcaster = Broadcaster(
            self._state, self._time_left, services.now, table.delayed_state
        )
        table.delayed_state = None
        self._last_active = services.now()
        self.listed_since, self._was_listed = services.store.now(), self.room.published
        self._rate_limits = TableRateLimits(services)
        self._bot_turns = BotTurns(services, self._enqueue_own)
        self._contributions = DealContributions(services)
        self._contributions.update(self._state)
        self._failed_before = False
        self._stale = False
        self._busy = False
        self._executing = False
        self._hints = HintService(self.billing_key, services)
        self._analysis_jobs = AnalysisJobs(self.id, services, self._on_analysis_idle)
        self._broadcaster.set_preparing(self._unready_bots())
        # What the table does is for many: it is no part of the request that has fetched it.
        self._task = asyncio.create_task(self._run(), context=Context())

    @property
    def billing_key(self) -> BillingKey:
        """Who is charged for what is thought here."""
        return BillingKey(self._state.host_settings.host or self.id, self.id)

    @property
    def idle(self) -> bool:
        """Whether nobody follows the table and nothing goes on there."""
        rests = not self._bot_turns.choosing and not self._inbox and not self._busy
        return not self._broadcaster and rests and not self._analysis_jobs.busy

    @property
    def last_active(self) -> float:
        """When something was last asked of the table."""
        return self._last_active

    # For connections, from the same thread.

    async def may_access(
        self, person: str | None, key: str | None, match: int | None = None
    ) -> bool:
        """Whether somebody may know of the table, and of a match; see `Hosted.admits`."""
        return self._state.may_access(person, key, match)

    async def get_room(self) -> Room:
        """The room as last committed; see `Hosted.look`."""
        return self.room

    async def get_room_for(self, person: str | None) -> Room:
        """The room as somebody may see it; see `Hosted.look_as`."""
        late = self._broadcaster.delayed_room(person)
        return self.room if late is None else late

    async def request(self, follower: Subscriber, message: TableMessage) -> bool:
        """Has a request done and answered; False when too many wait already, or it has just left.

        What it is False for has not been done, and can be asked elsewhere. Waiting for the answer
        keeps any one connection from filling the inbox.
        """
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def tell(taken: bool) -> None:
            if not answered.done():
                answered.set_result(taken)

        if not self.submit(follower, message, tell):
            return False
        try:
            return await answered
        except asyncio.CancelledError:
            # Nobody waits any more: what has not been begun is not done.
            self._inbox = [item for item in self._inbox if not _is_request_with(item, tell)]
            raise

    def has_subscriber(self, follower: Subscriber) -> bool:
        """Whether a connection follows the table."""
        return follower in self._broadcaster

    def submit(self, follower: Subscriber, message: TableMessage, answered: OnAnswered) -> bool:
        """Has a request done, and tells when it is answered; False as for `ask`."""
        return self._enqueue(_Request(follower, message, answered, CURRENT_REQUEST_ID.get()))

    async def record(self) -> Record | None:
        """The record of the match that is over; None while one runs.

        Raises:
            StoreError: too much is asked of the table, or it has just left memory.
        """
        wanted = _GetRecord(asyncio.get_running_loop().create_future())
        if not self._enqueue(wanted):
            raise StoreError("the table is busy")
        return await wanted.answer

    async def analysis_status(self, match: int) -> AnalysisStatus:
        """How it stands with the analysis of a match; see `Hosted.analysis`."""
        return self._analysis_jobs.status(match)

    async def request_analysis(self, match: int, person: str) -> AnalysisStatus:
        """Has a match analysed; see `Hosted.analyse`.

        Raises:
            StoreError: the table has just left memory.
        """
        if self.closed:
            raise StoreError("the table has just left memory")
        return await self._analysis_jobs.request(self._state, match, person)

    def _on_analysis_idle(self) -> None:
        """Nothing keeps the table in memory any more but whoever follows it."""
        self._last_active = self._context.now()
        self._wake()

    async def administer(self, command: commands.AdminCommand) -> None:
        """Has something done that only the server may; see `Hosted.operate`.

        Raises:
            TableError: it cannot be done.
            StoreError: it could not be done now.
        """
        operated = _AdminCommand(command, asyncio.get_running_loop().create_future())
        if not self._enqueue(operated):
            raise StoreError("the table is busy")
        await operated.done

    @property
    def host(self) -> str | None:
        """Who is the host of the table; for the server alone."""
        return self._state.host_settings.host

    @property
    def people(self) -> list[str | None]:
        """Who holds each seat, None for a computer or nobody; for the server alone."""
        return [place.person for place in self._state.seats]

    def unsubscribe(self, follower: Subscriber) -> None:
        """Stops telling a connection about this table."""
        if self._broadcaster.unsubscribe(follower):
            self._contributions.on_disconnect(follower)
            self._last_active = self._context.now()
            # The task waits for the next deadline at most, and there may be none.
            self._enqueue(_Unsubscribed())

    def has_recent_member(self, seconds: float) -> bool:
        """Whether somebody of the table is there, or was until so many seconds ago."""
        return self._broadcaster.is_attended(seconds)

    def on_bots_changed(self) -> None:
        """Has everybody told if a computer player here has become ready."""
        # Where there is no room, the next event tells it.
        self._enqueue(_BotsChanged())

    def invalidate(self) -> None:
        """Has the table read anew: others may have written to it."""
        self._stale = True
        self._wake()

    def evict(self, reason: messages.ErrorCode | None = None) -> None:
        """Leaves memory; whatever was acknowledged is in the store.

        Args:
            reason: what those who follow it are told, if anything.
        """
        if reason is not None:
            gone = messages.ErrorMessage(reason, "this table is no longer here", table=self.id)
            self._broadcaster.broadcast(gone)
        self._evict()
        self._task.cancel()

    async def drain(self) -> None:
        """Leaves memory when what is being done is done; what waits has then not been done."""
        if self.closed:
            return
        self._reject_new()
        if self._executing:
            await asyncio.wait([self._task])
        self._dispose()
        self._task.cancel()

    def _enqueue(self, item: _InboxItem) -> bool:
        # Once it is closed nobody would ever take it out.
        if self.closed or len(self._inbox) >= self._context.limits.inbox:
            return False
        self._enqueue_own(item)
        return True

    def _enqueue_own(self, item: _InboxItem) -> None:
        """Adds what the table itself has asked for, which is never too much."""
        if not self.closed:
            self._inbox.append(item)
            self._wake()

    def _wake(self) -> None:
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)

    # The one task.

    async def _run(self) -> None:
        self._schedule_bot_move()
        waited = False
        # Once it has left memory: the error would keep what it came through, and so the table.
        with suppress(asyncio.CancelledError):
            while not self.closed:
                if self._stale:
                    self._stale = False
                    await self._reload()
                    self._schedule_bot_move()
                    continue
                if not self._inbox:
                    due = self._next_deadline()
                    # Not at once: whoever has just found the table is about to ask for something.
                    if not waited or due > self._context.now():
                        waited = True
                        await self._wait_until(due)
                        continue
                # What is done is kept no longer: a table mostly waits.
                await self._process(self._inbox.pop(0) if self._inbox else None)
                waited = False
                if not self._stale:
                    self._schedule_bot_move()

    def _schedule_bot_move(self) -> None:
        """Has the computer choose its next action, unless it is about to or nothing is due."""
        if not self.closed:
            self._bot_turns.schedule(
                self._state, self.billing_key, after_failure=self._failed_before
            )

    async def _process(self, item: _InboxItem | None) -> None:
        """Does what is asked, whatever comes of it."""
        self._busy = item is not None
        taken = True
        try:
            alone = self._context.lease_status is None and not self.closed
            if alone or await self._may_serve(item):
                self._executing = True
                # Nearly all are; and each step on the way costs as much as one of the rules.
                if isinstance(item, _Request):
                    await self._handle_request(item)
                else:
                    await self._dispatch(item)
                self._failed_before = False
            else:
                taken = self._on_not_served(item)
        except FencedError:
            taken = self._on_fenced(item)
        except Conflict:
            taken = await self._retry_after_conflict(item)
        except asyncio.CancelledError:
            taken = self._executing or self._requeue(item)
            raise
        except Exception as error:  # noqa: BLE001 - one request must not stop the table
            await self._on_failure(item, error)
        finally:
            self._busy = self._executing = False
            _resolve(item, taken=taken)

    def _on_fenced(self, item: _InboxItem | None) -> bool:
        """Nothing may be written now: another node may have the table; whether that is answered.

        Where there is no other, this one has been taken for gone and comes back by itself.
        """
        self._context.alerts.report("lease_lost", "table")
        if self._has_others:
            taken = self._requeue(item)
            self._evict()
            return taken
        self._failed_before = self._stale = True
        self._answer_failure(item, _unavailable_error(ERR_UNAVAILABLE))
        return True

    def _on_not_served(self, item: _InboxItem | None) -> bool:
        """Nothing may be done now; whether that is answered."""
        if self.closed:
            return self._requeue(item)
        if isinstance(item, BotMove):
            # It is chosen again a while later.
            self._bot_turns.on_not_handled()
            self._failed_before = True
        self._answer_failure(item, _unavailable_error(ERR_UNAVAILABLE))
        return True

    @property
    def _has_others(self) -> bool:
        """Whether another node may have the table once this one has not."""
        standing = self._context.lease_status
        return standing is not None and standing.has_others

    def _requeue(self, item: _InboxItem | None) -> bool:
        """Leaves what was not begun to who has the table next; whether it is refused instead."""
        waits = isinstance(item, _Request) and self._has_others
        if not waits:
            self._answer_failure(item)
        return not waits

    async def _may_serve(self, item: _InboxItem | None) -> bool:
        """Whether this node still has the table, where what is asked needs that."""
        standing, writes = (
            self._context.lease_status,
            not isinstance(item, _BotsChanged | _Unsubscribed),
        )
        if standing is not None and writes and not standing.is_valid:
            settled = await standing.wait_valid(LEASE_WAIT_S)
        else:
            settled = True
        # It may have left memory meanwhile; then nothing has been done.
        return settled and not self.closed

    async def _retry_after_conflict(self, item: _InboxItem | None) -> bool:
        """Does what is asked on what somebody else has written meanwhile; whether it is answered.

        Nobody writes between others without end: then it is a failure like any other.
        """
        for left in reversed(range(MAX_CONFLICT_RETRIES)):
            self._context.alerts.report("written_by_another", "table")
            await self._reload()
            if self.closed:
                return self._requeue(item)
            try:
                await self._dispatch(item)
            except FencedError:
                return self._on_fenced(item)
            except Exception as error:  # noqa: BLE001 - as at the first time
                if isinstance(error, Conflict) and left:
                    continue
                await self._on_failure(item, error)
            else:
                self._failed_before = False
            break
        return True

    async def _on_failure(self, item: _InboxItem | None, error: Exception) -> None:
        """Answers what has failed; the table goes on with what the store holds.

        It may be that what was asked is done all the same: then that is told when everybody sees
        what the store holds, unless that takes too long.
        """
        log.error(
            "table_failed",
            table=short_id(self.id),
            **_request_context(item),
            **describe_exception(error),
        )
        self._failed_before = True
        if isinstance(error, OutcomeUnknownError):
            try:
                async with asyncio.timeout(RESYNC_TIMEOUT_S):
                    await self._reload()
            except TimeoutError:
                self._stale = True
            self._answer_failure(item, _unavailable_error(ERR_OUTCOME_UNKNOWN))
            return
        away = isinstance(error, StoreError) and self._context.lease_status is not None
        self._answer_failure(item, _unavailable_error(ERR_UNAVAILABLE) if away else None)
        self._stale = True

    def _wait_until(self, due: float) -> "asyncio.Future[None]":
        """Done when something is asked, or when it is due."""
        # An alarm that comes too early does no harm, and at each move to set a later one would.
        # What is due already is not left to one that the loop may still hold to be far off.
        if due < self._timer_at or due <= self._context.now():
            self._set_timer(due)
        self._wakeup = asyncio.get_running_loop().create_future()
        return self._wakeup

    def _set_timer(self, due: float) -> None:
        """Has the table look up when time has passed."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = due
        patience = max(0.0, due - self._context.now())
        self._timer = asyncio.get_running_loop().call_later(patience, self._on_timer)

    def _on_timer(self) -> None:
        self._timer, self._timer_at = None, inf
        self._wake()

    def _next_deadline(self) -> float:
        """When something changes by itself; infinity when nothing does.

        Where nobody follows, a clock that runs is no reason to stay: it goes on with whoever comes.
        """
        due = inf
        if not self._broadcaster and not self._bot_turns.choosing and not self._analysis_jobs.busy:
            due = self._last_active + self._context.limits.idle_seconds
        for moment in (
            self._clock.next_deadline(),
            self._broadcaster.next_disconnect(),
            self._contributions.deadline,
        ):
            if moment is not None and moment < due:
                due = moment
        return due

    async def _dispatch(self, item: _InboxItem | None) -> None:
        match item:
            case None:
                await self._on_tick()
            case _Request():
                await self._handle_request(item)
            case BotMove():
                self._bot_turns.on_handled(item)
                await self._apply_bot_move(item)
            case _HintReady():
                self._send_hint(item)
            case _GetRecord(answer):
                if not answer.done():
                    answer.set_result(self._state.record())
            case _AdminCommand():
                await self._run_admin_command(item)
            case _BotsChanged() | _Unsubscribed():
                # Where somebody has left, how long to wait is worked out anew as well.
                self._broadcaster.set_preparing(self._unready_bots())

    async def _run_admin_command(self, operated: _AdminCommand) -> None:
        refused: TableError | None = None
        try:
            await self._execute(operated.command)
        except TableError as error:
            refused = error.with_traceback(None)
        if operated.done.done():
            return
        if refused is None:
            operated.done.set_result(None)
        else:
            operated.done.set_exception(refused)

    async def _apply_bot_move(self, thought: BotMove) -> None:
        """Does what the computer chose, unless the person came back or acted meanwhile."""
        if self._state.seats[thought.seat].action_count == thought.move_number:
            with suppress(TableError):
                await self._execute(commands.BotAct(thought.seat, thought.action))

    async def _on_tick(self) -> None:
        now = self._context.now()
        self._broadcaster.on_tick()
        if self._contributions.deadline is not None and self._contributions.deadline <= now:
            await self._execute(self._contributions.closing_command(self._state))
        if self._clock.undo_expired(now):
            await self._execute(commands.ExpireUndo())
        due = self._clock.expired(now)
        if due:
            await self._execute(*(commands.TimeUp(seat, self._elapsed_ms(seat)) for seat in due))
            # Those for whom nothing is decided any more must not be due for ever.
            self._clock.update(self._state, now)
        elif self.idle and self._next_deadline() <= now:
            log.info("table_idle", table=short_id(self.id))
            self._evict()

    async def _handle_request(self, request: _Request) -> None:
        follower, message = request.follower, request.message
        self._last_active = self._context.now()
        try:
            self._check_access(follower, message)
            if isinstance(message, messages.Act):
                await self._execute(self._act_command(follower.person or "", message.action))
            elif isinstance(message, messages.ClaimRest):
                await self._execute(self._claim_rest_command(follower.person or ""))
            elif isinstance(message, messages.RequestHint):
                await self._request_hint(request)
                return  # acknowledged with the hint
            else:
                await self._handle_other(follower, message)
        except TableError as error:
            if message.seq != NO_ACK:
                self._context.metrics.errors[error.code] += 1
                follower.send(encode_message(_error_reply(error, message)))
            return
        except _AccessDeniedError:
            self._context.metrics.errors["unknown_table"] += 1
            seq = None if message.seq == NO_ACK else message.seq
            gone = messages.ErrorMessage("unknown_table", ERR_NO_SUCH_TABLE, seq, self.id)
            follower.send(encode_message(gone))
            return
        if message.seq == NO_ACK:
            return
        version = self._broadcaster.version_for(follower)
        ack = messages.Ack(seq=message.seq, table=self.id, version=version)
        follower.send(encode_message(ack))

    async def _handle_other(self, follower: Subscriber, message: TableMessage) -> None:
        """Does what is no action of the match.

        Raises:
            TableError: it cannot be done.
        """
        match message:
            case messages.Watch():
                self._subscribe(follower, message)
            case messages.Unwatch():
                self.unsubscribe(follower)
            case messages.CommitContributions() | messages.OpenContribution():
                await self._contribute(follower, message)
            case messages.SkipPause(to_end=to_end):
                person = follower.person or ""
                self._rate_limits.check_skip(person)
                self._bot_turns.skip_pause(self._state, person, to_end=to_end)
            case messages.SendPhrase() | messages.SendChat():
                self._rate_limits.check_chat(follower.person or "")
                await self._execute(self._command_for(follower.person or "", message))
            case _:
                self._rate_limits.check_change(follower.person or "", message)
                if isinstance(message, messages.AssignSeat):
                    await self._check_bot_exists(message)
                await self._execute(self._command_for(follower.person or "", message))

    # Deciding, committing, telling.

    async def _execute(self, *asked: commands.Command) -> None:
        """Does commands one after the other, commits what they led to, and tells it.

        Raises:
            TableError: one is refused; those before it are done.
        """
        before = self._table.version
        done, refused = self._apply_commands(*asked)
        if done:
            await self._context.store.append(self.id, before, done, self._state.progress)
            self._publish(done)
        if refused is not None:
            raise refused

    def _apply_commands(
        self, *asked: commands.Command
    ) -> tuple[list[events.Event], TableError | None]:
        """What commands lead to, one after the other, until one is refused; it has been applied."""
        done: list[events.Event] = []
        try:
            for command in asked:
                for event in self._table.execute(command, self._contributions.pack_source):
                    done.append(event)
                    self._broadcaster.stage()
                    self._contributions.on_event(event)
        except TableError as error:
            return done, error.with_traceback(None)
        return done, None

    def _publish(self, done: list[events.Event]) -> None:
        """Tells what has been kept."""
        self._clock.update(self._state, self._context.now())
        self._contributions.update(self._state)
        before, self.room = self.room, self._state.room()
        self._context.metrics.moves += sum([isinstance(one, events.Acted) for one in done])
        changed = self.room is not before
        if changed and any(isinstance(event, events.LinkRevoked) for event in done):
            self._broadcaster.evict_unauthorized(
                lambda one: self._state.may_access(one.person, None)
            )
        self._broadcaster.flush()
        if any(isinstance(event, events.LinkRevoked | events.TableClosed) for event in done):
            self._on_link_revoked(self.id)
        self._update_listed_since(done)
        if changed:
            self._broadcaster.set_preparing(self._unready_bots())

    def _update_listed_since(self, done: list[events.Event]) -> None:
        """A table is new in the list of published ones when it is first there, or begins."""
        first = self.room.published and not self._was_listed
        self._was_listed |= first
        if first or any(isinstance(event, events.MatchStarted) for event in done):
            self.listed_since = self._context.store.now()

    def _subscribe(self, follower: Subscriber, message: messages.Watch) -> None:
        if not follower.closed:
            self._broadcaster.subscribe(follower, message.since, message.seat)

    async def _contribute(
        self,
        follower: Subscriber,
        message: messages.CommitContributions | messages.OpenContribution,
    ) -> None:
        """Takes what a person adds to the chance of a pack.

        Raises:
            TableError: it is not what was asked for.
        """
        if self._contributions.receive(self._state, follower, message):
            await self._execute(self._contributions.closing_command(self._state))

    def _check_access(self, follower: Subscriber, message: TableMessage) -> None:
        """Keeps those out who have an old link only.

        Raises:
            _NotAdmittedError: to this one there is no such table.
        """
        if follower in self._broadcaster:
            return
        key = message.key if isinstance(message, messages.Watch) else None
        if not self._state.may_access(follower.person, key):
            raise _AccessDeniedError

    async def _check_bot_exists(self, message: messages.AssignSeat) -> None:
        """Makes sure that a seat is given to a computer player there is.

        Raises:
            TableError: there is none of this name that knows the game.
        """
        if message.bot is not None:
            known = (await self._context.bots_by_game())[self._state.created.game]
            if message.bot not in known:
                allowed = ", ".join(known)
                text = f"unknown computer player {message.bot!r}; there is {allowed}"
                raise TableError("bad_option", text)

    def _elapsed_ms(self, seat: int) -> int:
        """Milliseconds of a seat's turn, where they are counted."""
        if self._state.created.match_time is None:
            return 0
        return int(1000 * self._clock.elapsed(seat, self._context.now()))

    def _act_command(self, person: str, action: str) -> commands.Act:
        """The command to do an action, with the time that it took where that is counted."""
        return commands.Act(person, action, self._elapsed_ms_of(person))

    def _claim_rest_command(self, person: str) -> commands.ClaimRest:
        """The command to take the rest, with the time that it took where that is counted."""
        return commands.ClaimRest(person, self._elapsed_ms_of(person))

    def _elapsed_ms_of(self, person: str) -> int:
        """Milliseconds of a person's turn, where they are counted."""
        timed = self._state.created.match_time is not None
        seat = self._state.seat_of(person) if timed else None
        return 0 if seat is None else self._elapsed_ms(seat)

    def _command_for(self, person: str, message: TableMessage) -> commands.Command:
        """The command a request stands for.

        Raises:
            TableError: a nickname that cannot be shown, or somebody who is there after all.
        """
        if not isinstance(message, messages.TakeOverFor):
            return to_command(person, message)
        if not self._broadcaster.is_disconnected(message.seat):
            text = f"whoever holds seat {message.seat} is here, or was until a moment ago"
            raise TableError("wrong_phase", text)
        return commands.TakeOverFor(person, message.seat)

    def _time_left(self, seat: int) -> float | None:
        return self._clock.remaining(seat, self._context.now())

    def _unready_bots(self) -> list[bool]:
        """For each seat whether the computer player that plays it is not ready yet."""
        state, readiness = self._state, self._context.warmup
        players = [state.bot_for(seat) for seat in range(len(state.seats))]
        game = state.created.game
        return [one is not None and not readiness.is_ready(one, game) for one in players]

    # Trouble.

    def _answer_failure(
        self, item: _InboxItem | None, told: messages.ErrorMessage | None = None
    ) -> None:
        match item:
            case _Request(message=message) if message.seq != NO_ACK:
                failed = told or _internal_error(None, self.id)
                self._context.metrics.errors[failed.code] += 1
                error = msgspec.structs.replace(failed, seq=message.seq, table=self.id)
                item.follower.send(encode_message(error))
            case _HintReady(request=request):
                self._answer_failure(request, told)
            case _:
                pass

    async def _reload(self) -> None:
        """Builds the table anew from the store; when that fails, lets it go."""
        try:
            table = await self._load_table()
        except Exception as error:  # noqa: BLE001 - whatever it is, the table cannot go on
            if self.closed:
                return  # it leaves memory in any case
            log.error("table_lost", table=short_id(self.id), **describe_exception(error))
            self._broadcaster.broadcast(_internal_error(None, self.id))
            self._evict()
            return
        self._table, self._state = table, table.state
        self.room = self._state.room()
        self._clock = Clock()
        self._clock.update(self._state, self._context.now())
        self._contributions.reset(self._state)
        self._broadcaster.reset(self._state, table.delayed_state)
        table.delayed_state = None
        self._broadcaster.set_preparing(self._unready_bots())

    async def _load_table(self) -> Table:
        """The table as the store holds it.

        A store that is reached over a network is waited for: nobody else could read it either.

        Raises:
            StoreError: it cannot be read.
            ValueError: its log is damaged.
        """
        while True:
            try:
                log_of_table = await self._context.store.load(self.id)
            except StoreError:
                if self._context.lease_status is None or self.closed:
                    raise
                self._context.alerts.report("store_away", "table")
                self._reject_queued_requests()
                await asyncio.sleep(STORE_RETRY_S)
            else:
                return await asyncio.to_thread(Table.from_events, log_of_table)

    def _reject_queued_requests(self) -> None:
        """Answers those who wait while the store is away; what is no request waits on."""
        waiting, self._inbox = self._inbox, []
        for item in waiting:
            if isinstance(item, _Request):
                self._answer_failure(item, _unavailable_error(ERR_UNAVAILABLE))
                _resolve(item)
            else:
                self._inbox.append(item)

    def _evict(self) -> None:
        if not self.closed:
            self._reject_new()
            self._dispose()

    def _reject_new(self) -> None:
        """Takes nothing more; what waits is not done."""
        self.closed = True
        while self._inbox:
            item = self._inbox.pop(0)
            _resolve(item, taken=self._requeue(item))

    def _dispose(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._bot_turns.close()
        self._hints.close()
        self._analysis_jobs.close()
        self._broadcaster.close()
        self._on_evicted(self.id)

    # Hints.

    async def _request_hint(self, request: _Request) -> None:
        """Has a hint worked out; the table goes on meanwhile.

        Raises:
            TableError: whoever asks may have none now.
        """
        person = request.follower.person or ""

        async def tell(advised: ComputedHint) -> None:
            self._enqueue_own(_HintReady(request, advised))

        self._hints.request(self._state, person, tell)

    def _send_hint(self, item: _HintReady) -> None:
        """Tells a hint to the one who asked, unless the moment has passed."""
        follower, seq, hint = item.request.follower, item.request.message.seq, item.advised.hint
        if not item.advised.is_current(self._state):
            passed = TableError("wrong_phase", "the moment this hint was for has passed")
            follower.send(encode_message(_error_reply(passed, item.request.message)))
        elif hint is None:
            follower.send(encode_message(_internal_error(seq, self.id)))
        else:
            version = self._table.version
            told = messages.HintReply(self.id, version, hint.action, hint.reason, dict(hint.values))
            follower.send(encode_message(told))
            follower.send(encode_message(messages.Ack(seq=seq, table=self.id, version=version)))


def _is_request_with(item: _InboxItem, answered: OnAnswered) -> bool:
    return isinstance(item, _Request) and item.answered is answered


def _resolve(item: _InboxItem | None, *, taken: bool = True) -> None:
    """Lets whoever made a request make the next one; who has no answer yet gets none."""
    match item:
        case _Request(answered=tell):
            try:
                tell(taken)
            except Exception as error:  # noqa: BLE001 - it must not end the table of many
                log.error("answer_failed", **describe_exception(error))
        case _AdminCommand(done=waiting) | _GetRecord(answer=waiting) if not waiting.done():
            waiting.set_exception(StoreError("the table failed"))
        case _:
            pass


def _error_reply(error: TableError, message: TableMessage) -> messages.ErrorMessage:
    return messages.ErrorMessage(
        code=error.code,
        message=str(error),
        seq=message.seq,
        table=message.table,
        clause=error.clause,
        reason=error.reason,
        legal=error.legal,
    )


def _request_context(item: _InboxItem | None) -> dict[str, str]:
    """What a log line says of the request that something was done for."""
    return {"request": item.origin} if isinstance(item, _Request) and item.origin else {}


def _unavailable_error(text: str) -> messages.ErrorMessage:
    """What is told of a request that cannot be done, or of which it is not known."""
    return messages.ErrorMessage(code="busy", message=text)


def _internal_error(seq: int | None, table: str) -> messages.ErrorMessage:
    return messages.ErrorMessage(
        code="internal",
        message="the server could not do this and has noted it; nothing has changed",
        seq=seq,
        table=table,
    )

"""The actor of a table in memory: the only task that writes the table, and its subscribers.

Every request to the table waits in its inbox. The task processes one request at a time: it decides,
commits the events to the store, and only then publishes and acknowledges them. If the store refuses
the events, nothing is published, and the table is rebuilt from the log in the store.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, replace
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
from jasstisch.server.tables.client_sessions import ClientSession, ClientSessions
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
from jasstisch.server.tables.host_absence import HostAbsence
from jasstisch.server.tables.kept_seats import KeptSeats
from jasstisch.server.tables.rate_limits import TableRateLimits
from jasstisch.server.workers import BillingKey
from jasstisch.storage import ConflictError, OutcomeUnknownError, StoreError
from jasstisch.storage.leases import FencedError
from jasstisch.table import (
    AccessRules,
    Clock,
    RoomInfo,
    Table,
    TableError,
    commands,
    events,
    forget_person,
    turns,
)

_MAX_CONFLICT_RETRIES = 3
"""How many times a request is decided again after others have written to the table."""

_LEASE_WAIT_S = 2.0
"""How long a request waits for this node's lease to become valid again, in seconds."""

_RESYNC_TIMEOUT_S = 3.0
"""How long to wait until all subscribers see a table after a commit of unknown outcome, in
seconds."""

_STORE_RETRY_S = 0.25
"""Seconds before a failed load is retried, where several nodes share a store."""


class _AccessDeniedError(Exception):
    """The caller may not learn that this table exists."""


class _Request(Struct, frozen=True):
    """A client's request; `answered` gets False if the request was not accepted or executed."""

    subscriber: Subscriber
    message: TableMessage
    answered: OnAnswered
    origin: str


@dataclass(frozen=True, slots=True)
class _HintReady:
    request: _Request
    computed: ComputedHint


@dataclass(frozen=True, slots=True)
class _GetRecord:
    answer: "asyncio.Future[Record | None]"


@dataclass(frozen=True, slots=True)
class _AdminCommand:
    """A command of the server itself, which needs no permission from the host."""

    command: commands.AdminCommand
    done: "asyncio.Future[None]"


@dataclass(frozen=True, slots=True)
class _BotsChanged:
    """The set of bots that are ready, or that failed to get ready, has changed."""


@dataclass(frozen=True, slots=True)
class _Unsubscribed:
    """A connection has unsubscribed from the table."""


_InboxItem = (
    _Request | BotMove | _HintReady | _GetRecord | _AdminCommand | _BotsChanged | _Unsubscribed
)


class TableActor:
    """A table in memory.

    Args:
        table: the table, as the store holds it.
        context: the store, the random source, the bots and the clock.
        on_evicted: called when the table leaves memory.
        on_link_revoked: called when the table is closed or its link is renewed.

    Attributes:
        room: the room as last committed.
        listed_since: the time from which the table counts as new in the list of published tables,
            in seconds since 1970.
        closed: whether the table has left memory; callers must look it up again.
    """

    def __init__(
        self,
        table: Table,
        context: ServerContext,
        on_evicted: Callable[[str], None],
        on_link_revoked: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.id = table.state.creation_event.table
        self.room: RoomInfo = table.state.room()
        self.closed = False
        self._table = table
        self._state = table.state
        self._stored_rules: AccessRules | None = None
        self._context = context
        self._on_evicted = on_evicted
        self._on_link_revoked = on_link_revoked
        self._inbox: list[_InboxItem] = []
        self._wakeup: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = inf
        self._clock = Clock()
        self._clock.update(self._state, context.now())
        self._kept_seats = KeptSeats()
        self._kept_seats.update(self._state, context.now())
        self._broadcaster = Broadcaster(
            self._state, self._time_left, context.now, self._kept_seats, table.delayed_state
        )
        table.delayed_state = None
        self._host_absence = HostAbsence(self._broadcaster.is_person_connected, context.now)
        self._host_absence.update(self._state)
        self._last_active = context.now()
        self.listed_since, self._was_listed = context.store.now(), self.room.published
        self._rate_limits = TableRateLimits(context)
        self._bot_turns = BotTurns(context, self._enqueue_own)
        self._contributions = DealContributions(context)
        self._contributions.update_deadline(self._state)
        self._sessions = ClientSessions()
        self._failed_before = False
        self._stale = False
        self._busy = False
        self._executing = False
        self._hints = HintService(self.billing_key, context)
        self._analysis_jobs = AnalysisJobs(self.id, context, self._on_analysis_idle)
        self._broadcaster.announce_preparing_seats(self._unready_bots())
        # The task serves many requests, so it must not inherit the context of the request that
        # loaded the table.
        self._task = asyncio.create_task(self._run(), context=Context())

    @property
    def billing_key(self) -> BillingKey:
        """The account that pays for the computing time used at this table."""
        return BillingKey(self._state.host_settings.host or self.id, self.id)

    @property
    def is_idle(self) -> bool:
        """Whether the table has no subscribers and no work in progress."""
        rests = not self._bot_turns.is_choosing and not self._inbox and not self._busy
        return not self._broadcaster and rests and not self._analysis_jobs.is_busy

    @property
    def last_active(self) -> float:
        """The time of the last request to the table."""
        return self._last_active

    # The interface for connections, called in the thread of the event loop.

    async def may_access(
        self, person: str | None, key: str | None, match: int | None = None
    ) -> bool:
        """Whether a person may access the table and a match; see `TableHandle.may_access`."""
        return self._state.may_access(person, key, match)

    async def get_room(self) -> RoomInfo:
        """The room as last committed; see `TableHandle.get_room`."""
        return self.room

    async def get_room_for(self, person: str | None) -> RoomInfo:
        """The room as a person may see it; see `TableHandle.get_room_for`."""
        late = self._broadcaster.delayed_room(person)
        return self.room if late is None else late

    async def request(self, subscriber: Subscriber, message: TableMessage) -> bool:
        """Submits a request and waits until it is answered.

        The caller waits for the answer, so no single connection can fill the inbox.

        Returns:
            False if the inbox is full or the table has just left memory. The request has then not
            been executed and can be sent elsewhere.
        """
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def tell(taken: bool) -> None:
            if not answered.done():
                answered.set_result(taken)

        if not self.submit(subscriber, message, tell):
            return False
        try:
            return await answered
        except asyncio.CancelledError:
            # Nobody waits any more: drop the request unless it has started.
            self._inbox = [item for item in self._inbox if not _is_request_with(item, tell)]
            raise

    def join_session(self, subscriber: Subscriber, session_id: str, watch: int) -> None:
        """Tells the table of a connection's session, which it may know from another node only.

        Args:
            subscriber: the connection.
            session_id: its session.
            watch: the number of the first `watch` of the connection.
        """
        self._sessions.join(subscriber, session_id, watch)

    def has_subscriber(self, subscriber: Subscriber) -> bool:
        """Whether a connection is subscribed to the table."""
        return subscriber in self._broadcaster

    def submit(self, subscriber: Subscriber, message: TableMessage, answered: OnAnswered) -> bool:
        """Submits a request and calls `answered` later; returns False as `request` does."""
        return self._enqueue(_Request(subscriber, message, answered, CURRENT_REQUEST_ID.get()))

    async def get_record(self) -> Record | None:
        """The record of the finished match; None while a match runs.

        Raises:
            StoreError: the inbox is full, or the table has just left memory.
        """
        wanted = _GetRecord(asyncio.get_running_loop().create_future())
        if not self._enqueue(wanted):
            raise StoreError("the table is busy")
        return await wanted.answer

    async def analysis_status(self, match: int) -> AnalysisStatus:
        """The status of a match's analysis; see `TableHandle.analysis_status`."""
        return self._analysis_jobs.status(match)

    async def request_analysis(self, match: int, person: str) -> AnalysisStatus:
        """Starts the analysis of a match; see `TableHandle.request_analysis`.

        Raises:
            StoreError: the table has just left memory.
        """
        if self.closed:
            raise StoreError("the table has just left memory")
        return await self._analysis_jobs.request(self._state, match, person)

    def _on_analysis_idle(self) -> None:
        """Restarts the idle time: only subscribers keep the table in memory now."""
        self._last_active = self._context.now()
        self._wake()

    async def administer(self, command: commands.AdminCommand) -> None:
        """Executes a command that only the server may give; see `TableHandle.administer`.

        Raises:
            TableError: the command is not possible.
            StoreError: the command is not possible at the moment.
        """
        operated = _AdminCommand(command, asyncio.get_running_loop().create_future())
        if not self._enqueue(operated):
            raise StoreError("the table is busy")
        await operated.done

    @property
    def access_rules(self) -> AccessRules:
        """The rules by which the table admits people. Only the server may read them."""
        return self._state.access_rules

    @property
    def host(self) -> str | None:
        """The host of the table. Only the server may read it."""
        return self._state.host_settings.host

    @property
    def person_by_seat(self) -> list[str | None]:
        """The person in each seat; None for a bot or an open seat. Only the server may read it."""
        return [place.person for place in self._state.seats]

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Ends a connection's subscription to this table."""
        if self._broadcaster.unsubscribe(subscriber):
            self._contributions.on_disconnect(subscriber)
            self._host_absence.update(self._state)
            self._last_active = self._context.now()
            # Wake the task: it sleeps until the next deadline, and there may be none.
            self._enqueue(_Unsubscribed())

    def has_recent_member(self, seconds: float) -> bool:
        """Whether a member of the table is connected, or was within the last `seconds`."""
        return self._broadcaster.is_attended(seconds)

    def on_bots_changed(self) -> None:
        """Publishes that a bot at this table has become ready."""
        # If the inbox is full, the next event publishes it.
        self._enqueue(_BotsChanged())

    def invalidate(self) -> None:
        """Marks the table as stale, so that it is reloaded: others may have written to it."""
        self._stale = True
        self._wake()

    def evict(self, reason: messages.ErrorCode | None = None) -> None:
        """Removes the table from memory; everything acknowledged is in the store.

        Args:
            reason: the error code to send to the subscribers, if any.
        """
        if reason is not None:
            gone = messages.ErrorMessage(reason, "this table is no longer here", table=self.id)
            self._broadcaster.broadcast(gone)
        self._evict()
        self._task.cancel()

    async def drain(self) -> None:
        """Finishes the request in progress, rejects those that wait, and leaves memory."""
        if self.closed:
            return
        self._reject_new()
        if self._executing:
            await asyncio.wait([self._task])
        self._dispose()
        self._task.cancel()

    def _enqueue(self, item: _InboxItem) -> bool:
        # Nothing takes items out of the inbox of a closed table.
        if self.closed or len(self._inbox) >= self._context.limits.max_waiting_requests:
            return False
        self._enqueue_own(item)
        return True

    def _enqueue_own(self, item: _InboxItem) -> None:
        """Adds an item that the table itself requested; the limit of the inbox does not apply."""
        if not self.closed:
            self._inbox.append(item)
            self._wake()

    def _wake(self) -> None:
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)

    # The task.

    async def _run(self) -> None:
        self._schedule_bot_move()
        waited = False
        # After eviction: the exception would keep its traceback, and thus the table, alive.
        with suppress(asyncio.CancelledError):
            while not self.closed:
                if self._stale:
                    self._stale = False
                    await self._reload()
                    self._schedule_bot_move()
                    continue
                if not self._inbox:
                    due = self._next_deadline()
                    # Do not evict at once: a caller that has just found the table is about to send
                    # a request.
                    if not waited or due > self._context.now():
                        waited = True
                        await self._wait_until(due)
                        continue
                # Release the item: a table waits most of the time.
                await self._process(self._inbox.pop(0) if self._inbox else None)
                waited = False
                if not self._stale:
                    self._schedule_bot_move()

    def _schedule_bot_move(self) -> None:
        """Schedules the bot's next move, unless one is already scheduled or none is due."""
        if not self.closed:
            self._bot_turns.schedule(
                self._state, self.billing_key, after_failure=self._failed_before
            )

    async def _process(self, item: _InboxItem | None) -> None:
        """Processes an item and handles every failure."""
        self._busy = item is not None
        taken = True
        try:
            alone = self._context.lease_status is None and not self.closed
            if alone or await self._may_serve(item):
                self._executing = True
                # This is the hot path: each further call costs as much as one rule of the game.
                if isinstance(item, _Request):
                    await self._handle_request(item)
                else:
                    await self._dispatch(item)
                self._failed_before = False
            else:
                taken = self._on_not_served(item)
        except FencedError:
            taken = self._on_fenced(item)
        except ConflictError:
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
        """Handles a lost lease: nothing may be written, as another node may hold the table.

        If there is no other node, this node was considered dead and rejoins by itself.

        Returns:
            Whether the request has been answered.
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
        """Handles an item that cannot be processed now; returns whether it has been answered."""
        if self.closed:
            return self._requeue(item)
        if isinstance(item, BotMove):
            # The bot chooses its move again after a delay.
            self._bot_turns.on_move_failed()
            self._failed_before = True
        self._answer_failure(item, _unavailable_error(ERR_UNAVAILABLE))
        return True

    @property
    def _has_others(self) -> bool:
        """Whether another node may take over the table when this node loses its lease."""
        lease_status = self._context.lease_status
        return lease_status is not None and lease_status.has_other_servers

    def _requeue(self, item: _InboxItem | None) -> bool:
        """Leaves a request to the table's next owner; returns whether it is rejected instead."""
        waits = isinstance(item, _Request) and self._has_others
        if not waits:
            self._answer_failure(item)
        return not waits

    async def _may_serve(self, item: _InboxItem | None) -> bool:
        """Whether this node still holds the lease of the table, if the item requires it."""
        lease_status, writes = (
            self._context.lease_status,
            not isinstance(item, _BotsChanged | _Unsubscribed),
        )
        if lease_status is not None and writes and not lease_status.is_valid:
            settled = await lease_status.wait_valid(_LEASE_WAIT_S)
        else:
            settled = True
        # The table may have left memory meanwhile; then nothing has been executed.
        return settled and not self.closed

    async def _retry_after_conflict(self, item: _InboxItem | None) -> bool:
        """Retries an item after another writer's events; returns whether it has been answered.

        Repeated conflicts count as a failure like any other.
        """
        for left in reversed(range(_MAX_CONFLICT_RETRIES)):
            self._context.alerts.report("written_by_another", "table")
            await self._reload()
            if self.closed:
                return self._requeue(item)
            try:
                await self._dispatch(item)
            except FencedError:
                return self._on_fenced(item)
            except Exception as error:  # noqa: BLE001 - as at the first attempt
                if isinstance(error, ConflictError) and left:
                    continue
                await self._on_failure(item, error)
            else:
                self._failed_before = False
            break
        return True

    async def _on_failure(self, item: _InboxItem | None, error: Exception) -> None:
        """Answers an item that has failed and reloads the table from the store.

        The request may have been committed all the same. In that case it is answered when the
        subscribers have received the state in the store, unless that takes too long.
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
                async with asyncio.timeout(_RESYNC_TIMEOUT_S):
                    await self._reload()
            except TimeoutError:
                self._stale = True
            self._answer_failure(item, _unavailable_error(ERR_OUTCOME_UNKNOWN))
            return
        away = isinstance(error, StoreError) and self._context.lease_status is not None
        self._answer_failure(item, _unavailable_error(ERR_UNAVAILABLE) if away else None)
        self._stale = True

    def _wait_until(self, due: float) -> "asyncio.Future[None]":
        """A future that is done when an item arrives or at the time `due`."""
        # A timer that fires too early does no harm, and setting a later one at each move would be
        # expensive. Do not leave an item that is already due to a timer: the loop's clock may lag
        # behind.
        if due < self._timer_at or due <= self._context.now():
            self._set_timer(due)
        self._wakeup = asyncio.get_running_loop().create_future()
        return self._wakeup

    def _set_timer(self, due: float) -> None:
        """Sets the timer that wakes the task at the time `due`."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = due
        patience = max(0.0, due - self._context.now())
        self._timer = asyncio.get_running_loop().call_later(patience, self._on_timer)

    def _on_timer(self) -> None:
        self._timer, self._timer_at = None, inf
        self._wake()

    def _next_deadline(self) -> float:
        """The time of the next change without a request; infinity if there is none.

        Without subscribers, a running clock does not keep the table in memory: it continues for the
        next subscriber.
        """
        due = inf
        if (
            not self._broadcaster
            and not self._bot_turns.is_choosing
            and not self._analysis_jobs.is_busy
        ):
            due = self._last_active + self._context.limits.idle_seconds
        for moment in (
            self._clock.next_deadline(),
            self._broadcaster.next_presence_time(),
            self._host_absence.next_deadline(self._state),
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
                self._bot_turns.on_move_handled(item)
                await self._apply_bot_move(item)
            case _HintReady():
                self._send_hint(item)
            case _GetRecord(answer):
                if not answer.done():
                    answer.set_result(self._state.record())
            case _AdminCommand():
                await self._run_admin_command(item)
            case _BotsChanged() | _Unsubscribed():
                # After an unsubscription, the waiting times are computed again as well.
                self._broadcaster.announce_preparing_seats(self._unready_bots())

    async def _run_admin_command(self, operated: _AdminCommand) -> None:
        refused: TableError | None = None
        try:
            await self._execute(operated.command)
            if isinstance(operated.command, commands.ErasePerson):
                await self._forget(operated.command.person)
        except TableError as error:
            refused = error.with_traceback(None)
        if operated.done.done():
            return
        if refused is None:
            operated.done.set_result(None)
        else:
            operated.done.set_exception(refused)

    async def _forget(self, person: str) -> None:
        """Removes a person from the log of the table, and so from what its subscribers see.

        Raises:
            StoreError: the log cannot be read or written.
        """
        store = self._context.store
        log_of_table = await store.load(self.id)
        clean = await asyncio.to_thread(forget_person, log_of_table, person)
        rules = (await asyncio.to_thread(Table.from_events, clean)).state.access_rules
        await store.rewrite(self.id, log_of_table, clean, rules)
        await self._reload()

    async def _apply_bot_move(self, move: BotMove) -> None:
        """Applies the bot's move, unless the person has returned or acted in the meantime."""
        if self._state.seats[move.seat].action_count == move.move_number:
            with suppress(TableError):
                await self._execute(commands.BotAct(move.seat, move.action))

    async def _on_tick(self) -> None:
        now = self._context.now()
        self._broadcaster.announce_presence()
        if self._contributions.deadline is not None and self._contributions.deadline <= now:
            await self._execute(self._contributions.closing_command(self._state))
        if self._clock.undo_expired(now):
            await self._execute(commands.ExpireUndo())
        if (successor := self._host_absence.due_successor(self._state)) is not None:
            await self._execute(commands.ReplaceHost(successor))
        due = self._clock.expired_seats(now)
        if due:
            await self._execute(*(commands.TimeUp(seat, self._elapsed_ms(seat)) for seat in due))
            # Update the clock: a seat without a pending decision would stay due for ever.
            self._clock.update(self._state, now)
        elif self.is_idle and self._next_deadline() <= now:
            log.info("table_idle", table=short_id(self.id))
            self._evict()

    async def _handle_request(self, request: _Request) -> None:
        subscriber, message = request.subscriber, request.message
        self._last_active = self._context.now()
        reply: messages.Ack | messages.ErrorMessage | None
        session: ClientSession | None = None
        try:
            session = self._sessions.begin(subscriber, message)
            self._check_access(subscriber, message)
            reply = await self._execute_request(request)
        except TableError as error:
            reply = None if message.seq == NO_ACK else _error_reply(error, message)
        except _AccessDeniedError:
            seq = None if message.seq == NO_ACK else message.seq
            reply = messages.ErrorMessage("unknown_table", ERR_NO_SUCH_TABLE, seq, self.id)
        if session is not None:
            session.settled = message.seq
        if isinstance(reply, messages.ErrorMessage):
            self._context.metrics.errors[reply.code] += 1
        if reply is not None:
            subscriber.send(encode_message(reply))

    async def _execute_request(self, request: _Request) -> messages.Ack | None:
        """Executes a request; returns its acknowledgement, if it is due now.

        Raises:
            TableError: the request is refused.
        """
        subscriber, message = request.subscriber, request.message
        if isinstance(message, messages.Act):
            await self._execute(self._act_command(subscriber.person or "", message))
        elif isinstance(message, messages.ClaimRest):
            await self._execute(self._claim_rest_command(subscriber.person or ""))
        elif isinstance(message, messages.RequestHint):
            await self._request_hint(request)
            return None  # the hint acknowledges the request
        else:
            await self._handle_other(subscriber, message)
        if message.seq == NO_ACK:
            return None
        version = self._broadcaster.visible_version(subscriber)
        return messages.Ack(seq=message.seq, table=self.id, version=version)

    async def _handle_other(self, subscriber: Subscriber, message: TableMessage) -> None:
        """Handles a message that is not an action of the match.

        Raises:
            TableError: the message is not allowed.
        """
        match message:
            case messages.Watch():
                await self._subscribe(subscriber, message)
            case messages.Sit():
                self._rate_limits.check_seat_or_publish(subscriber.person or "", message)
                await self._execute(self._sit_command(subscriber.person or "", message))
            case messages.Unwatch():
                self.unsubscribe(subscriber)
            case messages.CommitContributions() | messages.OpenContribution():
                await self._contribute(subscriber, message)
            case messages.SkipPause(to_end=to_end):
                person = subscriber.person or ""
                self._rate_limits.check_pause_skip(person)
                self._bot_turns.skip_pause(self._state, person, to_end=to_end)
            case messages.SendPhrase() | messages.SendChat():
                self._rate_limits.check_chat(subscriber.person or "")
                await self._execute(self._command_for(subscriber.person or "", message))
            case _:
                self._rate_limits.check_seat_or_publish(subscriber.person or "", message)
                if isinstance(message, messages.AssignBot):
                    await self._check_bot_exists(message)
                await self._execute(self._command_for(subscriber.person or "", message))

    # Deciding, committing and publishing.

    async def _execute(self, *asked: commands.Command) -> None:
        """Executes commands in order, commits the resulting events and publishes them.

        Raises:
            TableError: a command was refused; the commands before it have taken effect.
        """
        before = self._table.version
        done, refused = self._apply_commands(*asked)
        if done:
            progress, rules = self._state.progress, self._state.access_rules
            changed = None if rules == self._stored_rules else rules
            await self._context.store.append(self.id, before, done, progress, changed)
            self._stored_rules = rules
            self._publish(done)
        if refused is not None:
            raise refused

    def _apply_commands(
        self, *asked: commands.Command
    ) -> tuple[list[events.Event], TableError | None]:
        """Applies commands in order until one is refused; returns the events and the refusal."""
        done: list[events.Event] = []
        try:
            for command in asked:
                for event in self._table.execute(command, self._contributions.pack_source):
                    done.append(event)
                    self._broadcaster.stage_event()
                    self._contributions.on_event(event)
        except TableError as error:
            return done, error.with_traceback(None)
        return done, None

    def _publish(self, done: list[events.Event]) -> None:
        """Publishes committed events."""
        self._clock.update(self._state, self._context.now())
        self._kept_seats.update(self._state, self._context.now())
        self._host_absence.update(self._state)
        self._contributions.update_deadline(self._state)
        before, self.room = self.room, self._state.room()
        self._context.metrics.moves += sum([isinstance(one, events.Acted) for one in done])
        changed = self.room is not before
        if changed and any(isinstance(event, events.LinkRevoked) for event in done):
            self._broadcaster.evict_unauthorized(
                lambda one: self._state.may_access(one.person, None)
            )
        self._broadcaster.flush()
        self._broadcaster.announce_presence()
        if any(isinstance(event, events.LinkRevoked | events.TableClosed) for event in done):
            self._on_link_revoked(self.id)
        self._update_listed_since(done)
        if changed:
            self._broadcaster.announce_preparing_seats(self._unready_bots())

    def _update_listed_since(self, done: list[events.Event]) -> None:
        """Updates `listed_since`: a table counts as new when it is first published, or starts."""
        first = self.room.published and not self._was_listed
        self._was_listed |= first
        if first or any(isinstance(event, events.MatchStarted) for event in done):
            self.listed_since = self._context.store.now()

    async def _subscribe(self, subscriber: Subscriber, message: messages.Watch) -> None:
        absent_host = self._state.host_settings.absent_host
        if absent_host is not None and subscriber.person == absent_host:
            await self._execute(commands.ReplaceHost(absent_host))
        if not subscriber.closed:
            self._broadcaster.subscribe(subscriber, message.since, message.seat)
            self._host_absence.update(self._state)
            if message.session is not None:
                self._resume_session(subscriber, message.session, message)

    def _resume_session(
        self, subscriber: Subscriber, session_id: str, message: messages.Watch
    ) -> None:
        begins = message.since is None
        settled = self._sessions.join(subscriber, session_id, message.seq, begins=begins)
        if settled is not None:
            subscriber.send(encode_message(messages.Settled(self.id, settled)))

    async def _contribute(
        self,
        subscriber: Subscriber,
        message: messages.CommitContributions | messages.OpenContribution,
    ) -> None:
        """Processes a person's contribution to the randomness of a deal.

        Raises:
            TableError: no such contribution is expected.
        """
        if self._contributions.receive(self._state, subscriber, message):
            await self._execute(self._contributions.closing_command(self._state))

    def _check_access(self, subscriber: Subscriber, message: TableMessage) -> None:
        """Rejects a subscriber whose link is no longer valid.

        Raises:
            _AccessDeniedError: to this person, the table does not exist.
        """
        if subscriber in self._broadcaster:
            return
        key = message.key if isinstance(message, messages.Watch) else None
        if not self._state.may_access(subscriber.person, key):
            raise _AccessDeniedError

    async def _check_bot_exists(self, message: messages.AssignBot) -> None:
        """Checks that the bot that is to get a seat exists.

        Raises:
            TableError: no bot of this name plays the game.
        """
        if message.bot is not None:
            known = (await self._context.bots_by_game())[self._state.creation_event.game]
            if message.bot not in known:
                allowed = ", ".join(known)
                text = f"unknown computer player {message.bot!r}; there is {allowed}"
                raise TableError("bad_option", text)

    def _elapsed_ms(self, seat: int) -> int:
        """The duration of a seat's turn in milliseconds, if it is measured."""
        if self._state.creation_event.match_time is None:
            return 0
        return int(1000 * self._clock.elapsed(seat, self._context.now()))

    def _sit_command(self, person: str, message: messages.Sit) -> commands.Sit:
        """The command for sitting down, which is only a request where the seat is kept."""
        command = self._command_for(person, message)
        assert isinstance(command, commands.Sit)
        kept = self._kept_seats.is_kept(message.seat, self._context.now())
        return replace(command, is_kept=kept)

    def _act_command(self, person: str, message: messages.Act) -> commands.Act:
        """The command for an action, with the time it took if that is measured."""
        return commands.Act(person, message.action, self._elapsed_ms_of(person), message.weis)

    def _claim_rest_command(self, person: str) -> commands.ClaimRest:
        """The command for claiming the remaining tricks, with the time it took if measured."""
        return commands.ClaimRest(person, self._elapsed_ms_of(person))

    def _elapsed_ms_of(self, person: str) -> int:
        """The duration of a person's turn in milliseconds, if it is measured."""
        timed = self._state.creation_event.match_time is not None
        seat = self._state.seats.seat_of(person) if timed else None
        return 0 if seat is None else self._elapsed_ms(seat)

    def _command_for(self, person: str, message: TableMessage) -> commands.Command:
        """The command that corresponds to a request.

        Raises:
            TableError: a nickname cannot be displayed, or a bot was to play for a person who is
                present.
        """
        if not isinstance(message, messages.LetBotTakeOver):
            return to_command(person, message)
        if not self._broadcaster.is_disconnected(message.seat):
            text = f"whoever holds seat {message.seat} is here, or was until a moment ago"
            raise TableError("wrong_phase", text)
        return commands.LetBotTakeOver(person, message.seat)

    def _time_left(self, seat: int) -> float | None:
        return self._clock.remaining(seat, self._context.now())

    def _unready_bots(self) -> list[bool]:
        """For each seat, whether the bot that plays it is not ready yet."""
        state, readiness = self._state, self._context.warmup
        players = [turns.bot_for(state, seat) for seat in range(len(state.seats))]
        game = state.creation_event.game
        return [one is not None and not readiness.is_ready(one, game) for one in players]

    # Failures.

    def _answer_failure(
        self, item: _InboxItem | None, reply: messages.ErrorMessage | None = None
    ) -> None:
        match item:
            case _Request(message=message) if message.seq != NO_ACK:
                failed = reply or _internal_error(None, self.id)
                self._context.metrics.errors[failed.code] += 1
                error = msgspec.structs.replace(failed, seq=message.seq, table=self.id)
                item.subscriber.send(encode_message(error))
            case _HintReady(request=request):
                self._answer_failure(request, reply)
            case _:
                pass

    async def _reload(self) -> None:
        """Rebuilds the table from the store; evicts it if that fails."""
        try:
            table = await self._load_table()
        except Exception as error:  # noqa: BLE001 - any failure evicts the table
            if self.closed:
                return  # the table leaves memory in any case
            log.error("table_lost", table=short_id(self.id), **describe_exception(error))
            self._broadcaster.broadcast(_internal_error(None, self.id))
            self._evict()
            return
        self._table, self._state = table, table.state
        self._stored_rules = None
        self.room = self._state.room()
        self._clock = Clock()
        self._clock.update(self._state, self._context.now())
        self._kept_seats.update(self._state, self._context.now())
        self._host_absence.update(self._state)
        self._contributions.restart_deadline(self._state)
        self._broadcaster.resend_after_rollback(self._state, table.delayed_state)
        table.delayed_state = None
        self._broadcaster.announce_preparing_seats(self._unready_bots())

    async def _load_table(self) -> Table:
        """The table as the store holds it.

        If the store is reached over a network, the load is retried: no other node could read it
        either.

        Raises:
            StoreError: the table cannot be read.
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
                await asyncio.sleep(_STORE_RETRY_S)
            else:
                return await asyncio.to_thread(Table.from_events, log_of_table)

    def _reject_queued_requests(self) -> None:
        """Rejects the queued requests while the store is unavailable; other items stay queued."""
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
        """Closes the inbox; the items that wait are not executed."""
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
        """Starts the computation of a hint; the table continues meanwhile.

        Raises:
            TableError: this person may not have a hint now.
        """
        person = request.subscriber.person or ""

        async def tell(computed: ComputedHint) -> None:
            self._enqueue_own(_HintReady(request, computed))

        self._hints.request(self._state, person, tell)

    def _send_hint(self, item: _HintReady) -> None:
        """Sends a hint to the person who asked for it, unless it is out of date."""
        subscriber, seq, hint = (
            item.request.subscriber,
            item.request.message.seq,
            item.computed.hint,
        )
        if not item.computed.is_current(self._state):
            passed = TableError("wrong_phase", "the moment this hint was for has passed")
            subscriber.send(encode_message(_error_reply(passed, item.request.message)))
        elif hint is None:
            subscriber.send(encode_message(_internal_error(seq, self.id)))
        else:
            version = self._table.version
            reply = messages.HintReply(
                self.id, version, hint.action, hint.reason, dict(hint.placeholder_values)
            )
            subscriber.send(encode_message(reply))
            subscriber.send(encode_message(messages.Ack(seq=seq, table=self.id, version=version)))


def _is_request_with(item: _InboxItem, answered: OnAnswered) -> bool:
    return isinstance(item, _Request) and item.answered is answered


def _resolve(item: _InboxItem | None, *, taken: bool = True) -> None:
    """Marks a request as answered, so that its sender may send the next one.

    If no answer has been sent, none will be.
    """
    match item:
        case _Request(answered=tell):
            try:
                tell(taken)
            except Exception as error:  # noqa: BLE001 - it must not stop the table
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
    """The log fields that identify the request behind an item."""
    return {"request": item.origin} if isinstance(item, _Request) and item.origin else {}


def _unavailable_error(text: str) -> messages.ErrorMessage:
    """The error message for a request that is impossible now or whose outcome is unknown."""
    return messages.ErrorMessage(code="busy", message=text)


def _internal_error(seq: int | None, table: str) -> messages.ErrorMessage:
    return messages.ErrorMessage(
        code="internal",
        message="the server could not do this and has noted it; nothing has changed",
        seq=seq,
        table=table,
    )

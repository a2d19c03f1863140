"""The proxy of a table for the clients of this node, wherever the table is.

The table is in memory here, or at the node that has leased it. The owner may change at any moment,
and clients need not notice. For each subscriber at another node, the proxy knows what it has
received, so that it receives the rest wherever the table is next. A request that was certainly not
executed is sent again to the new owner. If the outcome is unknown, the client gets an error that
says so, after a resynchronization.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal, Protocol

import msgspec

from jasstisch.match.record import Record
from jasstisch.server.api import messages
from jasstisch.server.cluster.messages import (
    AdminOperation,
    ForwardedRequest,
    NodeMessage,
    Response,
    TableCall,
    Unsubscribe,
    decode_room,
)
from jasstisch.server.cluster.proxied_subscriber import ProxiedSubscriber
from jasstisch.server.errors import ServerBusyError, TableNotFoundError
from jasstisch.server.observability import AlertLog
from jasstisch.server.tables import (
    ERR_NO_SUCH_TABLE,
    ERR_OUTCOME_UNKNOWN,
    ERR_UNAVAILABLE,
    NO_ACK,
    AnalysisStatus,
    OnAnswered,
    Subscriber,
    TableActor,
    TableMessage,
    TableRegistry,
    encode_message,
)
from jasstisch.storage import StoreError
from jasstisch.table import RoomInfo, TableError, commands

_REQUEST_TIMEOUT_S = 6.0
"""The timeout of a request in seconds; longer than a lease that nobody releases lasts."""

_ATTEMPT_TIMEOUT_S = 1.0
"""Seconds without a response after which an idempotent request is sent again."""

_RETRY_INTERVAL_S = 0.05
"""Seconds until a table that has just moved is located again."""

_RESYNC_TIMEOUT_S = 3.0
"""Additional time for the resynchronization of a client, in seconds."""

_ERR_OVERLOADED = "too much is asked of this table; try again"
"""The error text for a request that was not executed because too many wait."""

_MAX_SUBSCRIPTION_IDS = 4
"""How many recent subscription ids are kept: messages with the older ones may be on their way."""

_RequestOutcome = Literal["done", "full", "unknown", "elsewhere", "lost", "away"]
"""The outcome of a request; see `messages.Outcome`. `lost`: the outcome is unknown. `away`: no node
could be asked.
"""


_IDEMPOTENT = (messages.Watch, messages.Unwatch)
"""The messages that may be sent twice."""


class _MessageHeader(msgspec.Struct):
    """The fields of an encoded message that the proxy needs in order to forward it."""

    type: str
    version: int | None = None
    seat: int | None = None
    seq: int | None = None


_header_decoder = msgspec.json.Decoder(_MessageHeader)


class ProxyContext(Protocol):
    """The interface of the node that a proxy uses; see `ClusterNode`.

    Attributes:
        alerts: reports failures.
        now: returns seconds on a monotonic clock that includes suspended time.
        recovery_slots: limits how many tables are relocated at the same time.
        registry: the tables in the memory of this node.
        stopping: whether this node is releasing its tables.
    """

    alerts: AlertLog
    now: Callable[[], float]
    recovery_slots: asyncio.Semaphore
    registry: TableRegistry
    stopping: bool

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine as a background task."""

    def next_id(self) -> int:
        """A new id, unique on this node."""

    def register_subscription(
        self, number: int, proxy: "TableProxy", subscriber: ProxiedSubscriber
    ) -> None:
        """Routes the messages with a subscription id to a subscriber."""

    def unregister_subscription(self, number: int) -> None:
        """Drops the messages with a subscription id from now on."""

    def send(self, node: str, message: NodeMessage) -> bool:
        """Sends a message to a node; returns whether it has been sent."""

    async def request(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Sends a request to a node and waits for the response; see `PendingRequests.call`."""

    async def locate(self, table: str, address: str, deadline: float) -> TableActor | str:
        """Locates a table: in memory here, from now on, or at another node."""

    async def execute_local(self, actor: TableActor, call: TableCall) -> Any:  # noqa: ANN401 - as JSON has it
        """Executes a call on a table of this node."""


class TableProxy:
    """The proxy of a table; implements `TableHandle`.

    Args:
        table: the table's id.
        cluster: this node.

    Attributes:
        id: the table's id.
        node: the node that holds the table; None if it is this one or unknown.
        last_used: when the proxy was last used.
    """

    def __init__(self, table: str, cluster: ProxyContext) -> None:
        self.id = table
        self.node: str | None = None
        self.last_used = cluster.now()
        self._cluster = cluster
        self._subscribers: dict[Subscriber, ProxiedSubscriber] = {}
        self._locate_lock = asyncio.Lock()
        self._recovery_task: asyncio.Task[None] | None = None

    # The interface for connections and requests.

    async def request(self, subscriber: Subscriber, message: TableMessage) -> bool:
        """Forwards a request and waits until it is answered; see `TableHandle.request`."""
        self.last_used = self._cluster.now()
        proxied = self._subscribers.get(subscriber)
        if proxied is None:
            proxied = self._subscribers[subscriber] = ProxiedSubscriber(
                subscriber, self._cluster.next_id()
            )
        until = self._cluster.now() + _REQUEST_TIMEOUT_S
        if isinstance(message, messages.Watch):
            proxied.note_session(message)
        if isinstance(message, _IDEMPOTENT):
            async with proxied.resync_lock:
                return await self._request(proxied, message, until)
        return await self._request(proxied, message, until)

    def submit(self, subscriber: Subscriber, message: TableMessage, answered: OnAnswered) -> bool:
        """Forwards a request and calls `answered` later; see `TableHandle.submit`."""
        self._cluster.spawn(self._submit(subscriber, message, answered))
        return True

    async def _submit(
        self, subscriber: Subscriber, message: TableMessage, answered: OnAnswered
    ) -> None:
        if not await self.request(subscriber, message):
            full = messages.ErrorMessage("busy", _ERR_OVERLOADED, message.seq, self.id)
            subscriber.send(encode_message(full))
        answered(True)

    async def _request(
        self, subscriber: ProxiedSubscriber, message: TableMessage, deadline: float
    ) -> bool:
        harmless = isinstance(message, _IDEMPOTENT)
        while True:
            match await self._request_in_order(subscriber, message, deadline):
                case "done":
                    subscriber.remember_contribution(message)
                    return True
                case "full":
                    return False
                case "unknown":
                    return self._reject(subscriber, message, ERR_NO_SUCH_TABLE, "unknown_table")
                case "away":
                    return self._reject(subscriber, message, ERR_UNAVAILABLE)
                case "lost" if not harmless:
                    self._cluster.alerts.report("request_lost", "table")
                    await self._resync(subscriber, deadline + _RESYNC_TIMEOUT_S)
                    return self._reject(subscriber, message, ERR_OUTCOME_UNKNOWN)
                case _:
                    pass
            if self._cluster.now() > deadline:
                return self._reject(subscriber, message, ERR_UNAVAILABLE)
            await asyncio.sleep(_RETRY_INTERVAL_S)

    def has_subscriber(self, subscriber: Subscriber) -> bool:
        """Whether a connection is subscribed to the table; see `TableHandle.has_subscriber`."""
        proxied = self._subscribers.get(subscriber)
        return proxied is not None and proxied.wants_updates

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Ends a connection's subscription to this table."""
        proxied = self._subscribers.pop(subscriber, None)
        if proxied is not None:
            proxied.wants_updates = proxied.is_current = False
            self._unsubscribe_remote(proxied)
            actor = self._cluster.registry.get_local(self.id)
            if actor is not None:
                actor.unsubscribe(subscriber)

    async def may_access(
        self, person: str | None, key: str | None, match: int | None = None
    ) -> bool:
        """Whether a person may access the table and a match; see `TableHandle.may_access`."""
        return bool(await self._call("admits", person, key, match=match or 0))

    async def get_room(self) -> RoomInfo:
        """The room as last committed; see `TableHandle.get_room`."""
        return decode_room(await self._call("room"))

    async def get_room_for(self, person: str | None) -> RoomInfo:
        """The room as a person may see it; see `TableHandle.get_room_for`."""
        return decode_room(await self._call("room_for", person))

    async def get_record(self) -> Record | None:
        """The record of the finished match; see `TableHandle.get_record`."""
        record: Record | None = await self._call("record")
        return record

    async def analysis_status(self, match: int) -> AnalysisStatus:
        """The status of a match's analysis; see `TableHandle.analysis_status`."""
        return msgspec.convert(await self._call("analysis", match=match), AnalysisStatus)

    async def request_analysis(self, match: int, person: str) -> AnalysisStatus:
        """Starts the analysis of a match; see `TableHandle.request_analysis`."""
        status = await self._call("analyse", person, match=match)
        return msgspec.convert(status, AnalysisStatus)

    async def administer(self, command: commands.AdminCommand) -> None:
        """Executes a command that only the server may give; see `TableHandle.administer`."""
        match command:
            case commands.ErasePerson(person):
                refused = await self._call("erase", person)
            case commands.AdminRemoveNickname(seat):
                refused = await self._call("unname", seat=seat)
            case commands.AdminUnpublish():
                refused = await self._call("unlist")
            case _:
                refused = await self._call("shut")
        if refused:
            raise TableError(*refused)

    async def locate(self, address: str = "") -> None:
        """Locates the table.

        Raises:
            TableNotFoundError: the table does not exist.
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table cannot be read or reached.
        """
        await self._locate(self._cluster.now() + _REQUEST_TIMEOUT_S, address)

    # Events from other nodes.

    @property
    def is_unused(self) -> bool:
        """Whether no client of this node uses the table."""
        for subscriber in [one for one in self._subscribers if one.closed]:
            self.unsubscribe(subscriber)
        return not self._subscribers

    @property
    def has_subscribers(self) -> bool:
        """Whether a client of this node is subscribed."""
        return any(proxied.wants_updates for proxied in self._subscribers.values())

    def subscribed_nodes(self) -> set[str]:
        """The nodes where clients of this node are subscribed to the table."""
        return {proxied.node for proxied in self._subscribers.values() if proxied.node is not None}

    def subscriber_ids(self, node: str) -> list[int]:
        """The ids of the subscribers that a node knows."""
        return [proxied.id for proxied in self._subscribers.values() if proxied.node == node]

    def deliver(self, subscriber: ProxiedSubscriber, number: int, text: bytes) -> None:
        """Forwards a message of another node, unless it is outdated or reveals a gap."""
        header = _header_decoder.decode(text)
        now = subscriber.is_current and number == subscriber.subscription_ids[-1]
        match header:
            case _MessageHeader(type="ack" | "error" | "advice", seq=int(seq)):
                subscriber.open_requests.discard(seq)
            case _MessageHeader(type="error"):
                subscriber.wants_updates = subscriber.is_current = False
            case _MessageHeader(type="snapshot"):
                if number != subscriber.subscription_ids[-1]:
                    return
                subscriber.version, subscriber.seat = header.version, header.seat
            case _MessageHeader(type="event", version=int(version)):
                if number != subscriber.subscription_ids[-1] or subscriber.version is None:
                    return
                if version != subscriber.version + 1:
                    self.resubscribe(subscriber, missed=now and version > subscriber.version)
                    return
                subscriber.version = version
            case _MessageHeader(type="presence") if number != subscriber.subscription_ids[-1]:
                return
            case _:
                pass
        subscriber.connection.send(text)

    def resubscribe(
        self, subscriber: ProxiedSubscriber | None = None, *, missed: bool = True
    ) -> None:
        """Called when messages may have been lost: subscribers at other nodes subscribe again."""
        for one in [subscriber] if subscriber else self._subscribers.values():
            if missed and one.node is not None:
                one.is_current, one.missed_updates = False, True
        self._start_recovery()

    def on_owner_lost(self, node: str | None) -> None:
        """Called when a node, or this one (None), no longer holds the table; relocates it."""
        if node == self.node:
            self.node = None
        for proxied in self._subscribers.values():
            if proxied.node == node:
                # Also for a subscription that the node has confirmed before it released the table.
                proxied.is_current, proxied.missed_updates = False, True
                if node is None:
                    proxied.version = None  # this node has sent it
        self._start_recovery()

    def on_deleted(self) -> None:
        """Called when the table has been deleted and its subscribers have been notified."""
        for proxied in list(self._subscribers.values()):
            self._unsubscribe_remote(proxied)
        self._subscribers.clear()

    def close(self) -> None:
        """Stops the recovery, because this node shuts down."""
        if self._recovery_task is not None:
            self._recovery_task.cancel()

    # Location.

    async def _locate(self, deadline: float, address: str = "") -> TableActor | str:
        actor = self._cluster.registry.get_local(self.id)
        if actor is not None:
            return actor
        async with self._locate_lock:
            if self.node is None:
                place = await self._cluster.locate(self.id, address, deadline)
                if isinstance(place, TableActor):
                    return place
                self.node = place
            return self.node

    def _forget_owner(self, place: TableActor | str) -> None:
        """Forgets the location of the table, which was wrong."""
        if place == self.node:
            self.on_owner_lost(self.node)

    # Forwarding requests.

    async def _request_in_order(
        self, subscriber: ProxiedSubscriber, message: TableMessage, deadline: float
    ) -> _RequestOutcome:
        """Sends a request to the table's owner, after the subscriber has been resynchronized."""
        if not isinstance(message, _IDEMPOTENT) and subscriber.needs_resync:
            await self._resync(subscriber, deadline)
            if subscriber.needs_resync:
                return "away"
        try:
            return await self._attempt(subscriber, message, deadline)
        except TableNotFoundError:
            return "unknown"
        except (ServerBusyError, StoreError):
            return "away"

    async def _attempt(
        self, subscriber: ProxiedSubscriber, message: TableMessage, deadline: float
    ) -> _RequestOutcome:
        place = await self._locate(deadline)
        if subscriber.connection.closed:
            return "away"  # a closed connection would never unsubscribe
        if isinstance(place, TableActor):
            outcome = await self._request_local(place, subscriber, message, deadline)
        else:
            outcome = await self._request_remote(place, subscriber, message, deadline)
            if outcome in ("elsewhere", "lost") and not subscriber.connection.closed:
                self._forget_owner(place)
        if subscriber.needs_resync:  # the table was not where the subscription is
            self._start_recovery()
        return outcome

    async def _request_local(
        self,
        actor: TableActor,
        subscriber: ProxiedSubscriber,
        message: TableMessage,
        deadline: float,
    ) -> _RequestOutcome:
        self._unsubscribe_remote(subscriber)
        session, first = subscriber.session or (None, 0)
        if session is not None and message.seq != first:  # the first `watch` joins by itself
            actor.join_session(subscriber.connection, session, first)
        try:
            async with asyncio.timeout(deadline - self._cluster.now()):
                taken = await actor.request(subscriber.connection, message)
        except TimeoutError:
            return "lost"  # the store does not respond
        if not taken:
            return "elsewhere" if actor.closed else "full"
        if isinstance(message, _IDEMPOTENT):
            subscriber.wants_updates = subscriber.is_current = actor.has_subscriber(
                subscriber.connection
            )
            subscriber.version = None
            subscriber.key = message.key if isinstance(message, messages.Watch) else None
        return "done"

    async def _request_remote(
        self, node: str, subscriber: ProxiedSubscriber, message: TableMessage, deadline: float
    ) -> _RequestOutcome:
        watch = isinstance(message, messages.Watch)
        if isinstance(message, messages.Watch):
            subscriber.version, subscriber.seat, subscriber.key = (
                message.since,
                message.seat,
                message.key,
            )
        self._subscribe_at(subscriber, node, watch=watch)
        quiet = message.seq == NO_ACK
        body = _encode_request(message)
        session, first = subscriber.session or (None, 0)
        if not quiet:
            subscriber.open_requests.add(message.seq)

        def question(request: int) -> ForwardedRequest:
            person = subscriber.connection.person
            number = subscriber.subscription_ids[-1]
            return ForwardedRequest(
                request,
                subscriber.id,
                number,
                self.id,
                person,
                body,
                quiet=quiet,
                session=session,
                watch=first,
            )

        seconds = deadline - self._cluster.now()
        harmless = isinstance(message, _IDEMPOTENT)
        try:
            answer = await self._cluster.request(
                node, question, min(seconds, _ATTEMPT_TIMEOUT_S) if harmless else seconds
            )
            return self._outcome(subscriber, message, answer)
        finally:
            subscriber.open_requests.discard(message.seq)

    def _outcome(
        self, subscriber: ProxiedSubscriber, message: TableMessage, answer: Response | None
    ) -> _RequestOutcome:
        """The outcome of a request to another node, from its response."""
        if answer is None or answer.outcome == "failed":
            return "lost"
        if answer.outcome != "done":
            return answer.outcome
        hinted = isinstance(message, messages.RequestHint)
        if message.seq in subscriber.open_requests and not hinted:
            return "lost"  # the reply to the client was lost
        if isinstance(message, messages.Watch):
            known = not answer.follows or (
                subscriber.version is not None and not subscriber.missed_updates
            )
            subscriber.wants_updates, subscriber.is_current = (
                answer.follows,
                answer.follows and known,
            )
            return "done" if known else "lost"
        if isinstance(message, messages.Unwatch):
            subscriber.wants_updates = subscriber.is_current = False
        return "done"

    def _subscribe_at(self, subscriber: ProxiedSubscriber, node: str, *, watch: bool) -> None:
        """Subscribes at a node; a new subscription gets a new id."""
        if subscriber.node != node:
            self._unsubscribe_remote(subscriber)
            actor = self._cluster.registry.get_local(self.id)
            if actor is not None:
                actor.unsubscribe(subscriber.connection)
        elif not watch:
            return
        subscriber.node, subscriber.missed_updates = node, False
        subscriber.subscription_ids.append(self._cluster.next_id())
        self._cluster.register_subscription(subscriber.subscription_ids[-1], self, subscriber)
        for old in subscriber.subscription_ids[:-_MAX_SUBSCRIPTION_IDS]:
            self._cluster.unregister_subscription(old)
        del subscriber.subscription_ids[:-_MAX_SUBSCRIPTION_IDS]

    def _unsubscribe_remote(self, subscriber: ProxiedSubscriber) -> None:
        if subscriber.node is None:
            return
        self._cluster.send(subscriber.node, Unsubscribe([subscriber.id]))
        subscriber.node, subscriber.is_current = None, False
        for old in subscriber.subscription_ids:
            self._cluster.unregister_subscription(old)
        subscriber.subscription_ids.clear()

    def _reject(
        self,
        subscriber: ProxiedSubscriber,
        message: TableMessage,
        text: str,
        code: Literal["busy", "unknown_table"] = "busy",
    ) -> bool:
        if code == "unknown_table":
            subscriber.wants_updates = subscriber.is_current = False
        error = messages.ErrorMessage(code, text, message.seq, self.id)
        subscriber.connection.send(encode_message(error))
        return True

    # Resynchronization.

    async def _resync(self, subscriber: ProxiedSubscriber, deadline: float) -> None:
        """Brings a subscriber up to date, wherever the table is, as far as possible."""
        while subscriber.needs_resync and not subscriber.connection.closed:
            async with subscriber.resync_lock:
                if not subscriber.is_current:
                    await self._rewatch(subscriber, deadline)
            if subscriber.is_current:
                await self._resend_contributions(subscriber, deadline)
            if self._cluster.now() > deadline:
                return
            if not subscriber.is_current:
                await asyncio.sleep(_RETRY_INTERVAL_S)

    async def _rewatch(self, subscriber: ProxiedSubscriber, deadline: float) -> None:
        again = messages.Watch(NO_ACK, self.id, subscriber.version, subscriber.seat, subscriber.key)
        with suppress(ServerBusyError, StoreError):
            try:
                outcome = await self._attempt(subscriber, again, deadline)
            except TableNotFoundError:
                outcome = "unknown"
            if outcome == "unknown":
                subscriber.wants_updates = False
                gone = messages.ErrorMessage("unknown_table", ERR_NO_SUCH_TABLE, table=self.id)
                subscriber.connection.send(encode_message(gone))

    async def _resend_contributions(self, subscriber: ProxiedSubscriber, deadline: float) -> None:
        """Sends a subscriber's contributions to the deals to the new owner of the table.

        The client does not notice that the table has moved, and would be left out until then. The
        table rejects outdated contributions; the client is not notified.
        """
        opened = () if subscriber.last_opening is None else (subscriber.last_opening,)
        with suppress(ServerBusyError, StoreError, TableNotFoundError):
            for message in (*opened, *subscriber.commits.values()):
                again = msgspec.structs.replace(message, seq=NO_ACK)
                if await self._attempt(subscriber, again, deadline) != "done":
                    return

    def _start_recovery(self) -> None:
        """Starts the resynchronization of all subscribers that need it."""
        if self._cluster.stopping or not self.has_subscribers:
            return
        if self._recovery_task is None or self._recovery_task.done():
            self._recovery_task = asyncio.create_task(self._resync_all())

    async def _resync_all(self) -> None:
        while True:
            behind = [one for one in self._subscribers.values() if one.needs_resync]
            if not behind:
                return
            async with self._cluster.recovery_slots:
                until = self._cluster.now() + _REQUEST_TIMEOUT_S
                await asyncio.gather(*(self._resync(proxied, until) for proxied in behind))

    # Calls.

    async def _call(
        self,
        what: Literal[
            "admits", "room", "room_for", "record", "analysis", "analyse", AdminOperation
        ],
        person: str | None = None,
        key: str | None = None,
        seat: int | None = None,
        match: int = 0,
    ) -> Any:  # noqa: ANN401 - as JSON has it
        """Makes an idempotent call on the table.

        Raises:
            TableNotFoundError: the table does not exist.
            StoreError: no node could be reached.
        """
        self.last_used = self._cluster.now()
        until = self._cluster.now() + _REQUEST_TIMEOUT_S

        def question(request: int) -> TableCall:
            return TableCall(request, self.id, what, person, key, seat, match=match)

        while self._cluster.now() < until:
            place = await self._locate(until)
            if isinstance(place, TableActor):
                with suppress(StoreError):  # the table has moved
                    return await self._cluster.execute_local(place, question(0))
            else:
                answer = await self._cluster.request(place, question, _ATTEMPT_TIMEOUT_S)
                if answer is not None and answer.outcome == "done":
                    return msgspec.json.decode(answer.body)
                if answer is not None and answer.outcome == "unknown":
                    raise TableNotFoundError(self.id)
                self._forget_owner(place)
            await asyncio.sleep(_RETRY_INTERVAL_S)
        raise StoreError("the table cannot be reached now")


def _encode_request(message: TableMessage) -> bytes:
    """Encodes a request as a client sends it, without the session of a `watch`."""
    known = msgspec.structs.replace(message, seq=max(0, message.seq))
    encoded = msgspec.to_builtins(known)
    encoded.pop("session", None)
    return msgspec.json.encode(encoded)

"""A table as it is reached from this node, for those whose connections are here.

It is in memory here, or at the node that has leased it; who has it may change at any moment, and
nobody need notice. Each of those who follow it is a guest: of one at another node it is known what
he has been shown, so that he is shown the rest wherever the table is next. What has surely not been
done is asked again there; where nobody knows, he is told so, after he has been shown how it stands.
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
)
from jasstisch.server.cluster.proxied_subscriber import ProxiedSubscriber
from jasstisch.server.cluster.room_decoding import decode_room
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
from jasstisch.table import Room, TableError, commands

__all__ = ["ProxyNode", "TableProxy"]

REQUEST_TIMEOUT_S = 6.0
"""So long a request may wait for a table; longer than a lease lasts that nobody gives back."""

ATTEMPT_TIMEOUT_S = 1.0
"""After so long without an answer one asks again, where asking twice does no harm."""

RETRY_INTERVAL_S = 0.05
"""Seconds until the table is asked for again where it has just moved."""

RESYNC_TIMEOUT_S = 3.0
"""So much longer it may take until somebody is shown how a table stands."""

ERR_OVERLOADED = "too much is asked of this table; try again"
"""What is told of a request that has not been done, as too many wait already."""

MAX_SUBSCRIPTION_IDS = 4
"""So many of the numbers a guest has had are known still: answers may be on their way."""

RequestOutcome = Literal["done", "full", "unknown", "elsewhere", "lost", "away"]
"""What has become of a request; see `talk.Outcome`. Nobody knows what has become of a lost one;
nobody could be asked for one that is away."""


IDEMPOTENT = (messages.Watch, messages.Unwatch)
"""What may be asked twice."""


class _MessageHeader(msgspec.Struct):
    """What must be known of a text to pass it on."""

    type: str
    version: int | None = None
    seat: int | None = None
    seq: int | None = None


_header_decoder = msgspec.json.Decoder(_MessageHeader)


class ProxyNode(Protocol):
    """What a proxy needs of the node it is at; see `ClusterNode`.

    Attributes:
        alerts: where trouble is noted.
        now: seconds on a clock that never goes back nor stands still.
        recovery_slots: lets some tables at a time be found anew.
        registry: the tables in the memory of this node.
        stopping: this node gives its tables back.
    """

    alerts: AlertLog
    now: Callable[[], float]
    recovery_slots: asyncio.Semaphore
    registry: TableRegistry
    stopping: bool

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Has something done beside what is being done."""

    def next_id(self) -> int:
        """A number that nobody has had."""

    def register_subscription(
        self, number: int, route: "TableProxy", guest: ProxiedSubscriber
    ) -> None:
        """From now on a subscriber is told what comes under a number."""

    def unregister_subscription(self, number: int) -> None:
        """Nobody is told any more what comes under a number."""

    def send(self, node: str, message: NodeMessage) -> bool:
        """Says something to a node; whether it is on its way."""

    async def request(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Asks a node something; see `PendingRequests.call`."""

    async def locate(self, table: str, address: str, until: float) -> TableActor | str:
        """Where a table is: in memory here, from now on, or at another node."""

    async def execute_local(self, live: TableActor, call: TableCall) -> Any:  # noqa: ANN401 - as JSON has it
        """Does what is called for at a table of this node."""


class TableProxy:
    """A table as it is reached from this node; see `Hosted`.

    Args:
        table: its id.
        cluster: this node among others.

    Attributes:
        id: the table's id.
        node: which node has it; None where it is here, or that is not known.
        used: when somebody last asked for it.
    """

    def __init__(self, table: str, cluster: ProxyNode) -> None:
        self.id = table
        self.node: str | None = None
        self.last_used = cluster.now()
        self._cluster = cluster
        self._subscribers: dict[Subscriber, ProxiedSubscriber] = {}
        self._locate_lock = asyncio.Lock()
        self._recovery_task: asyncio.Task[None] | None = None

    # For connections and calls.

    async def request(self, follower: Subscriber, message: TableMessage) -> bool:
        """Has a request done and answered, wherever the table is; see `Hosted.ask`."""
        self.last_used = self._cluster.now()
        guest = self._subscribers.get(follower)
        if guest is None:
            guest = self._subscribers[follower] = ProxiedSubscriber(
                follower, self._cluster.next_id()
            )
        until = self._cluster.now() + REQUEST_TIMEOUT_S
        if isinstance(message, IDEMPOTENT):
            async with guest.resync_lock:
                return await self._request(guest, message, until)
        return await self._request(guest, message, until)

    def submit(self, follower: Subscriber, message: TableMessage, answered: OnAnswered) -> bool:
        """Has a request done, and tells when it is answered; see `Hosted.post`."""
        self._cluster.spawn(self._submit(follower, message, answered))
        return True

    async def _submit(
        self, follower: Subscriber, message: TableMessage, answered: OnAnswered
    ) -> None:
        if not await self.request(follower, message):
            full = messages.ErrorMessage("busy", ERR_OVERLOADED, message.seq, self.id)
            follower.send(encode_message(full))
        answered(True)

    async def _request(self, guest: ProxiedSubscriber, message: TableMessage, until: float) -> bool:
        harmless = isinstance(message, IDEMPOTENT)
        while True:
            match await self._request_in_order(guest, message, until):
                case "done":
                    guest.remember_contribution(message)
                    return True
                case "full":
                    return False
                case "unknown":
                    return self._reject(guest, message, ERR_NO_SUCH_TABLE, "unknown_table")
                case "away":
                    return self._reject(guest, message, ERR_UNAVAILABLE)
                case "lost" if not harmless:
                    self._cluster.alerts.report("request_lost", "table")
                    await self._resync(guest, until + RESYNC_TIMEOUT_S)
                    return self._reject(guest, message, ERR_OUTCOME_UNKNOWN)
                case _:
                    pass
            if self._cluster.now() > until:
                return self._reject(guest, message, ERR_UNAVAILABLE)
            await asyncio.sleep(RETRY_INTERVAL_S)

    def unsubscribe(self, follower: Subscriber) -> None:
        """Stops telling a connection about this table."""
        guest = self._subscribers.pop(follower, None)
        if guest is not None:
            guest.wants_updates = guest.is_current = False
            self._unsubscribe_remote(guest)
            live = self._cluster.registry.get_local(self.id)
            if live is not None:
                live.unsubscribe(follower)

    async def may_access(
        self, person: str | None, key: str | None, match: int | None = None
    ) -> bool:
        """Whether somebody may know of the table, and of a match; see `Hosted.admits`."""
        return bool(await self._call("admits", person, key, match=match or 0))

    async def get_room(self) -> Room:
        """The room as last committed; see `Hosted.look`."""
        return decode_room(await self._call("room"))

    async def get_room_for(self, person: str | None) -> Room:
        """The room as somebody may see it; see `Hosted.look_as`."""
        return decode_room(await self._call("room_for", person))

    async def record(self) -> Record | None:
        """The record of the match that is over; see `Hosted.record`."""
        record: Record | None = await self._call("record")
        return record

    async def analysis_status(self, match: int) -> AnalysisStatus:
        """How it stands with the analysis of a match; see `Hosted.analysis`."""
        return msgspec.convert(await self._call("analysis", match=match), AnalysisStatus)

    async def request_analysis(self, match: int, person: str) -> AnalysisStatus:
        """Has a match analysed; see `Hosted.analyse`."""
        standing = await self._call("analyse", person, match=match)
        return msgspec.convert(standing, AnalysisStatus)

    async def administer(self, command: commands.AdminCommand) -> None:
        """Has something done that only the server may; see `Hosted.operate`."""
        match command:
            case commands.ErasePerson(person):
                refused = await self._call("forget", person)
            case commands.AdminRemoveNickname(seat):
                refused = await self._call("unname", seat=seat)
            case commands.AdminUnpublish():
                refused = await self._call("unlist")
            case _:
                refused = await self._call("shut")
        if refused:
            raise TableError(*refused)

    async def locate(self, address: str = "") -> None:
        """Finds out where the table is.

        Raises:
            TableNotFoundError: there is none.
            ServerBusyError: too many tables are in memory, or in use at this address.
            StoreError: it cannot be read, or reached.
        """
        await self._locate(self._cluster.now() + REQUEST_TIMEOUT_S, address)

    # What others say of it.

    @property
    def is_unused(self) -> bool:
        """Whether nobody here asks for it."""
        for follower in [one for one in self._subscribers if one.closed]:
            self.unsubscribe(follower)
        return not self._subscribers

    @property
    def has_subscribers(self) -> bool:
        """Whether somebody here follows it."""
        return any(guest.wants_updates for guest in self._subscribers.values())

    def owner_nodes(self) -> set[str]:
        """The nodes that tell somebody here of it."""
        return {guest.node for guest in self._subscribers.values() if guest.node is not None}

    def subscriber_ids(self, node: str) -> list[int]:
        """Those of here who are known to a node."""
        return [guest.id for guest in self._subscribers.values() if guest.node == node]

    def deliver(self, guest: ProxiedSubscriber, number: int, text: bytes) -> None:
        """Passes on what another node tells a guest, unless he knows it or it has gaps."""
        glance = _header_decoder.decode(text)
        now = guest.is_current and number == guest.subscription_ids[-1]
        match glance:
            case _MessageHeader(type="ack" | "error" | "advice", seq=int(seq)):
                guest.open_requests.discard(seq)
            case _MessageHeader(type="error"):
                guest.wants_updates = guest.is_current = False
            case _MessageHeader(type="snapshot"):
                if number != guest.subscription_ids[-1]:
                    return
                guest.version, guest.seat = glance.version, glance.seat
            case _MessageHeader(type="event", version=int(version)):
                if number != guest.subscription_ids[-1] or guest.version is None:
                    return
                if version != guest.version + 1:
                    self.resubscribe(guest, missed=now and version > guest.version)
                    return
                guest.version = version
            case _MessageHeader(type="presence") if number != guest.subscription_ids[-1]:
                return
            case _:
                pass
        guest.connection.send(text)

    def resubscribe(self, guest: ProxiedSubscriber | None = None, *, missed: bool = True) -> None:
        """Something may have been missed: guests of another node watch anew."""
        for one in [guest] if guest else self._subscribers.values():
            if missed and one.node is not None:
                one.is_current, one.missed_updates = False, True
        self._start_recovery()

    def on_owner_lost(self, node: str | None) -> None:
        """A node, or this one (None), has the table no more: all watch it where it is next."""
        if node == self.node:
            self.node = None
        for guest in self._subscribers.values():
            if guest.node == node:
                guest.is_current = False
                if node is None:
                    guest.version = None  # it was told him here
        self._start_recovery()

    def on_deleted(self) -> None:
        """There is no such table any more, and whoever follows it has been told."""
        for guest in list(self._subscribers.values()):
            self._unsubscribe_remote(guest)
        self._subscribers.clear()

    def close(self) -> None:
        """This node ends."""
        if self._recovery_task is not None:
            self._recovery_task.cancel()

    # Where it is.

    async def _locate(self, until: float, address: str = "") -> TableActor | str:
        live = self._cluster.registry.get_local(self.id)
        if live is not None:
            return live
        async with self._locate_lock:
            if self.node is None:
                place = await self._cluster.locate(self.id, address, until)
                if isinstance(place, TableActor):
                    return place
                self.node = place
            return self.node

    def _forget_owner(self, place: TableActor | str) -> None:
        """The table is not where it was thought to be."""
        if place == self.node:
            self.on_owner_lost(self.node)

    # Asking for somebody.

    async def _request_in_order(
        self, guest: ProxiedSubscriber, message: TableMessage, until: float
    ) -> RequestOutcome:
        """Asks where the table is, once the guest has been shown how it stands there."""
        if not isinstance(message, IDEMPOTENT) and guest.needs_resync:
            await self._resync(guest, until)
            if guest.needs_resync:
                return "away"
        try:
            return await self._attempt(guest, message, until)
        except TableNotFoundError:
            return "unknown"
        except (ServerBusyError, StoreError):
            return "away"

    async def _attempt(
        self, guest: ProxiedSubscriber, message: TableMessage, until: float
    ) -> RequestOutcome:
        place = await self._locate(until)
        if guest.connection.closed:
            return "away"  # and would never leave
        if isinstance(place, TableActor):
            return await self._request_local(place, guest, message, until)
        fate = await self._request_remote(place, guest, message, until)
        if fate in ("elsewhere", "lost") and not guest.connection.closed:
            self._forget_owner(place)
        return fate

    async def _request_local(
        self, live: TableActor, guest: ProxiedSubscriber, message: TableMessage, until: float
    ) -> RequestOutcome:
        self._unsubscribe_remote(guest)
        try:
            async with asyncio.timeout(until - self._cluster.now()):
                taken = await live.request(guest.connection, message)
        except TimeoutError:
            return "lost"  # the store does not answer
        if not taken:
            return "elsewhere" if live.closed else "full"
        if isinstance(message, IDEMPOTENT):
            guest.wants_updates = guest.is_current = live.has_subscriber(guest.connection)
            guest.version = None
            guest.key = message.key if isinstance(message, messages.Watch) else None
        return "done"

    async def _request_remote(
        self, node: str, guest: ProxiedSubscriber, message: TableMessage, until: float
    ) -> RequestOutcome:
        watch = isinstance(message, messages.Watch)
        if isinstance(message, messages.Watch):
            guest.version, guest.seat, guest.key = message.since, message.seat, message.key
        self._subscribe_at(guest, node, anew=watch)
        quiet = message.seq == NO_ACK
        body = encode_request(message)
        if not quiet:
            guest.open_requests.add(message.seq)

        def question(request: int) -> ForwardedRequest:
            person = guest.connection.person
            number = guest.subscription_ids[-1]
            return ForwardedRequest(request, guest.id, number, self.id, person, body, quiet=quiet)

        seconds = until - self._cluster.now()
        harmless = isinstance(message, IDEMPOTENT)
        try:
            answer = await self._cluster.request(
                node, question, min(seconds, ATTEMPT_TIMEOUT_S) if harmless else seconds
            )
            return self._outcome(guest, message, answer)
        finally:
            guest.open_requests.discard(message.seq)

    def _outcome(
        self, guest: ProxiedSubscriber, message: TableMessage, answer: Response | None
    ) -> RequestOutcome:
        """What has become of a request to another node, by its answer."""
        if answer is None or answer.outcome == "failed":
            return "lost"
        if answer.outcome != "done":
            return answer.outcome
        hinted = isinstance(message, messages.RequestHint)
        if message.seq in guest.open_requests and not hinted:
            return "lost"  # what was told him about it was lost
        if isinstance(message, messages.Watch):
            known = not answer.follows or (guest.version is not None and not guest.missed_updates)
            guest.wants_updates, guest.is_current = answer.follows, answer.follows and known
            return "done" if known else "lost"
        if isinstance(message, messages.Unwatch):
            guest.wants_updates = guest.is_current = False
        return "done"

    def _subscribe_at(self, guest: ProxiedSubscriber, node: str, *, anew: bool) -> None:
        """Has a guest told by a node, under a new number where he is told anew."""
        if guest.node != node:
            self._unsubscribe_remote(guest)
            live = self._cluster.registry.get_local(self.id)
            if live is not None:
                live.unsubscribe(guest.connection)
        elif not anew:
            return
        guest.node, guest.missed_updates = node, False
        guest.subscription_ids.append(self._cluster.next_id())
        self._cluster.register_subscription(guest.subscription_ids[-1], self, guest)
        for old in guest.subscription_ids[:-MAX_SUBSCRIPTION_IDS]:
            self._cluster.unregister_subscription(old)
        del guest.subscription_ids[:-MAX_SUBSCRIPTION_IDS]

    def _unsubscribe_remote(self, guest: ProxiedSubscriber) -> None:
        if guest.node is None:
            return
        self._cluster.send(guest.node, Unsubscribe([guest.id]))
        guest.node = None
        for old in guest.subscription_ids:
            self._cluster.unregister_subscription(old)
        guest.subscription_ids.clear()

    def _reject(
        self,
        guest: ProxiedSubscriber,
        message: TableMessage,
        text: str,
        code: Literal["busy", "unknown_table"] = "busy",
    ) -> bool:
        if code == "unknown_table":
            guest.wants_updates = guest.is_current = False
        error = messages.ErrorMessage(code, text, message.seq, self.id)
        guest.connection.send(encode_message(error))
        return True

    # Showing somebody what he has missed.

    async def _resync(self, guest: ProxiedSubscriber, until: float) -> None:
        """Has a guest who follows the table shown how it stands, wherever it is, if that can be."""
        while guest.needs_resync and not guest.connection.closed:
            async with guest.resync_lock:
                if not guest.is_current:
                    await self._rewatch(guest, until)
            if guest.is_current:
                await self._resend_contributions(guest, until)
            if self._cluster.now() > until:
                return
            if not guest.is_current:
                await asyncio.sleep(RETRY_INTERVAL_S)

    async def _rewatch(self, guest: ProxiedSubscriber, until: float) -> None:
        again = messages.Watch(NO_ACK, self.id, guest.version, guest.seat, guest.key)
        with suppress(ServerBusyError, StoreError):
            try:
                fate = await self._attempt(guest, again, until)
            except TableNotFoundError:
                fate = "unknown"
            if fate == "unknown":
                guest.wants_updates = False
                gone = messages.ErrorMessage("unknown_table", ERR_NO_SUCH_TABLE, table=self.id)
                guest.connection.send(encode_message(gone))

    async def _resend_contributions(self, guest: ProxiedSubscriber, until: float) -> None:
        """Tells whoever has the table now what a guest has added to its deals.

        He has not noticed that it has moved, and would be passed over until he does. What is past
        by now is refused, which nobody is told.
        """
        opened = () if guest.last_opening is None else (guest.last_opening,)
        with suppress(ServerBusyError, StoreError, TableNotFoundError):
            for message in (*opened, *guest.commits.values()):
                again = msgspec.structs.replace(message, seq=NO_ACK)
                if await self._attempt(guest, again, until) != "done":
                    return

    def _start_recovery(self) -> None:
        """Sees to it that all who follow the table are told of it again."""
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
                until = self._cluster.now() + REQUEST_TIMEOUT_S
                await asyncio.gather(*(self._resync(guest, until) for guest in behind))

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
        """Asks the table something that may be asked twice.

        Raises:
            TableNotFoundError: there is none.
            StoreError: nobody could be asked.
        """
        self.last_used = self._cluster.now()
        until = self._cluster.now() + REQUEST_TIMEOUT_S

        def question(request: int) -> TableCall:
            return TableCall(request, self.id, what, person, key, seat, match=match)

        while self._cluster.now() < until:
            place = await self._locate(until)
            if isinstance(place, TableActor):
                with suppress(StoreError):  # it has moved
                    return await self._cluster.execute_local(place, question(0))
            else:
                answer = await self._cluster.request(place, question, ATTEMPT_TIMEOUT_S)
                if answer is not None and answer.outcome == "done":
                    return msgspec.json.decode(answer.body)
                if answer is not None and answer.outcome == "unknown":
                    raise TableNotFoundError(self.id)
                self._forget_owner(place)
            await asyncio.sleep(RETRY_INTERVAL_S)
        raise StoreError("the table cannot be reached now")


def encode_request(message: TableMessage) -> bytes:
    """A request as a client sends it."""
    known = msgspec.structs.replace(message, seq=max(0, message.seq))
    return msgspec.json.encode(known)

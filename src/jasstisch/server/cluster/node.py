"""This node among the others of its store: who has which table, and how it is reached.

Every node serves every table: one that it has leased from its memory, another over the bus from the
node that has. Without a bus there is none of this, and tables are asked as they are.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from jasstisch.server.api import messages
from jasstisch.server.cluster.bus import Bus
from jasstisch.server.cluster.lease_holder import LeaseHolder, OwnedElsewhereError
from jasstisch.server.cluster.lease_validity import boottime
from jasstisch.server.cluster.membership import Membership, MembershipCallbacks
from jasstisch.server.cluster.messages import (
    PROTOCOL_VERSION,
    Deliver,
    ForwardedRequest,
    Heartbeat,
    LinkRevoked,
    ListPublicTables,
    NodeMessage,
    Outcome,
    ResolveJoinCode,
    Response,
    RevokeDevices,
    ShutdownAck,
    ShuttingDown,
    SubscriberList,
    TableCall,
    TablesReleased,
    Unsubscribe,
    UsageReport,
    is_compatible,
)
from jasstisch.server.cluster.remote_subscribers import RemoteSubscriber, RemoteSubscribers
from jasstisch.server.cluster.rpc import PendingRequests
from jasstisch.server.cluster.sequenced_links import SequencedLinks
from jasstisch.server.cluster.table_proxy import ProxiedSubscriber, TableProxy
from jasstisch.server.cluster.usage_gossip import UsageGossip
from jasstisch.server.context import ServerContext
from jasstisch.server.identity.tokens import new_link_key
from jasstisch.server.observability.structured_log import describe_exception, log
from jasstisch.server.tables.actor import NO_ACK, TableActor, TableMessage
from jasstisch.server.tables.join_codes import JoinCodeEntry
from jasstisch.server.tables.public_tables import PublicTableEntry as Found
from jasstisch.server.tables.public_tables import local_entries
from jasstisch.server.tables.registry import ServerBusyError, TableNotFoundError
from jasstisch.storage import StoreError
from jasstisch.storage.leases import Leases, NewerEventsError, Node
from jasstisch.table import TableError, commands

if TYPE_CHECKING:
    from jasstisch.server.tables.registry import TableRegistry

__all__ = ["ClusterNode"]

TICK_INTERVAL_S = 0.25
"""Seconds between two tellings of what was spent; every other time a beat goes with it."""

SUSPECT_AFTER_S = 1.25
"""After so many seconds without a word it is asked whether a node is gone."""

SHUTDOWN_GRACE_S = 1.0
"""So long a node that ends waits until the others know, in seconds."""

FORGET_UNKNOWN_AFTER_S = 3.0
"""After so many seconds without a word a node is forgotten that was never seen to be there."""

RETRY_INTERVAL_S = 0.1
"""Seconds until it is asked again who has a table."""

BROADCAST_TIMEOUT_S = 1.0
"""So long other nodes may take to answer what all of them are asked."""

PROXY_TTL_S = 60.0
"""Seconds until the way to a table is forgotten for which nobody asks."""

REVOCATION_MEMORY_S = 600.0
"""So long a device that was forgotten is told to nodes that may have missed it."""

MAX_CONCURRENT_RECOVERIES = 64
"""So many tables are found anew at the same time."""

_decode_message: Callable[[bytes], TableMessage] = msgspec.json.Decoder(TableMessage).decode


class ClusterNode:
    """This node among the others of its store.

    Args:
        services: what the tables need.
        leases: the store, as far as leases are concerned.
        bus: reaches the others.
        name: what this node is called.
        events: the version of the events that it can read.
        talk: the version of what it says.
        now: seconds on a clock that never goes back nor stands still.

    Attributes:
        hall: the tables of this node.
        incidents: where trouble is noted.
        recovering: lets some tables at a time be found anew.
        stopping: this node gives its tables back.
        now: see there.
    """

    registry: "TableRegistry"

    def __init__(
        self,
        services: ServerContext,
        leases: Leases,
        bus: Bus,
        name: str,
        events: int,
        talk: int = PROTOCOL_VERSION,
        now: Callable[[], float] = boottime,
    ) -> None:
        self.now = now
        self.incidents = services.alerts
        self.recovery_slots = asyncio.Semaphore(MAX_CONCURRENT_RECOVERIES)
        self.stopping = False
        self._services = services
        self._bus = bus
        self._protocol_version = talk
        self._event_version = events
        heed = MembershipCallbacks(
            self._on_joined, self._on_fenced, self._on_node_joined, self._on_node_left
        )

        def node(new: str) -> Node:
            return Node(new, name, joined=True, talk=talk, events=events)

        self._membership = Membership(leases, node, heed, services.alerts, now)
        self._lease_holder = LeaseHolder(leases, self._membership, services.alerts)
        self._remote_subscribers = RemoteSubscribers(self.send, self._on_subscriber_removed)
        self._pending_requests = PendingRequests(self.send)
        self._usage_gossip = UsageGossip(services.shared_usage, self.send)
        self._links: SequencedLinks | None = None
        self._proxies: dict[str, TableProxy] = {}
        self._ids = count(1)
        self._subscriptions: dict[int, tuple[TableProxy, ProxiedSubscriber]] = {}
        self._last_heard: dict[str, float] = {}
        self._leaving_nodes: set[str] = set()
        self._nodes_with_gaps: set[str] = set()
        self._dropped_tables: dict[str, set[str]] = {}
        self._deleting: set[str] = set()
        self._recent_revocations: deque[tuple[float, str]] = deque()
        self._request_tasks: set[asyncio.Task[None]] = set()
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._awaiting_shutdown_ack: set[str] = set()
        self._revocation_lock = asyncio.Lock()
        self._shutdown_progress = asyncio.Event()
        self._tick_task: asyncio.Task[None] | None = None
        services.lease_status = self._membership.lease_deadline

    # For the hall.

    def attach(self, hall: "TableRegistry") -> None:
        """Learns which tables are those of this node."""
        self.registry = hall
        hall.identity_service.on_device_revoked(self._on_device_revoked)

    async def start(self) -> None:
        """Joins the others; before anybody is served.

        Raises:
            BusError: the bus cannot be used.
            AloneError: another server uses the store without a bus.
            StoreError: the store failed.
        """
        await self._bus.open()
        self._services.start_sharing_usage()
        await self._membership.join()
        self._tick_task = asyncio.create_task(self._tick())

    def stop(self) -> None:
        """Nobody is served any more; what was begun is finished in `close`."""

    async def close(self) -> None:
        """Finishes what is being done, gives all tables back and tells the others."""
        self.stopping = True
        for route in self._proxies.values():
            route.close()
        await self._drain_tables()
        try:
            await self._membership.leave()
        except StoreError as error:
            log.error("leases_not_given_back", **describe_exception(error))
        await self._announce_shutdown()
        for task in [
            *self._request_tasks,
            *self._background_tasks,
            *([self._tick_task] if self._tick_task else []),
        ]:
            task.cancel()
        if self._links is not None:
            await self._links.close()
        await self._bus.close()

    async def _announce_shutdown(self) -> None:
        """Tells the others that this node ends, and answers what they have asked before they knew.

        What is asked of it now is answered by `elsewhere`, so that it is asked elsewhere at once.
        """
        others = self._membership.others.keys() - self._leaving_nodes
        self._awaiting_shutdown_ack = {node for node in others if self.send(node, ShuttingDown())}
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_GRACE_S):
                while self._awaiting_shutdown_ack or self._request_tasks:
                    self._shutdown_progress.clear()
                    await self._shutdown_progress.wait()

    def peek(self, table: str) -> TableProxy | None:
        """The table of this id if it has been asked for."""
        return self._proxies.get(table)

    async def get(self, table: str, address: str) -> TableProxy:
        """The table of this id; see `Hall.find`."""
        route = self._proxies.get(table)
        if route is None:
            route = TableProxy(table, self)
            await route.locate(address)
            route = self._proxies.setdefault(table, route)
        return route

    async def acquire_lease(self, table: str) -> str:
        """Leases a table to this node; see `Leasing.claim`."""
        if self.stopping:
            raise StoreError("this server is about to end")
        return await self._lease_holder.acquire(table)

    def assert_same_node(self, node: str) -> None:
        """Makes sure that this node is still the one that has claimed something.

        Raises:
            StoreError: it has been taken for gone since, and may have joined again as another.
        """
        if self._membership.node_id != node:
            raise StoreError("this server has been taken for gone meanwhile")

    async def try_acquire_lease(self, table: str) -> bool:
        """Leases a table, or a job, unless another node has it; whether this one has it now.

        Raises:
            StoreError: the store cannot tell.
        """
        try:
            await self.acquire_lease(table)
        except OwnedElsewhereError:
            return False
        return True

    def release_lease(self, table: str) -> None:
        """Gives a lease back soon, unless it is claimed before."""
        self._lease_holder.release(table)

    def on_table_evicted(self, table: str) -> None:
        """A table has left the memory of this node: whoever follows it finds it anew."""
        if table in self._deleting:
            return
        if not self.stopping:
            self.release_lease(table)
        self._remote_subscribers.on_table_released(table)
        route = self._proxies.get(table)
        if route is not None:
            route.on_owner_lost(None)

    async def delete(self, table: str) -> bool:
        """Deletes a table, whoever has it; see `Hall.delete`."""
        try:
            await self.acquire_lease(table)
        except OwnedElsewhereError as error:
            answer = await self.request(
                error.node, lambda request: TableCall(request, table, "delete"), 5.0
            )
            if answer is None or answer.outcome != "done":
                raise StoreError("the node that has the table could not delete it") from None
            return bool(msgspec.json.decode(answer.body))
        self._deleting.add(table)
        try:
            return await self.registry.delete_local(table)
        finally:
            self._deleting.discard(table)
            self._remote_subscribers.on_table_released(table)
            self.release_lease(table)
            route = self._proxies.pop(table, None)
            if route is not None:
                route.on_deleted()

    # For routes.

    def spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine, whatever it awaits
        """Has something done beside what is being done."""
        task = asyncio.create_task(work)
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    def next_id(self) -> int:
        """A number that nobody has had."""
        return next(self._ids)

    def register_subscription(
        self, number: int, route: TableProxy, guest: ProxiedSubscriber
    ) -> None:
        """From now on a guest is told what comes under a number."""
        self._subscriptions[number] = route, guest

    def unregister_subscription(self, number: int) -> None:
        """Nobody is told any more what comes under a number."""
        self._subscriptions.pop(number, None)

    def send(self, node: str, message: NodeMessage) -> bool:
        """Says something to a node; whether it is on its way."""
        if self._links is None:
            return False
        if not isinstance(message, Deliver):
            self._remote_subscribers.flush(node)
        return self._links.send(node, message)

    async def request(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Asks a node something; see `Questions.put`."""
        return await self._pending_requests.call(node, question, seconds)

    def broadcast_link_revoked(self, table: str) -> None:
        """Has the other nodes forget the codes for a table; nothing hangs on it but their room."""
        for node in self._membership.others:
            self.send(node, LinkRevoked(table))

    async def remote_public_tables(self) -> list[Found]:
        """The published tables of the other nodes, as far as these answer at once."""
        answers = await self._request_all(ListPublicTables, list[Found])
        return [one for tables in answers for one in tables]

    async def resolve_remote_join_code(self, code: str) -> JoinCodeEntry | None:
        """Where a code leads that another node has made, as far as these answer at once."""
        answers = await self._request_all(
            lambda request: ResolveJoinCode(request, code), JoinCodeEntry | None
        )
        return next((one for one in answers if one is not None), None)

    async def _request_all(self, question: Callable[[int], NodeMessage], kind: Any) -> list[Any]:  # noqa: ANN401 - any type that is told
        """What the other nodes answer to a question for all of them, those that do so at once.

        What one of another version says that cannot be read here is passed over.
        """
        nodes = [node for node in self._membership.others if self._is_reachable(node)]
        answers = await asyncio.gather(
            *(self.request(node, question, BROADCAST_TIMEOUT_S) for node in nodes)
        )
        found: list[Any] = []
        for answer in answers:
            if answer is not None and answer.outcome == "done":
                with suppress(msgspec.MsgspecError):
                    found.append(msgspec.json.decode(answer.body, type=kind))
        return found

    async def locate(self, table: str, address: str, until: float) -> TableActor | str:
        """Where a table is: in memory here, from now on, or at another node.

        Raises:
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: that could not be found out until then.
        """
        while True:
            try:
                return await self.registry.load_local(table, address)
            except OwnedElsewhereError as error:
                if self._is_reachable(error.node):
                    return error.node
                self._membership.refresh_now()
                failed: StoreError = error
            except NewerEventsError as error:
                newer = self._newer_node()
                if newer is not None:
                    return newer
                failed = error
            except StoreError as error:
                failed = error
            if self.now() + RETRY_INTERVAL_S > until:
                raise failed
            await asyncio.sleep(RETRY_INTERVAL_S)

    def _newer_node(self) -> str | None:
        """A node that knows more kinds of events than this one."""
        others = self._membership.others.values()
        newer = [
            one for one in others if one.events > self._event_version and self._is_reachable(one.id)
        ]
        return max(newer, key=lambda one: one.events).id if newer else None

    def _is_reachable(self, node: str) -> bool:
        known = self._membership.others.get(node)
        return (
            known is not None
            and node not in self._leaving_nodes
            and is_compatible(self._protocol_version, known.talk)
        )

    async def execute_local(self, live: TableActor, call: TableCall) -> Any:  # noqa: ANN401 - as JSON has it
        """Does what is called for at a table of this node.

        Raises:
            StoreError: it could not be done, or not now.
        """
        if not await self._membership.lease_deadline.wait_valid(RETRY_INTERVAL_S) or live.closed:
            raise StoreError("this node cannot tell now whether it has the table")
        match call.what:
            case "admits":
                return await live.may_access(call.person, call.key, call.match or None)
            case "room":
                return await live.get_room()
            case "room_for":
                return await live.get_room_for(call.person)
            case "record":
                return await live.record()
            case "analysis":
                return await live.analysis_status(call.match)
            case "analyse":
                return await live.request_analysis(call.match, call.person or "")
            case "forget" | "shut" | "unname" | "unlist":
                try:
                    return await live.administer(_admin_command(call))
                except TableError as error:
                    return [error.code, str(error)]
            case _:
                raise StoreError("this is not asked of a table in memory")

    # Who is there.

    async def _on_joined(self, secret: bytes) -> None:
        me = self._membership.node_id
        self._links = SequencedLinks(
            self._bus, secret, me, self._on_message, self._on_gap, self.incidents
        )
        await self._links.open()

    async def _on_fenced(self) -> None:
        """Lets all tables go: others may have them by now."""
        self._pending_requests.fail_node(None)
        if self._links is not None:
            await self._links.close()
            self._links = None
        self._remote_subscribers.clear()
        await self._drain_tables()

    async def _drain_tables(self) -> None:
        await asyncio.gather(*(live.drain() for live in self.registry.local_tables()))

    def _on_node_joined(self, node: Node) -> None:
        self._last_heard[node.id] = self.now()
        if not is_compatible(self._protocol_version, node.talk):
            self.incidents.report("node_not_understood", "talk")
            return
        # It may have been taken for gone, and not know: then its visitors are to come again.
        self.send(node.id, TablesReleased(list(self._dropped_tables.pop(node.id, ()))))
        self._usage_gossip.send_snapshot(node.id)
        self._resend_revocations(node.id)

    def _on_node_left(self, node: str) -> None:
        """A node has not been heard of, by the store, for as long as a lease lasts."""
        self._last_heard.pop(node, None)
        self._leaving_nodes.discard(node)
        self._nodes_with_gaps.discard(node)
        self._dropped_tables[node] = self._remote_subscribers.remove_node(node)
        self._usage_gossip.remove_node(node)
        self._pending_requests.fail_node(node)
        self._relocate_tables(node)

    def _relocate_tables(self, node: str) -> None:
        """A node has its tables no more."""
        for route in list(self._proxies.values()):
            if node in (route.node, *route.owner_nodes()):
                route.on_owner_lost(node)

    # What others say.

    def _on_message(self, node: str, message: NodeMessage) -> None:
        self._last_heard[node] = self.now()
        try:
            self._dispatch(node, message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            log.error("bus_message_failed", **describe_exception(error))

    def _dispatch(self, node: str, message: NodeMessage) -> None:
        match message:
            case Deliver():
                self._deliver(message)
            case Response():
                self._pending_requests.resolve(node, message)
            case ForwardedRequest():
                visitor = self._remote_subscribers.get_or_add(node, message)
                self._start_request_task(self._handle_request(node, message, visitor))
            case TableCall():
                self._start_request_task(self._handle_call(node, message))
            case ListPublicTables(request):
                body = msgspec.json.encode(local_entries(self.registry))
                self.send(node, Response(request, "done", body=body))
            case ResolveJoinCode(request, code):
                known = self.registry.join_codes.find_local(code)
                self.send(node, Response(request, "done", body=msgspec.json.encode(known)))
            case Unsubscribe():
                self._remote_subscribers.remove(node, message)
            case TablesReleased(tables=tables):
                for route in filter(None, map(self._proxies.get, tables)):
                    route.on_owner_lost(node)
            case _:
                self._dispatch_update(node, message)

    def _dispatch_update(self, node: str, message: NodeMessage) -> None:
        match message:
            case Heartbeat(lost=True):
                self._resend_state(node)
            case SubscriberList(visitors=visitors):
                self._nodes_with_gaps.discard(node)
                self._remote_subscribers.retain_only(node, visitors)
            case RevokeDevices(hashes=hashes):
                self.spawn(self._close_connections(hashes))
            case LinkRevoked(table):
                self.registry.join_codes.revoke(table)
            case UsageReport():
                self._usage_gossip.apply(node, message)
            case _:
                self._dispatch_shutdown(node, message)

    def _dispatch_shutdown(self, node: str, message: NodeMessage) -> None:
        match message:
            case ShuttingDown():
                self._leaving_nodes.add(node)
                self._remote_subscribers.remove_node(node)
                self._relocate_tables(node)
                self.send(node, ShutdownAck())
            case ShutdownAck():
                self._awaiting_shutdown_ack.discard(node)
                self._shutdown_progress.set()
            case _:
                pass

    def _deliver(self, told: Deliver) -> None:
        for number in told.numbers:
            route, guest = self._subscriptions.get(number, (None, None))
            if route is not None and guest is not None:
                route.deliver(guest, number, told.text)

    def _on_gap(self, node: str) -> None:
        """Something that a node said is lost: whoever it told of a table watches anew."""
        self._nodes_with_gaps.add(node)
        self.send(node, Heartbeat(lost=True))
        for route in list(self._proxies.values()):
            if node in route.owner_nodes():
                route.resubscribe()

    def _resend_state(self, node: str) -> None:
        """Another has missed something: it is told what stands."""
        routes = self._proxies.values()
        visiting = [one for route in routes for one in route.subscriber_ids(node)]
        self.send(node, SubscriberList(visiting))
        self._usage_gossip.send_snapshot(node)
        self._resend_revocations(node)

    def _start_request_task(self, work: Any) -> None:  # noqa: ANN401 - a coroutine, whatever it awaits
        task = asyncio.create_task(work)
        self._request_tasks.add(task)
        task.add_done_callback(self._on_request_done)

    def _on_request_done(self, task: asyncio.Task[None]) -> None:
        self._request_tasks.discard(task)
        self._shutdown_progress.set()

    async def _handle_request(
        self, node: str, ask: ForwardedRequest, visitor: RemoteSubscriber
    ) -> None:
        follows = False
        try:
            message = _decode_message(ask.message)
            live = await self.registry.load_local(ask.table, ask.address)
            if ask.quiet:
                message = msgspec.structs.replace(message, seq=NO_ACK)
            taken = await live.request(visitor, message)
            outcome: Outcome = "done" if taken else "elsewhere" if live.closed else "full"
            follows = live.has_subscriber(visitor)
            if visitor.closed and isinstance(message, messages.Watch):
                outcome = "elsewhere"  # the table has moved before he could follow it
        except TableNotFoundError:
            outcome = "unknown"
        except (ServerBusyError, msgspec.MsgspecError):
            outcome = "full"
        except StoreError:
            outcome = "elsewhere"
        except Exception as error:  # noqa: BLE001 - whoever asks must be answered
            log.error("visitor_failed", **describe_exception(error))
            outcome = "failed"
        self.send(node, Response(ask.request, outcome, follows))

    async def _handle_call(self, node: str, call: TableCall) -> None:
        body: Any = None
        try:
            if call.what == "delete":
                body = await self.delete(call.table)
            else:
                live = await self.registry.load_local(call.table, call.address)
                body = await self.execute_local(live, call)
            outcome: Outcome = "done"
        except TableNotFoundError:
            outcome = "unknown"
        except ServerBusyError:
            outcome = "full"
        except StoreError:
            outcome = "elsewhere"
        except Exception as error:  # noqa: BLE001 - whoever asks must be answered
            log.error("call_failed", **describe_exception(error))
            outcome = "failed"
        self.send(node, Response(call.request, outcome, body=msgspec.json.encode(body)))

    def _on_subscriber_removed(self, visitor: RemoteSubscriber) -> None:
        live = self.registry.get_local(visitor.table)
        if live is not None:
            live.unsubscribe(visitor)

    # Devices.

    def _on_device_revoked(self, hashed: str) -> None:
        now = self.now()
        self._recent_revocations.append((now, hashed))
        while self._recent_revocations[0][0] < now - REVOCATION_MEMORY_S:
            self._recent_revocations.popleft()
        for node in self._membership.others:
            self.send(node, RevokeDevices([hashed]))

    async def _close_connections(self, hashes: Sequence[str]) -> None:
        """Has devices leave; those of people who are kept out from now on find it out again."""
        # One after the other: who is kept out is told so, and not that a device is forgotten.
        async with self._revocation_lock:
            try:
                await self.registry.identity_service.refresh_bans()
            except StoreError as error:
                log.error("bans_not_read", **describe_exception(error))
            for one in hashes:
                self.registry.identity_service.end_connections(one)

    def _resend_revocations(self, node: str) -> None:
        if self._recent_revocations:
            self.send(node, RevokeDevices([hashed for _, hashed in self._recent_revocations]))

    # Again and again.

    async def _tick(self) -> None:
        for tick in count():
            await asyncio.sleep(TICK_INTERVAL_S)
            try:
                others = list(self._membership.others)
                self._usage_gossip.send_changes(others)
                if tick % 2 == 0:
                    for node in others:
                        self.send(node, Heartbeat(node in self._nodes_with_gaps))
                self._detect_silent_nodes()
                self._drop_unknown_nodes()
                if tick % 64 == 0:
                    self._drop_unused_proxies()
            except Exception as error:  # noqa: BLE001 - it goes on
                log.error("tick_failed", **describe_exception(error))

    def _detect_silent_nodes(self) -> None:
        since = self.now() - SUSPECT_AFTER_S
        if any(self._last_heard.get(node, since) < since for node in self._membership.others):
            self.incidents.report("node_silent", "bus")
            self._membership.refresh_now()

    def _drop_unknown_nodes(self) -> None:
        """Forgets nodes that came and went between two looks at who is there."""
        since = self.now() - FORGET_UNKNOWN_AFTER_S
        for node in self._last_heard.keys() - self._membership.others.keys():
            if self._last_heard[node] < since:
                self._on_node_left(node)

    def _drop_unused_proxies(self) -> None:
        since = self.now() - PROXY_TTL_S
        for table, route in list(self._proxies.items()):
            if route.is_unused and route.last_used < since:
                del self._proxies[table]


def _admin_command(call: TableCall) -> commands.AdminCommand:
    """What a node asks to be done to a table."""
    match call:
        case TableCall(what="forget", person=str(person)):
            return commands.ErasePerson(person)
        case TableCall(what="unname", seat=int(seat)):
            return commands.AdminRemoveNickname(seat)
        case TableCall(what="shut"):
            return commands.AdminClose()
        case TableCall(what="unlist"):
            return commands.AdminUnpublish(new_link_key())
        case _:
            raise StoreError("another node asks for something that is not known")

"""This node among the others of its store: who has which table, and how it is reached.

Every node serves every table: one that it has leased from its memory, another over the bus from the
node that has. Without a bus there is none of this, and tables are asked as they are.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec

from jasstisch.server.cluster.bus import Bus
from jasstisch.server.cluster.device_revocations import DeviceRevocations
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
from jasstisch.server.cluster.peer_monitor import PeerMonitor
from jasstisch.server.cluster.proxied_subscriber import ProxiedSubscriber
from jasstisch.server.cluster.remote_subscribers import RemoteSubscriber, RemoteSubscribers
from jasstisch.server.cluster.request_handler import RequestHandler
from jasstisch.server.cluster.rpc import PendingRequests
from jasstisch.server.cluster.sequenced_links import SequencedLinks
from jasstisch.server.cluster.table_proxy import TableProxy
from jasstisch.server.cluster.usage_gossip import UsageGossip
from jasstisch.server.context import ServerContext
from jasstisch.server.observability import describe_exception, log
from jasstisch.server.tables import (
    JoinCodeEntry,
    PublicTableEntry,
    TableActor,
    TableRegistry,
    local_entries,
)
from jasstisch.storage import StoreError
from jasstisch.storage.leases import Leases, NewerEventsError, Node

__all__ = ["ClusterNode"]

TICK_INTERVAL_S = 0.25
"""Seconds between two tellings of what was spent; every other time a beat goes with it."""

SHUTDOWN_GRACE_S = 1.0
"""So long a node that ends waits until the others know, in seconds."""

RETRY_INTERVAL_S = 0.1
"""Seconds until it is asked again who has a table."""

BROADCAST_TIMEOUT_S = 1.0
"""So long other nodes may take to answer what all of them are asked."""

PROXY_TTL_S = 60.0
"""Seconds until the way to a table is forgotten for which nobody asks."""

MAX_CONCURRENT_RECOVERIES = 64
"""So many tables are found anew at the same time."""


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
        registry: the tables of this node.
        alerts: where trouble is noted.
        recovery_slots: lets some tables at a time be found anew.
        stopping: this node gives its tables back.
        now: see there.
    """

    registry: TableRegistry
    _request_handler: RequestHandler
    _revocations: DeviceRevocations
    _handlers: Mapping[type[NodeMessage], Callable[[str, Any], None]]

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
        self.alerts = services.alerts
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
        self._peers = PeerMonitor(self._membership, services.alerts, now)
        self._dropped_tables: dict[str, set[str]] = {}
        self._deleting: set[str] = set()
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._awaiting_shutdown_ack: set[str] = set()
        self._shutdown_progress = asyncio.Event()
        self._tick_task: asyncio.Task[None] | None = None
        services.lease_status = self._membership.lease_deadline

    # For the hall.

    def attach(self, registry: TableRegistry) -> None:
        """Learns which tables are those of this node; before it joins the others."""
        self.registry = registry
        self._request_handler = RequestHandler(
            registry,
            self._membership.lease_deadline,
            self._remote_subscribers,
            self.delete,
            self.send,
            self._shutdown_progress.set,
        )
        self._revocations = DeviceRevocations(
            registry.identity_service, lambda: list(self._membership.others), self.send, self.now
        )
        self._handlers = {
            Deliver: lambda _, told: self._deliver(told),
            Response: self._pending_requests.resolve,
            ForwardedRequest: self._request_handler.on_request,
            TableCall: self._request_handler.on_call,
            ListPublicTables: self._on_list_public_tables,
            ResolveJoinCode: self._on_resolve_join_code,
            Unsubscribe: self._remote_subscribers.remove,
            TablesReleased: self._on_tables_released,
            Heartbeat: self._on_heartbeat,
            SubscriberList: self._on_subscriber_list,
            RevokeDevices: lambda _, told: self.spawn(
                self._revocations.close_connections(told.hashes)
            ),
            LinkRevoked: lambda _, told: registry.join_codes.revoke(told.table),
            UsageReport: self._usage_gossip.apply,
            ShuttingDown: lambda node, _: self._on_shutting_down(node),
            ShutdownAck: lambda node, _: self._on_shutdown_ack(node),
        }

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
        self._request_handler.close()
        for task in [*self._background_tasks, *([self._tick_task] if self._tick_task else [])]:
            task.cancel()
        if self._links is not None:
            await self._links.close()
        await self._bus.close()

    async def _announce_shutdown(self) -> None:
        """Tells the others that this node ends, and answers what they have asked before they knew.

        What is asked of it now is answered by `elsewhere`, so that it is asked elsewhere at once.
        """
        others = self._membership.others.keys() - self._peers.leaving
        self._awaiting_shutdown_ack = {node for node in others if self.send(node, ShuttingDown())}
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_GRACE_S):
                while self._awaiting_shutdown_ack or self._request_handler.busy:
                    self._shutdown_progress.clear()
                    await self._shutdown_progress.wait()

    @property
    def shares_store(self) -> bool:
        """True: the other nodes write to the same store."""
        return True

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

    async def execute_local(self, live: TableActor, call: TableCall) -> Any:  # noqa: ANN401 - as JSON has it
        """Does what is called for at a table of this node; see `RequestHandler.execute`."""
        return await self._request_handler.execute(live, call)

    async def request(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Asks a node something; see `Questions.put`."""
        return await self._pending_requests.call(node, question, seconds)

    def on_link_revoked(self, table: str) -> None:
        """Has the other nodes forget the codes for a table; nothing hangs on it but their room."""
        for node in self._membership.others:
            self.send(node, LinkRevoked(table))

    async def remote_public_tables(self) -> list[PublicTableEntry]:
        """The published tables of the other nodes, as far as these answer at once."""
        answers = await self._request_all(ListPublicTables, list[PublicTableEntry])
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
            TableNotFoundError: there is none.
            ServerBusyError: too many tables are in memory, or in use at this address.
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
            and node not in self._peers.leaving
            and is_compatible(self._protocol_version, known.talk)
        )

    # Who is there.

    async def _on_joined(self, secret: bytes) -> None:
        me = self._membership.node_id
        self._links = SequencedLinks(
            self._bus, secret, me, self._on_message, self._on_gap, self.alerts
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
        self._peers.on_heard(node.id)
        if not is_compatible(self._protocol_version, node.talk):
            self.alerts.report("node_not_understood", "talk")
            return
        # It may have been taken for gone, and not know: then its visitors are to come again.
        self.send(node.id, TablesReleased(list(self._dropped_tables.pop(node.id, ()))))
        self._usage_gossip.send_snapshot(node.id)
        self._revocations.resend(node.id)

    def _on_node_left(self, node: str) -> None:
        """A node has not been heard of, by the store, for as long as a lease lasts."""
        self._peers.forget(node)
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
        self._peers.on_heard(node)
        try:
            self._dispatch(node, message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            log.error("bus_message_failed", **describe_exception(error))

    def _dispatch(self, node: str, message: NodeMessage) -> None:
        handle = self._handlers.get(type(message))
        if handle is not None:
            handle(node, message)

    def _on_list_public_tables(self, node: str, asked: ListPublicTables) -> None:
        body = msgspec.json.encode(local_entries(self.registry))
        self.send(node, Response(asked.request, "done", body=body))

    def _on_resolve_join_code(self, node: str, asked: ResolveJoinCode) -> None:
        known = self.registry.join_codes.find_local(asked.code)
        self.send(node, Response(asked.request, "done", body=msgspec.json.encode(known)))

    def _on_tables_released(self, node: str, told: TablesReleased) -> None:
        for route in filter(None, map(self._proxies.get, told.tables)):
            route.on_owner_lost(node)

    def _on_heartbeat(self, node: str, beat: Heartbeat) -> None:
        if beat.lost:
            self._resend_state(node)

    def _on_subscriber_list(self, node: str, told: SubscriberList) -> None:
        self._peers.with_gaps.discard(node)
        self._remote_subscribers.retain_only(node, told.visitors)

    def _on_shutting_down(self, node: str) -> None:
        self._peers.leaving.add(node)
        self._remote_subscribers.remove_node(node)
        self._relocate_tables(node)
        self.send(node, ShutdownAck())

    def _on_shutdown_ack(self, node: str) -> None:
        self._awaiting_shutdown_ack.discard(node)
        self._shutdown_progress.set()

    def _deliver(self, told: Deliver) -> None:
        for number in told.numbers:
            route, guest = self._subscriptions.get(number, (None, None))
            if route is not None and guest is not None:
                route.deliver(guest, number, told.text)

    def _on_gap(self, node: str) -> None:
        """Something that a node said is lost: whoever it told of a table watches anew."""
        self._peers.with_gaps.add(node)
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
        self._revocations.resend(node)

    def _on_subscriber_removed(self, visitor: RemoteSubscriber) -> None:
        live = self.registry.get_local(visitor.table)
        if live is not None:
            live.unsubscribe(visitor)

    # Again and again.

    async def _tick(self) -> None:
        for tick in count():
            await asyncio.sleep(TICK_INTERVAL_S)
            try:
                others = list(self._membership.others)
                self._usage_gossip.send_changes(others)
                if tick % 2 == 0:
                    for node in others:
                        self.send(node, Heartbeat(node in self._peers.with_gaps))
                self._peers.detect_silent()
                for node in self._peers.unknown_and_silent():
                    self._on_node_left(node)
                if tick % 64 == 0:
                    self._drop_unused_proxies()
            except Exception as error:  # noqa: BLE001 - it goes on
                log.error("tick_failed", **describe_exception(error))

    def _drop_unused_proxies(self) -> None:
        since = self.now() - PROXY_TTL_S
        for table, route in list(self._proxies.items()):
            if route.is_unused and route.last_used < since:
                del self._proxies[table]

"""The node of a cluster: finds the node that holds a table, and exchanges messages with the others.

Every node serves every table: from its own memory if it holds the lease, otherwise over the bus
from the node that does. Without a bus, tables are used directly and this module is not needed.
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
from jasstisch.server.cluster.lease_validity import seconds_since_boot
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

_TICK_INTERVAL_S = 0.25
"""Seconds between two usage reports; every other one is accompanied by a heartbeat."""

_SHUTDOWN_GRACE_S = 1.0
"""How long a node that shuts down waits for the acknowledgements of the others, in seconds."""

_RETRY_INTERVAL_S = 0.1
"""Seconds until the holder of a table is looked up again."""

_BROADCAST_TIMEOUT_S = 1.0
"""How long other nodes may take to answer a request to all of them, in seconds."""

_PROXY_TTL_S = 60.0
"""Seconds after which an unused proxy of a table is dropped."""

_MAX_CONCURRENT_RECOVERIES = 64
"""How many tables are relocated at the same time."""


class ClusterNode:
    """This node of a cluster; implements `TableDirectory`.

    Args:
        context: the services that the tables need.
        leases: the lease functions of the store.
        bus: the bus to the other nodes.
        name: the name of this node.
        event_version: the version of the events that it can read.
        protocol_version: the version of the messages that it sends.
        now: returns seconds on a monotonic clock that includes suspended time.

    Attributes:
        registry: the tables of this node.
        alerts: reports failures.
        recovery_slots: limits how many tables are relocated at the same time.
        stopping: whether this node is releasing its tables.
        now: as given.
    """

    registry: TableRegistry
    _request_handler: RequestHandler
    _revocations: DeviceRevocations
    _handlers: Mapping[type[NodeMessage], Callable[[str, Any], None]]

    def __init__(
        self,
        context: ServerContext,
        leases: Leases,
        bus: Bus,
        name: str,
        event_version: int,
        protocol_version: int = PROTOCOL_VERSION,
        now: Callable[[], float] = seconds_since_boot,
    ) -> None:
        self.now = now
        self.alerts = context.alerts
        self.recovery_slots = asyncio.Semaphore(_MAX_CONCURRENT_RECOVERIES)
        self.stopping = False
        self._context = context
        self._bus = bus
        self._protocol_version = protocol_version
        self._event_version = event_version
        callbacks = MembershipCallbacks(
            self._on_joined, self._on_fenced, self._on_node_joined, self._on_node_left
        )

        def node(new: str) -> Node:
            return Node(
                new,
                name,
                has_bus=True,
                protocol_version=protocol_version,
                event_version=event_version,
            )

        self._membership = Membership(leases, node, callbacks, context.alerts, now)
        self._lease_holder = LeaseHolder(leases, self._membership, context.alerts)
        self._remote_subscribers = RemoteSubscribers(self.send, self._on_subscriber_removed)
        self._pending_requests = PendingRequests(self.send)
        self._usage_gossip = UsageGossip(context.shared_usage, self.send)
        self._links: SequencedLinks | None = None
        self._proxies: dict[str, TableProxy] = {}
        self._ids = count(1)
        self._subscriptions: dict[int, tuple[TableProxy, ProxiedSubscriber]] = {}
        self._peers = PeerMonitor(self._membership, context.alerts, now)
        self._dropped_tables: dict[str, set[str]] = {}
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._awaiting_shutdown_ack: set[str] = set()
        self._shutdown_progress = asyncio.Event()
        self._tick_task: asyncio.Task[None] | None = None
        context.lease_status = self._membership.lease_deadline

    # The interface for the registry.

    def set_registry(self, registry: TableRegistry) -> None:
        """Sets the registry of this node; must be called before it joins the cluster."""
        self.registry = registry
        self._request_handler = RequestHandler(
            registry,
            self._membership.lease_deadline,
            self._remote_subscribers,
            self.delete_table,
            self.send,
            self._shutdown_progress.set,
        )
        self._revocations = DeviceRevocations(
            registry.identity_service, lambda: list(self._membership.others), self.send, self.now
        )
        self._handlers = {
            Deliver: lambda _, message: self._deliver(message),
            Response: self._pending_requests.resolve,
            ForwardedRequest: self._request_handler.on_request,
            TableCall: self._request_handler.on_call,
            ListPublicTables: self._on_list_public_tables,
            ResolveJoinCode: self._on_resolve_join_code,
            Unsubscribe: self._remote_subscribers.remove,
            TablesReleased: self._on_tables_released,
            Heartbeat: self._on_heartbeat,
            SubscriberList: self._on_subscriber_list,
            RevokeDevices: lambda _, message: self.spawn(
                self._revocations.close_connections(message.hashes)
            ),
            LinkRevoked: lambda _, message: registry.join_codes.revoke(message.table),
            UsageReport: self._usage_gossip.apply,
            ShuttingDown: lambda node, _: self._on_shutting_down(node),
            ShutdownAck: lambda node, _: self._on_shutdown_ack(node),
        }

    async def start(self) -> None:
        """Joins the cluster; must be called before clients are served.

        Raises:
            BusError: the bus cannot be used.
            StoreInUseError: another server uses the store without a bus.
            StoreError: the store failed.
        """
        await self._bus.open()
        self._context.start_sharing_usage()
        await self._membership.join()
        self._tick_task = asyncio.create_task(self._tick())

    def stop(self) -> None:
        """Stops serving clients; `close` finishes what has started."""

    async def close(self) -> None:
        """Finishes the requests in progress, releases all tables and notifies the other nodes."""
        self.stopping = True
        for proxy in self._proxies.values():
            proxy.close()
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
        """Announces the shutdown to the others, and answers the requests they have already sent.

        New requests get the outcome `elsewhere`, so that their senders try another node at once.
        """
        others = self._membership.others.keys() - self._peers.leaving
        self._awaiting_shutdown_ack = {node for node in others if self.send(node, ShuttingDown())}
        with suppress(TimeoutError):
            async with asyncio.timeout(_SHUTDOWN_GRACE_S):
                while self._awaiting_shutdown_ack or self._request_handler.is_busy:
                    self._shutdown_progress.clear()
                    await self._shutdown_progress.wait()

    @property
    def shares_store(self) -> bool:
        """True: the other nodes write to the same store."""
        return True

    def peek_table(self, table: str) -> TableProxy | None:
        """The proxy of the table of this id, if it exists already."""
        return self._proxies.get(table)

    async def get_table(self, table: str, address: str) -> TableProxy:
        """The proxy of the table of this id; see `TableRegistry.get_table`."""
        proxy = self._proxies.get(table)
        if proxy is None:
            proxy = TableProxy(table, self)
            await proxy.locate(address)
            proxy = self._proxies.setdefault(table, proxy)
        return proxy

    async def acquire_lease(self, table: str) -> str:
        """Leases a table to this node; see `LeaseHolder.acquire`."""
        if self.stopping:
            raise StoreError("this server is about to end")
        return await self._lease_holder.acquire(table)

    def assert_lease_valid(self, node: str) -> None:
        """Checks that this node still has the id under which it acquired a lease.

        Raises:
            StoreError: it was declared dead since, and may have joined again under another id.
        """
        if self._membership.node_id != node:
            raise StoreError("this server has been taken for gone meanwhile")

    async def try_acquire_lease(self, table: str) -> bool:
        """Leases a table or a job unless another node holds it; returns whether this one holds it.

        Raises:
            StoreError: the store is unavailable.
        """
        try:
            await self.acquire_lease(table)
        except OwnedElsewhereError:
            return False
        return True

    def release_lease(self, table: str) -> None:
        """Releases a lease soon, unless it is acquired again first."""
        self._lease_holder.release(table)

    def on_table_evicted(self, table: str) -> None:
        """Called when a table has left memory: its subscribers must locate it again."""
        if not self.stopping:
            self.release_lease(table)
        self._remote_subscribers.on_table_released(table)
        proxy = self._proxies.get(table)
        if proxy is not None:
            proxy.on_owner_lost(None)

    async def delete_table(self, table: str) -> bool:
        """Deletes a table on whichever node holds it; see `TableRegistry.delete_table`."""
        try:
            await self.acquire_lease(table)
        except OwnedElsewhereError as error:
            answer = await self.request(
                error.node, lambda request: TableCall(request, table, "delete"), 5.0
            )
            if answer is None or answer.outcome != "done":
                raise StoreError("the node that has the table could not delete it") from None
            return bool(msgspec.json.decode(answer.body))
        try:
            return await self.registry.delete_local(table)
        finally:
            self._remote_subscribers.on_table_released(table)
            self.release_lease(table)
            proxy = self._proxies.pop(table, None)
            if proxy is not None:
                proxy.on_deleted()

    # The interface for table proxies.

    def spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine, whatever it awaits
        """Runs a coroutine as a background task."""
        task = asyncio.create_task(work)
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    def next_id(self) -> int:
        """A new id, unique on this node."""
        return next(self._ids)

    def register_subscription(
        self, number: int, proxy: TableProxy, subscriber: ProxiedSubscriber
    ) -> None:
        """Routes the messages with a subscription id to a subscriber."""
        self._subscriptions[number] = proxy, subscriber

    def unregister_subscription(self, number: int) -> None:
        """Drops the messages with a subscription id from now on."""
        self._subscriptions.pop(number, None)

    def send(self, node: str, message: NodeMessage) -> bool:
        """Sends a message to a node; returns whether it has been sent."""
        if self._links is None:
            return False
        if not isinstance(message, Deliver):
            self._remote_subscribers.flush(node)
        return self._links.send(node, message)

    async def execute_local(self, actor: TableActor, call: TableCall) -> Any:  # noqa: ANN401 - as JSON has it
        """Executes a call on a table of this node; see `RequestHandler.execute`."""
        return await self._request_handler.execute(actor, call)

    async def request(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Sends a request to a node and waits for the response; see `PendingRequests.call`."""
        return await self._pending_requests.call(node, question, seconds)

    def on_link_revoked(self, table: str) -> None:
        """Has the other nodes drop a table's join code; a loss only keeps its memory in use."""
        for node in self._membership.others:
            self.send(node, LinkRevoked(table))

    async def remote_public_tables(self) -> list[PublicTableEntry]:
        """The published tables of the other nodes, as far as they answer in time."""
        answers = await self._request_all(ListPublicTables, list[PublicTableEntry])
        return [one for tables in answers for one in tables]

    async def resolve_remote_join_code(self, code: str) -> JoinCodeEntry | None:
        """The table of a join code created on another node, as far as nodes answer in time."""
        answers = await self._request_all(
            lambda request: ResolveJoinCode(request, code), JoinCodeEntry | None
        )
        return next((one for one in answers if one is not None), None)

    async def _request_all(self, question: Callable[[int], NodeMessage], kind: Any) -> list[Any]:  # noqa: ANN401 - any message type
        """Sends a request to all other nodes and collects the answers that arrive in time.

        Answers of another version that cannot be decoded are skipped.
        """
        nodes = [node for node in self._membership.others if self._is_reachable(node)]
        answers = await asyncio.gather(
            *(self.request(node, question, _BROADCAST_TIMEOUT_S) for node in nodes)
        )
        found: list[Any] = []
        for answer in answers:
            if answer is not None and answer.outcome == "done":
                with suppress(msgspec.MsgspecError):
                    found.append(msgspec.json.decode(answer.body, type=kind))
        return found

    async def locate(self, table: str, address: str, deadline: float) -> TableActor | str:
        """Locates a table: in memory here, from now on, or at another node.

        Raises:
            TableNotFoundError: the table does not exist.
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table could not be located in time.
        """
        while True:
            try:
                return await self.registry.load_local(table, address)
            except OwnedElsewhereError as error:
                if self._is_reachable(error.node):
                    return error.node
                self._membership.refresh_members()
                failed: StoreError = error
            except NewerEventsError as error:
                newer = self._newer_node()
                if newer is not None:
                    return newer
                failed = error
            except StoreError as error:
                failed = error
            if self.now() + _RETRY_INTERVAL_S > deadline:
                raise failed
            await asyncio.sleep(_RETRY_INTERVAL_S)

    def _newer_node(self) -> str | None:
        """A node that can read newer events than this one."""
        others = self._membership.others.values()
        newer = [
            one
            for one in others
            if one.event_version > self._event_version and self._is_reachable(one.id)
        ]
        return max(newer, key=lambda one: one.event_version).id if newer else None

    def _is_reachable(self, node: str) -> bool:
        known = self._membership.others.get(node)
        return (
            known is not None
            and node not in self._peers.leaving
            and is_compatible(self._protocol_version, known.protocol_version)
        )

    # Membership.

    async def _on_joined(self, secret: bytes) -> None:
        me = self._membership.node_id
        self._links = SequencedLinks(
            self._bus, secret, me, self._on_message, self._on_gap, self.alerts
        )
        await self._links.open()

    async def _on_fenced(self) -> None:
        """Evicts all tables, because other nodes may hold them by now."""
        self._pending_requests.fail_requests_to(None)
        if self._links is not None:
            await self._links.close()
            self._links = None
        self._remote_subscribers.clear()
        await self._drain_tables()

    async def _drain_tables(self) -> None:
        await asyncio.gather(*(actor.drain() for actor in self.registry.local_tables()))

    def _on_node_joined(self, node: Node) -> None:
        self._peers.on_heard(node.id)
        if not is_compatible(self._protocol_version, node.protocol_version):
            self.alerts.report("node_not_understood", "talk")
            return
        # That node may have been declared dead without knowing it: then its subscribers must
        # subscribe again.
        self.send(node.id, TablesReleased(list(self._dropped_tables.pop(node.id, ()))))
        self._usage_gossip.send_snapshot(node.id)
        self._revocations.resend(node.id)

    def _on_node_left(self, node: str) -> None:
        """Called when the store has not heard of a node for the duration of a lease."""
        self._peers.forget(node)
        self._dropped_tables[node] = self._remote_subscribers.remove_node(node)
        self._usage_gossip.remove_node(node)
        self._pending_requests.fail_requests_to(node)
        self._relocate_tables(node)

    def _relocate_tables(self, node: str) -> None:
        """Relocates the tables that a node no longer holds."""
        for proxy in list(self._proxies.values()):
            if node in (proxy.node, *proxy.subscribed_nodes()):
                proxy.on_owner_lost(node)

    # Messages of other nodes.

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

    def _on_list_public_tables(self, node: str, message: ListPublicTables) -> None:
        body = msgspec.json.encode(local_entries(self.registry))
        self.send(node, Response(message.request, "done", body=body))

    def _on_resolve_join_code(self, node: str, message: ResolveJoinCode) -> None:
        known = self.registry.join_codes.find_local(message.code)
        self.send(node, Response(message.request, "done", body=msgspec.json.encode(known)))

    def _on_tables_released(self, node: str, message: TablesReleased) -> None:
        for proxy in filter(None, map(self._proxies.get, message.tables)):
            proxy.on_owner_lost(node)

    def _on_heartbeat(self, node: str, message: Heartbeat) -> None:
        if message.lost:
            self._resend_state(node)

    def _on_subscriber_list(self, node: str, message: SubscriberList) -> None:
        self._peers.with_gaps.discard(node)
        self._remote_subscribers.retain_only(node, message.visitors)

    def _on_shutting_down(self, node: str) -> None:
        self._peers.leaving.add(node)
        self._remote_subscribers.remove_node(node)
        self._relocate_tables(node)
        self.send(node, ShutdownAck())

    def _on_shutdown_ack(self, node: str) -> None:
        self._awaiting_shutdown_ack.discard(node)
        self._shutdown_progress.set()

    def _deliver(self, message: Deliver) -> None:
        for number in message.numbers:
            proxy, subscriber = self._subscriptions.get(number, (None, None))
            if proxy is not None and subscriber is not None:
                proxy.deliver(subscriber, number, message.text)

    def _on_gap(self, node: str) -> None:
        """Called when a message of a node was lost: its subscribers here subscribe again."""
        self._peers.with_gaps.add(node)
        self.send(node, Heartbeat(lost=True))
        for proxy in list(self._proxies.values()):
            if node in proxy.subscribed_nodes():
                proxy.resubscribe()

    def _resend_state(self, node: str) -> None:
        """Sends the current state to a node that has missed a message."""
        proxies = self._proxies.values()
        visiting = [one for proxy in proxies for one in proxy.subscriber_ids(node)]
        self.send(node, SubscriberList(visiting))
        self._usage_gossip.send_snapshot(node)
        self._revocations.resend(node)

    def _on_subscriber_removed(self, subscriber: RemoteSubscriber) -> None:
        actor = self.registry.get_local(subscriber.table)
        if actor is not None:
            actor.unsubscribe(subscriber)

    # Periodic work.

    async def _tick(self) -> None:
        for tick in count():
            await asyncio.sleep(_TICK_INTERVAL_S)
            try:
                others = list(self._membership.others)
                self._usage_gossip.send_changes(others)
                if tick % 2 == 0:
                    for node in others:
                        self.send(node, Heartbeat(node in self._peers.with_gaps))
                self._peers.refresh_members_if_silent()
                for node in self._peers.silent_unknown_nodes():
                    self._on_node_left(node)
                if tick % 64 == 0:
                    self._drop_unused_proxies()
            except Exception as error:  # noqa: BLE001 - the next tick tries again
                log.error("tick_failed", **describe_exception(error))

    def _drop_unused_proxies(self) -> None:
        since = self.now() - _PROXY_TTL_S
        for table, proxy in list(self._proxies.items()):
            if proxy.is_unused and proxy.last_used < since:
                del self._proxies[table]

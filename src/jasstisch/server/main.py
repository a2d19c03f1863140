"""The composition root: builds the server from its parts, and runs it until it is stopped.

This is the only module that imports all the others.
"""

import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Literal, cast

import msgspec
import uvicorn

from jasstisch.extras import MissingExtraError
from jasstisch.server.admin import messages as admin_messages
from jasstisch.server.admin import service, socket_server
from jasstisch.server.api import bodies
from jasstisch.server.cluster import BusError, SingleNode
from jasstisch.server.context import ServerContext
from jasstisch.server.data_location import (
    describe_store_error,
    open_server_store,
    validate_store_and_bus,
)
from jasstisch.server.errors import StartupError
from jasstisch.server.http import (
    CLIENT_FOLDER,
    DOCS_FOLDER,
    App,
    DocsSite,
    Endpoints,
    HealthEndpoints,
    LocalizedTexts,
    MetricsCollector,
    StaticClient,
    build_rest_api,
)
from jasstisch.server.identity import IdentityService
from jasstisch.server.limits import ConnectionLimiter, Limits, connection_budget, raise_soft_limit
from jasstisch.server.listening import bind, reachable_addresses
from jasstisch.server.net import LOOPBACK, Origin, OriginPolicy, TrustedProxies
from jasstisch.server.observability import (
    EventLoopLag,
    GcScheduler,
    LogFormat,
    LogLevel,
    configure_logging,
    log,
)
from jasstisch.server.page_languages import LANGUAGES
from jasstisch.server.tables import (
    ErasureJob,
    JoinCodes,
    LocalDirectory,
    RetentionJob,
    TableLookup,
    TableRegistry,
)
from jasstisch.server.workers import FairWorkerPool, ProcessWorker, Worker
from jasstisch.server.ws import ServerConfig, WebSocketEndpoint
from jasstisch.storage import REMEDIES, EventStore, SqliteStore, StoreError
from jasstisch.table.events import EVENT_VERSION

if TYPE_CHECKING:
    from jasstisch.server.cluster import node as cluster_node
    from jasstisch.storage.leases import Leases

_DEFAULT_SITE_CONFIG = bodies.SiteConfig(list(LANGUAGES), {})
"""The page in all its languages, without a greeting."""

_MAX_DEFAULT_WORKERS = 4
"""More processes are started only if the operator asks for them, because each takes memory."""


def default_worker_count() -> int:
    """The default number of worker processes."""
    return min(os.cpu_count() or 1, _MAX_DEFAULT_WORKERS)


def run(  # noqa: PLR0913 - one keyword for each option of `jasstisch serve`
    host: str,
    port: int,
    data: Path | None,
    *,
    open_browser: bool,
    thinkers: int | None = None,
    trusted_proxies: Sequence[str] = LOOPBACK,
    public_url: str | None = None,
    limits: Limits | None = None,
    store: str | None = None,
    forgotten: Path | None = None,
    bus: str | None = None,
    admin: Path | Literal["off"] | None = None,
    site_config: bodies.SiteConfig = _DEFAULT_SITE_CONFIG,
    metrics: tuple[str, int] | None = None,
    log_form: LogFormat = "auto",
    log_level: LogLevel = "info",
) -> int:
    """Runs the server until it is stopped; see `jasstisch.server.serve`."""
    try:
        origins = _create_origin_policy(host, trusted_proxies, public_url)
        _validate_store_and_bus(store, bus)
        listeners = [bind(host, port)]
        if metrics is not None:
            listeners.append(bind(*metrics, "--metrics"))
        limits = limits or Limits()
        place = open_server_store(data, store, forgotten, limits.keep_forgotten_days)
    except (StartupError, MissingExtraError) as error:
        sys.stderr.write(f"jasstisch: {error}\n")
        return 1
    configure_logging(log_form, log_level)
    _log_store_losses(place.store)
    workers = [ProcessWorker() for _ in range(thinkers or default_worker_count())]
    context = ServerContext(
        place.store, _cap_connections(limits), worker_pool=FairWorkerPool(workers)
    )
    monitoring_address = None if metrics is None else listeners[1].getsockname()[:2]
    port = listeners[0].getsockname()[1]
    cluster = None if bus is None else _create_cluster_node(context, bus, port)
    app = create_app(
        context,
        origins=origins,
        site_config=site_config,
        monitoring_address=monitoring_address,
        directory=cluster,
    )
    addresses = reachable_addresses(host, port, origins)
    server = _Server(app, context, ProcessWorker(), addresses, open_browser=open_browser)
    single_node = None if cluster is not None else _create_single_node(place.store, port, app)
    if single_node is not None:
        context.lease_status = single_node.lease_deadline
    server.node = cluster or single_node
    server.admin = _create_admin_socket(admin, place.folder, app)
    server.lists_forgotten = forgotten is not None or place.folder is not None
    with place.lock:
        server.run(sockets=listeners)
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """A uvicorn server that prints its addresses once it accepts connections.

    Attributes:
        node: the registration in the store, if that is one for several servers.
        admin: the local socket for the operator, if there is one.
        lists_forgotten: whether there is a list of whom `restore` has to forget again.
    """

    node: "SingleNode | cluster_node.ClusterNode | None" = None
    admin: socket_server.AdminSocketServer | None = None
    lists_forgotten: bool = True

    def __init__(
        self,
        app: App,
        context: ServerContext,
        warmup_worker: Worker,
        addresses: list[str],
        *,
        open_browser: bool,
    ) -> None:
        super().__init__(ServerConfig(app))
        self._health = app.health
        self._registry = app.registry
        self._context = context
        self._gc_scheduler = GcScheduler(lambda: context.read_batcher.last_batch_at)
        self._warmup_worker = warmup_worker
        self._addresses = addresses
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            if self.node is not None:
                await self.node.start()
        except (StoreError, BusError) as error:
            text = describe_store_error(error) if isinstance(error, StoreError) else str(error)
            sys.stderr.write(f"jasstisch: {text}\n")
            self.should_exit = True
            return
        preparing = self._context.start_warmup(self._warmup_worker)
        await super().startup(sockets)
        if not self.started:
            preparing.cancel()
            return
        await self._open_admin_socket()
        if not self.lists_forgotten:
            log.warning("forgotten_not_listed")
        self._gc_scheduler.start()
        places = " and ".join(self._addresses)
        sys.stdout.write(f"Jasstisch is at {places}   (Ctrl-C stops it)\n")
        sys.stdout.flush()
        if self._open_browser and _has_screen():
            Thread(target=webbrowser.open, args=self._addresses[:1], daemon=True).start()

    async def _open_admin_socket(self) -> None:
        """Opens the socket for the operator; the server runs without it if that fails."""
        if self.admin is None:
            return
        try:
            await self.admin.open()
        except socket_server.SocketError as error:
            log.warning("admin_off", says=str(error))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._health.stopping = True
        log.info("stopping", tables=self._registry.live_count)
        if self.admin is not None:
            await self.admin.close()
        if self.node is not None:
            self.node.stop()
        await super().shutdown(sockets)
        log.info("stopped")


def _validate_store_and_bus(store: str | None, bus: str | None) -> None:
    try:
        validate_store_and_bus(store, bus)
    except ValueError as error:
        raise StartupError(str(error)) from error


@dataclass(frozen=True, slots=True)
class TableServices:
    """The tables of a server and their background jobs.

    Attributes:
        registry: the tables.
        retention: deletes tables after their retention period.
        erasure: removes erased people from their tables.
    """

    registry: TableRegistry
    retention: RetentionJob
    erasure: ErasureJob

    async def open(self) -> None:
        """Counts tables and identities, and starts the background jobs.

        Raises:
            StoreError: the store failed.
        """
        await self.registry.open()
        await self.registry.identity_service.open()
        self.retention.start()
        self.erasure.start()

    async def close(self) -> None:
        """Evicts all tables; everything acknowledged is in the store."""
        self.retention.stop()
        self.erasure.stop()
        await self.registry.close()


def create_table_services(
    context: ServerContext, directory: "LocalDirectory | cluster_node.ClusterNode | None" = None
) -> TableServices:
    """Creates the tables of a server and their background jobs.

    Args:
        context: the store, the random source, the bots and the clock.
        directory: this node of a cluster; None for a single server.
    """
    directory = directory or LocalDirectory()
    registry = TableRegistry(
        context, directory, IdentityService(context), JoinCodes(context, directory)
    )
    directory.set_registry(registry)
    return TableServices(registry, RetentionJob(registry), ErasureJob(registry))


def create_app(
    context: ServerContext,
    client: Path = CLIENT_FOLDER,
    origins: OriginPolicy | None = None,
    site_config: bodies.SiteConfig = _DEFAULT_SITE_CONFIG,
    monitoring_address: tuple[str, int] | None = None,
    directory: "cluster_node.ClusterNode | None" = None,
    documentation: Path = DOCS_FOLDER,
) -> App:
    """The whole server as one ASGI application.

    Args:
        context: the services for the tables; the application closes it at its end.
        client: the folder of the built web client.
        origins: the accepted hosts and origins.
        site_config: the operator's configuration of the page.
        monitoring_address: the separate address for health and metrics, if there is one.
        directory: this node of a cluster; None for a single server.
        documentation: the folder of the documentation built as a site.
    """
    origins = origins or OriginPolicy()
    limiter = ConnectionLimiter(
        context.limits, origins.proxies, context.alerts, shared=context.shared_usage
    )
    tables = create_table_services(context, directory)
    registry = tables.registry
    lookup = TableLookup(registry, context.alerts)
    websocket = WebSocketEndpoint(registry, origins, lookup, limiter)
    texts = LocalizedTexts()

    def page_config() -> bodies.PageConfig:
        offered = msgspec.structs.asdict(site_config)
        return bodies.PageConfig(**offered, games=texts.games, texts=texts.version)

    pages = StaticClient(page_config, client, origins)
    loop_lag = EventLoopLag(context.metrics.loop_lag)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        await tables.open()
        loop_lag.start()
        try:
            yield
        finally:
            loop_lag.stop()
            await tables.close()

    rest_api = build_rest_api(registry, origins, lookup, page_config, texts, lifespan)
    return App(
        registry,
        origins,
        limiter,
        Endpoints(
            rest_api=rest_api,
            websocket=websocket,
            web_client=pages,
            docs_site=DocsSite(pages.response, documentation),
            health=HealthEndpoints(registry, MetricsCollector(registry, limiter, websocket)),
        ),
        monitoring_address=monitoring_address,
    )


def _create_cluster_node(context: ServerContext, bus: str, port: int) -> "cluster_node.ClusterNode":
    """This node of a cluster."""
    from jasstisch.server.cluster import nats_bus  # noqa: PLC0415 - they need the extra
    from jasstisch.server.cluster import node as cluster_node  # noqa: PLC0415 - the same

    name = f"{socket.gethostname()}:{port}"
    reached = nats_bus.NatsBus(bus, name)
    return cluster_node.ClusterNode(
        context, cast("Leases", context.store), reached, name, EVENT_VERSION
    )


def _create_single_node(store: EventStore, port: int, app: App) -> SingleNode | None:
    """The registration of a single server in a store for several; None for any other store."""
    if isinstance(store, SqliteStore):
        return None
    return SingleNode(
        cast("Leases", store), f"{socket.gethostname()}:{port}", app.registry.invalidate_all
    )


def _create_admin_socket(
    chosen: Path | Literal["off"] | None, folder: Path | None, app: App
) -> socket_server.AdminSocketServer | None:
    """The local socket for the operator, unless it is disabled."""
    if chosen == "off":
        return None
    usual = None if folder is None else folder / admin_messages.ADMIN_SOCKET_NAME
    return socket_server.AdminSocketServer(chosen or usual, service.AdminService(app.registry))


def _log_store_losses(store: EventStore) -> None:
    """Logs the parts of the tables that a crash has made unreadable."""
    if isinstance(store, SqliteStore) and store.lost_commits:
        log.error(
            "commits_lost", commits=store.lost_commits, cause="damaged", help=REMEDIES["damaged"]
        )


def _create_origin_policy(
    host: str, trusted_proxies: Sequence[str], public_url: str | None
) -> OriginPolicy:
    try:
        public = None if public_url is None else Origin.parse(public_url)
        return OriginPolicy(public, TrustedProxies(trusted_proxies), host)
    except ValueError as error:
        raise StartupError(str(error)) from error


def _cap_connections(limits: Limits) -> Limits:
    """The limits, with the number of connections capped by the system's limit."""
    sockets = connection_budget(limits.sockets, raise_soft_limit())
    if sockets < limits.connections:
        log.warning("few_descriptors", sockets=sockets, wanted=limits.connections)
    return replace(limits, sockets=sockets)


def _has_screen() -> bool:
    """Whether there is a screen for a browser; a text browser would take over the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

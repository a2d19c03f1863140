"""The composition root: puts the parts of a server together, and runs it until it is stopped.

This is the only module that knows all the others.
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

import uvicorn

from jasstisch.extras import MissingExtraError
from jasstisch.server.admin import messages as admin_messages
from jasstisch.server.admin import service, socket_server
from jasstisch.server.api import messages
from jasstisch.server.cluster import BusError, SingleNode
from jasstisch.server.context import ServerContext
from jasstisch.server.data_location import (
    describe_store_error,
    open_location,
    validate_store_and_bus,
)
from jasstisch.server.errors import StartupError
from jasstisch.server.http import (
    CLIENT_FOLDER,
    DOCS_FOLDER,
    ApiContext,
    App,
    DocsSite,
    Endpoints,
    HealthEndpoints,
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
    Retention,
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

__all__ = ["TableServices", "create_app", "create_tables", "default_worker_count", "run"]

DEFAULT_SITE_CONFIG = messages.SiteConfig(list(LANGUAGES), {})
"""A page in all its languages, without a greeting."""

MAX_DEFAULT_WORKERS = 4
"""More processes are started only where the host asks for them: each takes memory."""


def default_worker_count() -> int:
    """In how many processes computer players think if the host does not say."""
    return min(os.cpu_count() or 1, MAX_DEFAULT_WORKERS)


def run(  # noqa: PLR0913 - one keyword for each word of `jasstisch serve`
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
    bus: str | None = None,
    admin: Path | Literal["off"] | None = None,
    house: messages.SiteConfig = DEFAULT_SITE_CONFIG,
    metrics: tuple[str, int] | None = None,
    log_form: LogFormat = "auto",
    log_level: LogLevel = "info",
) -> int:
    """Serves until it is stopped; see `jasstisch.server.serve`."""
    try:
        front = _create_origin_policy(host, trusted_proxies, public_url)
        _validate_store_and_bus(store, bus)
        listeners = [bind(host, port)]
        if metrics is not None:
            listeners.append(bind(*metrics, "--metrics"))
        place = open_location(data, store)
    except (StartupError, MissingExtraError) as error:
        sys.stderr.write(f"jasstisch: {error}\n")
        return 1
    configure_logging(log_form, log_level)
    _log_store_losses(place.store)
    workers = [ProcessWorker() for _ in range(thinkers or default_worker_count())]
    services = ServerContext(
        place.store, _cap_connections(limits or Limits()), thinkers=FairWorkerPool(workers)
    )
    watched_at = None if metrics is None else listeners[1].getsockname()[:2]
    port = listeners[0].getsockname()[1]
    cluster = None if bus is None else _create_cluster_node(services, bus, port)
    app = create_app(services, front=front, house=house, watched_at=watched_at, directory=cluster)
    addresses = reachable_addresses(host, port, front)
    server = _Server(app, services, ProcessWorker(), addresses, open_browser=open_browser)
    alone = None if cluster is not None else _create_single_node(place.store, port, app)
    if alone is not None:
        services.lease_status = alone.lease_deadline
    server.node = cluster or alone
    server.admin = _create_admin_socket(admin, place.folder, app)
    with place.lock:
        server.run(sockets=listeners)
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """Tells its addresses once it answers there.

    Attributes:
        entering: enters the store, where that is one for several servers.
        admin: lets the host in over a local socket, where there is one.
    """

    node: "SingleNode | cluster_node.ClusterNode | None" = None
    admin: socket_server.AdminSocketServer | None = None

    def __init__(
        self,
        app: App,
        services: ServerContext,
        preparer: Worker,
        addresses: list[str],
        *,
        open_browser: bool,
    ) -> None:
        super().__init__(ServerConfig(app))
        self._health = app.health
        self._registry = app.registry
        self._context = services
        self._gc_scheduler = GcScheduler(lambda: services.read_batcher.last_batch_at)
        self._warmup_worker = preparer
        self._addresses = addresses
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            if self.node is not None:
                await self.node.start()
        except (StoreError, BusError) as error:
            told = describe_store_error(error) if isinstance(error, StoreError) else str(error)
            sys.stderr.write(f"jasstisch: {told}\n")
            self.should_exit = True
            return
        preparing = self._context.start_warmup(self._warmup_worker)
        await super().startup(sockets)
        if not self.started:
            preparing.cancel()
            return
        await self._open_admin_socket()
        self._gc_scheduler.start()
        places = " and ".join(self._addresses)
        sys.stdout.write(f"Jasstisch is at {places}   (Ctrl-C stops it)\n")
        sys.stdout.flush()
        if self._open_browser and _has_screen():
            Thread(target=webbrowser.open, args=self._addresses[:1], daemon=True).start()

    async def _open_admin_socket(self) -> None:
        """Lets the host in; where that cannot be, people can still play."""
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
    """The tables of a server, and what goes on around them.

    Attributes:
        registry: the tables.
        retention: deletes those that have been kept long enough.
        erasure: leaves the tables of those who are to be forgotten.
    """

    registry: TableRegistry
    retention: Retention
    erasure: ErasureJob

    async def open(self) -> None:
        """Counts tables and people, and begins the jobs.

        Raises:
            StoreError: the store failed.
        """
        await self.registry.open()
        await self.registry.identity_service.open()
        self.retention.start()
        self.erasure.start()

    async def close(self) -> None:
        """Lets all tables go; what was acknowledged is in the store."""
        self.retention.stop()
        self.erasure.stop()
        await self.registry.close()


def create_tables(
    context: ServerContext, directory: "LocalDirectory | cluster_node.ClusterNode | None" = None
) -> TableServices:
    """The tables of a server, and what goes on around them.

    Args:
        context: store, chance, computer players and the time.
        directory: this server among others of its store; None where there is one only.
    """
    directory = directory or LocalDirectory()
    registry = TableRegistry(
        context, directory, IdentityService(context), JoinCodes(context, directory)
    )
    directory.attach(registry)
    return TableServices(registry, Retention(registry), ErasureJob(registry))


def create_app(
    context: ServerContext,
    client: Path = CLIENT_FOLDER,
    front: OriginPolicy | None = None,
    house: messages.SiteConfig = DEFAULT_SITE_CONFIG,
    watched_at: tuple[str, int] | None = None,
    directory: "cluster_node.ClusterNode | None" = None,
    documentation: Path = DOCS_FOLDER,
) -> App:
    """The whole server as one ASGI application.

    Args:
        context: what the tables need; the application closes it at its end.
        client: folder of the built web client.
        front: how the server is reached.
        house: what the host has chosen for the page.
        watched_at: where the server listens for programs that watch it, and for nothing else.
        directory: this server among others of its store, where there may be some.
        documentation: folder of the documentation built as a site.
    """
    origins = front or OriginPolicy()
    limiter = ConnectionLimiter(
        context.limits, origins.proxies, context.alerts, shared=context.shared_usage
    )
    tables = create_tables(context, directory)
    registry = tables.registry
    lookup = TableLookup(registry, context.alerts)
    websocket = WebSocketEndpoint(registry, origins, lookup, limiter)
    pages = StaticClient(client, origins, house.languages)
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

    rest_api = build_rest_api(
        registry, ApiContext(origins, lookup, context.alerts, house), lifespan
    )
    return App(
        registry,
        origins,
        limiter,
        Endpoints(
            rest_api=rest_api,
            websocket=websocket,
            pages=pages,
            docs_site=DocsSite(pages, documentation),
            health=HealthEndpoints(registry, MetricsCollector(registry, limiter, websocket)),
        ),
        monitoring_address=watched_at,
    )


def _create_cluster_node(
    services: ServerContext, bus: str, port: int
) -> "cluster_node.ClusterNode":
    """This server among others of its store."""
    from jasstisch.server.cluster import nats_bus  # noqa: PLC0415 - they need the extra
    from jasstisch.server.cluster import node as cluster_node  # noqa: PLC0415 - the same

    name = f"{socket.gethostname()}:{port}"
    reached = nats_bus.NatsBus(bus, name)
    return cluster_node.ClusterNode(
        services, cast("Leases", services.store), reached, name, EVENT_VERSION
    )


def _create_single_node(store: EventStore, port: int, app: App) -> SingleNode | None:
    """What has a store for several servers to itself; None for any other store."""
    if isinstance(store, SqliteStore):
        return None
    return SingleNode(
        cast("Leases", store), f"{socket.gethostname()}:{port}", app.registry.invalidate_all
    )


def _create_admin_socket(
    chosen: Path | Literal["off"] | None, folder: Path | None, app: App
) -> socket_server.AdminSocketServer | None:
    """The local socket for the host, if there is to be one."""
    if chosen == "off":
        return None
    usual = None if folder is None else folder / admin_messages.ADMIN_SOCKET_NAME
    return socket_server.AdminSocketServer(chosen or usual, service.AdminService(app.registry))


def _log_store_losses(store: EventStore) -> None:
    """Tells what a crash has left of the tables and cannot be read."""
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
    """The limits, with as many connections as the system grants."""
    sockets = connection_budget(limits.sockets, raise_soft_limit())
    if sockets < limits.connections:
        log.warning("few_descriptors", sockets=sockets, wanted=limits.connections)
    return replace(limits, sockets=sockets)


def _has_screen() -> bool:
    """Whether a browser could show anything; otherwise a text browser might take the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

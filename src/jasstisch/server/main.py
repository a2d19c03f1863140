"""Starting the server: its folder, its port, its process."""

import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Literal, cast

import uvicorn

from jasstisch.extras import MissingExtraError, require
from jasstisch.server.admin.service import AdminService
from jasstisch.server.admin.socket_server import AdminSocketServer, SocketError
from jasstisch.server.api import messages
from jasstisch.server.cluster.bus import BusError
from jasstisch.server.cluster.single_node import SingleNode
from jasstisch.server.context import ServerContext
from jasstisch.server.http.app import DEFAULT_SITE_CONFIG, App
from jasstisch.server.limits.file_descriptors import connection_budget, raise_soft_limit
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.net.client_address import LOOPBACK, TrustedProxies
from jasstisch.server.net.origins import Origin, OriginPolicy
from jasstisch.server.observability.gc_scheduler import GcScheduler
from jasstisch.server.observability.structured_log import LogFormat, LogLevel, configure, log
from jasstisch.server.workers.fair_scheduler import FairWorkerPool
from jasstisch.server.workers.worker import ProcessWorker, Worker
from jasstisch.server.ws.uvicorn_protocols import LISTEN_BACKLOG, ServerConfig
from jasstisch.storage import (
    REMEDIES,
    EventStore,
    FolderLock,
    LockedError,
    SqliteStore,
    StoreError,
)
from jasstisch.storage.store_url import (
    DATABASE_FILENAME,
    is_postgres,
    open_store,
    redacted_url,
    sqlite_path,
)
from jasstisch.table.events import EVENT_VERSION

if TYPE_CHECKING:
    from jasstisch.server.cluster.node import ClusterNode
    from jasstisch.storage.leases import Leases

__all__ = [
    "ADMIN_SOCKET_NAME",
    "default_data_dir",
    "default_worker_count",
    "run",
    "validate_store_and_bus",
]

ADMIN_SOCKET_NAME = "admin.sock"
"""The local socket in the data folder over which its host reaches a running server."""

MAX_PORT = 65_535

MAX_DEFAULT_WORKERS = 4
"""More processes are started only where the host asks for them: each takes memory."""


class _StartError(Exception):
    """Why the server cannot start, in one line for the host."""


def default_worker_count() -> int:
    """In how many processes computer players think if the host does not say."""
    return min(os.cpu_count() or 1, MAX_DEFAULT_WORKERS)


def default_data_dir() -> Path:
    """The folder for a host's tables, where the system keeps the data of programs."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jasstisch"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "jasstisch"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "jasstisch"


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
        listeners = [_bind(host, port)]
        if metrics is not None:
            listeners.append(_bind(*metrics, "--metrics"))
        place = _open_location(data, store)
    except (_StartError, MissingExtraError) as error:
        sys.stderr.write(f"jasstisch: {error}\n")
        return 1
    configure(log_form, log_level)
    _log_store_losses(place.store)
    workers = [ProcessWorker() for _ in range(thinkers or default_worker_count())]
    services = ServerContext(
        place.store, _cap_connections(limits or Limits()), thinkers=FairWorkerPool(workers)
    )
    watched_at = None if metrics is None else listeners[1].getsockname()[:2]
    port = listeners[0].getsockname()[1]
    cluster = None if bus is None else _create_cluster_node(services, bus, port)
    app = App(services, front=front, house=house, watched_at=watched_at, cluster=cluster)
    addresses = _reachable_addresses(host, port, front)
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

    node: "SingleNode | ClusterNode | None" = None
    admin: AdminSocketServer | None = None

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
            told = _with_remedy(error) if isinstance(error, StoreError) else str(error)
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
        except SocketError as error:
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


def validate_store_and_bus(store: str | None, bus: str | None) -> None:
    """Keeps a server from a store or a bus that is none, and nodes from a store for one alone.

    Raises:
        ValueError: it is one.
        MissingExtraError: they need packages that are not installed.
    """
    try:
        if store is not None:
            redacted_url(store)
        if bus is None:
            return
        if store is None or not is_postgres(store):
            text = "a bus joins servers that share a store: give --store postgresql://… with --bus"
            raise ValueError(text)
        require("cluster", "a bus between servers")
        from jasstisch.server.cluster.nats_bus import parse_server_urls  # noqa: PLC0415 - of the extra

        parse_server_urls(bus)
    except (StoreError, BusError) as error:
        raise ValueError(str(error)) from error


def _validate_store_and_bus(store: str | None, bus: str | None) -> None:
    try:
        validate_store_and_bus(store, bus)
    except ValueError as error:
        raise _StartError(str(error)) from error


def _create_cluster_node(services: ServerContext, bus: str, port: int) -> "ClusterNode":
    """This server among others of its store."""
    from jasstisch.server.cluster.nats_bus import NatsBus  # noqa: PLC0415 - the same
    from jasstisch.server.cluster.node import ClusterNode  # noqa: PLC0415 - it needs the extra

    name = f"{socket.gethostname()}:{port}"
    reached = NatsBus(bus, name)
    return ClusterNode(services, cast("Leases", services.store), reached, name, EVENT_VERSION)


def _create_single_node(store: EventStore, port: int, app: App) -> SingleNode | None:
    """What has a store for several servers to itself; None for any other store."""
    if isinstance(store, SqliteStore):
        return None
    return SingleNode(
        cast("Leases", store), f"{socket.gethostname()}:{port}", app.registry.invalidate_all
    )


def _create_admin_socket(
    chosen: Path | Literal["off"] | None, folder: Path | None, app: App
) -> AdminSocketServer | None:
    """The local socket for the host, if there is to be one."""
    if chosen == "off":
        return None
    usual = None if folder is None else folder / ADMIN_SOCKET_NAME
    return AdminSocketServer(chosen or usual, AdminService(app.registry))


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
        raise _StartError(str(error)) from error


def _cap_connections(limits: Limits) -> Limits:
    """The limits, with as many connections as the system grants."""
    sockets = connection_budget(limits.sockets, raise_soft_limit())
    if sockets < limits.connections:
        log.warning("few_descriptors", sockets=sockets, wanted=limits.connections)
    return replace(limits, sockets=sockets)


@dataclass(frozen=True, slots=True)
class _StoreLocation:
    """Where the tables are kept.

    Attributes:
        store: the tables.
        lock: keeps other servers out of the folder, where there is one.
        folder: what the tables lie in; None for a database elsewhere.
    """

    store: EventStore
    lock: AbstractContextManager[object]
    folder: Path | None


def _open_location(data: Path | None, store: str | None) -> _StoreLocation:
    """The tables in a data folder, or in the store that a host names in its place."""
    try:
        if store is not None and is_postgres(store):
            return _StoreLocation(open_store(store), nullcontext(), None)
        file = (
            (data or default_data_dir()) / DATABASE_FILENAME
            if store is None
            else sqlite_path(store)
        )
        words = "--data" if store is None else "--store"
        lock = _lock_data_dir(file.parent, words)
        try:
            return _StoreLocation(SqliteStore(file), lock, file.parent)
        except StoreError:
            lock.release()
            raise
    except StoreError as error:
        raise _StartError(_with_remedy(error)) from error


def _lock_data_dir(folder: Path, words: str) -> FolderLock:
    """Makes the data folder if need be, and keeps other servers out of it."""
    try:
        # Hidden cards and hashed identities lie here: for nobody but the host.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return FolderLock(folder, "a server")
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"the data folder {folder} cannot be used: {reason}; choose another with {words}"
        raise _StartError(text) from error
    except LockedError as error:
        text = f"{error}; stop it first, or choose another folder with {words}"
        raise _StartError(text) from error


def _with_remedy(error: StoreError) -> str:
    """What was wrong with a store, and what a host can do about it where that is known."""
    return f"{error}{'' if error.cause is None else f' ({REMEDIES[error.cause]})'}"


def _bind(host: str, port: int, words: str = "--port or --host") -> socket.socket:
    if not 0 <= port <= MAX_PORT:
        # The system would take another port than the one asked for.
        raise _StartError(f"cannot listen on {host} port {port}: ports are 0 to {MAX_PORT}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(LISTEN_BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"cannot listen on {host} port {port}: {reason}; choose another with {words}"
        raise _StartError(text) from error
    return listener


def _reachable_addresses(host: str, port: int, front: OriginPolicy) -> list[str]:
    """Where people find the server: its public address, this machine, its network."""
    if front.public is not None:
        return [f"{front.public}/", f"http://localhost:{port}/"]
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - the host asked for it
        hosts = ["localhost", *_lan_address()]
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}/" for name in hosts]


def _lan_address() -> list[str]:
    """This machine's address in its network, if it has one; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation, by RFC 5737
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _has_screen() -> bool:
    """Whether a browser could show anything; otherwise a text browser might take the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

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
from jasstisch.server import messages
from jasstisch.server.addresses import LOOPBACK, Proxies
from jasstisch.server.admin_socket import AdminSocket, SocketError
from jasstisch.server.administration import Administration
from jasstisch.server.alone import Alone
from jasstisch.server.app import NO_CHOICE, App
from jasstisch.server.descriptors import for_connections, raise_limit
from jasstisch.server.front import Front, Site
from jasstisch.server.limits import Limits
from jasstisch.server.log import Form, Level, configure, log
from jasstisch.server.nodes.bus import BusError
from jasstisch.server.protocols import BACKLOG, Config
from jasstisch.server.rubbish import Rubbish
from jasstisch.server.services import Services
from jasstisch.server.thinkers import Thinkers
from jasstisch.server.worker import InProcess, Worker
from jasstisch.store import (
    ADVICE,
    EventStore,
    FolderLock,
    LockedError,
    SqliteStore,
    StoreError,
)
from jasstisch.store.opening import DATABASE, file_of, is_postgres, open_store, shown
from jasstisch.table.events import EVENTS

if TYPE_CHECKING:
    from jasstisch.server.nodes.cluster import Cluster
    from jasstisch.store.leases import Leases

__all__ = ["ADMIN", "check_places", "default_data", "run", "usual_thinkers"]

ADMIN = "admin.sock"
"""The local socket in the data folder over which its host reaches a running server."""

LAST_PORT = 65_535

MOST_THINKERS = 4
"""More processes are started only where the host asks for them: each takes memory."""


class _StartError(Exception):
    """Why the server cannot start, in one line for the host."""


def usual_thinkers() -> int:
    """In how many processes computer players think if the host does not say."""
    return min(os.cpu_count() or 1, MOST_THINKERS)


def default_data() -> Path:
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
    house: messages.House = NO_CHOICE,
    metrics: tuple[str, int] | None = None,
    log_form: Form = "auto",
    log_level: Level = "info",
) -> int:
    """Serves until it is stopped; see `jasstisch.server.serve`."""
    try:
        front = _front(host, trusted_proxies, public_url)
        _check_places(store, bus)
        listeners = [_listener(host, port)]
        if metrics is not None:
            listeners.append(_listener(*metrics, "--metrics"))
        place = _place(data, store)
    except (_StartError, MissingExtraError) as error:
        sys.stderr.write(f"jasstisch: {error}\n")
        return 1
    configure(log_form, log_level)
    _tell_losses(place.store)
    workers = [InProcess() for _ in range(thinkers or usual_thinkers())]
    services = Services(place.store, _granted(limits or Limits()), thinkers=Thinkers(workers))
    watched_at = None if metrics is None else listeners[1].getsockname()[:2]
    port = listeners[0].getsockname()[1]
    cluster = None if bus is None else _cluster(services, bus, port)
    app = App(services, front=front, house=house, watched_at=watched_at, cluster=cluster)
    addresses = _addresses(host, port, front)
    server = _Server(app, services, InProcess(), addresses, open_browser=open_browser)
    alone = None if cluster is not None else _alone(place.store, port, app)
    if alone is not None:
        services.standing = alone.word
    server.entering = cluster or alone
    server.admin = _admin(admin, place.folder, app)
    with place.lock:
        server.run(sockets=listeners)
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """Tells its addresses once it answers there.

    Attributes:
        entering: enters the store, where that is one for several servers.
        admin: lets the host in over a local socket, where there is one.
    """

    entering: "Alone | Cluster | None" = None
    admin: AdminSocket | None = None

    def __init__(
        self,
        app: App,
        services: Services,
        preparer: Worker,
        addresses: list[str],
        *,
        open_browser: bool,
    ) -> None:
        super().__init__(Config(app))
        self._watching = app.watching
        self._hall = app.hall
        self._services = services
        self._rubbish = Rubbish(lambda: services.pulse.last)
        self._preparer = preparer
        self._addresses = addresses
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            if self.entering is not None:
                await self.entering.begin()
        except (StoreError, BusError) as error:
            told = _advised(error) if isinstance(error, StoreError) else str(error)
            sys.stderr.write(f"jasstisch: {told}\n")
            self.should_exit = True
            return
        preparing = self._services.prepare(self._preparer)
        await super().startup(sockets)
        if not self.started:
            preparing.cancel()
            return
        await self._open_admin()
        self._rubbish.begin()
        places = " and ".join(self._addresses)
        sys.stdout.write(f"Jasstisch is at {places}   (Ctrl-C stops it)\n")
        sys.stdout.flush()
        if self._open_browser and _has_screen():
            Thread(target=webbrowser.open, args=self._addresses[:1], daemon=True).start()

    async def _open_admin(self) -> None:
        """Lets the host in; where that cannot be, people can still play."""
        if self.admin is None:
            return
        try:
            await self.admin.open()
        except SocketError as error:
            log.warning("admin_off", says=str(error))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watching.stopping = True
        log.info("stopping", tables=self._hall.in_memory)
        if self.admin is not None:
            await self.admin.close()
        if self.entering is not None:
            self.entering.end()
        await super().shutdown(sockets)
        log.info("stopped")


def check_places(store: str | None, bus: str | None) -> None:
    """Keeps a server from a store or a bus that is none, and nodes from a store for one alone.

    Raises:
        ValueError: it is one.
        MissingExtraError: they need packages that are not installed.
    """
    try:
        if store is not None:
            shown(store)
        if bus is None:
            return
        if store is None or not is_postgres(store):
            text = "a bus joins servers that share a store: give --store postgresql://… with --bus"
            raise ValueError(text)
        require("cluster", "a bus between servers")
        from jasstisch.server.nodes.nats_bus import bus_servers  # noqa: PLC0415 - of the extra

        bus_servers(bus)
    except (StoreError, BusError) as error:
        raise ValueError(str(error)) from error


def _check_places(store: str | None, bus: str | None) -> None:
    try:
        check_places(store, bus)
    except ValueError as error:
        raise _StartError(str(error)) from error


def _cluster(services: Services, bus: str, port: int) -> "Cluster":
    """This server among others of its store."""
    from jasstisch.server.nodes.cluster import Cluster  # noqa: PLC0415 - it needs the extra
    from jasstisch.server.nodes.nats_bus import NatsBus  # noqa: PLC0415 - the same

    name = f"{socket.gethostname()}:{port}"
    reached = NatsBus(bus, name)
    return Cluster(services, cast("Leases", services.store), reached, name, EVENTS)


def _alone(store: EventStore, port: int, app: App) -> Alone | None:
    """What has a store for several servers to itself; None for any other store."""
    if isinstance(store, SqliteStore):
        return None
    return Alone(cast("Leases", store), f"{socket.gethostname()}:{port}", app.hall.doubt)


def _admin(
    chosen: Path | Literal["off"] | None, folder: Path | None, app: App
) -> AdminSocket | None:
    """The local socket for the host, if there is to be one."""
    if chosen == "off":
        return None
    usual = None if folder is None else folder / ADMIN
    return AdminSocket(chosen or usual, Administration(app.hall))


def _tell_losses(store: EventStore) -> None:
    """Tells what a crash has left of the tables and cannot be read."""
    if isinstance(store, SqliteStore) and store.lost_commits:
        log.error(
            "commits_lost", commits=store.lost_commits, cause="damaged", help=ADVICE["damaged"]
        )


def _front(host: str, trusted_proxies: Sequence[str], public_url: str | None) -> Front:
    try:
        public = None if public_url is None else Site.of(public_url)
        return Front(public, Proxies(trusted_proxies), host)
    except ValueError as error:
        raise _StartError(str(error)) from error


def _granted(limits: Limits) -> Limits:
    """The limits, with as many connections as the system grants."""
    sockets = for_connections(limits.sockets, raise_limit())
    if sockets < limits.connections:
        log.warning("few_descriptors", sockets=sockets, wanted=limits.connections)
    return replace(limits, sockets=sockets)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the tables are kept.

    Attributes:
        store: the tables.
        lock: keeps other servers out of the folder, where there is one.
        folder: what the tables lie in; None for a database elsewhere.
    """

    store: EventStore
    lock: AbstractContextManager[object]
    folder: Path | None


def _place(data: Path | None, store: str | None) -> _Place:
    """The tables in a data folder, or in the store that a host names in its place."""
    try:
        if store is not None and is_postgres(store):
            return _Place(open_store(store), nullcontext(), None)
        file = (data or default_data()) / DATABASE if store is None else file_of(store)
        words = "--data" if store is None else "--store"
        lock = _lock(file.parent, words)
        try:
            return _Place(SqliteStore(file), lock, file.parent)
        except StoreError:
            lock.release()
            raise
    except StoreError as error:
        raise _StartError(_advised(error)) from error


def _lock(folder: Path, words: str) -> FolderLock:
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


def _advised(error: StoreError) -> str:
    """What was wrong with a store, and what a host can do about it where that is known."""
    return f"{error}{'' if error.cause is None else f' ({ADVICE[error.cause]})'}"


def _listener(host: str, port: int, words: str = "--port or --host") -> socket.socket:
    if not 0 <= port <= LAST_PORT:
        # The system would take another port than the one asked for.
        raise _StartError(f"cannot listen on {host} port {port}: ports are 0 to {LAST_PORT}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"cannot listen on {host} port {port}: {reason}; choose another with {words}"
        raise _StartError(text) from error
    return listener


def _addresses(host: str, port: int, front: Front) -> list[str]:
    """Where people find the server: its public address, this machine, its network."""
    if front.public is not None:
        return [f"{front.public}/", f"http://localhost:{port}/"]
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - the host asked for it
        hosts = ["localhost", *_own_address()]
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}/" for name in hosts]


def _own_address() -> list[str]:
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

"""Starting the server: its folder, its port, its process."""

import gc
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Thread

import uvicorn

from jasstisch.server.addresses import LOOPBACK, Proxies
from jasstisch.server.app import App
from jasstisch.server.descriptors import for_connections, raise_limit
from jasstisch.server.front import Front, Site
from jasstisch.server.limits import Limits
from jasstisch.server.log import configure, log
from jasstisch.server.protocols import BACKLOG, Config
from jasstisch.server.services import Services
from jasstisch.server.thinkers import Thinkers
from jasstisch.server.worker import InProcess, Worker
from jasstisch.store import SqliteStore, StoreError

__all__ = ["default_data", "run", "usual_thinkers"]

DATABASE = "tables.sqlite3"
"""The file in the data folder that holds all tables."""

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
) -> int:
    """Serves until it is stopped; see `jasstisch.server.serve`."""
    folder = data or default_data()
    try:
        front = _front(host, trusted_proxies, public_url)
        listener = _listener(host, port)
        store = _store(folder)
    except _StartError as error:
        sys.stderr.write(f"jasstisch: {error}\n")
        return 1
    configure()
    workers = [InProcess() for _ in range(thinkers or usual_thinkers())]
    services = Services(store, _granted(limits or Limits()), thinkers=Thinkers(workers))
    config = Config(App(services, front=front))
    addresses = _addresses(host, listener.getsockname()[1], front)
    server = _Server(config, services, InProcess(), addresses, open_browser=open_browser)
    # The default thresholds let a full collection stall thousands of connections for long.
    gc.set_threshold(50_000, 50, 1000)
    server.run(sockets=[listener])
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """Tells its addresses once it answers there."""

    def __init__(
        self,
        config: Config,
        services: Services,
        preparer: Worker,
        addresses: list[str],
        *,
        open_browser: bool,
    ) -> None:
        super().__init__(config)
        self._services = services
        self._preparer = preparer
        self._addresses = addresses
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        preparing = self._services.prepare(self._preparer)
        await super().startup(sockets)
        if not self.started:
            preparing.cancel()
            return
        gc.freeze()
        places = " and ".join(self._addresses)
        sys.stdout.write(f"Jasstisch is at {places}   (Ctrl-C stops it)\n")
        sys.stdout.flush()
        if self._open_browser and _has_screen():
            Thread(target=webbrowser.open, args=self._addresses[:1], daemon=True).start()


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


def _store(folder: Path) -> SqliteStore:
    try:
        # Hidden cards and hashed identities lie here: for nobody but the host.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return SqliteStore(folder / DATABASE)
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"the data folder {folder} cannot be used: {reason}; choose another with --data"
        raise _StartError(text) from error
    except StoreError as error:
        raise _StartError(str(error)) from error


def _listener(host: str, port: int) -> socket.socket:
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
        text = (
            f"cannot listen on {host} port {port}: {reason}; choose another with --port or --host"
        )
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

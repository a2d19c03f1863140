"""Starting the server: its folder, its port, its process."""

import gc
import os
import socket
import sys
import webbrowser
from pathlib import Path
from threading import Thread

import uvicorn

from jasstisch.server.app import App
from jasstisch.server.log import configure
from jasstisch.server.services import Services
from jasstisch.server.thinkers import Thinkers
from jasstisch.server.worker import InProcess, Worker
from jasstisch.store import SqliteStore, StoreError

__all__ = ["default_data", "run", "usual_thinkers"]

DATABASE = "tables.sqlite3"
"""The file in the data folder that holds all tables."""

WHOLE_MESSAGE = 256 * 1024
"""A longer message is not read to its end: its connection is closed with code 1009.

This lies above what a message may have, so that one somewhat too large still gets a typed error.
"""

LAST_PORT = 65_535

MOST_THINKERS = 4
"""More processes are started only where the host asks for them: each takes memory."""

CLOSING_SECONDS = 3
"""How long open connections may take to end when the server stops."""


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


def run(
    host: str, port: int, data: Path | None, *, open_browser: bool, thinkers: int | None = None
) -> int:
    """Serves until it is stopped; see `jasstisch.server.serve`."""
    folder = data or default_data()
    try:
        listener = _listener(host, port)
        store = _store(folder)
    except _StartError as error:
        sys.stderr.write(f"jasstisch: {error}\n")
        return 1
    configure()
    workers = [InProcess() for _ in range(thinkers or usual_thinkers())]
    services = Services(store, thinkers=Thinkers(workers))
    config = uvicorn.Config(
        App(services),
        ws="websockets-sansio",
        ws_per_message_deflate=False,  # deflate over secrets leaks their sizes
        ws_max_size=WHOLE_MESSAGE,
        log_config=None,
        access_log=False,  # addresses of tables are secrets
        server_header=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    addresses = _addresses(host, listener.getsockname()[1])
    server = _Server(config, services, InProcess(), addresses, open_browser=open_browser)
    # The default thresholds let a full collection stall thousands of connections for long.
    gc.set_threshold(50_000, 50, 1000)
    server.run(sockets=[listener])
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """Tells its addresses once it answers there."""

    def __init__(
        self,
        config: uvicorn.Config,
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
        listener.listen(socket.SOMAXCONN)
    except OSError as error:
        reason = error.strerror or str(error)
        text = (
            f"cannot listen on {host} port {port}: {reason}; choose another with --port or --host"
        )
        raise _StartError(text) from error
    return listener


def _addresses(host: str, port: int) -> list[str]:
    """Where people find the server: this machine, and its network if it listens there."""
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

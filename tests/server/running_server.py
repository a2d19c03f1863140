"""Servers for tests: in the event loop of the test, and in a process that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import replace
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import httpx2
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from jasstisch.bots import bot
from jasstisch.server.api.auth_names import COOKIE_NAME
from jasstisch.server.context import ServerContext
from jasstisch.server.identity.tokens import hash_token
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_app
from jasstisch.server.ws.uvicorn_protocols.protocol_config import LimitedApplication
from jasstisch.server.ws.uvicorn_protocols.server_config import ServerConfig
from jasstisch.storage import Credential, EventStore, SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from jasstisch.bots import Bot
    from jasstisch.server.net.origins import OriginPolicy
    from jasstisch.server.workers.fair_scheduler import FairWorkerPool

TOKEN = "A" * 43
OTHER_TOKEN = "B" * 43
THIRD_TOKEN = "C" * 43
"""Tokens that no server has given out: the store of a test is told of them."""

SHUTDOWN_TIMEOUT_S = 120.0
"""Seconds in which a server that was told to ends, however busy the machine is."""


HTTP_TIMEOUT_S = 60.0
"""Seconds within which a server answers a request, however busy the machine is."""


POLL_INTERVAL_S = 0.002
"""Seconds between two looks at whether a server that ends has done so."""


READ_INTERVAL_S = 0.001
"""Seconds between two batches of received data: a test that asks again at once does not wait."""


class QuietServer(uvicorn.Server):
    """A uvicorn server that leaves signals to pytest and reports when it is ready.

    The real one looks ten times a second whether it is to end, and waits as long for connections to
    close: with hundreds of servers that would be most of the tests' time.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answers = asyncio.Event()
        self.ends = asyncio.Event()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self.ends.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                state = self.server_state
                while state.connections or state.tasks:  # noqa: ASYNC110 - sets that tell nobody
                    await asyncio.sleep(POLL_INTERVAL_S)
        for task in self.server_state.tasks:
            task.cancel()
        await self.lifespan.shutdown()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.answers.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def register_tokens(store: EventStore) -> None:
    """Adds the tokens of the tests to a store, unless it has them."""
    for hashed in map(hash_token, (TOKEN, OTHER_TOKEN, THIRD_TOKEN)):
        if await store.identity_store.find_credential(hashed, 0.0) is None:
            today = int(time.time()) // 86400
            known = Credential(hashed, hashed, "device", today, today, None)
            await store.identity_store.add_credential(known)


async def register_tokens_in(data: Path) -> None:
    """Adds the tokens of the tests to the store in a data folder."""
    store = SqliteStore(data / "tables.sqlite3")
    await register_tokens(store)
    await store.close()


@contextlib.asynccontextmanager
async def running_server(
    data: Path,
    *,
    limits: Limits | None = None,
    store: EventStore | None = None,
    find_bot: Callable[[str], Bot] | None = None,
    thinkers: FairWorkerPool | None = None,
    client: Path | None = None,
    documentation: Path | None = None,
    send_buffer: int | None = None,
    front: OriginPolicy | None = None,
    ping_interval: float | None = None,
    committing_seconds: float = 0.0,
) -> AsyncIterator[str]:
    """Runs a server; yields its address.

    Its matches begin at once, unless `committing_seconds` has them wait for commitments.
    """
    store = store or SqliteStore(data / "tables.sqlite3")
    await register_tokens(store)
    services = ServerContext(
        store,
        replace(limits or Limits(), commitment_wait_s=committing_seconds),
        find_bot or bot,
        thinkers,
    )
    app = create_app(
        services,
        client or data / "no-client",
        front,
        documentation=documentation or data / "no-documentation",
    )
    async with running_app(app, send_buffer, ping_interval) as url:
        yield url


@contextlib.asynccontextmanager
async def running_server_with(services: ServerContext, client: Path) -> AsyncIterator[str]:
    """Runs a server with these services; yields its address."""
    async with running_app(create_app(services, client)) as url:
        yield url


@contextlib.asynccontextmanager
async def running_app(
    app: LimitedApplication,
    send_buffer: int | None = None,
    ping_interval: float | None = None,
    port: int = 0,
) -> AsyncIterator[str]:
    """Runs a server of this application; yields its address."""
    app.read_batcher.interval = READ_INTERVAL_S
    # With the protocol named, the event loop switches Nagle's delay off, as for the real server.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", port))
    if send_buffer is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    config = ServerConfig(app)
    config.timeout_graceful_shutdown = 2
    config.ws_ping_interval = ping_interval or config.ws_ping_interval
    server = QuietServer(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    await server.answers.wait()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.ends.set()
        await running
        listener.close()


def rest_client(url: str, **options: Any) -> httpx2.AsyncClient:
    """A client for the REST interface and the pages of a server."""
    return httpx2.AsyncClient(base_url=url, **({"timeout": HTTP_TIMEOUT_S} | options))


@contextlib.asynccontextmanager
async def websocket(
    url: str, token: str | None = TOKEN, **headers: str
) -> AsyncIterator[ClientConnection]:
    """A plain WebSocket, after the welcome message."""
    async with unwelcomed_websocket(url, token, **headers) as socket_:
        await socket_.recv()
        yield socket_


@contextlib.asynccontextmanager
async def unwelcomed_websocket(
    url: str, token: str | None = TOKEN, **headers: str
) -> AsyncIterator[ClientConnection]:
    """A plain WebSocket, before the welcome message."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        sent["Cookie"] = f"theme=dark; {COOKIE_NAME}={token}"
    address = url.replace("http", "ws", 1) + "/ws"
    async with connect(
        address,
        additional_headers=sent,
        compression=None,
        proxy=None,
        max_size=2**22,
        max_queue=None,  # what a test does not read must not keep the connection from closing
    ) as socket_:
        yield socket_


class ServerProcess:
    """The real server as an operator runs it, in a process that can be killed.

    Args:
        data: its data folder.
        port: its port, 0 for any.
        descriptors: how many it may open, by the soft and by the hard limit.
        store: where it keeps its tables, if not in that folder.
        admin: its local socket, if not in that folder.
    """

    def __init__(
        self,
        data: Path,
        port: int = 0,
        descriptors: tuple[int, int] | None = None,
        store: str | None = None,
        admin: Path | None = None,
    ) -> None:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = (
            f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, {descriptors}); "
            if descriptors
            else ""
        )
        place = "data=Path(sys.argv[1])" if store is None else f"store={store!r}"
        place += "" if admin is None else f", admin=Path({str(admin)!r})"
        program = (
            f"{before}"
            "import asyncio, sys; from pathlib import Path; from jasstisch.server import serve; "
            "from tests.server.running_server import register_tokens_in; "
            "asyncio.run(register_tokens_in(Path(sys.argv[1]))); "
            f"sys.exit(serve(port=int(sys.argv[2]), {place}, thinkers=1))"
        )
        # A file: a pipe would only end with the last of the workers that a kill leaves behind.
        self.errors = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `end` closes it
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(data), str(port)],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found is not None, line + self.wait_exit()
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self) -> str:
        """Kills it (SIGKILL); returns its log output."""
        self.process.kill()
        return self.wait_exit()

    def wait_exit(self) -> str:
        """Waits for it to exit; returns its log output."""
        self.process.wait(timeout=SHUTDOWN_TIMEOUT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.errors.seek(0)
        said = self.errors.read()
        self.errors.close()
        return said

    def stop(self) -> str:
        """Stops it gracefully; returns its log output."""
        self.process.terminate()
        return self.wait_exit()

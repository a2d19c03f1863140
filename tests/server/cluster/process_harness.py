"""Real servers on one store behind a load balancer, with players and consistency checks.

Each server is a process that tests kill, pause and restart; Postgres and NATS are real. Players use
the shipped client. At the end, each client's folded state is compared with the log, and every
acknowledged action must be in it.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Self

import msgspec

from jasstisch.client import Client, ConnectionLostError, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.server.cluster.messages import PROTOCOL_VERSION
from jasstisch.storage.leases import Node
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table import Table
from jasstisch.table.events import Acted, Event
from tests.support.tcp_proxy import TcpProxy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence

TIMEOUT_S = 60.0
"""Seconds after which a process that should do something has failed."""

SERVER_SCRIPT = """
import sys
from jasstisch.server.cluster import messages
from jasstisch.table import events
messages.PROTOCOL_VERSION, events.EVENT_VERSION = int(sys.argv[3]), int(sys.argv[4])
from jasstisch.server import serve
# These players do not wait before they play.
limits = {"messages_per_second": 1000, "message_burst": 1000}
sys.exit(serve(port=0, store=sys.argv[1], bus=sys.argv[2] or None, thinkers=1, limits=limits))
"""


def free_port() -> int:
    """Returns an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


NATS_CONFIG = Path(__file__).parents[3] / "deploy" / "nats.conf"
"""As hosts start it."""


class NatsServer:
    """A NATS server that requires a password."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"nats://jass:secret-word@127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Starts or restarts it, and waits until it responds."""
        program = shutil.which("nats-server") or str(Path(sys.executable).parent / "nats-server")
        words = ("--config", str(NATS_CONFIG), "--addr", "127.0.0.1", "--port", str(self.port))
        self._process = subprocess.Popen(
            [program, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"NATS_PASSWORD": '"secret-word"'},
        )
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0) as line:
                if line.recv(4) == b"INFO":
                    return

    @property
    def pid(self) -> int:
        """The process id; 0 while it is stopped."""
        return 0 if self._process is None else self._process.pid

    def stop(self) -> None:
        """Kills it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_S)
            self._process = None


class NodeProcess:
    """A server process as an operator runs it.

    Args:
        store: where tables are kept.
        bus: by which it reaches others; empty where it runs alone.
        talk: the version of what it says to others.
        events: the version of the events it knows.
    """

    def __init__(self, store: str, bus: str, *, talk: int = 1, events: int = 1) -> None:
        self._log = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `end` closes it
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER_SCRIPT, store, bus, str(talk), str(events)],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.port = 0
        self.stopped = False

    def wait_ready(self) -> Self:
        """Waits until it responds."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found is not None, line + self.wait_exit()
        self.port = int(found[1])
        return self

    def signal(self, what: signal.Signals) -> None:
        """Sends a signal; SIGSTOP and SIGCONT pause and resume it."""
        self.stopped = what == signal.SIGSTOP
        self._process.send_signal(what)

    def kill(self) -> str:
        """Kills it; returns its log output."""
        self._process.kill()
        return self.wait_exit()

    def stop(self) -> str:
        """Stops it gracefully; returns its log output."""
        if self.stopped:
            self.signal(signal.SIGCONT)
        self._process.terminate()
        return self.wait_exit()

    @property
    def has_exited(self) -> bool:
        """Whether the process has exited."""
        return self._process.poll() is not None

    def wait_exit(self) -> str:
        """Waits for it to exit; returns its log output."""
        self._process.wait(TIMEOUT_S)
        if self._log.closed:
            return ""
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.seek(0)
        said = self._log.read()
        self._log.close()
        return said


class LoadBalancer:
    """A TCP load balancer that assigns connections round robin, without reading them.

    Args:
        nodes: the servers, which may change; those that have ended or stand still are passed over.
        first: at which of them it begins.
    """

    def __init__(self, nodes: list[NodeProcess], first: int = 0) -> None:
        self._nodes = nodes
        self._first = first
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.StreamWriter, NodeProcess] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for line in list(self._lines):
            line.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def drop_connections(self, node: NodeProcess) -> None:
        """Closes all connections to a server, as after a failed health check."""
        for line, there in list(self._lines.items()):
            if there is node:
                line.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turns = [*self._nodes[self._first :], *self._nodes[: self._first]]
        for node in turns:
            if node.stopped or node.has_exited or not node.port:
                continue
            try:
                there, on = await asyncio.open_connection("127.0.0.1", node.port)
            except OSError:
                continue
            self._lines |= {writer: node, on: node}
            for source, target in ((reader, on), (there, writer)):
                task = asyncio.create_task(self._forward(source, target))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            return
        writer.close()

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(1 << 16):
                target.write(data)
                await target.drain()
        except OSError:
            pass
        finally:
            self._lines.pop(target, None)
            target.close()


class CuttableProxy(TcpProxy):
    """A proxy that can be cut: then it delivers nothing, and tells neither side."""

    def __init__(self, target: Path | int) -> None:
        super().__init__(target)
        self._whole = asyncio.Event()
        self._whole.set()

    def cut(self) -> None:
        """Stops all traffic."""
        self._whole.clear()

    def heal(self) -> None:
        """Resumes traffic, including what was held back."""
        self._whole.set()

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> tuple[Coroutine[Any, Any, None], Coroutine[Any, Any, None]]:
        """Forwards both ways, while it is not cut."""
        return self._forward(client[0], server[1]), self._forward(server[0], client[1])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        await super()._serve(reader, writer)

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                await self._whole.wait()
                target.write(data)
                await target.drain()
        target.close()


@dataclass
class HarnessPlayer:
    """A player who records what they requested and what the server acknowledged.

    Attributes:
        client: the connection.
        table: the table as it was told.
        requested: what was asked, in order.
        acknowledged: what was acknowledged, and by which version it was done.
        refused: what was refused, with the code.
        acknowledged_at: when something was acknowledged, by the time of the loop.
        pause: seconds between two actions.
    """

    client: Client
    table: WatchedTable
    requested: list[str] = field(default_factory=list)
    acknowledged: list[tuple[str, int]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    acknowledged_at: list[float] = field(default_factory=list)
    pause: float = 0.02

    async def play(self) -> None:
        """Plays until cancelled or until the match is over."""
        table = self.table
        while table.phase != "over":
            await table.until(WatchedTable.is_mine_to_move)
            version = table.version
            try:
                await self._act()
            except ConnectionLostError:
                continue
            except RequestError as error:
                self.refused.append(error.code)
                if error.code == "busy":
                    await asyncio.sleep(0.1)
                elif table.version == version:
                    # What was not known to be done has been done: the copy shows it soon.
                    await self._wait_for_change(version)
            await asyncio.sleep(self.pause)

    async def _act(self) -> None:
        table = self.table
        if table.turn is not None and table.turn.legal:
            action = table.turn.legal[0]
            self.requested.append(action)
            done = await self.client.request(messages.Act(0, table.id, action))
            self.acknowledged.append((action, done.version or 0))
        elif table.phase == "between":
            await table.declare_ready()
        self.acknowledged_at.append(asyncio.get_running_loop().time())

    async def _wait_for_change(self, version: int) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self.table.until(lambda table: table.version != version)


@asynccontextmanager
async def open_match(
    urls: Sequence[str], game: str = "molotov", **options: int | str | None
) -> AsyncIterator[list[HarnessPlayer]]:
    """People at a table whose match has started, each with an address of their own."""
    clients = [Client(url, patience=TIMEOUT_S) for url in urls]
    try:
        for client in clients:
            await client.open()
        seats = ["me", *["open"] * (len(urls) - 1)]
        made = await clients[0].create_table(game, seats, name="P0", options=options)
        players = [HarnessPlayer(client, await client.watch(made.table)) for client in clients]
        for seat, player in enumerate(players[1:], start=1):
            await player.table.sit(seat, f"P{seat}")
        await players[0].table.start()
        yield players
    finally:
        for client in clients:
            await client.close()


async def final_log(players: Sequence[HarnessPlayer], store: str) -> Sequence[Event]:
    """The table's log, once every player has received all of it and stopped acting.

    Raises:
        TimeoutError: somebody is not told.
    """
    kept = PostgresStore(store)
    # One that knows whatever events there may be.
    await kept.join_cluster(
        Node(
            token_hex(16),
            "check",
            has_bus=True,
            protocol_version=PROTOCOL_VERSION,
            event_version=99,
        )
    )
    log: Sequence[Event] = ()
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                log = await kept.load(players[0].table.id)
                if all(one.table.is_current and one.table.version == len(log) for one in players):
                    return log
                await asyncio.sleep(0.05)
    except TimeoutError:
        versions = [(one.table.is_current, one.table.version) for one in players]
        raise AssertionError(f"log has {len(log)} events, people see {versions}") from None
    finally:
        await kept.close()


async def check_consistency(players: Sequence[HarnessPlayer], store: str) -> None:
    """Checks one gapless history: no acknowledged action lost or repeated, all clients equal."""
    log = await final_log(players, store)
    state = Table.from_events(log).state
    for player in players:
        table, seat = player.table, player.table.seat
        assert as_json(table.view) == as_json(state.view(seat))
        assert as_json(table.room) == as_json(state.room())
        if seat is None:
            continue
        done = [one.action for one in log if isinstance(one, Acted) and one.seat == seat]
        for action, version in player.acknowledged:
            assert version <= len(log)
            assert last_action(log[:version], seat) == action
        assert is_subsequence(done, player.requested)
        assert is_subsequence([action for action, _ in player.acknowledged], done)


def last_action(log: Sequence[Event], seat: int) -> str | None:
    """The last action of a seat."""
    own = (one.action for one in reversed(log) if isinstance(one, Acted) and one.seat == seat)
    return next(own, None)


def is_subsequence(some: Sequence[str], of: Sequence[str]) -> bool:
    """Whether `some` is a subsequence of `of`."""
    rest = iter(of)
    return all(one in rest for one in some)


def longest_wait(players: Sequence[HarnessPlayer], since: float) -> float:
    """The longest gap between two acknowledgements to anybody, in seconds."""
    moments = sorted({since, *(one for player in players for one in player.acknowledged_at)})
    late = [one for one in moments if one >= since]
    return max((b - a for a, b in pairwise(late)), default=0.0)


async def wait_for_progress(players: Sequence[HarnessPlayer], more: int = 4) -> float:
    """Waits for that many more acknowledgements; returns the time it took, in seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    before = acknowledged_count(players)
    await wait_until(lambda: acknowledged_count(players) >= before + more)
    return loop.time() - began


def acknowledged_count(players: Sequence[HarnessPlayer]) -> int:
    """The number of acknowledged actions."""
    return sum(len(player.acknowledged_at) for player in players)


async def wait_until(reached: Callable[[], bool]) -> None:
    """Waits until a condition holds.

    Raises:
        TimeoutError: it is not for long.
    """
    async with asyncio.timeout(TIMEOUT_S):
        while not reached():  # noqa: ASYNC110 - other processes tell nobody
            await asyncio.sleep(0.02)


def as_json(what: object) -> Any:
    """Returns a value after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(what))

"""Generates load on a server: moves at a fixed rate at many tables, with latency and cost.

At every table four people play, each over a separate WebSocket, and one of them moves every second
(`--every`) whether the server keeps up or not. The latency of a move is measured from when it was
due to its acknowledgement, so there is no coordinated omission. All people are in this one process,
which reports its own CPU usage; other programs on the machine slow the server down. Examples:

    python -m bench.load
    python -m bench.load --tables 500 1000 2000 --write
    python -m bench.load --tables 2000 --source ../older/src

`--source` loads a server of other sources, such as those of an earlier commit.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Protocol

import msgspec
import uvloop

from bench.figures_page import ROOT, Section, write_section
from bench.load.websocket_client import WebSocketClient, open_websocket
from jasstisch.cli.arguments import int_range

PEOPLE = 4
WARMUP_S = 5.0
"""Seconds of play that are not measured."""

CONCURRENT_CREATIONS = 50
"""The number of tables created concurrently."""

UNLIMITED_SCRIPT = """
import sys
from dataclasses import fields
from pathlib import Path
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import run

much = 10**9
wanted = dict.fromkeys(
    (
        "live_tables running_per_person running_per_address new_identities_per_minute connections "
        "new_tables_per_minute new_tables_per_day sockets connections_per_address "
        "new_connections_per_second requests_per_second request_burst connections_per_person"
    ).split(),
    much,
)
given = zip(fields(Limits), Limits.__init__.__defaults__, strict=True)
Limits.__init__.__defaults__ = tuple(wanted.get(one.name, default) for one, default in given)
"""
"""Lifts the limits, since all clients come from one address."""

SERVER_SCRIPT = f"""{UNLIMITED_SCRIPT}
sys.exit(run("127.0.0.1", 0, Path(sys.argv[1]), open_browser=False, thinkers=1))
"""
"""Runs a server with default settings except for its limits."""


class Turn(msgspec.Struct):
    """The turn, as far as it matters here."""

    legal: list[str]


class Room(msgspec.Struct):
    """The room, as far as it matters here."""

    phase: str | None = None


class Message(msgspec.Struct):
    """Any message, as far as it matters here."""

    type: str
    seq: int | None = None
    turn: Turn | None = None
    room: Room | None = None
    message: str = ""


message_decoder: "msgspec.json.Decoder[Message]" = msgspec.json.Decoder(Message)


@dataclass
class LoadResult:
    """The measurements.

    Attributes:
        latencies: seconds of each move from when it was due.
        errors: the errors, each as often as it occurred.
    """

    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class LoadedTable:
    """A table at which four people play.

    Args:
        table: its id.
        board: the measurements.
    """

    def __init__(self, table: str, board: LoadResult) -> None:
        self.table = table
        self.over = False
        self.wires: list[WebSocketClient] = []
        self._board = board
        self._phase = "open"
        self._legal: list[list[str] | None] = [None] * PEOPLE
        self._due: deque[float] = deque()
        self._asked = itertools.count(10)
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._moving: tuple[int, float] | None = None
        self._loop = asyncio.get_running_loop()

    def on_message(self, seat: int, text: bytes) -> None:
        """Handles a message to one of the four people."""
        message = message_decoder.decode(text)
        match message.type:
            case "event" | "snapshot":
                self._legal[seat] = message.turn.legal if message.turn else None
                if message.room is not None and message.room.phase is not None:
                    self._phase = message.room.phase
            case "ack":
                self._on_answer(message.seq or 0)
            case "error":
                self._board.errors.append(message.message)
                self._on_answer(message.seq or 0)
        self._advance()

    def schedule_move(self) -> None:
        """Schedules the next move."""
        self._due.append(time.perf_counter())
        self._advance()

    def close(self) -> None:
        """Stops playing."""
        self.over = True
        for wire in self.wires:
            wire.close()

    async def request(self, who: int, kind: str, **more: object) -> None:
        """Makes a request and waits for the response."""
        seq = next(self._asked)
        answer = self._answers[seq] = self._loop.create_future()
        self._send(who, kind, seq, more)
        await answer

    def _send(self, seat: int, kind: str, seq: int, more: dict[str, object]) -> None:
        request = {"type": kind, "seq": seq, "table": self.table} | more
        self.wires[seat].send(msgspec.json.encode(request))

    def _on_answer(self, seq: int) -> None:
        if self._moving is not None and seq == self._moving[0]:
            self._board.latencies.append(time.perf_counter() - self._moving[1])
            self._moving = None
        elif seq in self._answers:
            self._answers.pop(seq).set_result(None)

    def _advance(self) -> None:
        if not self._due or self._moving is not None:
            return
        if self._phase in ("between", "over"):
            self._due.popleft()
            self._phase = "asked"
            for seat in range(PEOPLE):
                self._send(seat, "ready", next(self._asked), {})
            return
        acting = [seat for seat in range(PEOPLE) if self._legal[seat]]
        if not acting or self._phase != "playing":
            return
        seat = acting[0]
        action = random.choice(self._legal[seat] or [])
        self._legal[seat] = None
        self._moving = (next(self._asked), self._due.popleft())
        self._send(seat, "act", self._moving[0], {"action": action})


class LoadTarget(Protocol):
    """The target of the load: a server, or several that share their tables."""

    @property
    def ports(self) -> Sequence[int]:
        """The ports of the servers."""

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds so far."""

    def other_cpu_seconds(self) -> dict[str, float]:
        """Returns the CPU seconds so far of other processes it needs, by name."""

    def memory_bytes(self) -> int:
        """Returns the memory in bytes."""


class ServerProcess:
    """A server process.

    Args:
        data: its data folder, which also holds its log.
        source: the folder of its sources.
        program: the script that runs it.
        words: arguments of the script; the data folder when left out.
    """

    def __init__(
        self, data: Path, source: Path, program: str = SERVER_SCRIPT, words: Sequence[str] = ()
    ) -> None:
        self._log = (data / "log").open("wb")
        self.process = subprocess.Popen(  # noqa: S603 - the running Python
            [sys.executable, "-c", program, *(words or [str(data)])],
            env=os.environ | {"PYTHONPATH": str(source)},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        if found is None:
            self.process.kill()
            raise OSError((data / "log").read_text())
        self.port = int(found[1])

    @property
    def ports(self) -> Sequence[int]:
        """Its port."""
        return [self.port]

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds so far."""
        return process_cpu_seconds(self.process.pid)

    def other_cpu_seconds(self) -> dict[str, float]:
        """Returns nothing: it needs no other process."""
        return {}

    def memory_bytes(self) -> int:
        """Returns the memory in bytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Stops the server."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()


def process_cpu_seconds(process: int | str = "self") -> float:
    """Returns the CPU seconds of a process, without its children."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def machine_cpu_seconds() -> tuple[float, float]:
    """Returns the busy and the total seconds of all processors."""
    words = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    idle = words[3] + words[4]
    ticks = os.sysconf("SC_CLK_TCK")
    return (sum(words) - idle) / ticks, sum(words) / ticks


class RestClient:
    """A REST client with one connection."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def post(self, path: str, body: object = None, cookie: str = "") -> tuple[Any, str]:
        """Returns the response of a call, and its cookie."""
        text = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        self._connection.request("POST", path, text, headers)
        answer = self._connection.getresponse()
        said = answer.read()
        if answer.status >= 300:
            raise OSError(f"{path}: {answer.status} {said.decode()}")
        given = answer.getheader("Set-Cookie") or cookie
        return json.loads(said) if said else None, given.partition(";")[0]


async def gather_limited(work: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Runs all tasks with limited concurrency."""
    left = iter(work)

    async def some() -> None:
        for one in left:
            await one()

    await asyncio.gather(*(some() for _ in range(CONCURRENT_CREATIONS)))


def create_tables(
    ports: Sequence[int], game: str, options: dict[str, object], tables: int
) -> list[tuple[str, list[str]]]:
    """Creates tables at all servers in turn; returns their ids and the cookies of their people."""
    found = []
    with ExitStack() as stack:
        servers = [stack.enter_context(closing(RestClient(port))) for port in ports]
        for calls in itertools.islice(itertools.cycle(servers), tables):
            cookies = [calls.post("/api/identity")[1] for _ in range(PEOPLE)]
            new = {"game": game, "options": options, "name": "P0", "seats": ["me", *["open"] * 3]}
            table, _ = calls.post("/api/tables", new, cookies[0])
            found.append((table["table"], cookies))
    return found


async def seat_players(ports: Sequence[int], played: LoadedTable, cookies: Sequence[str]) -> None:
    """Seats four people at a table, each through the next server, and starts the match."""
    for seat, (cookie, port) in enumerate(zip(cookies, itertools.cycle(ports), strict=False)):
        played.wires.append(await open_websocket(port, cookie, partial(played.on_message, seat)))
    for seat in range(PEOPLE):
        await played.request(seat, "watch")
        if seat:
            await played.request(seat, "sit", seat=seat, name=f"P{seat}")
    await played.request(0, "start")


async def run_load(arguments: argparse.Namespace, tables: int) -> dict[str, float]:
    """Plays at this many tables; returns the measurements."""
    with tempfile.TemporaryDirectory() as data:
        server = ServerProcess(Path(data), arguments.source)
        try:
            return await load_target(arguments, server, tables)
        finally:
            server.stop()


async def load_target(
    arguments: argparse.Namespace, server: LoadTarget, tables: int
) -> dict[str, float]:
    """Runs the load on a server, or several; returns the results."""
    board = LoadResult()
    loop = asyncio.get_running_loop()
    options: dict[str, object] = {"rounds": 60} if arguments.game == "molotow" else {}
    found = await asyncio.to_thread(create_tables, server.ports, arguments.game, options, tables)
    played = [LoadedTable(table, board) for table, _ in found]
    before = server.memory_bytes()
    await gather_limited(
        partial(seat_players, server.ports, one, cookies)
        for one, (_, cookies) in zip(played, found, strict=True)
    )
    every: float = arguments.every

    def tick(one: LoadedTable, at: float) -> None:
        if one.over:
            return
        one.schedule_move()
        loop.call_at(at + every, tick, one, at + every)

    for one in played:
        at = loop.time() + random.uniform(0, every)
        loop.call_at(at, tick, one, at)
    await asyncio.sleep(WARMUP_S)
    board.latencies.clear()
    used, own, machine = server.cpu_seconds(), process_cpu_seconds(), machine_cpu_seconds()
    beside = server.other_cpu_seconds()
    begun = time.perf_counter()
    await asyncio.sleep(arguments.seconds)
    seconds = time.perf_counter() - begun
    used, own = server.cpu_seconds() - used, process_cpu_seconds() - own
    others = {
        name: (time_ - beside[name]) / seconds for name, time_ in server.other_cpu_seconds().items()
    }
    busy, there = (after - past for after, past in zip(machine_cpu_seconds(), machine, strict=True))
    memory = server.memory_bytes()
    for one in played:
        one.close()
    await asyncio.gather(*(wire.lost for one in played for wire in one.wires))
    took = sorted(board.latencies)
    if board.errors:
        print(f"{len(board.errors)} refusals, as {board.errors[0]!r}", file=sys.stderr)

    def within(share: float) -> float:
        return 1000 * took[int(share * (len(took) - 1))] if took else float("nan")

    return {
        "tables": tables,
        "moves a second": len(took) / seconds,
        "due a second": tables / every,
        "p50 ms": within(0.5),
        "p95 ms": within(0.95),
        "p99 ms": within(0.99),
        "longest ms": within(1.0),
        "server, cores": used / seconds,
        "µs a move": 1e6 * used / max(1, len(took)),
        **{f"{name}, cores": cores for name, cores in others.items()},
        "loader, cores": own / seconds,
        "machine busy": busy / there,
        "KB a table": (memory - before) / tables / 1000,
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="bench.load.generator", description=__doc__)
    parser.add_argument("--tables", type=int_range(1), nargs="+", default=[2000], metavar="N")
    parser.add_argument("--game", default="molotow")
    parser.add_argument("--every", type=float, default=1.0, metavar="S")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    parser.add_argument("--source", type=Path, default=ROOT / "src", metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="save the figures in docs/figures.md")
    arguments = parser.parse_args()
    rows = []
    for tables in arguments.tables:
        found = uvloop.run(run_load(arguments, tables))
        rows.append(found)
        for key, value in found.items():
            print(f"{key:16} {value:,.2f}")
    if arguments.write:
        write_section("load", section(sys.argv[1:], rows))


def section(words: Sequence[str], rows: Sequence[dict[str, float]]) -> Section:
    """Returns the section for docs/figures.md."""
    given = [word for word in words if word != "--write"]
    return Section(
        command=shlex.join(["python", "-m", "bench.load", *given]),
        columns=list(rows[0]),
        rows=[[f"{value:,.4g}" for value in row.values()] for row in rows],
    )


if __name__ == "__main__":
    main()

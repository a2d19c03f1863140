"""How a server bears many tables: moves at a fixed rate, and what they cost.

At every table four people play, each over a WebSocket of his own, and one of them moves every
second (`--every`) whether the server keeps up or not: the time of a move is from when it was due to
its acknowledgement. All people are in this one process, which says how much of a core it took
itself; a server that shares the machine with anything else is slower. As in:

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

from bench.figures import ROOT, Section, write
from bench.load_wire import Wire, opened
from jasstisch.cli.arguments import whole

PEOPLE = 4
SETTLED = 5.0
"""Seconds of play that are not counted."""

OPENING = 50
"""So many tables are made at the same time."""

LIMITS = """
import sys
from dataclasses import fields
from pathlib import Path
from jasstisch.server.limits import Limits
from jasstisch.server.run import run

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
"""Lets all in who load a server: they come from one address."""

SERVER = f"""{LIMITS}
sys.exit(run("127.0.0.1", 0, Path(sys.argv[1]), open_browser=False, thinkers=1))
"""
"""Runs a server as a host does, but for its limits."""


class Turn(msgspec.Struct):
    """Whose turn it is, as far as it matters here."""

    legal: list[str]


class Room(msgspec.Struct):
    """The room, as far as it matters here."""

    phase: str | None = None


class Heard(msgspec.Struct):
    """Any message, as far as it matters here."""

    type: str
    seq: int | None = None
    turn: Turn | None = None
    room: Room | None = None
    message: str = ""


heard: "msgspec.json.Decoder[Heard]" = msgspec.json.Decoder(Heard)


@dataclass
class Board:
    """What was measured.

    Attributes:
        took: seconds of each move from when it was due.
        troubles: what went wrong, in words, each as often as it did.
    """

    took: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


class Played:
    """A table at which four people play.

    Args:
        table: its id.
        board: where the times go.
    """

    def __init__(self, table: str, board: Board) -> None:
        self.table = table
        self.over = False
        self.wires: list[Wire] = []
        self._board = board
        self._phase = "open"
        self._legal: list[list[str] | None] = [None] * PEOPLE
        self._due: deque[float] = deque()
        self._asked = itertools.count(10)
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._moving: tuple[int, float] | None = None
        self._loop = asyncio.get_running_loop()

    def hear(self, seat: int, text: bytes) -> None:
        """Takes what one of the four is told."""
        message = heard.decode(text)
        match message.type:
            case "event" | "snapshot":
                self._legal[seat] = message.turn.legal if message.turn else None
                if message.room is not None and message.room.phase is not None:
                    self._phase = message.room.phase
            case "ack":
                self._acknowledged(message.seq or 0)
            case "error":
                self._board.troubles.append(message.message)
                self._acknowledged(message.seq or 0)
        self._go_on()

    def due(self) -> None:
        """A move is due now."""
        self._due.append(time.perf_counter())
        self._go_on()

    def leave(self) -> None:
        """Plays no more."""
        self.over = True
        for wire in self.wires:
            wire.close()

    async def ask(self, who: int, kind: str, **more: object) -> None:
        """Makes a request and waits for the answer."""
        seq = next(self._asked)
        answer = self._answers[seq] = self._loop.create_future()
        self._say(who, kind, seq, more)
        await answer

    def _say(self, seat: int, kind: str, seq: int, more: dict[str, object]) -> None:
        request = {"type": kind, "seq": seq, "table": self.table} | more
        self.wires[seat].send(msgspec.json.encode(request))

    def _acknowledged(self, seq: int) -> None:
        if self._moving is not None and seq == self._moving[0]:
            self._board.took.append(time.perf_counter() - self._moving[1])
            self._moving = None
        elif seq in self._answers:
            self._answers.pop(seq).set_result(None)

    def _go_on(self) -> None:
        if not self._due or self._moving is not None:
            return
        if self._phase in ("between", "over"):
            self._due.popleft()
            self._phase = "asked"
            for seat in range(PEOPLE):
                self._say(seat, "ready", next(self._asked), {})
            return
        acting = [seat for seat in range(PEOPLE) if self._legal[seat]]
        if not acting or self._phase != "playing":
            return
        seat = acting[0]
        action = random.choice(self._legal[seat] or [])
        self._legal[seat] = None
        self._moving = (next(self._asked), self._due.popleft())
        self._say(seat, "act", self._moving[0], {"action": action})


class Target(Protocol):
    """What is loaded: a server, or several that share their tables."""

    @property
    def ports(self) -> Sequence[int]:
        """Where they answer."""

    def used(self) -> float:
        """Seconds of processor time until now."""

    def beside(self) -> dict[str, float]:
        """Seconds of processor time until now of what else it needs, by name."""

    def memory(self) -> int:
        """Bytes of memory that are in use now."""


class Served:
    """A server in a process of its own.

    Args:
        data: its folder, where its log goes.
        source: where its sources are.
        program: what runs it.
        words: for the program; the folder where they are left out.
    """

    def __init__(
        self, data: Path, source: Path, program: str = SERVER, words: Sequence[str] = ()
    ) -> None:
        self._log = (data / "log").open("wb")
        self.process = subprocess.Popen(  # noqa: S603 - this very Python
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
        """Where it answers."""
        return [self.port]

    def used(self) -> float:
        """Seconds of processor time until now."""
        return processor_time(self.process.pid)

    def beside(self) -> dict[str, float]:
        """It needs nothing else."""
        return {}

    def memory(self) -> int:
        """Bytes of memory that are in use now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Ends the server."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()


def processor_time(process: int | str = "self") -> float:
    """Seconds of processor time that a process has used, without its children."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def machine_busy() -> tuple[float, float]:
    """Seconds all processors were busy, and all seconds there were."""
    words = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    idle = words[3] + words[4]
    ticks = os.sysconf("SC_CLK_TCK")
    return (sum(words) - idle) / ticks, sum(words) / ticks


class Calls:
    """REST calls over one connection."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port)

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()

    def post(self, path: str, body: object = None, cookie: str = "") -> tuple[Any, str]:
        """The answer to a call, and the cookie that came with it."""
        text = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        self._connection.request("POST", path, text, headers)
        answer = self._connection.getresponse()
        said = answer.read()
        if answer.status >= 300:
            raise OSError(f"{path}: {answer.status} {said.decode()}")
        given = answer.getheader("Set-Cookie") or cookie
        return json.loads(said) if said else None, given.partition(";")[0]


async def gathered(work: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Does all of it, so many at a time."""
    left = iter(work)

    async def some() -> None:
        for one in left:
            await one()

    await asyncio.gather(*(some() for _ in range(OPENING)))


def made(
    ports: Sequence[int], game: str, options: dict[str, object], tables: int
) -> list[tuple[str, list[str]]]:
    """The ids of new tables, made at all servers in turn, and the cookies of their people."""
    found = []
    with ExitStack() as stack:
        servers = [stack.enter_context(closing(Calls(port))) for port in ports]
        for calls in itertools.islice(itertools.cycle(servers), tables):
            cookies = [calls.post("/api/identity")[1] for _ in range(PEOPLE)]
            new = {"game": game, "options": options, "name": "P0", "seats": ["me", *["open"] * 3]}
            table, _ = calls.post("/api/tables", new, cookies[0])
            found.append((table["table"], cookies))
    return found


async def sat_down(ports: Sequence[int], played: Played, cookies: Sequence[str]) -> None:
    """Four people sit down at a table, each by the next of the servers, and begin."""
    for seat, (cookie, port) in enumerate(zip(cookies, itertools.cycle(ports), strict=False)):
        played.wires.append(await opened(port, cookie, partial(played.hear, seat)))
    for seat in range(PEOPLE):
        await played.ask(seat, "watch")
        if seat:
            await played.ask(seat, "sit", seat=seat, name=f"P{seat}")
    await played.ask(0, "start")


async def measure(arguments: argparse.Namespace, tables: int) -> dict[str, float]:
    """Plays at so many tables; what was seen."""
    with tempfile.TemporaryDirectory() as data:
        server = Served(Path(data), arguments.source)
        try:
            return await loaded(arguments, server, tables)
        finally:
            server.stop()


async def loaded(arguments: argparse.Namespace, server: Target, tables: int) -> dict[str, float]:
    """Loads a server, or several; what was seen."""
    board = Board()
    loop = asyncio.get_running_loop()
    options: dict[str, object] = {"rounds": 60} if arguments.game == "molotow" else {}
    found = await asyncio.to_thread(made, server.ports, arguments.game, options, tables)
    played = [Played(table, board) for table, _ in found]
    before = server.memory()
    await gathered(
        partial(sat_down, server.ports, one, cookies)
        for one, (_, cookies) in zip(played, found, strict=True)
    )
    every: float = arguments.every

    def tick(one: Played, at: float) -> None:
        if one.over:
            return
        one.due()
        loop.call_at(at + every, tick, one, at + every)

    for one in played:
        at = loop.time() + random.uniform(0, every)
        loop.call_at(at, tick, one, at)
    await asyncio.sleep(SETTLED)
    board.took.clear()
    used, own, machine = server.used(), processor_time(), machine_busy()
    beside = server.beside()
    begun = time.perf_counter()
    await asyncio.sleep(arguments.seconds)
    seconds = time.perf_counter() - begun
    used, own = server.used() - used, processor_time() - own
    others = {name: (time_ - beside[name]) / seconds for name, time_ in server.beside().items()}
    busy, there = (after - past for after, past in zip(machine_busy(), machine, strict=True))
    memory = server.memory()
    for one in played:
        one.leave()
    await asyncio.gather(*(wire.lost for one in played for wire in one.wires))
    took = sorted(board.took)
    if board.troubles:
        print(f"{len(board.troubles)} refusals, as {board.troubles[0]!r}", file=sys.stderr)

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
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--tables", type=whole(1), nargs="+", default=[2000], metavar="N")
    parser.add_argument("--game", default="molotow")
    parser.add_argument("--every", type=float, default=1.0, metavar="S")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    parser.add_argument("--source", type=Path, default=ROOT / "src", metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/figures.md")
    arguments = parser.parse_args()
    rows = []
    for tables in arguments.tables:
        found = uvloop.run(measure(arguments, tables))
        rows.append(found)
        for key, value in found.items():
            print(f"{key:16} {value:,.2f}")
    if arguments.write:
        write("load", section(sys.argv[1:], rows))


def section(words: Sequence[str], rows: Sequence[dict[str, float]]) -> Section:
    """The figures as they stand in docs/figures.md."""
    given = [word for word in words if word != "--write"]
    return Section(
        command=shlex.join(["python", "-m", "bench.load", *given]),
        columns=list(rows[0]),
        rows=[[f"{value:,.4g}" for value in row.values()] for row in rows],
    )


if __name__ == "__main__":
    main()

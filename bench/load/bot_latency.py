"""Measures how long players wait for bots at many tables at once.

A server runs whole matches at several tables, each with one person and bots in the other seats. A
second process plays for the people as fast as possible. For every move of a bot it measures the
time from when the table shows the bot's turn to when it shows the move, without the pause that lets
people follow the cards (`--pause` adds it). The server process also samples the lag of its event
loop every 10 ms. Examples:

    python -m bench.load.bot_latency
    python -m bench.load.bot_latency --game molotov --bot club --tables 50 --seconds 20
    python -m bench.load.bot_latency --bot greedy --burn 10 --in threads
    python -m bench.load.bot_latency --bot club --write

`--burn` adds this many milliseconds of interpreter time to every move.
"""

import argparse
import asyncio
import functools
import json
import logging
import multiprocessing
import os
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

import jasstisch as jt
from bench.figures_page import Section, write_section
from jasstisch.bots import Bot, View, bot, bots
from jasstisch.cli.arguments import int_range
from jasstisch.client import Client
from jasstisch.server.api import COOKIE_NAME
from jasstisch.server.context import ServerContext
from jasstisch.server.limits import Limits
from jasstisch.server.main import create_app
from jasstisch.server.workers import FairWorkerPool, ProcessWorker, ThreadWorker
from jasstisch.server.ws import ServerConfig
from jasstisch.storage import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WARMUP_S = 3.0
"""Seconds of play that are not measured."""

MAX_WAIT_MS = 1000
"""The target: nobody at fifty tables waits longer than these milliseconds."""

NOTE = (
    "The wait is from a computer's turn to its move, as a client sees it. People answer at once, "
    "so that the computers think all the time; the clients run on the same cores."
)
"""The note below the table."""

LAG_SAMPLE_INTERVAL_S = 0.01
"""Seconds between two samples of the event loop lag."""


class CpuBurningBot:
    """A bot that also burns CPU time in the interpreter.

    Args:
        other: the bot that chooses the actions.
        milliseconds: the additional time of each move.
    """

    def __init__(self, other: Bot, milliseconds: float) -> None:
        self.name = other.name
        self._other = other
        self._seconds = milliseconds / 1000

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Returns the action of the other bot after burning CPU time."""
        end = time.thread_time() + self._seconds
        while time.thread_time() < end:
            pass
        return self._other.act(view, legal, rng)


def cpu_burning_bot(milliseconds: float, name: str) -> Bot:
    """Returns the bot of this name with additional cost."""
    found = bot(name)
    return CpuBurningBot(found, milliseconds) if milliseconds else found


@dataclass
class TableTimings:
    """The timings of one table: seconds from each bot's turn to its move."""

    latencies: list[float] = field(default_factory=list)


async def play_table(
    url: str, arguments: argparse.Namespace, until: float, times: TableTimings
) -> None:
    """Plays at one table until the end of the measurement."""
    client = Client(url)
    await client._http("POST", "/api/identity")  # noqa: SLF001 - without its copy of the table
    seats = ["me", *[f"bot:{arguments.bot}"] * (arguments.players - 1)]
    made = await client.create_table(
        arguments.game, seats, name="Anna", pause=arguments.pause, start=True
    )
    headers = {"Cookie": f"{COOKIE_NAME}={client.token}"}
    address = url.replace("http", "ws", 1) + "/ws"
    async with connect(
        address, additional_headers=headers, compression=None, proxy=None, max_size=None
    ) as wire:
        await wire.send(json.dumps({"type": "watch", "seq": 1, "table": made.table}))
        await play_until(wire, made.table, until, times)


async def play_until(wire: ClientConnection, table: str, until: float, times: TableTimings) -> None:
    """Answers for the person at a table, and records when the others move."""
    since: float | None = None
    seq = 1
    while (now := time.perf_counter()) < until:
        try:
            async with asyncio.timeout(until - now):
                message: dict[str, Any] = msgspec.json.decode(await wire.recv())
        except TimeoutError:
            return
        if message["type"] not in ("event", "snapshot"):
            continue
        now = time.perf_counter()
        happened = message.get("event") or {}
        if happened.get("by") == "computer" and since is not None:
            times.latencies.append(now - since)
        phase = message["room"].get("phase")
        seq += 1
        if message["turn"]:
            # The bots' moves do not count until the person has acted.
            since = None
            action = message["turn"]["legal"][0]
            await wire.send(
                json.dumps({"type": "act", "seq": seq, "table": table, "action": action})
            )
        elif phase in ("between", "over"):
            since = None
            await wire.send(json.dumps({"type": "ready", "seq": seq, "table": table}))
        else:
            since = now


def run_clients(pipe: Connection, url: str, arguments: argparse.Namespace) -> None:
    """The client process: all people who play."""

    async def everybody() -> list[TableTimings]:
        begun = time.perf_counter() + WARMUP_S
        tables = [TableTimings() for _ in range(arguments.tables)]
        playing = [
            asyncio.create_task(play_table(url, arguments, begun + arguments.seconds, times))
            for times in tables
        ]
        await asyncio.sleep(WARMUP_S)
        for times in tables:
            times.latencies.clear()
        await asyncio.gather(*playing)
        return tables

    pipe.send([times.latencies for times in asyncio.run(everybody())])


async def sample_loop_lag(late: list[float]) -> None:
    """Samples the lag of the event loop repeatedly."""
    while True:
        due = time.perf_counter() + LAG_SAMPLE_INTERVAL_S
        await asyncio.sleep(LAG_SAMPLE_INTERVAL_S)
        late.append(time.perf_counter() - due)


@asynccontextmanager
async def running_server(arguments: argparse.Namespace, data: Path) -> "AsyncIterator[str]":
    """Yields a server in this process."""
    kind: Callable[[], ProcessWorker | ThreadWorker] = (
        ProcessWorker if arguments.where == "processes" else ThreadWorker
    )
    workers = [kind() for _ in range(arguments.workers)]
    services = ServerContext(
        SqliteStore(data / "tables.sqlite3"),
        Limits(
            new_tables_per_minute=10_000,
            connections_per_address=10_000,
            request_burst=10_000,
        ),
        functools.partial(cpu_burning_bot, arguments.burn),
        FairWorkerPool(workers),
    )
    config = ServerConfig(create_app(services))
    config.port = 0
    await services.start_warmup(kind())
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


async def run_load(arguments: argparse.Namespace, data: Path) -> dict[str, Any]:
    """Runs the server and the clients; returns the measurements of both."""
    context = multiprocessing.get_context("spawn")
    async with running_server(arguments, data) as url:
        ours, theirs = context.Pipe()
        process = context.Process(target=run_clients, args=(theirs, url, arguments))
        process.start()
        theirs.close()
        late: list[float] = []
        await asyncio.sleep(WARMUP_S)
        used = time.process_time()
        noting = asyncio.create_task(sample_loop_lag(late))
        waited = await asyncio.to_thread(ours.recv)
        noting.cancel()
        used = time.process_time() - used
        await asyncio.to_thread(process.join)
    moves = [one for table in waited for one in table]
    slowest = [max(table, default=0.0) for table in waited]
    return {
        "moves": len(moves),
        "moves_per_second": round(len(moves) / arguments.seconds, 1),
        "wait": percentiles(moves),
        "table_worst_mean": round(1000 * statistics.mean(slowest), 1),
        "loop_late": percentiles(late),
        "server_cpu": round(used / arguments.seconds, 3),
    }


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Returns the median, the 99th percentile and the maximum, in milliseconds."""
    if not seconds:
        return {}
    ordered = sorted(seconds)
    return {
        "p50": round(1000 * ordered[len(ordered) // 2], 1),
        "p99": round(1000 * ordered[int(0.99 * (len(ordered) - 1))], 1),
        "max": round(1000 * ordered[-1], 1),
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="bench.load.bot_latency", description=__doc__)
    parser.add_argument("--game", choices=jt.games(), default="differenzler")
    parser.add_argument("--players", type=int_range(2), default=4)
    parser.add_argument("--bot", choices=bots(), default="greedy")
    parser.add_argument("--tables", type=int_range(1), default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument(
        "--pause", type=int_range(0), default=0, help="milliseconds before each move"
    )
    parser.add_argument("--burn", type=float, default=0.0, metavar="MS")
    parser.add_argument("--in", dest="where", choices=("processes", "threads"), default="processes")
    parser.add_argument("--workers", type=int_range(1), default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="save the figures in docs/figures.md")
    arguments = parser.parse_args()
    try:
        jt.game(arguments.game, players=arguments.players)
    except jt.GameError as error:
        parser.error(str(error))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as data:
        found = asyncio.run(run_load(arguments, Path(data)))
    if arguments.json:
        print(json.dumps(vars(arguments) | found))
    else:
        for key, value in found.items():
            print(f"{key:18} {value}")
    if arguments.write:
        write_section("latency", section(arguments, sys.argv[1:], found))


def section(arguments: argparse.Namespace, words: Sequence[str], found: dict[str, Any]) -> Section:
    """Returns the section for docs/figures.md, in milliseconds."""
    seats = f"{arguments.players - 1} {arguments.bot}"
    given = [word for word in words if word not in {"--json", "--write"}]
    row = [arguments.game, str(arguments.tables), seats, str(found["moves_per_second"])]
    for figures in (found["wait"], found["loop_late"]):
        row += [str(figures[one]) for one in ("p50", "p99", "max")]
    row.append(f"≤ {MAX_WAIT_MS:,}: {'met' if found['wait']['max'] <= MAX_WAIT_MS else 'not met'}")
    return Section(
        command=shlex.join(["python", "-m", "bench.load.bot_latency", *given]),
        columns=[
            *("game", "tables", "computers each", "moves a second"),
            *("wait p50 ms", "wait p99 ms", "longest wait ms"),
            *("loop late p50 ms", "loop late p99 ms", "latest ms"),
            "bar for the longest wait",
        ],
        rows=[row],
        notes=[NOTE],
    )


if __name__ == "__main__":
    main()

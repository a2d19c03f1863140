"""Measures the memory of idle connections, and the time until all clients are back after a restart.

First this many idle WebSockets are opened. Then matches are played, the server is restarted, and
all people reconnect at the same moment: the time is measured until each has their table. Examples:

    python -m bench.load.reconnects
    python -m bench.load.reconnects --idle 20000 --people 8000 --write
"""

import asyncio
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import uvloop

from bench.figures_page import ROOT, Section, figures_parser, print_section
from bench.load.generator import (
    PEOPLE,
    LoadedTable,
    LoadResult,
    RestClient,
    ServerProcess,
    create_tables,
    gather_limited,
    seat_players,
)
from bench.load.websocket_client import WebSocketClient, open_websocket
from jasstisch.cli.arguments import int_range

WARMUP_CONNECTIONS = 200
"""Connections opened before the measurement."""

MOVES_PER_TABLE = 30
"""Moves at each table before the server is stopped."""

CONCURRENT_RECONNECTS = 400
"""Concurrent reconnects; the next one starts when one is served."""

SETTLE_S = 2.0
"""Seconds after which the start-up work of a server is done."""


async def idle_connection_bytes(server: ServerProcess, sockets: int) -> float:
    """Returns the memory in bytes of each of many idle WebSockets."""
    with closing(RestClient(server.port)) as calls:
        cookie = calls.post("/api/identity")[1]
    wires: list[WebSocketClient] = []

    async def one() -> None:
        wires.append(await open_websocket(server.port, cookie, lambda _: None))

    await gather_limited([one] * WARMUP_CONNECTIONS)
    await asyncio.sleep(SETTLE_S)
    before = server.memory_bytes()
    await gather_limited([one] * sockets)
    await asyncio.sleep(SETTLE_S)
    each = (server.memory_bytes() - before) / sockets
    for wire in wires:
        wire.close()
    return each


async def play_tables(server: ServerProcess, tables: int) -> list[tuple[str, list[str]]]:
    """Plays some moves at this many tables; returns their ids and the cookies of their people."""
    found = await asyncio.to_thread(create_tables, server.ports, "molotow", {"rounds": 60}, tables)
    board = LoadResult()
    played = [LoadedTable(table, board) for table, _ in found]
    await gather_limited(
        partial(seat_players, server.ports, one, cookies)
        for one, (_, cookies) in zip(played, found, strict=True)
    )
    for _ in range(MOVES_PER_TABLE):
        for one in played:
            one.schedule_move()
        await asyncio.sleep(max(0.3, tables / 1000))
    for one in played:
        one.close()
    return found


async def reconnect_all(
    server: ServerProcess, found: Sequence[tuple[str, Sequence[str]]]
) -> list[float]:
    """Reconnects everybody; returns the seconds until each has their table, ascending."""
    times: list[float] = []
    wires: list[WebSocketClient] = []
    began = time.perf_counter()

    async def back(table: str, cookie: str) -> None:
        shown = asyncio.get_running_loop().create_future()

        def hear(text: bytes) -> None:
            if b'"snapshot"' in text[:40] and not shown.done():
                shown.set_result(None)

        wire = await open_websocket(server.port, cookie, hear)
        wires.append(wire)
        wire.send(msgspec.json.encode({"type": "watch", "seq": 1, "table": table}))
        await shown
        times.append(time.perf_counter() - began)

    left = iter([partial(back, table, cookie) for table, cookies in found for cookie in cookies])

    async def some() -> None:
        for one in left:
            await one()

    await asyncio.gather(*(some() for _ in range(CONCURRENT_RECONNECTS)))
    for wire in wires:
        wire.close()
    return times


async def measure_reconnects(sockets: int, people: int) -> tuple[float, list[float], float]:
    """Returns bytes per idle WebSocket, reconnect times, and CPU seconds per reconnect."""
    with tempfile.TemporaryDirectory() as data:
        server = ServerProcess(Path(data), ROOT / "src")
        try:
            each = await idle_connection_bytes(server, sockets)
            found = await play_tables(server, people // PEOPLE)
        finally:
            server.stop()
        server = ServerProcess(Path(data), ROOT / "src")
        try:
            await asyncio.sleep(SETTLE_S)
            used = server.cpu_seconds()
            times = await reconnect_all(server, found)
            return each, times, (server.cpu_seconds() - used) / len(times)
        finally:
            server.stop()


def section(words: Sequence[str], sockets: int, found: tuple[float, list[float], float]) -> Section:
    """Returns the section for docs/figures.md."""
    each, times, used = found
    takes = f"{each / 1000:.1f} KB each, {each * sockets / 1e6:.0f} MB"
    given = [word for word in words if word != "--write"]
    rows = [
        [f"{sockets:,} idle WebSockets", takes],
        [
            f"{len(times):,} people back after a restart",
            f"half of them after {times[len(times) // 2]:.2f} s, the last after {times[-1]:.2f} s",
        ],
        ["processor time for one of them", f"{1e6 * used:.0f} µs"],
    ]
    return Section(
        command=shlex.join(["python", "-m", "bench.load.reconnects", *given]),
        columns=["what", "found"],
        rows=rows,
    )


def main() -> None:
    """Measures and prints."""
    parser = figures_parser("bench.load.reconnects", __doc__)
    parser.add_argument("--idle", type=int_range(1), default=20_000, metavar="N")
    parser.add_argument("--people", type=int_range(PEOPLE), default=8_000, metavar="N")
    arguments = parser.parse_args()
    found = uvloop.run(measure_reconnects(arguments.idle, arguments.people))
    print_section("returning", section(sys.argv[1:], arguments.idle, found), keep=arguments.write)


if __name__ == "__main__":
    main()

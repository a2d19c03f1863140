"""What idle connections take, and how long it takes to serve all who come back after a restart.

First so many WebSockets are opened that do nothing. Then tables are played at, the server is
stopped and started again, and all their people come back at the same moment: the time is until the
last of them has his table. As in:

    python -m bench.load_returning
    python -m bench.load_returning --idle 20000 --people 8000 --write
"""

import argparse
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

from bench.figures import ROOT, Section, show
from bench.load import PEOPLE, Board, Calls, Played, Served, gathered, made, sat_down
from bench.load_wire import Wire, opened
from jasstisch.cli.arguments import whole

__all__ = ["section"]

WARM = 200
"""So many connections are opened before any are counted."""

MOVES = 30
"""So often there is a move at each table before the server is stopped."""

AT_ONCE = 400
"""So many come back at the same moment; the next when one of them is served."""

RESTED = 2.0
"""Seconds after which a server has done what it does at its start."""


async def idle(server: Served, sockets: int) -> float:
    """Bytes of memory that each of so many idle WebSockets takes."""
    with closing(Calls(server.port)) as calls:
        cookie = calls.post("/api/identity")[1]
    wires: list[Wire] = []

    async def one() -> None:
        wires.append(await opened(server.port, cookie, lambda _: None))

    await gathered([one] * WARM)
    await asyncio.sleep(RESTED)
    before = server.memory()
    await gathered([one] * sockets)
    await asyncio.sleep(RESTED)
    each = (server.memory() - before) / sockets
    for wire in wires:
        wire.close()
    return each


async def play(server: Served, tables: int) -> list[tuple[str, list[str]]]:
    """Plays a little at so many tables; their ids, and the cookies of their people."""
    found = await asyncio.to_thread(made, server.ports, "molotow", {"rounds": 60}, tables)
    board = Board()
    played = [Played(table, board) for table, _ in found]
    await gathered(
        partial(sat_down, server.ports, one, cookies)
        for one, (_, cookies) in zip(played, found, strict=True)
    )
    for _ in range(MOVES):
        for one in played:
            one.due()
        await asyncio.sleep(max(0.3, tables / 1000))
    for one in played:
        one.leave()
    return found


async def come_back(server: Served, found: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
    """Has everybody come back; seconds until each has his table, ascending."""
    times: list[float] = []
    wires: list[Wire] = []
    began = time.perf_counter()

    async def back(table: str, cookie: str) -> None:
        shown = asyncio.get_running_loop().create_future()

        def hear(text: bytes) -> None:
            if b'"snapshot"' in text[:40] and not shown.done():
                shown.set_result(None)

        wire = await opened(server.port, cookie, hear)
        wires.append(wire)
        wire.send(msgspec.json.encode({"type": "watch", "seq": 1, "table": table}))
        await shown
        times.append(time.perf_counter() - began)

    left = iter([partial(back, table, cookie) for table, cookies in found for cookie in cookies])

    async def some() -> None:
        for one in left:
            await one()

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    for wire in wires:
        wire.close()
    return times


async def measured(sockets: int, people: int) -> tuple[float, list[float], float]:
    """Bytes an idle WebSocket takes, when each was back, and the server's seconds for one."""
    with tempfile.TemporaryDirectory() as data:
        server = Served(Path(data), ROOT / "src")
        try:
            each = await idle(server, sockets)
            found = await play(server, people // PEOPLE)
        finally:
            server.stop()
        server = Served(Path(data), ROOT / "src")
        try:
            await asyncio.sleep(RESTED)
            used = server.used()
            times = await come_back(server, found)
            return each, times, (server.used() - used) / len(times)
        finally:
            server.stop()


def section(words: Sequence[str], sockets: int, found: tuple[float, list[float], float]) -> Section:
    """The figures as they stand in docs/figures.md."""
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
        command=shlex.join(["python", "-m", "bench.load_returning", *given]),
        columns=["what", "found"],
        rows=rows,
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.load_returning", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--idle", type=whole(1), default=20_000, metavar="N")
    parser.add_argument("--people", type=whole(PEOPLE), default=8_000, metavar="N")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/figures.md")
    arguments = parser.parse_args()
    found = uvloop.run(measured(arguments.idle, arguments.people))
    show("returning", section(sys.argv[1:], arguments.idle, found), keep=arguments.write)


if __name__ == "__main__":
    main()

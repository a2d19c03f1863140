"""Measures the latency of a player while an attacker loads the server.

A server runs with default settings. A probe player plays a match against bots and acts at a fixed
rate. The time from each action to its acknowledgement is measured, first on an idle server, then
under one attack after the other. The attacker uses another address and a process of lower priority,
since it would not share the machine in reality. Examples:

    python -m bench.attacks
    python -m bench.attacks --only pings guesses --seconds 20
    python -m bench.attacks --write

To add an attack, write a function and add it to `ATTACKS`: it runs until it is cancelled, and
counts what it has done.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import multiprocessing
import os
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from bench.attacks.table_attacks import early_watch, long_clocks, restless, spectators, thinking
from bench.attacks.target import Attack, AttackTarget, read_response, run_concurrently
from bench.figures_page import Section, write_section
from bench.load.bot_latency import percentiles
from jasstisch.cli.arguments import int_range
from jasstisch.client import Client
from jasstisch.server.api import COOKIE_NAME
from jasstisch.server.identity import new_token

P99_BAR_MS = 100.0
"""The target: 99 of 100 actions are acknowledged within these milliseconds, under any attack."""

WARMUP_S = 2.0
"""Seconds before an attack is at full rate; earlier measurements are dropped."""

NOTE = (
    "One person at one table acts at a fixed rate; server, person and attacker share the machine. "
    "Memory is that of the server's process after each attack, in the order of the rows."
)
"""The note below the table."""


# --- attacks ---------------------------------------------------------------------------------


async def half_open(target: AttackTarget) -> None:
    """1,050 requests are never completed."""

    async def once(target: AttackTarget) -> None:
        async with target.connection() as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            target.done += 1
            await reader.read()

    await run_concurrently(target, 1050, once)


async def churn(target: AttackTarget) -> None:
    """Connections are opened and closed as fast as possible."""

    async def once(target: AttackTarget) -> None:
        async with target.connection():
            target.done += 1

    await run_concurrently(target, 32, once)


def frame(first: int, data: bytes = b"") -> bytes:
    """Returns a short client frame, masked with zeros."""
    return bytes([first, 0x80 | len(data)]) + bytes(4) + data


async def flood(target: AttackTarget, frames: bytes, number: int) -> None:
    """Opens WebSockets and sends such frames until the server closes them."""

    async def once(target: AttackTarget) -> None:
        async with target.connection() as (reader, writer):
            head = (
                f"GET /ws HTTP/1.1\r\nHost: {urlsplit(target.url).netloc}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                f"Cookie: {COOKIE_NAME}={new_token()}\r\n\r\n"
            )
            writer.write(head.encode())
            await reader.readuntil(b"\r\n\r\n")
            while not writer.is_closing():
                writer.write(frames)
                await writer.drain()
                target.done += number

    await run_concurrently(target, 8, once)


async def pings(target: AttackTarget) -> None:
    """Eight WebSockets send pings as fast as possible."""
    await flood(target, frame(0x89, b"x" * 125) * 500, 500)


async def fragments(target: AttackTarget) -> None:
    """Eight WebSockets send one message in endless empty fragments."""
    await flood(target, frame(0x01) + frame(0x00) * 5000, 5000)


async def messages(target: AttackTarget) -> None:
    """Eight WebSockets send empty messages as fast as possible."""
    await flood(target, frame(0x81) * 5000, 5000)


async def guesses(target: AttackTarget) -> None:
    """A hundred connections request tables that do not exist."""

    async def once(target: AttackTarget) -> None:
        async with target.connection() as (reader, writer):
            while True:
                path = f"/api/tables/{secrets.token_urlsafe(16)}"
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                await read_response(reader)
                target.done += 1

    await run_concurrently(target, 100, once)


async def wrong_bodies(target: AttackTarget) -> None:
    """Sixteen connections post bodies that are invalid UTF-8, fragmented, or far too large."""
    head = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    bodies = itertools.cycle(
        [
            b"Content-Length: 12\r\n\r\n" + b'{"game":"\xff"}',
            b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 20_000,
            b"Content-Length: 9000000\r\n\r\n" + b" " * 200_000,
        ]
    )

    async def once(target: AttackTarget) -> None:
        async with target.connection() as (reader, writer):
            writer.write(head.encode() + next(bodies))
            await read_response(reader)
            target.done += 1

    await run_concurrently(target, 16, once)


async def headers(target: AttackTarget) -> None:
    """Sixteen connections send requests with sixty thousand headers."""
    lines = b"a:\r\n" * 60_000

    async def once(target: AttackTarget) -> None:
        async with target.connection() as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n")
            await read_response(reader)
            target.done += 1

    await run_concurrently(target, 16, once)


ATTACKS: dict[str, Attack] = {
    one.__name__: one
    for one in (
        *(half_open, churn, headers, pings, fragments, messages, guesses, wrong_bodies),
        *(early_watch, spectators, restless, thinking, long_clocks),
    )
}
"""The attacks; each is a row of the table."""


def run_attacker(pipe: Connection, name: str, url: str) -> None:
    """The attacker's process: attacks until it is stopped, and reports how often."""
    os.nice(15)

    async def main() -> int:
        target = AttackTarget(url)
        attacking = asyncio.create_task(_run_attack(ATTACKS[name], target))
        ending = asyncio.create_task(asyncio.to_thread(pipe.recv))
        await asyncio.wait({attacking, ending}, return_when=asyncio.FIRST_COMPLETED)
        attacking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await attacking
        return target.done

    pipe.send(asyncio.run(main()))


async def _run_attack(attack: Attack, target: AttackTarget) -> None:
    await attack(target)


@contextlib.contextmanager
def attack_running(name: str, url: str, found: dict[str, Any]) -> Iterator[None]:
    """Runs an attack during the body."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=run_attacker, args=(theirs, name, url), daemon=True
    )
    process.start()
    try:
        yield
        ours.send("end")
        found["done"] = ours.recv() if ours.poll(20) else None
    finally:
        process.kill()
        process.join()


# --- the probe player ----------------------------------------------------------------------


@dataclass
class ProbePlayer:
    """A player who acts at a fixed rate.

    Attributes:
        latencies: seconds from each action to its acknowledgement.
    """

    wire: ClientConnection
    table: str
    latencies: list[float] = field(default_factory=list)
    _sent: dict[int, float] = field(default_factory=dict)
    _turn: dict[str, Any] | None = None
    _phase: str = ""
    _seq: int = 0

    async def read(self) -> None:
        """Reads the messages of the table."""
        while True:
            message: dict[str, Any] = msgspec.json.decode(await self.wire.recv())
            if message["type"] in ("ack", "error"):
                sent = self._sent.pop(message["seq"] or 0, None)
                if sent is not None and message["type"] == "ack":
                    self.latencies.append(time.perf_counter() - sent)
            elif message["type"] in ("event", "snapshot"):
                self._turn = message["turn"]
                self._phase = message["room"].get("phase", self._phase)

    async def send(self, **message: str) -> None:
        """Sends a request and records the time."""
        self._seq += 1
        self._sent[self._seq] = time.perf_counter()
        await self.wire.send(json.dumps({"seq": self._seq, "table": self.table} | message))

    async def act(self, seconds: float, rate: float) -> None:
        """Acts at a rate per second: the due action, or else a request without an event."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            if self._turn is not None:
                action, self._turn = self._turn["legal"][0], None
                await self.send(type="act", action=action)
            elif self._phase in ("between", "over"):
                await self.send(type="ready")
            else:
                await self.send(type="back")
            await asyncio.sleep(1 / rate)

    def unanswered(self) -> list[float]:
        """Returns the waiting times of requests not yet answered."""
        now = time.perf_counter()
        return [now - sent for sent in self._sent.values()]


@contextlib.asynccontextmanager
async def probe_player(url: str) -> AsyncIterator[ProbePlayer]:
    """Yields a player at a table with bots."""
    client = Client(url)
    await client._http("POST", "/api/identity")  # noqa: SLF001 - without a copy of the table
    seats = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]
    made = await client.create_table("differenzler", seats, name="Anna", pause=0, start=True)
    headers = {"Cookie": f"{COOKIE_NAME}={client.token}"}
    address = url.replace("http", "ws", 1) + "/ws"
    async with connect(
        address, additional_headers=headers, compression=None, proxy=None, max_size=None
    ) as wire:
        player = ProbePlayer(wire, made.table)
        reading = asyncio.create_task(player.read())
        try:
            await player.send(type="watch")
            yield player
        finally:
            reading.cancel()


async def measure_latencies(url: str, seconds: float, rate: float) -> list[float]:
    """Returns the latencies of one player in seconds."""
    async with probe_player(url) as player:
        await player.act(WARMUP_S, rate)
        player.latencies.clear()
        await player.act(seconds, rate)
        return player.latencies + player.unanswered()


# --- the server ------------------------------------------------------------------------------


@contextlib.contextmanager
def start_server(data: Path) -> Iterator[tuple[str, int]]:
    """Starts a server process that trusts no proxy on this machine."""
    words = [sys.executable, "-m", "jasstisch", "serve", "--port", "0", "--data", str(data)]
    words += ["--trusted-proxy", "192.0.2.1"]
    with (data / "log").open("w") as log:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603 - no shell
    try:
        assert process.stdout is not None
        found = re.search(r"http://[0-9.]+:\d+", process.stdout.readline())
        if found is None:
            sys.exit(f"the server did not start: {(data / 'log').read_text()}")
        yield found[0], process.pid
    finally:
        process.terminate()
        process.wait(30)


def memory_mb(pid: int) -> str:
    """Returns the memory of a process in megabytes, where the system reports it."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return str(round(int(found[1]) / 1024)) if found else ""


async def wait_bots_ready(url: str) -> None:
    """Waits until the bots are compiled, which would disturb the measurement."""
    client = Client(url)
    while True:
        games = json.loads(await client._http("GET", "/api/games"))  # noqa: SLF001 - the raw response
        if not any(game["preparing"] for game in games):
            return
        await asyncio.sleep(0.5)


def measure_rows(arguments: argparse.Namespace, data: Path) -> list[dict[str, Any]]:
    """Measures all rows of the table."""
    found: list[dict[str, Any]] = []
    with start_server(data) as (url, pid):
        asyncio.run(wait_bots_ready(url))
        for name in ["", *arguments.only]:
            row: dict[str, Any] = {"attack": name or "none", "done": 0}
            with attack_running(name, url, row) if name else contextlib.nullcontext():
                waited = asyncio.run(measure_latencies(url, arguments.seconds, arguments.rate))
            found.append(row | percentiles(waited) | {"memory": memory_mb(pid)})
            print(found[-1], file=sys.stderr)
    return found


def section(words: Sequence[str], found: Sequence[dict[str, Any]]) -> Section:
    """Returns the section for docs/figures.md, in milliseconds."""
    columns = ["attack", "how often", "p50 ms", "p99 ms", "longest ms", "memory MB", "bar for p99"]
    given = [word for word in words if word != "--write"]
    cells = [
        [
            row["attack"].replace("_", " "),
            f"{row['done']:,}" if row["done"] is not None else "",
            *(str(row[one]) for one in ("p50", "p99", "max", "memory")),
            f"≤ {P99_BAR_MS:g}: {'met' if row['p99'] <= P99_BAR_MS else 'not met'}",
        ]
        for row in found
    ]
    return Section(
        command=shlex.join(["python", "-m", "bench.attacks", *given]),
        columns=columns,
        rows=cells,
        notes=[NOTE],
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="bench.attacks.server_attacks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=10.0, help="for each attack")
    parser.add_argument("--rate", type=int_range(1, 20), default=15, help="actions a second")
    parser.add_argument("--write", action="store_true", help="save the figures in docs/figures.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        found = measure_rows(arguments, Path(data))
    shown = section(sys.argv[1:], found)
    print(shown.markdown())
    if arguments.write:
        write_section("attacks", shown)
    sys.exit(0 if all(row["p99"] <= P99_BAR_MS for row in found) else 1)


if __name__ == "__main__":
    main()

"""The target of an attack: connections from another address, and generated identities."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

ATTACKER_ADDRESS = "127.0.0.2"
"""The attacker's address, distinct from that of the probe player."""


@dataclass
class AttackTarget:
    """The target of an attack.

    Attributes:
        url: the server's address.
        done: the number of attack operations done.
    """

    url: str
    done: int = 0

    @property
    def host_port(self) -> tuple[str, int]:
        """Host and port."""
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or 80

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Opens a connection from the attacker's address."""
        reader, writer = await asyncio.open_connection(
            *self.host_port, local_addr=(ATTACKER_ADDRESS, 0)
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    @contextlib.asynccontextmanager
    async def websocket(self, cookie: str | None = None) -> AsyncIterator[ClientConnection]:
        """Opens a WebSocket from the attacker's address, by default with a new identity."""
        address = self.url.replace("http", "ws", 1) + "/ws"
        headers = {"Cookie": cookie or await self.new_cookie()}
        async with connect(
            address,
            additional_headers=headers,
            compression=None,
            proxy=None,
            local_addr=(ATTACKER_ADDRESS, 0),
        ) as wire:
            yield wire

    async def post(self, path: str, body: object, cookie: str = "") -> tuple[bytes, str]:
        """Posts a body; returns the response body, and its cookie or the previous one."""
        text = json.dumps(body).encode()
        lines = [f"POST {path} HTTP/1.1", f"Host: {urlsplit(self.url).netloc}"]
        lines += [f"Content-Length: {len(text)}", "Content-Type: application/json"]
        lines += [f"Cookie: {cookie}"] if cookie else []
        async with self.connection() as (reader, writer):
            writer.write("\r\n".join([*lines, "", ""]).encode() + text)
            head, content = await read_response(reader)
        given = re.search(rb"(?i)set-cookie: ([^;\r]+)", head)
        return content, given[1].decode() if given else cookie

    async def new_cookie(self) -> str:
        """Returns the cookie of a new identity."""
        return (await self.post("/api/identity", None))[1]

    async def create_table(self, cookie: str, **more: object) -> str:
        """Creates a table and returns its id; "" if the server refuses."""
        body = {"game": "molotov", "seats": ["me", "open", "open", "open"], "name": "Eve"} | more
        content, _ = await self.post("/api/tables", body, cookie)
        return str(json.loads(content).get("table", ""))


Attack = Callable[[AttackTarget], Awaitable[None]]


async def repeat(target: AttackTarget, once: Attack) -> None:
    """Repeats an operation, whatever the server answers."""
    while True:
        try:
            await once(target)
        except (OSError, EOFError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.01)


async def run_concurrently(target: AttackTarget, number: int, once: Attack) -> None:
    """Repeats many concurrent operations."""
    async with asyncio.TaskGroup() as group:
        for _ in range(number):
            group.create_task(repeat(target, once))


async def read_response(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Reads a complete response; returns its head and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"(?i)content-length: (\d+)", head)
    return head, await reader.readexactly(int(found[1]) if found else 0)

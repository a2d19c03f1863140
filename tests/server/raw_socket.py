"""Raw bytes on a socket, for requests that no correct client sends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import msgspec

from jasstisch.server.api import bodies
from jasstisch.server.api.auth_names import COOKIE_NAME
from tests.server.running_server import TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TEXT, PING, PONG, CLOSE, CONT = 1, 9, 10, 8, 0

READ_TIMEOUT_S = 30.0
"""Seconds for what is to come at once, however busy the machine is."""


class RawConnection(NamedTuple):
    """A connection for reading and writing bytes."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Sends bytes, unless the peer is gone."""
        with contextlib.suppress(ConnectionError):
            self.writer.write(data)
            await self.writer.drain()

    async def read_rest(self) -> bytes:
        """All bytes until the peer closes."""
        parts = []
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(READ_TIMEOUT_S):
                while part := await self.reader.read(65536):
                    parts.append(part)
        return b"".join(parts)

    async def read_first_line(self) -> bytes:
        """The first line of a response; empty if the peer closes before."""
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(READ_TIMEOUT_S):
                return await self.reader.readline()
        return b""

    async def read_head(self) -> bytes:
        """A response up to the end of its headers."""
        async with asyncio.timeout(READ_TIMEOUT_S):
            return await self.reader.readuntil(b"\r\n\r\n")

    async def read_frame(self) -> tuple[int, bytes]:
        """The next frame from the server: opcode and payload."""
        async with asyncio.timeout(READ_TIMEOUT_S):
            first, size = await self.reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 0x0F, await self.reader.readexactly(size)

    async def read_close(self) -> tuple[int, str]:
        """Code and reason of the server's close frame; earlier frames are skipped."""
        while True:
            kind, data = await self.read_frame()
            if kind == CLOSE:
                return struct.unpack("!H", data[:2])[0], data[2:].decode()


def client_frame(kind: int, data: bytes = b"", *, fin: bool = True) -> bytes:
    """Encodes a masked client frame."""
    key = os.urandom(4)
    masked = bytes(byte ^ key[at % 4] for at, byte in enumerate(data))
    size = bytes([0x80 | min(127, len(data))])
    if 125 < len(data) < 65_536:
        size = bytes([0x80 | 126]) + struct.pack("!H", len(data))
    if len(data) > 65_535:
        size = bytes([0x80 | 127]) + struct.pack("!Q", len(data))
    return bytes([fin << 7 | kind]) + size + key + masked


def parse_refusal(answer: bytes) -> tuple[int, bodies.ErrorBody]:
    """Status and body of an error response."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), msgspec.json.decode(body, type=bodies.ErrorBody)


@contextlib.asynccontextmanager
async def raw_connection(url: str) -> AsyncIterator[RawConnection]:
    """A new connection."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def raw_get(url: str, path: str, *headers: str) -> bytes:
    """The answer to a request for the very path, which an HTTP library would tidy up."""
    async with raw_connection(url) as connection:
        lines = [f"GET {path} HTTP/1.1", "Host: x", "Connection: close", *headers]
        await connection.send("\r\n".join([*lines, "", ""]).encode())
        return await connection.read_rest()


def upgrade_request(url: str, *headers: str, token: str = TOKEN, host: str | None = None) -> bytes:
    """The request that opens a WebSocket."""
    lines = [
        "GET /ws HTTP/1.1",
        f"Host: {host or urlsplit(url).netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Cookie: {COOKIE_NAME}={token}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


@contextlib.asynccontextmanager
async def raw_websocket(url: str, *headers: str) -> AsyncIterator[RawConnection]:
    """An open WebSocket, after the welcome message."""
    async with raw_connection(url) as connection:
        await connection.send(upgrade_request(url, *headers))
        assert (await connection.read_head()).startswith(b"HTTP/1.1 101")
        assert (await connection.read_frame())[0] == TEXT
        yield connection

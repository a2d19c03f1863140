"""A cheap WebSocket client: thousands of them fit beside the server that they load.

It reads what this server sends (unfragmented text frames, pings, a close) and supports nothing else
of the protocol.
"""

import asyncio
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FIN_BIT = 0x80
MASK_BIT = 0x80
LEN16, LEN64 = 126, 127


class WebSocketClient(asyncio.Protocol):
    """One WebSocket, from the handshake on.

    Args:
        host: the server, for the handshake.
        cookie: the cookie of the identity.
        hear: called with each text.
    """

    def __init__(self, host: str, cookie: str, hear: Callable[[bytes], None]) -> None:
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self._hear = hear
        self._unread = b""
        self._handshake = (
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Cookie: {cookie}\r\n\r\n"
        ).encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the handshake."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wakes the waiting tasks."""
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"refused: {self._unread[:200]!r}"))
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Parses the response to the handshake, then frames."""
        self._unread = self._unread + data if self._unread else data
        if not self.ready.done():
            head, end, rest = self._unread.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self._transport.close()
                return
            self.ready.set_result(None)
            self._unread = rest
        self._read_frames()

    def send(self, text: bytes) -> None:
        """Sends a text, masked with zeros."""
        self._send_frame(TEXT, text)

    def close(self) -> None:
        """Closes the connection at once."""
        self._transport.abort()

    def _read_frames(self) -> None:
        data, at = self._unread, 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size == LEN16:
                size, start = int.from_bytes(data[start : start + 2]), start + 2
            elif size == LEN64:
                size, start = int.from_bytes(data[start : start + 8]), start + 8
            if start > len(data) or len(data) - start < size:
                break
            self._on_frame(data[at] & 0x0F, data[start : start + size])
            at = start + size
        self._unread = data[at:]

    def _on_frame(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            self._hear(payload)
        elif kind == PING:
            self._send_frame(PONG, payload)
        elif kind == CLOSE:
            self._transport.close()

    def _send_frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        if size < LEN16:
            head = bytes((FIN_BIT | kind, MASK_BIT | size))
        else:
            head = bytes((FIN_BIT | kind, MASK_BIT | LEN16)) + size.to_bytes(2)
        self._transport.write(head + bytes(4) + payload)


async def open_websocket(port: int, cookie: str, hear: Callable[[bytes], None]) -> WebSocketClient:
    """Opens a WebSocket to a server on this machine.

    Raises:
        OSError: it cannot be opened.
    """
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(
        lambda: WebSocketClient(f"127.0.0.1:{port}", cookie, hear), "127.0.0.1", port
    )
    await wire.ready
    return wire

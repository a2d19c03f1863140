"""A line between a client and a server that goes dead without closing."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Literal

from tests.support.tcp_proxy import TcpProxy

Dead = Literal["both ways", "from the server"]


class _Connection:
    """A connection over the line.

    Attributes:
        to_server: where what the client sends goes.
        dead: which way it delivers nothing; None while it delivers.
        held: what the client has sent over it since it is dead both ways.
    """

    def __init__(self, to_server: asyncio.StreamWriter) -> None:
        self.to_server = to_server
        self.dead: Dead | None = None
        self.held = b""


class DeadLine(TcpProxy):
    """Forwards TCP connections until they go dead.

    Args:
        target: the port of this machine where to.
    """

    def __init__(self, target: int) -> None:
        super().__init__(target)
        self._connections: list[_Connection] = []
        self._answered = asyncio.Event()

    def die(self, dead: Dead) -> None:
        """Lets the connections of now go dead; new ones will not be."""
        for connection in self._connections:
            connection.dead = dead

    async def deliver_late(self) -> None:
        """Delivers what dead connections hold, and waits for an answer of the server."""
        held = [one for one in self._connections if one.held]
        self._answered.clear()
        for one in held:
            one.to_server.write(one.held)
            one.held = b""
        if held:
            await self._answered.wait()

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> tuple[Coroutine[Any, Any, None], Coroutine[Any, Any, None]]:
        """Forwards both ways, as long as the connection is not dead."""
        connection = _Connection(server[1])
        self._connections.append(connection)
        return self._to_server(client[0], connection), self._back(server[0], client[1], connection)

    async def _to_server(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        with suppress(OSError):
            while sent := await reader.read(1 << 16):
                if connection.dead == "both ways":
                    connection.held += sent
                else:
                    connection.to_server.write(sent)
        if connection.dead is None:
            connection.to_server.close()

    async def _back(
        self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: _Connection
    ) -> None:
        with suppress(OSError):
            while answer := await there.read(1 << 16):
                self._answered.set()
                if connection.dead is None:
                    writer.write(answer)
        writer.close()

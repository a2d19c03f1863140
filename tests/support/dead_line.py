"""A line between a client and a server that goes dead without closing."""

import asyncio
from contextlib import suppress
from typing import Literal, Self

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


class DeadLine:
    """Forwards TCP connections to a port of this machine until they go dead.

    Args:
        port: where to.

    Attributes:
        port: where it listens.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._server: asyncio.Server | None = None
        self._connections: list[_Connection] = []
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._answered = asyncio.Event()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

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

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to_server = await asyncio.open_connection("127.0.0.1", self._to)
        connection = _Connection(to_server)
        self._connections.append(connection)
        self._writers += [writer, to_server]
        for work in (self._to_server(reader, connection), self._back(there, writer, connection)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

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

"""A proxy between a client and a server that loses chosen messages."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

Loss = Literal["nothing", "answers", "requests"]


class FaultyProxy:
    """Forwards bytes from a TCP port to a Unix socket.

    Args:
        socket: where to.

    Attributes:
        port: where it listens.
        loses: from now on it loses nothing, cuts the line instead of handing an answer on, or cuts
            it instead of handing a request on, which it keeps for later.
    """

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: list[asyncio.StreamWriter] = []
        self._late: list[tuple[asyncio.StreamWriter, bytes]] = []
        self._answered = asyncio.Event()
        self.loses: Loss = "nothing"
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._open:
            writer.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def deliver_delayed(self) -> None:
        """Delivers held requests, although nobody waits for their replies any more."""
        self._answered.clear()
        for writer, request in self._late:
            writer.write(request)
            await writer.drain()
        self._late.clear()

    async def wait_late_answers(self) -> None:
        """Waits until the server has replied to the late requests."""
        await self._answered.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, on = await asyncio.open_unix_connection(self._socket)
        except OSError:
            writer.close()
            return
        self._open += [writer, on]
        for coming in (
            self._forward_requests(reader, on, writer),
            self._forward_answers(there, writer),
        ):
            task = asyncio.create_task(coming)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _forward_requests(
        self, reader: asyncio.StreamReader, on: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while request := await reader.read(1 << 16):
                if self.loses == "requests":
                    self.loses = "nothing"
                    self._late.append((on, request))
                    back.close()
                    return
                on.write(request)
        on.close()

    async def _forward_answers(
        self, there: asyncio.StreamReader, back: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while answer := await there.read(1 << 16):
                self._answered.set()
                if self.loses == "answers":
                    self.loses = "nothing"
                    break
                back.write(answer)
        back.close()

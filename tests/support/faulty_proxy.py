"""A proxy between a client and a server that loses chosen messages."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from tests.support.tcp_proxy import TcpProxy

Loss = Literal["nothing", "answers", "requests"]


class FaultyProxy(TcpProxy):
    """Forwards bytes from a TCP port to a Unix socket.

    Args:
        target: the socket where to.

    Attributes:
        loses: from now on it loses nothing, cuts the line instead of handing an answer on, or cuts
            it instead of handing a request on, which it keeps for later.
    """

    def __init__(self, target: Path) -> None:
        super().__init__(target)
        self._late: list[tuple[asyncio.StreamWriter, bytes]] = []
        self._answered = asyncio.Event()
        self.loses: Loss = "nothing"

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

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> tuple[Coroutine[Any, Any, None], Coroutine[Any, Any, None]]:
        """Forwards both ways, but for what it loses."""
        requests = self._forward_requests(client[0], server[1], client[1])
        return requests, self._forward_answers(server[0], client[1])

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

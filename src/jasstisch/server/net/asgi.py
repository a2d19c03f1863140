"""The shapes of ASGI, as far as the server speaks it without a framework."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

__all__ = [
    "DIRECT_EXTENSION",
    "Application",
    "DirectWebSocket",
    "Message",
    "QueuedWebSocket",
    "Receive",
    "Scope",
    "Send",
    "is_https",
]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

DIRECT_EXTENSION = "jasstisch.direct"
"""Our extension: a WebSocket that is written and heard at once, without tasks that wait for it."""


def is_https(scheme: str) -> bool:
    """Whether a request came over TLS, here or at the proxy in front of this server.

    Args:
        scheme: the scheme in the ASGI scope, which is what the client used
            (`OriginPolicy.resolve_client`).
    """
    return scheme in ("https", "wss")


class DirectWebSocket(Protocol):
    """What stands under `DIRECT` in the scope of a WebSocket."""

    def try_write(self, text: bytes) -> bool:
        """Writes a text, in UTF-8, unless something waits to be written first; whether it has."""

    def set_listener(self, hear: Callable[[Message], bool]) -> None:
        """Hands events over as they come, instead of `receive`.

        Args:
            hear: takes an event and says whether it is ready for another; after a False no message
                is read until `go_on`. The end of the connection is told in any case.
        """

    def resume(self) -> None:
        """Whoever listens is ready for another message."""

    def remove_listener(self) -> None:
        """Nobody listens any more."""

    async def send(self, message: Message, /) -> None:
        """Sends an event, as the application does."""

    def detach(self) -> bool:
        """Whether the connection goes on when the application returns, until it is finished."""

    def close_after(self, wind_up: Callable[[], Awaitable[None]]) -> None:
        """Ends a connection that has gone on by itself, once this is done."""

    async def wait_closed(self) -> None:
        """Waits until a connection that does not go on by itself is to end."""


class QueuedWebSocket:
    """The same on a server that has no such extension: a task receives.

    Args:
        receive: of the WebSocket.
        send: of the WebSocket.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._closing = asyncio.Event()
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def try_write(self, _: bytes) -> bool:
        """Writes nothing."""
        return False

    def set_listener(self, hear: Callable[[Message], bool]) -> None:
        """Hands events over as they are received."""
        self._task = asyncio.create_task(self._pump_events(hear))

    async def _pump_events(self, hear: Callable[[Message], bool]) -> None:
        while True:
            event = await self._receive()
            self._ready.clear()
            if not hear(event):
                await self._ready.wait()

    def resume(self) -> None:
        """Whoever listens is ready for another message."""
        self._ready.set()

    def remove_listener(self) -> None:
        """Receives no more."""
        if self._task is not None:
            self._task.cancel()

    async def send(self, message: Message, /) -> None:
        """Sends an event."""
        await self._send(message)

    def detach(self) -> bool:
        """It ends when the application returns."""
        return False

    def close_after(self, _: Callable[[], Awaitable[None]]) -> None:
        """Has the application go on, which ends it."""
        self._closing.set()

    async def wait_closed(self) -> None:
        """Waits for `finish`."""
        await self._closing.wait()

"""The interfaces of ASGI that the server uses without a framework."""

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
"""Our ASGI extension: direct reads and writes on a WebSocket, without tasks that wait for it."""


def is_https(scheme: str) -> bool:
    """Whether a request came over TLS, to this server or to the proxy in front of it.

    Args:
        scheme: the scheme in the ASGI scope, which is the one the client used
            (`OriginPolicy.resolve_client`).
    """
    return scheme in ("https", "wss")


class DirectWebSocket(Protocol):
    """The object under `DIRECT_EXTENSION` in the scope of a WebSocket."""

    def try_write(self, text: bytes) -> bool:
        """Writes a UTF-8 text unless other data waits to be written; returns whether it did."""

    def set_listener(self, listener: Callable[[Message], bool]) -> None:
        """Delivers events to a listener as they come, instead of `receive`.

        Args:
            listener: handles an event and returns whether it is ready for another; after False, no
                message is read until `resume`. The end of the connection is delivered in any case.
        """

    def resume(self) -> None:
        """Continues to deliver messages, because the listener is ready."""

    def remove_listener(self) -> None:
        """Removes the listener."""

    async def send(self, message: Message, /) -> None:
        """Sends an ASGI event, as the application does."""

    def detach(self) -> bool:
        """Returns whether the connection stays open after the application returns."""

    def close_after(self, final: Callable[[], Awaitable[None]]) -> None:
        """Closes a detached connection after a final coroutine."""

    async def wait_closed(self) -> None:
        """Waits until a connection that is not detached is to close."""


class QueuedWebSocket:
    """The same interface on a server without the extension: a task receives events.

    Args:
        receive: the receive function of the WebSocket.
        send: the send function of the WebSocket.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._closing = asyncio.Event()
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def try_write(self, _: bytes) -> bool:
        """Returns False: direct writes are not possible."""
        return False

    def set_listener(self, listener: Callable[[Message], bool]) -> None:
        """Delivers events to a listener as they are received."""
        self._task = asyncio.create_task(self._pump_events(listener))

    async def _pump_events(self, listener: Callable[[Message], bool]) -> None:
        while True:
            event = await self._receive()
            self._ready.clear()
            if not listener(event):
                await self._ready.wait()

    def resume(self) -> None:
        """Continues to deliver messages, because the listener is ready."""
        self._ready.set()

    def remove_listener(self) -> None:
        """Stops receiving."""
        if self._task is not None:
            self._task.cancel()

    async def send(self, message: Message, /) -> None:
        """Sends an ASGI event."""
        await self._send(message)

    def detach(self) -> bool:
        """Returns False: the connection closes when the application returns."""
        return False

    def close_after(self, _: Callable[[], Awaitable[None]]) -> None:
        """Lets the application return, which closes the connection."""
        self._closing.set()

    async def wait_closed(self) -> None:
        """Waits for `close_after`."""
        await self._closing.wait()

"""The interfaces of ASGI that the server uses without a framework."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

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

    def detach(self) -> None:
        """Keeps the connection open after the application returns, until `run_then_close`."""

    def run_then_close(self, final: Callable[[], Awaitable[None]]) -> None:
        """Closes a detached connection after a final coroutine."""

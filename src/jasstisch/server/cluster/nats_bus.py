"""The message bus over NATS, which may lose messages.

Nothing waits while NATS is unreachable: messages sent then are lost, and the gap in their sequence
numbers reveals it (`sequenced_links`). The client reconnects by itself.
"""

import asyncio
import ssl
from urllib.parse import urlsplit

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from jasstisch.server.cluster.bus import BusError, MessageHandler
from jasstisch.server.observability import log

_RECONNECT_INTERVAL_S = 0.25
"""Seconds between two attempts to reconnect."""

_CONNECT_TIMEOUT_S = 2.0
"""Timeout of one connection attempt, in seconds."""

_STARTUP_TIMEOUT_S = 10.0
"""How long a starting server tries to connect, in seconds."""

_PING_INTERVAL_S = 2
"""Seconds between two pings; after two without an answer the connection counts as lost."""

_CLOSE_TIMEOUT_S = 1.0
"""Timeout for closing the connection, in seconds."""

_MAX_PENDING_BYTES = 8 * 1024 * 1024
"""The maximum number of bytes waiting to be written; messages beyond it are lost."""


def parse_server_urls(url: str) -> list[str]:
    """The servers in a URL of the form `nats://user:password@host:4222,nats://other`.

    Raises:
        BusError: the URL names no server; the message omits the URL, as it may contain a password.
    """
    servers = [one.strip() for one in url.split(",")]
    for one in servers:
        try:
            parts = urlsplit(one)
            placed = "@" not in f"{parts.path}{parts.query}{parts.fragment}"  # of a password
            fits = (
                placed and parts.scheme in ("nats", "tls") and parts.hostname and (parts.port or 1)
            )
        except ValueError:
            fits = False
        if not fits:
            raise BusError(
                "a bus is named like nats://host:4222 or tls://user:password@host, "
                "with a password of letters and digits"
            )
    return servers


class NatsBus:
    """A `Bus` over NATS.

    Args:
        url: the servers; see `parse_server_urls`. The credentials in it are used and never logged.
        name: the name of this server at NATS.

    Raises:
        BusError: the URL names no server.
    """

    def __init__(self, url: str, name: str) -> None:
        self._servers = parse_server_urls(url)
        self._name = name
        self._client = Client()
        self._last_error: Exception | None = None
        self._login_rejected = asyncio.Event()
        self._closing = False

    @property
    def connected(self) -> bool:
        """Whether the connection is up, as far as known."""
        return self._client.is_connected

    async def open(self) -> None:
        """Connects, and reconnects whenever the connection is lost.

        Raises:
            BusError: NATS cannot be reached, or rejects the credentials.
        """
        connecting = asyncio.create_task(self._connect())
        kept_out = asyncio.create_task(self._login_rejected.wait())
        try:
            async with asyncio.timeout(_STARTUP_TIMEOUT_S):
                await asyncio.wait({connecting, kept_out}, return_when=asyncio.FIRST_COMPLETED)
            if self._login_rejected.is_set():
                raise BusError(self._error_message("it lets nobody in with these credentials"))
            await connecting
        except (TimeoutError, OSError, nats.errors.Error) as error:
            raise BusError(self._error_message(_reason(self._last_error or error))) from None
        finally:
            kept_out.cancel()
            connecting.cancel()
            await asyncio.gather(kept_out, connecting, return_exceptions=True)

    async def _connect(self) -> None:
        tls = ssl.create_default_context() if self._servers[0].startswith("tls:") else None
        await self._client.connect(
            self._servers,
            name=self._name,
            error_cb=self._on_error,
            disconnected_cb=self._on_disconnected,
            reconnected_cb=self._on_reconnected,
            connect_timeout=_CONNECT_TIMEOUT_S,  # type: ignore[arg-type] # seconds, of any kind
            reconnect_time_wait=_RECONNECT_INTERVAL_S,  # type: ignore[arg-type] # the same
            max_reconnect_attempts=-1,
            ping_interval=_PING_INTERVAL_S,
            pending_size=_MAX_PENDING_BYTES,
            tls=tls,
        )

    def _error_message(self, why: str) -> str:
        places = ", ".join(_host_and_port(one) for one in self._servers)
        return f"the bus at {places} cannot be used: {why}"

    async def subscribe(self, subject: str, handler: MessageHandler) -> None:
        """Passes every message under a subject to a handler; see `Bus.subscribe`."""

        async def took(message: Msg) -> None:
            handler(message.subject, message.data)

        await self._client.subscribe(subject, cb=took)

    async def publish(self, subject: str, data: bytes) -> None:
        """Publishes a message; see `Bus.publish`."""
        try:
            await self._client.publish(subject, data)
        except (nats.errors.Error, OSError) as error:
            log.warning("bus_lost_message", error=type(error).__name__)

    async def close(self) -> None:
        """Sends the waiting messages and closes the connection."""
        self._closing = True
        try:
            if self._client.is_connected:
                await self._client.flush(1)
        except (nats.errors.Error, OSError, TimeoutError):
            pass  # the others detect the loss by the sequence number
        closing = asyncio.create_task(self._client.close())
        await asyncio.wait([closing], timeout=_CLOSE_TIMEOUT_S)
        closing.cancel()  # it would wait for ever if nobody reads the remaining messages

    async def _on_error(self, error: Exception) -> None:
        self._last_error = error
        # NATS reports the error before it closes the connection, but the close may be seen first;
        # then the next attempt reports it.
        if isinstance(error, nats.errors.Error) and "uthorization" in str(error):
            self._login_rejected.set()

    async def _on_disconnected(self) -> None:
        if not self._closing:
            log.warning("bus_lost")

    async def _on_reconnected(self) -> None:
        log.info("bus_back")


def _host_and_port(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or 4222}"


def _reason(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or "nobody answers there"

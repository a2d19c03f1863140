"""The message bus between nodes; it may lose, repeat and reorder messages (`sequenced_links`)."""

from collections.abc import Callable
from typing import Protocol

MessageHandler = Callable[[str, bytes], None]
"""Receives a message: its subject and its data."""


class BusError(Exception):
    """The bus cannot be used; the message gives the reason, without the password."""


class Bus(Protocol):
    """A publish/subscribe bus: delivers messages at most once and in no certain order."""

    @property
    def connected(self) -> bool:
        """Whether a message that is published now may arrive."""

    async def open(self) -> None:
        """Connects, and reconnects whenever the connection is lost.

        Raises:
            BusError: the bus cannot be used.
        """

    async def subscribe(self, subject: str, handler: MessageHandler) -> None:
        """Passes every message under a subject to a handler, from now on."""

    async def publish(self, subject: str, data: bytes) -> None:
        """Publishes a message; it may be lost."""

    async def close(self) -> None:
        """Sends the waiting messages and closes the connection."""

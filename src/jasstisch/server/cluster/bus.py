"""What carries messages between nodes: it may lose, repeat and reorder them (`lines`)."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Bus", "BusError", "MessageHandler"]

MessageHandler = Callable[[str, bytes], None]
"""Takes in what came: under which subject, and what."""


class BusError(Exception):
    """The bus cannot be used; the message says why, without the password."""


class Bus(Protocol):
    """Carries messages to whoever listens to their subject: at most once, in no certain order."""

    @property
    def connected(self) -> bool:
        """Whether something that is said now may arrive."""

    async def open(self) -> None:
        """Connects, and from now on again whenever the connection is lost.

        Raises:
            BusError: it cannot be used.
        """

    async def subscribe(self, subject: str, heard: MessageHandler) -> None:
        """Has what comes under a subject taken in, from now on and for ever."""

    async def publish(self, subject: str, data: bytes) -> None:
        """Says something, or loses it."""

    async def close(self) -> None:
        """Says what still waits and ends."""

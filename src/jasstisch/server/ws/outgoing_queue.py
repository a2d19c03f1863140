"""The messages that wait for a client with unread data."""

from collections import deque

from jasstisch.server.limits import Limits
from jasstisch.server.net import DirectWebSocket


class OutgoingQueue:
    """Messages that wait for a slow client, in their order and within the limits.

    Args:
        websocket: sends them.
        limits: how many may wait, and how large they may be together.
    """

    def __init__(self, websocket: DirectWebSocket, limits: Limits) -> None:
        self._websocket = websocket
        self._limits = limits
        self._texts: deque[bytes] = deque()
        self._bytes = 0

    def try_add(self, text: bytes) -> bool:
        """Adds a message; returns False if too many wait already."""
        full = len(self._texts) >= self._limits.max_outgoing_messages
        if full or (self._bytes and self._bytes + len(text) > self._limits.outgoing_bytes):
            return False
        self._bytes += len(text)
        self._texts.append(text)
        return True

    async def write_all(self) -> None:
        """Writes the messages, as fast as the client reads them, until none is left.

        Raises:
            Exception: the client is gone, whatever the type.
        """
        while self._texts:
            text = self._texts.popleft()
            self._bytes -= len(text)
            event = {"type": "websocket.send", "text": text.decode(), "bytes": None}
            await self._websocket.send(event)

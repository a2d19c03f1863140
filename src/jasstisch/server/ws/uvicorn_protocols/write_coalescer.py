"""Batches the writes to WebSockets, so that messages sent in one go share a system call."""

import asyncio
from typing import Protocol


class _Flushable(Protocol):
    """A WebSocket with unwritten messages."""

    def flush_writes(self) -> None:
        """Writes them."""


class WriteCoalescer:
    """Collects the WebSockets to be flushed before the event loop waits again.

    Messages sent to one of them in one go, such as a change and an acknowledgement, are written at
    once.
    """

    def __init__(self) -> None:
        self._sockets: list[_Flushable] = []

    def add(self, one: _Flushable) -> None:
        """Schedules a flush of a WebSocket."""
        if not self._sockets:
            asyncio.get_running_loop().call_soon(self._flush)
        self._sockets.append(one)

    def _flush(self) -> None:
        due, self._sockets = self._sockets, []
        for one in due:
            one.flush_writes()

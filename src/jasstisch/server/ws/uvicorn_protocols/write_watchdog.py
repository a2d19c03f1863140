"""Aborts connections whose clients do not read what is sent to them."""

import asyncio


class WriteWatchdog:
    """Aborts a connection if none of its unsent data is delivered for a while.

    Args:
        transport: the connection.
        seconds: after which time without progress it is aborted.
    """

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Starts to watch, from now on."""
        self.stop()
        left = self._transport.get_write_buffer_size()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._check, left)

    def stop(self) -> None:
        """Stops watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self, before: int) -> None:
        if self._transport.get_write_buffer_size() >= before:
            self._transport.abort()
        else:
            self.start()

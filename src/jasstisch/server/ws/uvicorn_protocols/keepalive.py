"""Pings for the WebSockets that have been silent for long."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

_SWEEPS_PER_PING = 8
"""How many times per ping interval silent connections are searched."""


class _Pingable(Protocol):
    """A WebSocket, as the sweeps see it."""

    def ping_if_silent(self, now: float) -> None:
        """Sends a ping if the client has been silent for long."""


class KeepaliveSweeper:
    """Pings the WebSockets that have been silent for long.

    One sweep covers all of them, because a timer for each would take more memory than the rest of
    it.
    """

    def __init__(self) -> None:
        self._running = False

    def start(self, interval: float, sockets: Callable[[], Sequence[_Pingable]]) -> None:
        """Starts the sweeps unless they run; they end when there is no WebSocket left.

        Args:
            interval: the seconds after which a silent client is pinged.
            sockets: returns the open WebSockets.
        """
        if not self._running:
            self._running = True
            loop = asyncio.get_running_loop()
            loop.call_later(interval / _SWEEPS_PER_PING, self._sweep, interval, sockets)

    def _sweep(self, interval: float, sockets: Callable[[], Sequence[_Pingable]]) -> None:
        found = sockets()
        now = asyncio.get_running_loop().time()
        for one in found:
            one.ping_if_silent(now)
        self._running = False
        if found:
            self.start(interval, sockets)

"""Devices that are forgotten: each node ends their connections, and tells the others to do so."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from jasstisch.server.cluster.messages import RevokeDevices
from jasstisch.server.identity import IdentityService
from jasstisch.server.observability import describe_exception, log
from jasstisch.storage import StoreError

__all__ = ["DeviceRevocations"]

REVOCATION_MEMORY_S = 600.0
"""So long a device that was forgotten is told to nodes that may have missed it."""


class DeviceRevocations:
    """Tells other nodes which devices were forgotten here, and heeds what they tell.

    Args:
        identity_service: knows the devices and their connections.
        others: the ids of the other nodes.
        send: says something to a node.
        now: seconds on a clock that never goes back nor stands still.
    """

    def __init__(
        self,
        identity_service: IdentityService,
        others: Callable[[], Iterable[str]],
        send: Callable[[str, RevokeDevices], bool],
        now: Callable[[], float],
    ) -> None:
        self._identity_service = identity_service
        self._others = others
        self._send = send
        self._now = now
        self._recent: deque[tuple[float, str]] = deque()
        self._lock = asyncio.Lock()
        identity_service.on_device_revoked(self._on_device_revoked)

    def _on_device_revoked(self, hashed: str) -> None:
        now = self._now()
        self._recent.append((now, hashed))
        while self._recent[0][0] < now - REVOCATION_MEMORY_S:
            self._recent.popleft()
        for node in self._others():
            self._send(node, RevokeDevices([hashed]))

    def resend(self, node: str) -> None:
        """Tells a node again which devices were forgotten lately."""
        if self._recent:
            self._send(node, RevokeDevices([hashed for _, hashed in self._recent]))

    async def close_connections(self, hashes: Sequence[str]) -> None:
        """Has devices leave; those of people who are kept out from now on find it out again."""
        # One after the other: who is kept out is told so, and not that a device is forgotten.
        async with self._lock:
            try:
                await self._identity_service.refresh_bans()
            except StoreError as error:
                log.error("bans_not_read", **describe_exception(error))
            for one in hashes:
                self._identity_service.end_connections(one)

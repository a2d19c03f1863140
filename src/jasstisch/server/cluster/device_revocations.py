"""Revoked devices: each node closes their connections and notifies the other nodes."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from jasstisch.server.cluster.messages import RevokeDevices
from jasstisch.server.identity import IdentityService
from jasstisch.server.observability import describe_exception, log
from jasstisch.storage import StoreError

_REVOCATION_MEMORY_S = 600.0
"""How long a revocation is repeated to nodes that may have missed it, in seconds."""


class DeviceRevocations:
    """Sends the revocations of this node to the others, and applies theirs.

    Args:
        identity_service: knows the devices and their connections.
        others: returns the ids of the other nodes.
        send: sends a message to a node.
        now: returns seconds on a monotonic clock that includes suspended time.
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
        identity_service.add_revocation_listener(self._on_device_revoked)

    def _on_device_revoked(self, hashed: str) -> None:
        now = self._now()
        self._recent.append((now, hashed))
        while self._recent[0][0] < now - _REVOCATION_MEMORY_S:
            self._recent.popleft()
        for node in self._others():
            self._send(node, RevokeDevices([hashed]))

    def resend(self, node: str) -> None:
        """Sends the recent revocations to a node again."""
        if self._recent:
            self._send(node, RevokeDevices([hashed for _, hashed in self._recent]))

    async def close_connections(self, hashes: Sequence[str]) -> None:
        """Reloads the bans, then closes the connections of revoked devices."""
        # In this order, one call at a time: a banned person must see the error for the ban, not the
        # one for a revoked device.
        async with self._lock:
            try:
                await self._identity_service.refresh_bans()
            except StoreError as error:
                log.error("bans_not_read", **describe_exception(error))
            for one in hashes:
                self._identity_service.end_connections(one)

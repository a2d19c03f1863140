"""Which other nodes have been heard of lately, and from which of them something was lost.

What the store says of who is there is kept by `Membership`; this is what the bus shows, which is
known sooner.
"""

from collections.abc import Callable

from jasstisch.server.cluster.membership import Membership
from jasstisch.server.observability import AlertLog

__all__ = ["PeerMonitor"]

SUSPECT_AFTER_S = 1.25
"""After so many seconds without a word it is asked whether a node is gone."""

FORGET_UNKNOWN_AFTER_S = 3.0
"""After so many seconds without a word a node is forgotten that was never seen to be there."""


class PeerMonitor:
    """Notes when each other node was last heard of.

    Args:
        membership: who is there, by the store.
        alerts: where it is noted that a node is silent.
        now: seconds on a clock that never goes back nor stands still.

    Attributes:
        with_gaps: the nodes of which something was lost, and which have not told anew how it
            stands.
        leaving: the nodes that have said that they end.
    """

    def __init__(self, membership: Membership, alerts: AlertLog, now: Callable[[], float]) -> None:
        self.with_gaps: set[str] = set()
        self.leaving: set[str] = set()
        self._membership = membership
        self._alerts = alerts
        self._now = now
        self._last_heard: dict[str, float] = {}

    def on_heard(self, node: str) -> None:
        """A node has said something, or joined."""
        self._last_heard[node] = self._now()

    def forget(self, node: str) -> None:
        """A node is gone."""
        self._last_heard.pop(node, None)
        self.leaving.discard(node)
        self.with_gaps.discard(node)

    def detect_silent(self) -> None:
        """Has the store asked at once who is there, where a node says nothing."""
        since = self._now() - SUSPECT_AFTER_S
        if any(self._last_heard.get(node, since) < since for node in self._membership.others):
            self._alerts.report("node_silent", "bus")
            self._membership.refresh_now()

    def unknown_and_silent(self) -> list[str]:
        """The nodes that came and went between two looks at who is there."""
        since = self._now() - FORGET_UNKNOWN_AFTER_S
        unknown = self._last_heard.keys() - self._membership.others.keys()
        return [node for node in unknown if self._last_heard[node] < since]

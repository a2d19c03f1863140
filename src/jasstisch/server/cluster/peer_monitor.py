"""Monitors the other nodes over the bus: when each was last heard, and whose messages were lost.

`Membership` keeps the list of nodes in the store; the bus shows a failure sooner.
"""

from collections.abc import Callable

from jasstisch.server.cluster.membership import Membership
from jasstisch.server.observability import AlertLog

_SUSPECT_AFTER_S = 1.25
"""Seconds of silence after which the store is asked whether a node is dead."""

_FORGET_UNKNOWN_AFTER_S = 3.0
"""Seconds of silence after which a node that was never a known member is forgotten."""


class PeerMonitor:
    """Records when each other node was last heard.

    Args:
        membership: the members according to the store.
        alerts: reports silent nodes.
        now: returns seconds on a monotonic clock that includes suspended time.

    Attributes:
        with_gaps: the nodes with lost messages that have not sent their state again yet.
        leaving: the nodes that have announced their shutdown.
    """

    def __init__(self, membership: Membership, alerts: AlertLog, now: Callable[[], float]) -> None:
        self.with_gaps: set[str] = set()
        self.leaving: set[str] = set()
        self._membership = membership
        self._alerts = alerts
        self._now = now
        self._last_heard: dict[str, float] = {}

    def on_heard(self, node: str) -> None:
        """Called when a node has sent a message or joined."""
        self._last_heard[node] = self._now()

    def forget(self, node: str) -> None:
        """Drops the data about a node that has left."""
        self._last_heard.pop(node, None)
        self.leaving.discard(node)
        self.with_gaps.discard(node)

    def refresh_members_if_silent(self) -> None:
        """Has the list of members read from the store at once if a node is silent."""
        since = self._now() - _SUSPECT_AFTER_S
        if any(self._last_heard.get(node, since) < since for node in self._membership.others):
            self._alerts.report("node_silent", "bus")
            self._membership.refresh_members()

    def silent_unknown_nodes(self) -> list[str]:
        """The nodes that joined and left between two reads of the member list."""
        since = self._now() - _FORGET_UNKNOWN_AFTER_S
        unknown = self._last_heard.keys() - self._membership.others.keys()
        return [node for node in unknown if self._last_heard[node] < since]

"""A subscriber with a connection to this node, whose table may be on any node."""

import asyncio

from jasstisch.fairness import PACKS_AHEAD
from jasstisch.server.api import messages
from jasstisch.server.tables import Subscriber, TableMessage


class ProxiedSubscriber:
    """A subscriber whose connection is at this node.

    Args:
        connection: the connection.
        subscriber_id: an id that stays the same.

    Attributes:
        connection: as given.
        id: as given.
        subscription_ids: the recent ids of its subscription at another node, the current one last.
        node: the node where it is subscribed; None for this one.
        wants_updates: whether it wants to be subscribed to the table.
        is_current: whether it receives the updates from the node that holds the table.
        version: the version that another node has sent it; None if unknown.
        seat: the seat that it had at that version.
        key: the key in its link.
        open_requests: the sequence numbers of its unanswered requests.
        missed_updates: whether messages may have been lost since its last resynchronization.
        resync_lock: ensures that only one resynchronization runs at a time.
        commits: its commitments to the next deals, by pack.
        last_opening: its last opening.
        session: its session, and the number of its first `watch` there; None if it has none.
    """

    def __init__(self, connection: Subscriber, subscriber_id: int) -> None:
        self.connection = connection
        self.id = subscriber_id
        self.subscription_ids: list[int] = []
        self.node: str | None = None
        self.wants_updates = False
        self.is_current = False
        self.version: int | None = None
        self.seat: int | None = None
        self.key: str | None = None
        self.open_requests: set[int] = set()
        self.missed_updates = False
        self.resync_lock = asyncio.Lock()
        self.commits: dict[int, messages.CommitContributions] = {}
        self.last_opening: messages.OpenContribution | None = None
        self.session: tuple[str, int] | None = None

    def note_session(self, message: messages.Watch) -> None:
        """Keeps the session of a `watch`: the next holder of the table does not know it."""
        session_id = None if self.session is None else self.session[0]
        if message.session != session_id:
            self.session = None if message.session is None else (message.session, message.seq)

    def remember_contribution(self, message: TableMessage) -> None:
        """Keeps a contribution to the deals; the holder of the table has it in memory only."""
        match message:
            case messages.CommitContributions(pack=pack):
                self.commits.pop(pack, None)
                self.commits[pack] = message
                if len(self.commits) > PACKS_AHEAD:
                    del self.commits[next(iter(self.commits))]
            case messages.OpenContribution():
                self.last_opening = message

    @property
    def needs_resync(self) -> bool:
        """Whether it wants updates but does not receive them."""
        return self.wants_updates and not self.is_current

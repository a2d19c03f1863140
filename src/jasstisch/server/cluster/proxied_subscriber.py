"""Somebody whose connection is at this node and who follows a table wherever it is."""

import asyncio

from jasstisch.fairness import PACKS_AHEAD
from jasstisch.server.api import messages
from jasstisch.server.tables import Subscriber, TableMessage

__all__ = ["ProxiedSubscriber"]


class ProxiedSubscriber:
    """Somebody whose connection is here.

    Args:
        follower: the connection.
        name: a number that stays his.

    Attributes:
        numbers: under which he is told of a table at another node, the last one now.
        node: at which node that is; None where it is here.
        follows: he wants to follow the table.
        current: he is told of it by whoever has it.
        version: what he has been shown by another node; None where that is not known.
        seat: the seat he had then.
        key: of his link.
        asked: the numbers of his requests that are not answered.
        missed: something may have been lost since he was last told anew.
        moving: he is told anew, once at a time.
        commits: what he has committed himself to for the next packs, by pack.
        opened: what he has opened last.
    """

    def __init__(self, follower: Subscriber, name: int) -> None:
        self.connection = follower
        self.id = name
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

    def remember_contribution(self, message: TableMessage) -> None:
        """Keeps what he adds to the deals, for whoever has the table has it in memory alone."""
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
        """Whether he is not told of the table he wants to follow."""
        return self.wants_updates and not self.is_current

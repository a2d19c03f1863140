"""The sessions of clients at a table: which connection of each is its current one.

A client that reconnects cannot know whether what it sent last still arrives: on a dead line it may
lie in a buffer and come minutes later. So its new connection fences the old one, and the client is
told how far its requests were handled. Whatever it sent later was not executed and never will be.

The numbers of a session's requests only grow, so that of a connection's first `watch` tells its
age, also to a node that takes the table over and hears of the connections in any order.
"""

from weakref import WeakKeyDictionary

from jasstisch.server.api import messages
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.server.tables.handle import NO_ACK, TableMessage
from jasstisch.table import TableError

_MAX_SESSIONS = 1024
"""How many sessions are kept; beyond that, the one that watched longest ago is forgotten."""


class ClientSession:
    """A session.

    Attributes:
        newest: the number of the first `watch` of its current connection.
        settled: the last request that was executed or refused, where a `watch` counts only if the
            session began with it; None if that is unknown.
    """

    __slots__ = ("newest", "settled")

    def __init__(self, settled: int | None) -> None:
        self.newest = 0
        self.settled = settled


class ClientSessions:
    """The sessions of the clients that watch a table."""

    def __init__(self) -> None:
        self._by_id: dict[tuple[str | None, str], ClientSession] = {}
        # Weak: what a connection has sent may wait here for longer than the connection lasts.
        self._by_connection: WeakKeyDictionary[Subscriber, tuple[ClientSession, int]] = (
            WeakKeyDictionary()
        )

    def join(
        self, connection: Subscriber, session_id: str, watch: int, *, begins: bool = False
    ) -> int | None:
        """Adds a connection to its session; requests on older ones are refused from now on.

        Args:
            connection: the connection.
            session_id: the text that its client has chosen.
            watch: the number of its first `watch`; a later one does not make it younger.
            begins: whether a session that is not known here begins with it; it is known elsewhere,
                or was before a restart, if its client has a state of the table already.

        Returns:
            The last request of the session that was executed or refused; None if unknown.
        """
        key = connection.person, session_id
        session = self._by_id.pop(key, None)
        settled = None if session is None else session.settled
        session = self._by_id[key] = session or ClientSession(watch if begins else None)
        joined, _ = self._by_connection.get(connection, (None, 0))
        if joined is not session:
            self._by_connection[connection] = session, watch
            session.newest = max(session.newest, watch)
        if len(self._by_id) > _MAX_SESSIONS:
            del self._by_id[next(iter(self._by_id))]
        return settled

    def begin(self, connection: Subscriber, message: TableMessage) -> ClientSession | None:
        """Called before a request is executed: should the table fail, its outcome is unknown.

        Returns:
            The session in which the request is settled once it has been executed or refused.

        Raises:
            TableError: the session of the connection has a newer one.
        """
        if message.seq == NO_ACK:
            return None
        session, watch = self._by_connection.get(connection, (None, 0))
        if session is None:
            return None
        if watch < session.newest:
            raise TableError("wrong_phase", "your session goes on over a newer connection")
        if isinstance(message, messages.Watch):
            return None
        session.settled = None
        return session

"""The sessions of clients at a table: which connection of each is its current one.

A client that reconnects cannot know whether what it sent last still arrives: on a dead line it may
lie in a buffer and come minutes later. So its new connection fences the old one, and the client is
told how far its requests were handled. Whatever it sent later was not executed and never will be.
"""

from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.server.tables.handle import NO_ACK
from jasstisch.table import TableError

_MAX_SESSIONS = 1024
"""How many sessions are kept; beyond that, the one that watched longest ago is forgotten."""


class _Session:
    """A session.

    Attributes:
        connection: its current connection; None once that has ended.
        settled: the last request that was executed or refused; None if that is unknown.
    """

    __slots__ = ("connection", "settled")

    def __init__(self, connection: Subscriber) -> None:
        self.connection: Subscriber | None = connection
        self.settled: int | None = None


class ClientSessions:
    """The sessions of the clients that watch a table."""

    def __init__(self) -> None:
        self._by_id: dict[tuple[str | None, str], _Session] = {}
        self._by_connection: dict[Subscriber, _Session] = {}

    def resume(self, connection: Subscriber, session_id: str) -> int | None:
        """Makes a connection the current one of its session; requests on older ones are refused.

        Returns:
            The last request of the session that was executed or refused; None if unknown.
        """
        key = connection.person, session_id
        session = self._by_id.pop(key, None) or _Session(connection)
        self._by_id[key] = self._by_connection[connection] = session
        session.connection = connection
        if len(self._by_id) > _MAX_SESSIONS:
            del self._by_id[next(iter(self._by_id))]
        return session.settled

    def begin(self, connection: Subscriber, seq: int) -> None:
        """Called before a request is executed: should the table fail, its outcome is unknown.

        Raises:
            TableError: the session of the connection has a newer one.
        """
        session = self._by_connection.get(connection)
        if session is None or seq == NO_ACK:
            return
        if session.connection is not connection:
            raise TableError("wrong_phase", "your session goes on over a newer connection")
        session.settled = None

    def settle(self, connection: Subscriber, seq: int) -> None:
        """Called when a request has been executed or refused."""
        session = self._by_connection.get(connection)
        if session is not None and session.connection is connection and seq != NO_ACK:
            session.settled = seq

    def remove(self, connection: Subscriber) -> None:
        """Forgets a connection that has ended; its session may come back over another one."""
        session = self._by_connection.pop(connection, None)
        if session is not None and session.connection is connection:
            session.connection = None

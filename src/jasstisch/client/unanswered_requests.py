"""The requests of a client that have no answer yet, and what becomes of them if the line breaks.

All connections of a client are one session of the protocol: when a table is watched again, it
refuses what may still arrive over the old connection, and says how far the requests of the session
were settled. Those are done, and later ones were not executed and never will be, so that they are
sent again if they are still meant. If the table does not know, nothing is sent again.
"""

import asyncio
from collections.abc import Iterator, Mapping

from jasstisch.client.errors import ConnectionLostError, RequestError
from jasstisch.client.watched_table import WatchedTable
from jasstisch.server.api import messages

_KEPT_S = 15.0
"""How long a request is kept for the next connection; later it would surprise: people have gone on,
in seconds."""

_NOT_KEPT = (
    messages.Watch
    | messages.Unwatch
    | messages.RequestHint
    | messages.SkipPause
    | messages.CommitContributions
    | messages.OpenContribution
    | messages.Ping
)
"""The messages that mean nothing on a later connection, or that are made anew for it."""


class UnansweredRequest:
    """A request without an answer.

    Args:
        message: the message.

    Attributes:
        answer: the answer to come.
        seq: its number on the connection of now; None if it has not been sent yet.
        table: the table for whose next watching it is kept if the connection is lost; None if it
            is not kept.
    """

    def __init__(self, message: messages.ClientMessage) -> None:
        loop = asyncio.get_running_loop()
        self.message = message
        self.answer: asyncio.Future[messages.Ack] = loop.create_future()
        self.seq: int | None = None
        self.table = None if isinstance(message, _NOT_KEPT) else message.table
        self._kept_until = loop.time() + _KEPT_S
        self._timer: asyncio.TimerHandle | None = None

    def end(self, answer: messages.Ack | Exception) -> None:
        """Answers it, unless that has been done."""
        self.stop_timer()
        if self.answer.done():
            return
        if isinstance(answer, Exception):
            self.answer.set_exception(answer)
            self.answer.exception()  # retrieved: no warning follows if nobody waits any more
        else:
            self.answer.set_result(answer)

    def keep(self) -> None:
        """Keeps it for some time without a connection."""
        lost = ConnectionLostError("the connection was lost")
        loop = asyncio.get_running_loop()
        self.stop_timer()
        self._timer = loop.call_at(self._kept_until, self.end, lost)

    def stop_timer(self) -> None:
        """Keeps it as long as it takes: it is on its way again."""
        if self._timer is not None:
            self._timer.cancel()

    def is_meant(self, table: WatchedTable) -> bool:
        """Whether it still fits the table: an action belongs to the turn it was chosen for."""
        turn = table.turn
        match self.message:
            case messages.Act(action=action):
                return turn is not None and (turn.more or action in turn.legal)
            case messages.ClaimRest():
                return turn is not None and turn.rest
            case _:
                return True


class UnansweredRequests:
    """The requests of a client without an answer."""

    def __init__(self) -> None:
        self._sent: dict[int, UnansweredRequest] = {}
        self._kept: list[UnansweredRequest] = []

    def on_sent(self, request: UnansweredRequest, seq: int) -> None:
        """Expects the answer to a request that is sent with this number."""
        request.stop_timer()
        request.seq = seq
        self._sent[seq] = request

    def hold(self, request: UnansweredRequest) -> None:
        """Keeps a request until its table is watched again."""
        request.keep()
        self._kept.append(request)

    def answer(self, seq: int, answer: messages.Ack | RequestError) -> None:
        """Answers a request, if it waits."""
        request = self._sent.pop(seq, None)
        if request is not None:
            request.end(answer)

    def forget(self, request: UnansweredRequest) -> None:
        """Forgets a request for whose answer nobody waits any more."""
        request.stop_timer()
        if request.seq is not None and self._sent.get(request.seq) is request:
            del self._sent[request.seq]
        if request in self._kept:
            self._kept.remove(request)

    def keeps_any(self, table: str | None) -> bool:
        """Whether there are requests to a table that are not settled yet.

        A later one that arrived would make the table say that they all had.
        """
        return any(request.table == table for request in self._kept)

    def is_sent(self, seq: int) -> bool:
        """Whether the request of this number waits for its answer."""
        return seq in self._sent

    def on_not_sent(self, request: UnansweredRequest, tables: Mapping[str, WatchedTable]) -> None:
        """Keeps a request whose connection has ended if its table will be watched again."""
        if request.seq is None or self._sent.pop(request.seq, None) is None:
            return
        if request.table in tables:
            self.hold(request)
        else:
            request.end(ConnectionLostError("the connection was lost"))

    def on_connection_lost(self, tables: Mapping[str, WatchedTable]) -> None:
        """Keeps the requests to tables that will be watched again; the others end."""
        for request in list(self._sent.values()):
            self.on_not_sent(request, tables)

    def settle(self, table: WatchedTable, last: int | None) -> Iterator[UnansweredRequest]:
        """Settles the requests to a table that is watched again; yields those to send.

        Args:
            table: the table, which is up to date.
            last: the last request that it has executed or refused; None if it does not know.
        """
        kept = [request for request in self._kept if request.table == table.id]
        self._kept = [request for request in self._kept if request.table != table.id]
        for request in kept:
            if request.answer.done():
                continue
            if request.seq is not None and last is None:
                request.end(ConnectionLostError("the connection was lost"))
            elif request.seq is not None and last is not None and request.seq <= last:
                request.end(messages.Ack(request.seq, table.id, table.version))
            elif request.is_meant(table):
                yield request
            else:
                late = messages.ErrorMessage("wrong_phase", "the table has gone on", None, table.id)
                request.end(RequestError(late))

    def end_all(self, error: ConnectionLostError, table: str | None = None) -> None:
        """Ends all requests, or the kept ones of a table that is no longer watched."""
        for request in self._kept if table is not None else [*self._sent.values(), *self._kept]:
            if table in (None, request.table):
                request.end(error)

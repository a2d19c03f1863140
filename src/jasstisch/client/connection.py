"""The client: a WebSocket to a table server, with the tables that are watched over it."""

import asyncio
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from jasstisch.client.deal_memory import DealMemory
from jasstisch.client.errors import PASSING, ConnectionLostError, RequestError
from jasstisch.client.rest import RestClient
from jasstisch.client.told_messages import read_message
from jasstisch.client.unanswered_requests import UnansweredRequest, UnansweredRequests
from jasstisch.client.watched_table import WatchedTable
from jasstisch.server.api import messages

_MAX_MESSAGE_BYTES = 4 * 1024 * 1024
_MIN_RECONNECT_DELAY_S, _MAX_RECONNECT_DELAY_S = 0.1, 4.0
"""The first and the longest maximum delay between attempts to reconnect, in seconds. It is doubled
each time, and the delay is half of it on average."""

_ANSWER_TIMEOUT_S = 8.0
"""How long a new connection may be silent before it counts as lost, in seconds."""

_WATCH_FACTOR = 2
"""How many times as long a server may be silent after a `watch`: it may have to load the table."""

_CLOSE_TIMEOUT_S = 2.0
"""How long the other end has to close a connection, in seconds."""

_chance = random.Random()  # noqa: S311 - delays are not secret

_encode = msgspec.json.encode


class Client(RestClient):
    """A connection to a table server, under one identity.

    Args:
        url: the server's address, such as `http://127.0.0.1:8000`.
        token: the identity of an earlier session; without one, or if it is unknown, the server
            assigns a new identity.
        patience: seconds during which to try to reconnect after a lost connection.
        silence: seconds after a request without any message from the server, after which the
            connection counts as lost although it is open; None to wait until the system finds out.
        deal_memory: where to keep what is seen of matches with verifiable deals, so that the client
            goes on with its part in them after a restart; None for nowhere.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience: float = 30.0,
        silence: float | None = None,
        deal_memory: DealMemory | None = None,
    ) -> None:
        super().__init__(url, token)
        self.deal_memory = deal_memory
        self.patience = patience
        self.silence = silence
        self._tables: dict[str, WatchedTable] = {}
        self._session: str | None = secrets.token_urlsafe(16)
        self._unanswered = UnansweredRequests()
        self._settled: dict[str, int] = {}
        self._heard_at = 0.0
        self._catching_up: dict[int, WatchedTable] = {}
        self._seq = 0
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._failure: ConnectionLostError | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Gets an identity unless the token is valid, and connects.

        Raises:
            OSError: the server cannot be reached, or its answer cannot be decoded.
            RequestError: it accepts no more connections.
        """
        await self._http("POST", "/api/identity")
        self._socket = await self._connect()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Closes the connection; seats are kept."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._socket is not None:
            await self._socket.close()
        self._fail_all(ConnectionLostError("the client is closed"))

    # The WebSocket.

    async def watch(self, table: str, key: str | None = None) -> WatchedTable:
        """Watches a table.

        Args:
            table: its id.
            key: the key of the link, where the host has revoked the first link.

        Raises:
            RequestError: the table does not exist, or too many are watched.
        """
        watched = self._tables.setdefault(table, WatchedTable(self, table, key, self.deal_memory))
        try:
            await self._request_watch(watched)
        except RequestError:
            if not watched.version:
                del self._tables[table]
            raise
        await self._on_watched(watched)
        return watched

    async def _on_watched(self, table: WatchedTable) -> None:
        """Called when a table is watched, from the beginning or again, and up to date."""
        table.is_current = True
        for request in self._unanswered.settle(table, self._settled.pop(table.id, None)):
            await self._send(request)
        table.wake()

    async def _request_watch(self, table: WatchedTable) -> None:
        try:
            await self.request(self._watch_message(table))
        except RequestError as error:
            if not self._is_refused_session(error):
                raise
            await self.request(self._watch_message(table))

    def _watch_message(self, table: WatchedTable) -> messages.Watch:
        since = table.version or None
        return messages.Watch(0, table.id, since, table.seat, table.key, self._session)

    def _is_refused_session(self, error: RequestError) -> bool:
        """Whether the server is of the version before and knows no sessions; none is used then."""
        refused = error.code == "bad_message" and self._session is not None
        if refused:
            self._session = None
        return refused

    async def unwatch(self, table: str) -> None:
        """Stops watching a table; a seat there is kept."""
        await self.request(messages.Unwatch(0, table))
        watched = self._tables.pop(table, None)
        if watched is not None:
            watched.stop_keeping_deals()

    async def request(self, message: messages.ClientMessage) -> messages.Ack:
        """Sends a message with a unique number and waits for the answer.

        A request to a watched table outlives a lost connection for some seconds: it is sent again
        if it has not arrived and still fits the table, and is never executed twice.

        Raises:
            RequestError: the server refused, or the table had gone on when the line was back.
            ConnectionLostError: the connection was lost before the answer came, and it is not
                known whether the request was executed.
        """
        if self._failure is not None:
            raise self._failure
        if self._socket is None:
            raise ConnectionLostError("the client is not connected")
        if isinstance(message, messages.RequestHint | messages.SkipPause) and (
            self._unanswered.keeps_any(message.table)
        ):
            raise ConnectionLostError("the connection was lost")
        request = UnansweredRequest(message)
        try:
            if request.table in self._tables and not self._tables[request.table].is_current:
                self._unanswered.hold(request)
            else:
                await self._send(request)
            return await request.answer
        finally:
            self._unanswered.forget(request)

    async def _send(self, request: UnansweredRequest) -> None:
        assert self._socket is not None
        self._seq += 1
        self._unanswered.on_sent(request, self._seq)
        text = _encode(msgspec.structs.replace(request.message, seq=self._seq)).decode()
        if self.silence is not None and not isinstance(request.message, messages.RequestHint):
            self._watch_line(self._seq, self._unanswered.is_sent, self.silence)
        try:
            await self._socket.send(text)
        except ConnectionClosed:
            self._unanswered.on_not_sent(request, self._tables)

    def _watch_line(self, seq: int, is_open: Callable[[int], bool], silence: float) -> None:
        """Gives the connection up if it stays silent while a request has no answer.

        Args:
            seq: the number of the request.
            is_open: whether a request has no answer yet.
            silence: seconds without any message.
        """
        loop, socket = asyncio.get_running_loop(), self._socket
        sent_at = loop.time()

        def check() -> None:
            until = max(sent_at, self._heard_at) + silence
            if socket is None or socket is not self._socket or not is_open(seq):
                return
            if until > loop.time():
                loop.call_at(until, check)
            else:
                socket.transport.abort()

        loop.call_later(silence, check)

    def _mark_stale(self) -> None:
        for table in self._tables.values():
            table.is_current = False
            table.wake()

    async def wait_for(self, event: asyncio.Event) -> None:
        """Waits for an event of a table.

        Raises:
            ConnectionLostError: the connection is lost permanently.
        """
        if self._failure is not None:
            raise self._failure
        await event.wait()
        if self._failure is not None:
            raise self._failure

    async def _connect(self) -> ClientConnection:
        scheme = "wss" if self._secure else "ws"
        socket = await connect(
            f"{scheme}://{self._host}/ws",
            additional_headers=self._headers(),
            compression=None,
            max_size=_MAX_MESSAGE_BYTES,
            open_timeout=_ANSWER_TIMEOUT_S,
            close_timeout=_CLOSE_TIMEOUT_S,
            proxy=None,
        )
        try:
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                welcome = read_message(await socket.recv())
        except TimeoutError as error:
            await socket.close()
            raise ConnectionLostError("the server accepts the connection and is silent") from error
        except ConnectionClosed as error:
            raise ConnectionLostError(
                "the server ended the connection before it said anything"
            ) from error
        except msgspec.MsgspecError as error:
            await socket.close()
            raise ConnectionLostError(
                f"the server says what this client cannot read: {error}"
            ) from error
        if isinstance(welcome, messages.ErrorMessage):
            await socket.close()
            raise RequestError(welcome)
        if not isinstance(welcome, messages.Welcome) or welcome.protocol != messages.PROTOCOL:
            await socket.close()
            raise ConnectionLostError("the server speaks another protocol; update one of the two")
        return socket

    async def _run(self) -> None:
        """Reads until the connection is lost permanently, and tells everybody who waits why."""
        try:
            while True:
                await self._read()
                self._mark_stale()
                self._unanswered.on_connection_lost(self._tables)
                await self._reconnect()
        except ConnectionLostError as error:
            self._fail_all(error)
        except msgspec.MsgspecError as error:
            self._fail_all(
                _lost_by(error, f"the server says what this client cannot read: {error}")
            )
        except Exception as error:  # noqa: BLE001 - nobody must wait for what never comes
            self._fail_all(_lost_by(error, f"this client cannot follow the server: {error!r}"))

    async def _read(self) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):
            async for text in self._socket:
                self._heard_at = asyncio.get_running_loop().time()
                await self._dispatch(read_message(text))

    async def _reconnect(self) -> None:
        wait, waited = _MIN_RECONNECT_DELAY_S, 0.0
        while True:
            # A random delay spreads the clients that reconnect to a restarted server.
            await asyncio.sleep(wait * _chance.random())
            try:
                self._socket = await self._connect()
                break
            except (OSError, RequestError, InvalidHandshake, ConnectionClosed, EOFError) as error:
                if isinstance(error, RequestError) and error.code == "banned":
                    raise ConnectionLostError(str(error)) from error
                if waited >= self.patience:
                    raise ConnectionLostError(f"the server cannot be reached: {error}") from error
            waited, wait = waited + wait / 2, min(2 * wait, _MAX_RECONNECT_DELAY_S)
        self._settled.clear()
        for table in self._tables.values():
            await self._catch_up(table)

    async def _catch_up(self, table: WatchedTable) -> None:
        """Requests the missed events, without waiting for the answer."""
        assert self._socket is not None
        self._seq += 1
        self._catching_up[self._seq] = table
        if self.silence is not None:
            patient = _WATCH_FACTOR * self.silence
            self._watch_line(self._seq, self._catching_up.__contains__, patient)
        watch = msgspec.structs.replace(self._watch_message(table), seq=self._seq)
        with suppress(ConnectionClosed):
            await self._socket.send(_encode(watch).decode())

    async def _dispatch(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.Event() | messages.Snapshot():
                table = self._tables.get(message.table)
                if table is not None and not table.apply_message(message):
                    await self._catch_up(table)
                elif table is not None and (
                    isinstance(message, messages.Snapshot)
                    or not message.room.keys().isdisjoint(("fair", "number"))
                ):
                    await self._contribute(table)
            case messages.Presence() if message.table in self._tables:
                self._tables[message.table].connected = message.connected
                self._tables[message.table].preparing = message.preparing
                self._tables[message.table].spectators = message.spectators
                self._tables[message.table].missing = message.missing
                self._tables[message.table].kept = message.kept
                self._tables[message.table].wake()
            case messages.HintReply() if message.table in self._tables:
                self._tables[message.table].last_hint = message
            case messages.Settled():
                self._settled[message.table] = message.last
            case messages.Ack():
                await self._on_ack(message)
            case messages.ErrorMessage():
                await self._on_error(message)
            case _:
                pass

    async def _contribute(self, table: WatchedTable) -> None:
        """Sends this client's contributions to the deals, without waiting for the answers.

        Once the table is watched again they are sent anew.
        """
        assert self._socket is not None
        if self._unanswered.keeps_any(table.id):
            return
        for wanted in table.fair_deal_messages():
            self._seq += 1
            text = _encode(msgspec.structs.replace(wanted, seq=self._seq)).decode()
            with suppress(ConnectionClosed):
                await self._socket.send(text)

    async def _on_ack(self, ack: messages.Ack) -> None:
        caught_up = self._catching_up.pop(ack.seq, None)
        if caught_up is not None:
            await self._on_watched(caught_up)
            if caught_up.deal_participant is not None:
                caught_up.deal_participant.mark_all_unsent()
                await self._contribute(caught_up)
        self._unanswered.answer(ack.seq, ack)

    async def _on_error(self, error: messages.ErrorMessage) -> None:
        if error.seq is None:
            # The server has evicted the table; it loads it again on request.
            table = self._tables.get(error.table or "")
            if table is not None:
                table.is_current = False
                table.wake()
                await self._catch_up(table)
        elif (behind := self._catching_up.pop(error.seq, None)) is not None:
            if self._is_refused_session(RequestError(error)):
                await self._catch_up(behind)
            elif error.code in PASSING and self._socket is not None:
                await self._socket.close()  # and reconnect from the beginning
            else:
                self._drop_table(behind, RequestError(error))
        else:
            self._unanswered.answer(error.seq, RequestError(error))

    def _drop_table(self, table: WatchedTable, refusal: RequestError) -> None:
        """Stops watching a table for which the server sends no more messages."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        table.is_current = False
        self._unanswered.end_all(ConnectionLostError("the table is gone"), table.id)
        table.end_waits(refusal)

    def _fail_all(self, error: ConnectionLostError) -> None:
        self._failure = error
        self._unanswered.end_all(error)
        for table in self._tables.values():
            table.is_current = False
            table.end_waits()


def _lost_by(cause: Exception, text: str) -> ConnectionLostError:
    """The error of a connection that was lost for a reason on this side."""
    lost = ConnectionLostError(text)
    lost.__cause__ = cause
    return lost

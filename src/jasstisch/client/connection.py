"""The client: a WebSocket to a table server, with the tables that are watched over it."""

import asyncio
import random
from contextlib import suppress
from types import TracebackType
from typing import Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from jasstisch.client.errors import PASSING, ConnectionLostError, RequestError
from jasstisch.client.rest import RestClient
from jasstisch.client.watched_table import WatchedTable
from jasstisch.server.api import messages

_MAX_MESSAGE_BYTES = 4 * 1024 * 1024
_MIN_RECONNECT_DELAY_S, _MAX_RECONNECT_DELAY_S = 0.1, 4.0
"""The first and the longest maximum delay between attempts to reconnect, in seconds. It is doubled
each time, and the delay is half of it on average."""

_ANSWER_TIMEOUT_S = 8.0
"""How long a new connection may be silent before it counts as lost, in seconds."""

_CLOSE_TIMEOUT_S = 2.0
"""How long the other end has to close a connection, in seconds."""

_chance = random.Random()  # noqa: S311 - delays are not secret

_decoder: msgspec.json.Decoder[messages.ServerMessage] = msgspec.json.Decoder(
    messages.ServerMessage
)
_encode = msgspec.json.encode


class Client(RestClient):
    """A connection to a table server, under one identity.

    Args:
        url: the server's address, such as `http://127.0.0.1:8000`.
        token: the identity of an earlier session; without one, or if it is unknown, the server
            assigns a new identity.
        patience: seconds during which to try to reconnect after a lost connection.
    """

    def __init__(self, url: str, token: str | None = None, patience: float = 30.0) -> None:
        super().__init__(url, token)
        self.patience = patience
        self._tables: dict[str, WatchedTable] = {}
        self._waiting: dict[int, asyncio.Future[messages.Ack]] = {}
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
        watched = self._tables.setdefault(table, WatchedTable(self, table, key))
        since = watched.version or None
        try:
            await self.request(messages.Watch(0, table, since, watched.seat, watched.key))
        except RequestError:
            if not watched.version:
                del self._tables[table]
            raise
        watched.is_current = True
        return watched

    async def unwatch(self, table: str) -> None:
        """Stops watching a table; a seat there is kept."""
        await self.request(messages.Unwatch(0, table))
        self._tables.pop(table, None)

    async def request(self, message: messages.ClientMessage) -> messages.Ack:
        """Sends a message with a unique number and waits for the answer.

        Raises:
            RequestError: the server refused.
            ConnectionLostError: the connection was lost before the answer came.
        """
        if self._failure is not None:
            raise self._failure
        if self._socket is None:
            raise ConnectionLostError("the client is not connected")
        self._seq += 1
        answer: asyncio.Future[messages.Ack] = asyncio.get_running_loop().create_future()
        self._waiting[self._seq] = answer
        number = self._seq
        try:
            await self._socket.send(_encode(msgspec.structs.replace(message, seq=number)).decode())
            return await answer
        except ConnectionClosed:
            self._mark_stale()
            raise ConnectionLostError("the connection was lost") from None
        finally:
            self._waiting.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # retrieved so that no warning follows if sending failed

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
                welcome = _decoder.decode(await socket.recv())
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
        """Reads until the connection is lost permanently."""
        try:
            while True:
                await self._read()
                self._mark_stale()
                for answer in self._waiting.values():
                    if not answer.done():
                        answer.set_exception(ConnectionLostError("the connection was lost"))
                await self._reconnect()
        except ConnectionLostError as error:
            self._fail_all(error)
        except msgspec.MsgspecError as error:
            self._fail_all(
                ConnectionLostError(f"the server says what this client cannot read: {error}")
            )

    async def _read(self) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):
            async for text in self._socket:
                await self._dispatch(_decoder.decode(text))

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
        for table in self._tables.values():
            await self._catch_up(table)

    async def _catch_up(self, table: WatchedTable) -> None:
        """Requests the missed events, without waiting for the answer."""
        assert self._socket is not None
        self._seq += 1
        self._catching_up[self._seq] = table
        watch = messages.Watch(self._seq, table.id, table.version or None, table.seat, table.key)
        with suppress(ConnectionClosed):
            await self._socket.send(_encode(watch).decode())

    async def _dispatch(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.Event() | messages.Snapshot():
                table = self._tables.get(message.table)
                if table is not None and not table.apply_message(message):
                    await self._catch_up(table)
                elif table is not None and (
                    isinstance(message, messages.Snapshot) or "fair" in message.room
                ):
                    await self._contribute(table, whole=isinstance(message, messages.Snapshot))
            case messages.Presence() if message.table in self._tables:
                self._tables[message.table].connected = message.connected
                self._tables[message.table].preparing = message.preparing
                self._tables[message.table].spectators = message.spectators
                self._tables[message.table].missing = message.missing
                self._tables[message.table].kept = message.kept
                self._tables[message.table].wake()
            case messages.HintReply() if message.table in self._tables:
                self._tables[message.table].last_hint = message
            case messages.Ack():
                await self._on_ack(message)
            case messages.ErrorMessage():
                await self._on_error(message)
            case _:
                pass

    async def _contribute(self, table: WatchedTable, *, whole: bool) -> None:
        """Sends this client's contributions to the deals, without waiting for the answers."""
        assert self._socket is not None
        for wanted in table.fair_deal_messages(whole=whole):
            self._seq += 1
            text = _encode(msgspec.structs.replace(wanted, seq=self._seq)).decode()
            with suppress(ConnectionClosed):
                await self._socket.send(text)

    async def _on_ack(self, ack: messages.Ack) -> None:
        caught_up = self._catching_up.pop(ack.seq, None)
        if caught_up is not None:
            caught_up.is_current = True
            caught_up.wake()
            if caught_up.deal_participant is not None:
                caught_up.deal_participant.mark_all_unsent()
                await self._contribute(caught_up, whole=False)
        answer = self._waiting.get(ack.seq)
        if answer is not None and not answer.done():
            answer.set_result(ack)

    async def _on_error(self, error: messages.ErrorMessage) -> None:
        if error.seq is None:
            # The server has evicted the table; it loads it again on request.
            table = self._tables.get(error.table or "")
            if table is not None:
                table.is_current = False
                table.wake()
                await self._catch_up(table)
        elif (behind := self._catching_up.pop(error.seq, None)) is not None:
            if error.code in PASSING and self._socket is not None:
                await self._socket.close()  # and reconnect from the beginning
            else:
                self._drop_table(behind, RequestError(error))
        else:
            answer = self._waiting.get(error.seq)
            if answer is not None and not answer.done():
                answer.set_exception(RequestError(error))

    def _drop_table(self, table: WatchedTable, refusal: RequestError) -> None:
        """Stops watching a table for which the server sends no more messages."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        table.is_current = False
        table.end_waits(refusal)

    def _fail_all(self, error: ConnectionLostError) -> None:
        self._failure = error
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        for table in self._tables.values():
            table.is_current = False
            table.end_waits()

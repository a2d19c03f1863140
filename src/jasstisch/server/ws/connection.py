"""A WebSocket connection, which may use any number of tables.

Every message is validated before it reaches a table; an invalid one is answered with a typed error.
Outgoing messages are written immediately. If a slow client has unread data, they wait in a bounded
queue of its own, so that it delays nobody else. A client that falls too far behind is disconnected
and catches up when it reconnects.
"""

import asyncio
from contextlib import suppress

from jasstisch.server.api import messages
from jasstisch.server.errors import (
    ERR_TABLE_DAMAGED,
    ApiError,
    ServerBusyError,
    TableNotFoundError,
    TooManyUnknownTablesError,
)
from jasstisch.server.limits import ConnectionLimiter, SlotStack, TokenBucket
from jasstisch.server.net import DirectWebSocket, Message
from jasstisch.server.observability import CURRENT_REQUEST_ID, describe_exception, log
from jasstisch.server.tables import (
    ERR_NO_SUCH_TABLE,
    TableHandle,
    TableLookup,
    TableMessage,
    TableRegistry,
    Visitor,
    encode_message,
)
from jasstisch.server.ws.message_decoding import decode_envelope, decode_message
from jasstisch.server.ws.outgoing_queue import OutgoingQueue
from jasstisch.server.ws.refusals import (
    CLOSE_POLICY_VIOLATION,
    CLOSE_TRY_AGAIN_LATER,
    truncate_reason,
)
from jasstisch.storage import CorruptionError, StoreError

_VIOLATIONS = ("bad_message", "too_large", "too_fast")
"""The error codes that count as violations; a correct client rarely causes several in a row."""

_CLOSE_TIMEOUT_S = 2.0
"""How long sending a close frame may take, in seconds."""


class Connection:
    """One connection; the `Subscriber` of the tables that it watches.

    Args:
        registry: the tables.
        lookup: looks up tables for clients.
        limiter: limits the connections.
        address: the address of the client.
        direct: writes and receives without waiting.
    """

    __slots__ = (
        *("person", "closed", "_registry", "_lookup", "_limiter", "_address", "_limits"),
        *("_watched", "_websocket", "_outgoing", "_write_task", "_bucket", "_violations"),
        *("_flooded", "_close_reason", "_closing", "_slots", "_metrics", "_open_task"),
        *("_request_id", "__weakref__"),
    )

    def __init__(
        self,
        registry: TableRegistry,
        lookup: TableLookup,
        limiter: ConnectionLimiter,
        address: str,
        direct: DirectWebSocket,
    ) -> None:
        limits = registry.context.limits
        self.person: str | None = None
        self.closed = False
        self._flooded = False
        self._registry = registry
        self._lookup = lookup
        self._limiter = limiter
        self._address = address
        self._request_id = CURRENT_REQUEST_ID.get()
        self._limits = limits
        self._metrics = registry.context.metrics
        self._watched: tuple[str, ...] = ()
        self._websocket = direct
        self._outgoing: OutgoingQueue | None = None
        self._write_task: asyncio.Task[None] | None = None
        self._bucket = TokenBucket(
            limits.messages_per_second, limits.message_burst, registry.context.now()
        )
        self._violations = 0
        self._close_reason: tuple[int, str] | None = None
        self._closing = False
        self._slots: SlotStack | None = None
        self._open_task: asyncio.Task[None] | None = None

    def serve(self, held: SlotStack) -> None:
        """Serves the connection from now on, without a task, until one side closes it.

        Args:
            held: the slots that the connection holds while it lasts.
        """
        self._slots = held
        self.send(encode_message(messages.Welcome(messages.PROTOCOL, self.person is not None)))
        self._websocket.set_listener(self._on_message)
        self._websocket.detach()

    async def _shutdown(self) -> None:
        """Ends all subscriptions and closes the connection with the reason."""
        self.closed = True
        self._websocket.remove_listener()
        tasks = [task for task in (self._open_task, self._write_task) if task is not None]
        for task in tasks:
            task.cancel()
        for table in self._watched:
            handle = self._registry.peek_table(table)
            if handle is not None:
                handle.unsubscribe(self)
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._close_reason is not None:
                code, reason = self._close_reason
                with suppress(TimeoutError, OSError):
                    async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                        event = {"type": "websocket.close", "code": code, "reason": reason}
                        await self._websocket.send(event)
        finally:
            if self._slots is not None:
                self._slots.__exit__()
        if self._flooded:
            self._limiter.alerts.report("flood_closed", "messages", self._address)

    # Writing.

    def send(self, text: bytes) -> None:
        """Sends a message; closes the connection if too many messages wait already."""
        if self.closed or (self._outgoing is None and self._websocket.try_write(text)):
            return
        if self._outgoing is None:
            self._outgoing = OutgoingQueue(self._websocket, self._limits)
            self._write_task = asyncio.create_task(self._write(self._outgoing))
        if not self._outgoing.try_add(text):
            log.info("client_too_slow")
            self._end_with(
                CLOSE_TRY_AGAIN_LATER, "you read too slowly; connect again and watch with since"
            )

    def end(self, reason: str) -> None:
        """Closes the connection, because its device is no longer admitted."""
        self._end_with(CLOSE_POLICY_VIOLATION, truncate_reason(reason))

    def _end_with(self, code: int, reason: str) -> None:
        self.closed = True
        self._close_reason = self._close_reason or (code, reason)  # the first reason counts
        self._begin_shutdown()

    def _begin_shutdown(self) -> None:
        if not self._closing:
            self._closing = True
            self._websocket.run_then_close(self._shutdown)

    async def _write(self, outgoing: OutgoingQueue) -> None:
        """Writes the messages that wait; afterwards they are written immediately again."""
        try:
            await outgoing.write_all()
        except Exception:  # noqa: BLE001 - the client is gone, whatever the type
            self._begin_shutdown()
        else:
            self._outgoing = None

    # Reading.

    def _on_message(self, event: Message) -> bool:
        """Processes a message of the client; returns whether it is ready for another."""
        if event["type"] != "websocket.receive":
            self._begin_shutdown()
            return True
        if self.closed:
            return False
        text: str | None = event.get("text")
        # The caller may run in another context; set the request id of this connection for the log.
        before = CURRENT_REQUEST_ID.set(self._request_id)
        try:
            self._check_rate()
            return self._handle(decode_message(text, self._limits.message_bytes), text)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._send_error(text, error)
            return not self.closed
        finally:
            CURRENT_REQUEST_ID.reset(before)

    def _send_error(self, text: str | None, error: Exception) -> None:
        """Sends the error for an invalid message."""
        if isinstance(error, ApiError):
            self._reject(text, error.code, str(error))
        else:
            log.error("message_failed", **describe_exception(error))
            self._reject(text, "internal", "the server could not do this")

    def _on_answered(self, _: bool) -> None:
        """Called when the last message has been answered."""
        self._violations = 0
        if not self.closed:
            self._websocket.resume()

    def _check_rate(self) -> None:
        if not self._bucket.try_take(self._registry.context.now()):
            most = self._limits.messages_per_second
            raise ApiError("too_fast", f"at most {most:g} messages a second, please")

    def _reject(self, asked: str | None, code: messages.ErrorCode, text: str) -> None:
        self._metrics.errors[code] += 1
        envelope = decode_envelope(asked)
        error = messages.ErrorMessage(code, text, seq=envelope.seq, table=envelope.table)
        self.send(encode_message(error))
        self._violations += code in _VIOLATIONS
        if self._violations > self._limits.max_refused_messages:
            self._flooded = True
            self._end_with(CLOSE_POLICY_VIOLATION, "too many bad messages")

    def _handle(self, message: messages.ClientMessage, text: str | None) -> bool:
        """Handles a message; returns False if `_on_answered` will be called later."""
        self._metrics.messages[type(message)] += 1
        if isinstance(message, messages.Ping):
            self.send(encode_message(messages.Pong(message.seq)))
            self._violations = 0
            return True
        if isinstance(message, messages.Watch):
            self._check_watch_limit(message.table)
        elif self.person is None and not isinstance(message, messages.Unwatch):
            need = "you came without an identity: POST /api/identity, then connect again"
            raise ApiError("no_identity", need)
        handle = self._registry.peek_table(message.table)
        if handle is None or not handle.has_subscriber(self):
            self._open_task = asyncio.create_task(self._find_and_submit(message, text))
        else:
            self._submit(handle, message)
        return False

    async def _find_and_submit(self, message: TableMessage, text: str | None) -> None:
        """Looks up a table that the connection is not subscribed to, and submits a message."""
        try:
            self._submit(await self._find_table(message), message)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            self._send_error(text, error)
            if not self.closed:
                self._websocket.resume()

    def _submit(self, handle: TableHandle, message: TableMessage) -> None:
        """Submits a message to a table.

        Raises:
            ApiError: the table is overloaded.
        """
        if not handle.submit(self, message, self._on_answered):
            raise ApiError("busy", "too much is asked of this table; try again")
        match message:
            case messages.Watch(table=table):
                self._watched = (*self._watched_without(table), table)
            case messages.Unwatch(table=table):
                self._watched = self._watched_without(table)

    def _watched_without(self, table: str) -> tuple[str, ...]:
        """The watched tables without the given one."""
        return tuple(one for one in self._watched if one != table)

    async def _find_table(self, message: TableMessage) -> TableHandle:
        """The table of a message.

        Raises:
            ApiError: the table does not exist for this person, or cannot be loaded.
        """
        key = message.key if isinstance(message, messages.Watch) else None
        visitor = Visitor(self.person, key, self._address)
        try:
            return await self._lookup.find(message.table, visitor)
        except TableNotFoundError:
            raise ApiError("unknown_table", ERR_NO_SUCH_TABLE) from None
        except TooManyUnknownTablesError as error:
            raise ApiError("too_fast", str(error)) from None
        except CorruptionError:  # the registry has logged it
            raise ApiError("damaged", ERR_TABLE_DAMAGED) from None
        except (ServerBusyError, StoreError) as error:
            _log_unavailable(error)
            raise ApiError("busy", "the table cannot be opened now; try again") from None

    def _check_watch_limit(self, table: str) -> None:
        most = self._limits.max_watched_tables
        if table not in self._watched and len(self._watched) >= most:
            raise ApiError("limit", f"a connection can watch {most} tables; unwatch one")


def _log_unavailable(error: ServerBusyError | StoreError) -> None:
    """Logs that a table cannot be read; a full server is reported by the registry, rate-limited."""
    if isinstance(error, StoreError):
        log.error("table_unavailable", **describe_exception(error))

"""The endpoint of the WebSocket: accepts or refuses handshakes."""

from contextlib import AbstractContextManager

from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError
from jasstisch.server.limits import (
    UNCOUNTED,
    ConnectionLimiter,
    Gauge,
    LimitReachedError,
    SlotStack,
)
from jasstisch.server.net import (
    DIRECT_EXTENSION,
    WEBSOCKET_PATH,
    DirectWebSocket,
    OriginPolicy,
    Receive,
    Scope,
    Send,
    is_https,
)
from jasstisch.server.observability import describe_exception, log
from jasstisch.server.tables import TableLookup, TableRegistry
from jasstisch.server.ws.connection import Connection
from jasstisch.server.ws.refusals import (
    CLOSE_POLICY_VIOLATION,
    CLOSE_TRY_AGAIN_LATER,
    accept_and_close,
    reject_handshake,
)
from jasstisch.storage import StoreError


class WebSocketEndpoint:
    """Accepts WebSocket connections.

    Args:
        registry: the tables.
        origins: the accepted hosts and origins.
        lookup: looks up tables for clients.
        limiter: limits the connections.
    """

    def __init__(
        self,
        registry: TableRegistry,
        origins: OriginPolicy,
        lookup: TableLookup,
        limiter: ConnectionLimiter,
    ) -> None:
        self._registry = registry
        self._origins = origins
        self._lookup = lookup
        self._limiter = limiter
        # The total is counted per process only, because the limit protects the process.
        self._connections = Gauge()
        self._connections_by_person = registry.context.shared_usage.gauge("connections_per_person")

    async def __call__(
        self, scope: Scope, receive: Receive, send: Send, running: AbstractContextManager[None]
    ) -> None:
        """Serves one connection from its handshake on, until it is refused or is detached.

        Args:
            scope: the scope of ASGI.
            receive: receives an event of ASGI.
            send: sends an event of ASGI.
            running: the slot that the connection holds while it lasts.

        Raises:
            LimitReachedError: a connection limit is reached.
        """
        with SlotStack() as held:
            held.enter(running)
            await self._handle_handshake(scope, receive, send, held)

    async def _handle_handshake(
        self, scope: Scope, receive: Receive, send: Send, held: SlotStack
    ) -> None:
        """Accepts or rejects a handshake."""
        await receive()
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        address = scope["client"][0] if scope.get("client") else ""
        wrong = self._origins.origin_error(headers)
        if scope["path"] != WEBSOCKET_PATH:
            text = f"the WebSocket is at {WEBSOCKET_PATH}"
            await reject_handshake(send, 404, "not_found", text)
        elif wrong is not None:
            self._limiter.alerts.report("request_refused", "origin", address)
            await reject_handshake(send, 403, "forbidden_origin", wrong)
        else:
            try:
                await self._accept(scope, headers, send, held)
            except LimitReachedError as error:
                await self._accept_and_close(send, error.code, str(error))

    async def _accept_and_close(
        self, send: Send, code: messages.ErrorCode, text: str, close: int = CLOSE_TRY_AGAIN_LATER
    ) -> None:
        self._registry.context.metrics.errors[code] += 1
        await accept_and_close(send, code, text, close)

    @property
    def connection_count(self) -> int:
        """The number of connections."""
        return self._connections["all"]

    @property
    def person_count(self) -> int:
        """The number of different people behind the connections, as far as known."""
        return len(self._connections_by_person.local)

    def _person_slot(self, person: str | None, address: str) -> AbstractContextManager[None]:
        """Counts a connection for its person.

        Raises:
            LimitReachedError: the person has too many connections.
        """
        if person is None:
            return UNCOUNTED
        return self._limiter.slot(
            "connections_per_person", self._connections_by_person, person, address
        )

    async def _accept(
        self, scope: Scope, headers: list[tuple[bytes, bytes]], send: Send, held: SlotStack
    ) -> None:
        people, secure = self._registry.identity_service, is_https(scope["scheme"])
        address = scope["client"][0] if scope.get("client") else ""
        direct: DirectWebSocket = scope["extensions"][DIRECT_EXTENSION]
        connection = Connection(self._registry, self._lookup, self._limiter, address, direct)
        held.enter(people.close_on_revocation(headers, connection.end, secure=secure))
        try:
            holder = await people.authenticate(headers, secure=secure)
        except StoreError as error:
            log.error("store_failed", **describe_exception(error))
            await self._accept_and_close(send, "busy", "the server cannot tell who you are now")
            return
        except ApiError as error:  # a banned person
            await self._accept_and_close(send, error.code, str(error), CLOSE_POLICY_VIOLATION)
            return
        connection.person = holder.person if holder else None
        held.enter(self._limiter.slot("connections", self._connections, "all", address))
        held.enter(self._person_slot(connection.person, address))
        cookies = holder.cookies_to_set if holder else ()
        renewed = [(b"set-cookie", one.header.encode()) for one in cookies]
        await send({"type": "websocket.accept", "subprotocol": None, "headers": renewed})
        # Free the data of the handshake, as the connection may last for hours.
        headers.clear()
        scope["headers"] = headers
        connection.serve(held.transfer())

"""The whole server as one ASGI application: REST, WebSocket and the web client."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from jasstisch.server.api import messages
from jasstisch.server.http.docs_site import DocsSite, is_docs_path
from jasstisch.server.http.health import HEALTH_PATHS, HealthEndpoints, is_local_request
from jasstisch.server.http.security import security_headers
from jasstisch.server.http.static_client import StaticClient
from jasstisch.server.limits import ConnectionLimiter, LimitReachedError
from jasstisch.server.net import (
    Application,
    Message,
    OriginPolicy,
    Receive,
    Scope,
    Send,
    parse_address,
)
from jasstisch.server.observability import CURRENT_REQUEST_ID, REQUEST_ID_HEADER, resolve_request_id
from jasstisch.server.tables import TableRegistry
from jasstisch.server.ws import WebSocketEndpoint, accept_and_close, reject_handshake

__all__ = ["App", "Endpoints"]


MISDIRECTED_REQUEST = 421
"""The status of a request whose host is another."""


WILDCARD_ADDRESSES = ("", "0.0.0.0", "::")  # noqa: S104 - to recognise what the host asked for

RESPONSE_START_EVENTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
"""The messages of ASGI that carry the headers of an answer."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """What answers the requests of a server.

    Attributes:
        rest_api: everything under `/api`, and the life of the application.
        websocket: the WebSocket.
        pages: the web client.
        docs_site: the documentation.
        health: what programs that watch the server ask.
    """

    rest_api: Application
    websocket: WebSocketEndpoint
    pages: StaticClient
    docs_site: DocsSite
    health: HealthEndpoints


class App:
    """An ASGI application that serves tables.

    Args:
        registry: the tables.
        origins: how the server is reached.
        connection_limiter: who is connected.
        endpoints: what answers the requests.
        monitoring_address: where the server listens for programs that watch it, and for nothing
            else.

    Attributes:
        registry: see there.
        limits: how much it takes on.
        connection_limiter: who is connected; whoever accepts the connections asks it.
        read_batcher: when what comes over them is read.
        health: tells programs how the server is.
    """

    def __init__(
        self,
        registry: TableRegistry,
        origins: OriginPolicy,
        connection_limiter: ConnectionLimiter,
        endpoints: Endpoints,
        monitoring_address: tuple[str, int] | None = None,
    ) -> None:
        context = registry.context
        self.registry = registry
        self.limits = context.limits
        self.read_batcher = context.read_batcher
        self.connection_limiter = connection_limiter
        self.health = endpoints.health
        self._origins = origins
        self._alerts = context.alerts
        self._metrics = context.metrics
        self._rest_api = endpoints.rest_api
        self._websocket = endpoints.websocket
        self._static = endpoints.pages
        self._docs_site = endpoints.docs_site
        self._monitoring_address = monitoring_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, or the life of the application."""
        if scope["type"] == "lifespan":
            await self._rest_api(scope, receive, send)
            return
        peer, address = self._origins.resolve_client(scope)
        trusted = self._origins.proxies.trusts(peer)
        request = resolve_request_id(scope["headers"], trusted=trusted)
        of_it = scope["type"] == "http" and is_docs_path(scope["path"])
        scripts = self._docs_site.scripts if of_it else ()
        send = _with_security_headers(scope, send, request, scripts)
        before = CURRENT_REQUEST_ID.set(request)
        try:
            await self._serve(scope, receive, send, peer, address)
        finally:
            CURRENT_REQUEST_ID.reset(before)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, peer: str, address: str
    ) -> None:
        """Serves a request or a WebSocket, if it is for this server and there is room."""
        if self._is_monitoring_request(scope):
            await self._serve_monitoring(scope, receive, send, figures=True)
            return
        wrong = self._origins.host_error(scope)
        if wrong is not None:
            self._alerts.report("request_refused", "host", address)
            await self._reject(scope, send, MISDIRECTED_REQUEST, "forbidden_origin", wrong)
            return
        try:
            running = self.connection_limiter.request_slot(peer, address)
            if scope["type"] == "websocket":
                self._metrics.requests["websocket"] += 1
                await self._websocket(scope, receive, send, running)
                return
            with running:
                await self._route(scope, peer)(scope, receive, send)
        except LimitReachedError as error:
            if scope["type"] == "websocket":
                self._metrics.errors[error.code] += 1
                await accept_and_close(send, error.code, str(error))
            else:
                await self._reject(scope, send, error.status, error.code, str(error))

    def _route(self, scope: Scope, peer: str) -> Application:
        """What answers at the address that is asked for."""
        kind = "page"
        target: Application = self._static
        if _is_api(scope):
            kind, target = "api", self._rest_api
        elif is_docs_path(scope["path"]):
            target = self._docs_site
        elif scope["path"] in HEALTH_PATHS:
            figures = self._monitoring_address is None and is_local_request(scope, peer)
            return partial(self._serve_monitoring, figures=figures)
        self._metrics.requests[kind] += 1
        return target

    # For programs that watch the server.

    def _is_monitoring_request(self, scope: Scope) -> bool:
        """Whether a request came to the address that is for those who watch the server."""
        server = scope.get("server")
        if self._monitoring_address is None or not server:
            return False
        host, port = self._monitoring_address
        return server[1] == port and (
            host in WILDCARD_ADDRESSES or parse_address(host) == parse_address(server[0])
        )

    async def _serve_monitoring(
        self, scope: Scope, receive: Receive, send: Send, *, figures: bool
    ) -> None:
        self._metrics.requests["watching"] += 1
        if scope["type"] == "websocket":
            await receive()
            await reject_handshake(
                scope, send, 404, "not_found", "there is no WebSocket at this address"
            )
        else:
            await self.health.handle(scope, receive, send, figures=figures)

    async def _reject(
        self, scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
    ) -> None:
        self._metrics.errors[code] += 1
        await _reject(scope, send, status, code, text)


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path == "/api" or path.startswith("/api/")


def _with_security_headers(scope: Scope, send: Send, request: str, scripts: Sequence[str]) -> Send:
    """Adds the id of the request to every answer, and the security headers to those over HTTP."""
    plain = scope["type"] == "http"
    guards = security_headers(scope["scheme"], api=_is_api(scope), scripts=scripts) if plain else ()
    headers = [*guards, (REQUEST_ID_HEADER, request.encode())]

    async def guarded(message: Message) -> None:
        if message["type"] in RESPONSE_START_EVENTS:
            message["headers"] = [*message.get("headers", ()), *headers]
        await send(message)

    return guarded


async def _reject(
    scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
) -> None:
    """Refuses a request before it is looked at: to programs as an error, to people as a text."""
    if scope["type"] == "websocket":
        await reject_handshake(scope, send, status, code, text)
        return
    if _is_api(scope):
        kind, body = b"application/json", msgspec.json.encode(messages.ErrorBody(code, text))
    else:
        kind, body = b"text/plain; charset=utf-8", f"{text}\n".encode()
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    # Whoever is refused comes by a new connection if at all, and these are counted too.
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    content = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": content, "more_body": False})

"""The whole server as one ASGI application: REST, WebSocket and the web client."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import msgspec
from starlette.responses import Response

from jasstisch.server.api import bodies, messages
from jasstisch.server.http.docs_site import DocsSite, is_docs_path
from jasstisch.server.http.health import HEALTH_PATHS, HealthEndpoints, is_local_request
from jasstisch.server.http.security_headers import security_headers
from jasstisch.server.http.static_client import StaticClient, is_embedded
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

_MISDIRECTED_REQUEST = 421
"""The status of a request for another host."""


_WILDCARD_ADDRESSES = ("", "0.0.0.0", "::")  # noqa: S104 - to recognise what the host asked for

_NOT_STORED = (b"cache-control", b"no-store")
"""Who may access a table, and its state, change every second."""

_RESPONSE_START_EVENTS = (
    "http.response.start",
    "websocket.accept",
    "websocket.http.response.start",
)
"""The ASGI messages that carry the headers of a response."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The applications that answer the requests of a server.

    Attributes:
        rest_api: everything under `/api`, and the lifespan of the application.
        websocket: the WebSocket.
        web_client: the web client.
        docs_site: the documentation.
        health: the endpoints for monitoring.
    """

    rest_api: Application
    websocket: WebSocketEndpoint
    web_client: StaticClient
    docs_site: DocsSite
    health: HealthEndpoints


class App:
    """The ASGI application of the server.

    Args:
        registry: the tables.
        origins: the accepted hosts and origins.
        connection_limiter: limits the connections.
        endpoints: the applications that answer the requests.
        monitoring_address: the separate address for health and metrics, if there is one.

    Attributes:
        registry: as given.
        limits: the limits of the server.
        connection_limiter: as given; the protocols that accept connections use it.
        read_batcher: schedules when received data is processed.
        health: the endpoints for monitoring.
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
        self._static = endpoints.web_client
        self._docs_site = endpoints.docs_site
        self._monitoring_address = monitoring_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, or the lifespan of the application."""
        if scope["type"] == "lifespan":
            await self._rest_api(scope, receive, send)
            return
        peer, address = self._origins.resolve_client(scope)
        trusted = self._origins.proxies.trusts(peer)
        request = resolve_request_id(scope["headers"], trusted=trusted)
        send = _with_security_headers(scope, send, request, self._inline_scripts(scope))
        before = CURRENT_REQUEST_ID.set(request)
        try:
            await self._serve(scope, receive, send, peer, address)
        finally:
            CURRENT_REQUEST_ID.reset(before)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, peer: str, address: str
    ) -> None:
        """Serves a request or a WebSocket, if it is for this server and within the limits."""
        if self._is_monitoring_request(scope):
            await self._serve_monitoring(scope, receive, send, metrics=True)
            return
        wrong = self._origins.host_error(scope)
        if wrong is not None:
            self._alerts.report("request_refused", "host", address)
            status = _MISDIRECTED_REQUEST
            await self._reject(scope, receive, send, status, "forbidden_origin", wrong)
            return
        try:
            running = self.connection_limiter.slot_for_request(peer, address)
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
                await self._reject(scope, receive, send, error.status, error.code, str(error))

    def _route(self, scope: Scope, peer: str) -> Application:
        """The application that answers at the path of a request."""
        kind = "page"
        target: Application = self._static
        if _is_api(scope):
            kind, target = "api", self._rest_api
        elif is_docs_path(scope["path"]):
            target = self._docs_site
        elif scope["path"] in HEALTH_PATHS:
            metrics = self._monitoring_address is None and is_local_request(scope, peer)
            return partial(self._serve_monitoring, metrics=metrics)
        self._metrics.requests[kind] += 1
        return target

    def _inline_scripts(self, scope: Scope) -> Sequence[str]:
        """The hashes of the inline scripts in the pages at the path of a request."""
        if scope["type"] != "http" or _is_api(scope):
            return ()
        return (self._docs_site if is_docs_path(scope["path"]) else self._static).scripts

    # Monitoring.

    def _is_monitoring_request(self, scope: Scope) -> bool:
        """Whether a request came to the separate address for monitoring."""
        server = scope.get("server")
        if self._monitoring_address is None or not server:
            return False
        host, port = self._monitoring_address
        return server[1] == port and (
            host in _WILDCARD_ADDRESSES or parse_address(host) == parse_address(server[0])
        )

    async def _serve_monitoring(
        self, scope: Scope, receive: Receive, send: Send, *, metrics: bool
    ) -> None:
        self._metrics.requests["watching"] += 1
        if scope["type"] == "websocket":
            await receive()
            await reject_handshake(send, 404, "not_found", "there is no WebSocket at this address")
        else:
            response = await self.health.response(scope, metrics=metrics)
            await response(scope, receive, send)

    async def _reject(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        status: int,
        code: messages.ErrorCode,
        text: str,
    ) -> None:
        """Rejects a request before it is routed."""
        self._metrics.errors[code] += 1
        if scope["type"] == "websocket":
            await reject_handshake(send, status, code, text)
        else:
            await _rejection(scope, status, code, text)(scope, receive, send)


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path == "/api" or path.startswith("/api/")


def _with_security_headers(scope: Scope, send: Send, request: str, scripts: Sequence[str]) -> Send:
    """Adds the request id to every response, and the security headers to those over HTTP.

    A response of the API is not stored, unless it says otherwise itself.
    """
    plain = scope["type"] == "http"
    api = plain and _is_api(scope)
    embedded = plain and is_embedded(scope["path"])
    guards = security_headers(scope["scheme"], scripts, embedded=embedded) if plain else ()
    headers = [*guards, (REQUEST_ID_HEADER, request.encode())]

    async def guarded(message: Message) -> None:
        if message["type"] in _RESPONSE_START_EVENTS:
            given = message.get("headers", ())
            message["headers"] = [*given, *headers]
            if api and not any(name == b"cache-control" for name, _ in given):
                message["headers"].append(_NOT_STORED)
        await send(message)

    return guarded


def _rejection(scope: Scope, status: int, code: messages.ErrorCode, text: str) -> Response:
    """The response that rejects a request: an error for programs, a text for people."""
    if _is_api(scope):
        kind, body = "application/json", msgspec.json.encode(bodies.ErrorBody(code, text))
    else:
        kind, body = "text/plain; charset=utf-8", f"{text}\n".encode()
    headers = {
        "content-type": kind,
        "content-length": str(len(body)),
        # A client that reconnects opens a new connection, and those are limited too.
        "connection": "close",
    }
    return Response(body, status, headers)

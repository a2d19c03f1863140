"""The whole server as one ASGI application: REST, WebSocket and the web client."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from jasstisch.server import LANGUAGES
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.http.dependencies import ApiContext
from jasstisch.server.http.docs_site import DOCS_FOLDER, DocsSite, is_docs_path
from jasstisch.server.http.health import HEALTH_PATHS, HealthEndpoints, is_local_request
from jasstisch.server.http.prometheus import MetricsCollector
from jasstisch.server.http.rest_api import build_rest_api
from jasstisch.server.http.security import security_headers
from jasstisch.server.http.static_client import CLIENT_FOLDER, StaticClient
from jasstisch.server.net.asgi import Application, Message, Receive, Scope, Send
from jasstisch.server.net.client_address import parse
from jasstisch.server.net.connection_limiter import ConnectionLimiter, LimitReachedError
from jasstisch.server.net.origins import OriginPolicy
from jasstisch.server.observability.event_loop_lag import EventLoopLag
from jasstisch.server.observability.request_id import (
    CURRENT_REQUEST_ID,
    REQUEST_ID_HEADER,
    resolve_request_id,
)
from jasstisch.server.tables.lookup import TableLookup
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.server.ws.connection import WebSocketEndpoint, accept_and_close, reject_handshake

if TYPE_CHECKING:
    from jasstisch.server.cluster.node import ClusterNode

__all__ = ["DEFAULT_SITE_CONFIG", "App"]


MISDIRECTED_REQUEST = 421
"""The status of a request whose host is another."""


WILDCARD_ADDRESSES = ("", "0.0.0.0", "::")  # noqa: S104 - to recognise what the host asked for

DEFAULT_SITE_CONFIG = messages.SiteConfig(list(LANGUAGES), {})
"""A page in all its languages, without a greeting."""

RESPONSE_START_EVENTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
"""The messages of ASGI that carry the headers of an answer."""


class App:
    """An ASGI application that serves tables.

    Args:
        services: what the tables need; the application closes them at its end.
        client: folder of the built web client.
        front: how the server is reached.
        house: what the host has chosen for the page.
        watched_at: where the server listens for programs that watch it, and for nothing else.
        cluster: this node among others of its store, where there may be some.
        documentation: folder of the documentation built as a site.

    Attributes:
        limits: how much it takes on.
        gate: who is connected; whoever accepts the connections asks it.
        pulse: when what comes over them is read.
        watching: tells programs how the server is.
    """

    def __init__(
        self,
        services: ServerContext,
        client: Path = CLIENT_FOLDER,
        front: OriginPolicy | None = None,
        house: messages.SiteConfig = DEFAULT_SITE_CONFIG,
        watched_at: tuple[str, int] | None = None,
        cluster: "ClusterNode | None" = None,
        documentation: Path = DOCS_FOLDER,
    ) -> None:
        self.limits = services.limits
        self.read_batcher = services.read_batcher
        self._origins = front or OriginPolicy()
        self._alerts = services.alerts
        self.connection_limiter = ConnectionLimiter(
            self.limits, self._origins.proxies, self._alerts, shared=services.shared_usage
        )
        self.registry = TableRegistry(services, cluster)
        guesses = TableLookup(self.registry, self._alerts)
        self._rest_api = build_rest_api(
            self.registry,
            ApiContext(self._origins, guesses, self._alerts, house),
            self._lifespan,
        )
        self._websocket = WebSocketEndpoint(
            self.registry, self._origins, guesses, self.connection_limiter
        )
        self._static = StaticClient(client, self._origins, house.languages)
        self._docs_site = DocsSite(cast("Application", self._static), documentation)
        self.health = HealthEndpoints(
            self.registry, MetricsCollector(self.registry, self.connection_limiter, self._websocket)
        )
        self._monitoring_address = watched_at
        self._metrics = services.metrics
        self._loop_lag = EventLoopLag(self._metrics.loop_lag)

    @asynccontextmanager
    async def _lifespan(self, _: object) -> AsyncIterator[None]:
        await self.registry.open()
        self._loop_lag.start()
        try:
            yield
        finally:
            self._loop_lag.stop()
            await self.registry.close()

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
        kind, target = "page", cast("Application", self._static)
        if _is_api(scope):
            kind, target = "api", self._rest_api
        elif is_docs_path(scope["path"]):
            target = cast("Application", self._docs_site)
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
        return server[1] == port and (host in WILDCARD_ADDRESSES or parse(host) == parse(server[0]))

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

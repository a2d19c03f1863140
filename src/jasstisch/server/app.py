"""The whole server as one ASGI application: REST, WebSocket and the web client."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from litestar import Litestar

from jasstisch.server import LANGUAGES, messages
from jasstisch.server.addresses import read
from jasstisch.server.asgi import Application, Message, Receive, Scope, Send
from jasstisch.server.calls import Means
from jasstisch.server.documentation import SITE, Documentation, is_of_it
from jasstisch.server.front import Front
from jasstisch.server.gate import FullError, Gate
from jasstisch.server.guesses import Guesses
from jasstisch.server.hall import Hall
from jasstisch.server.lag import Lag
from jasstisch.server.metrics import Figures
from jasstisch.server.request_ids import HEADER, REQUEST, request_id
from jasstisch.server.rest import rest
from jasstisch.server.security import headers_of
from jasstisch.server.services import Services
from jasstisch.server.static import CLIENT, StaticClient
from jasstisch.server.watching import PATHS, Watching, is_of_this_machine
from jasstisch.server.websocket import Door, show_out, turn_away

if TYPE_CHECKING:
    from jasstisch.server.nodes.cluster import Cluster

__all__ = ["NO_CHOICE", "App"]


MISDIRECTED = 421
"""The status of a request whose host is another."""


ANY_ADDRESS = ("", "0.0.0.0", "::")  # noqa: S104 - to recognise what the host asked for

NO_CHOICE = messages.House(list(LANGUAGES), {})
"""A page in all its languages, without a greeting."""

RESPONSE_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
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
        services: Services,
        client: Path = CLIENT,
        front: Front | None = None,
        house: messages.House = NO_CHOICE,
        watched_at: tuple[str, int] | None = None,
        cluster: "Cluster | None" = None,
        documentation: Path = SITE,
    ) -> None:
        self.limits = services.limits
        self.pulse = services.pulse
        self._front = front or Front()
        self._incidents = services.incidents
        self.gate = Gate(self.limits, self._front.proxies, self._incidents, shared=services.shared)
        self.hall = Hall(services, cluster)
        guesses = Guesses(self.hall, self._incidents)
        self._rest = cast(
            "Application",
            rest(self.hall, Means(self._front, guesses, self._incidents, house), self._lifespan),
        )
        self._door = Door(self.hall, self._front, guesses, self.gate)
        self._static = StaticClient(client, self._front, house.languages)
        self._documentation = Documentation(cast("Application", self._static), documentation)
        self.watching = Watching(self.hall, Figures(self.hall, self.gate, self._door))
        self._watched_at = watched_at
        self._meters = services.meters
        self._lag = Lag(self._meters.lag)

    @asynccontextmanager
    async def _lifespan(self, _: Litestar) -> AsyncIterator[None]:
        await self.hall.open()
        self._lag.begin()
        try:
            yield
        finally:
            self._lag.end()
            await self.hall.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, or the life of the application."""
        if scope["type"] == "lifespan":
            await self._rest(scope, receive, send)
            return
        peer, address = self._front.caller(scope)
        trusted = self._front.proxies.trusts(peer)
        request = request_id(scope["headers"], trusted=trusted)
        of_it = scope["type"] == "http" and is_of_it(scope["path"])
        scripts = self._documentation.scripts if of_it else ()
        send = _guarded(scope, send, request, scripts)
        before = REQUEST.set(request)
        try:
            await self._serve(scope, receive, send, peer, address)
        finally:
            REQUEST.reset(before)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, peer: str, address: str
    ) -> None:
        """Serves a request or a WebSocket, if it is for this server and there is room."""
        if self._is_watched(scope):
            await self._watch(scope, receive, send, figures=True)
            return
        wrong = self._front.wrong_host(scope)
        if wrong is not None:
            self._incidents.note("request_refused", "host", address)
            await self._refuse(scope, send, MISDIRECTED, "forbidden_origin", wrong)
            return
        try:
            running = self.gate.running(peer, address)
            if scope["type"] == "websocket":
                self._meters.requests["websocket"] += 1
                await self._door(scope, receive, send, running)
                return
            with running:
                await self._target(scope, peer)(scope, receive, send)
        except FullError as error:
            if scope["type"] == "websocket":
                self._meters.refused[error.code] += 1
                await show_out(send, error.code, str(error))
            else:
                await self._refuse(scope, send, error.status, error.code, str(error))

    def _target(self, scope: Scope, peer: str) -> Application:
        """What answers at the address that is asked for."""
        kind, target = "page", cast("Application", self._static)
        if _is_api(scope):
            kind, target = "api", self._rest
        elif is_of_it(scope["path"]):
            target = cast("Application", self._documentation)
        elif scope["path"] in PATHS:
            figures = self._watched_at is None and is_of_this_machine(scope, peer)
            return partial(self._watch, figures=figures)
        self._meters.requests[kind] += 1
        return target

    # For programs that watch the server.

    def _is_watched(self, scope: Scope) -> bool:
        """Whether a request came to the address that is for those who watch the server."""
        server = scope.get("server")
        if self._watched_at is None or not server:
            return False
        host, port = self._watched_at
        return server[1] == port and (host in ANY_ADDRESS or read(host) == read(server[0]))

    async def _watch(self, scope: Scope, receive: Receive, send: Send, *, figures: bool) -> None:
        self._meters.requests["watching"] += 1
        if scope["type"] == "websocket":
            await receive()
            await turn_away(scope, send, 404, "not_found", "there is no WebSocket at this address")
        else:
            await self.watching.answer(scope, receive, send, figures=figures)

    async def _refuse(
        self, scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
    ) -> None:
        self._meters.refused[code] += 1
        await _refuse(scope, send, status, code, text)


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path == "/api" or path.startswith("/api/")


def _guarded(scope: Scope, send: Send, request: str, scripts: Sequence[str]) -> Send:
    """Adds the id of the request to every answer, and the security headers to those over HTTP."""
    plain = scope["type"] == "http"
    guards = headers_of(scope["scheme"], api=_is_api(scope), scripts=scripts) if plain else ()
    headers = [*guards, (HEADER, request.encode())]

    async def guarded(message: Message) -> None:
        if message["type"] in RESPONSE_STARTS:
            message["headers"] = [*message.get("headers", ()), *headers]
        await send(message)

    return guarded


async def _refuse(
    scope: Scope, send: Send, status: int, code: messages.ErrorCode, text: str
) -> None:
    """Refuses a request before it is looked at: to programs as an error, to people as a text."""
    if scope["type"] == "websocket":
        await turn_away(scope, send, status, code, text)
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

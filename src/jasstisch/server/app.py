"""The whole server as one ASGI application: REST, WebSocket and the web client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import msgspec
from litestar import Litestar

from jasstisch.server import messages
from jasstisch.server.asgi import Application, Message, Receive, Scope, Send
from jasstisch.server.calls import Means
from jasstisch.server.front import Front
from jasstisch.server.gate import FullError, Gate
from jasstisch.server.guesses import Guesses
from jasstisch.server.hall import Hall
from jasstisch.server.rest import rest
from jasstisch.server.security import headers_of
from jasstisch.server.services import Services
from jasstisch.server.static import CLIENT, StaticClient
from jasstisch.server.websocket import Door, show_out, turn_away

__all__ = ["App"]


MISDIRECTED = 421
"""The status of a request whose host is another."""


class App:
    """An ASGI application that serves tables.

    Args:
        services: what the tables need; the application closes them at its end.
        client: folder of the built web client.
        front: how the server is reached.

    Attributes:
        limits: how much it takes on.
        gate: who is connected; whoever accepts the connections asks it.
    """

    def __init__(
        self, services: Services, client: Path = CLIENT, front: Front | None = None
    ) -> None:
        self.limits = services.limits
        self._front = front or Front()
        self._incidents = services.incidents
        self.gate = Gate(self.limits, self._front.proxies, self._incidents)
        self.hall = Hall(services)
        guesses = Guesses(self.hall, self._incidents)
        self._rest = cast(
            "Application",
            rest(self.hall, Means(self._front, guesses, self._incidents), self._lifespan),
        )
        self._door = Door(self.hall, self._front, guesses, self.gate)
        self._static = StaticClient(client)

    @asynccontextmanager
    async def _lifespan(self, _: Litestar) -> AsyncIterator[None]:
        await self.hall.open()
        try:
            yield
        finally:
            await self.hall.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, or the life of the application."""
        if scope["type"] == "lifespan":
            await self._rest(scope, receive, send)
            return
        peer, address = self._front.caller(scope)
        if scope["type"] == "http":
            send = _guarded(scope, send)
        wrong = self._front.wrong_host(scope)
        if wrong is not None:
            self._incidents.note("request_refused", "host", address)
            await _refuse(scope, send, MISDIRECTED, "forbidden_origin", wrong)
            return
        try:
            with self.gate.running(peer, address):
                await self._target(scope)(scope, receive, send)
        except FullError as error:
            if scope["type"] == "websocket":
                await show_out(send, error.code, str(error))
            else:
                await _refuse(scope, send, error.status, error.code, str(error))

    def _target(self, scope: Scope) -> Application:
        """What answers at the address that is asked for."""
        if scope["type"] == "websocket":
            return self._door
        return self._rest if _is_api(scope) else self._static


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path == "/api" or path.startswith("/api/")


def _guarded(scope: Scope, send: Send) -> Send:
    """Adds the security headers to every HTTP answer."""
    headers = headers_of(scope["scheme"], api=_is_api(scope))

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *headers]
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

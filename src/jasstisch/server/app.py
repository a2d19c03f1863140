"""The whole server as one ASGI application: REST, WebSocket and the web client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from litestar import Litestar

from jasstisch.server.asgi import Application, Message, Receive, Scope, Send
from jasstisch.server.hall import Hall
from jasstisch.server.rest import rest
from jasstisch.server.security import HEADERS
from jasstisch.server.services import Services
from jasstisch.server.static import CLIENT, StaticClient
from jasstisch.server.websocket import Door

__all__ = ["App"]


class App:
    """An ASGI application that serves tables.

    Args:
        services: what the tables need; the application closes them at its end.
        client: folder of the built web client.
    """

    def __init__(self, services: Services, client: Path = CLIENT) -> None:
        self.hall = Hall(services)
        self._rest = cast("Application", rest(self.hall, self._lifespan))
        self._door = Door(self.hall)
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
        if scope["type"] == "websocket":
            await self._door(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._rest(scope, receive, send)
        else:
            path = scope["path"]
            target = self._rest if path == "/api" or path.startswith("/api/") else self._static
            await target(scope, receive, _guarded(send))


def _guarded(send: Send) -> Send:
    """Adds the security headers to every HTTP answer."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *HEADERS]
        await send(message)

    return guarded

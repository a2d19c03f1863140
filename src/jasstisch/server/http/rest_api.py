"""The REST application: the routes, the services that they call, and their description.

Every refusal is an `ErrorBody`. What happens at a table goes over the WebSocket instead.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Router

from jasstisch.server.api import openapi
from jasstisch.server.http.dependencies import AnyRequest, ApiContext, ApiServices
from jasstisch.server.http.error_responses import error_response
from jasstisch.server.http.localization import LocalizedTexts
from jasstisch.server.http.routes import api_routes
from jasstisch.server.http.routing import get, resources
from jasstisch.server.http.table_creation_limit import TableCreationLimit
from jasstisch.server.net import Receive, Scope, Send
from jasstisch.server.tables import MatchHistory, PublicTableIndex, ReplayService, TableRegistry

__all__ = ["RestApi", "build_rest_api"]

SLASHES = re.compile("/{2,}")


class RestApi:
    """The REST application.

    Args:
        services: what the routes call.
        lifespan: what surrounds the application's life.
    """

    def __init__(
        self,
        services: ApiServices,
        lifespan: Callable[[Any], AbstractAsyncContextManager[None]],
    ) -> None:
        self.services = services
        routes = [*api_routes(), *OPENAPI_ROUTES]
        self._router = Router(
            resources(routes), redirect_slashes=False, default=_not_found, lifespan=lifespan
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or serves the life of the application."""
        scope["app"] = self
        if scope["type"] == "http":
            scope["path"] = SLASHES.sub("/", f"/{scope['path'].strip('/')}")
        await self._router(scope, receive, send)


def build_rest_api(
    hall: TableRegistry,
    means: ApiContext,
    lifespan: Callable[[Any], AbstractAsyncContextManager[None]],
) -> RestApi:
    """The REST application.

    Args:
        hall: the tables.
        means: what the routes need besides.
        lifespan: what surrounds the application's life.
    """
    services = ApiServices(
        registry=hall,
        context=means,
        creation_limit=TableCreationLimit(hall, means.alerts),
        public_tables=PublicTableIndex(hall),
        texts=LocalizedTexts(),
        replays=ReplayService(hall.context.store, hall.context.limits),
        match_history=MatchHistory(hall.context),
    )
    return RestApi(services, lifespan)


async def openapi_document(_: AnyRequest) -> bytes:
    """The REST interface, as a document of OpenAPI 3.1."""
    return await asyncio.to_thread(_encoded_document)


OPENAPI_ROUTES = [
    get(path, summary="REST, as OpenAPI", media_type="application/vnd.oai.openapi+json")(
        openapi_document
    )
    for path in ("/api/docs", "/api/docs/openapi.json")
]
"""The routes of the description, which it does not describe."""


@cache
def _encoded_document() -> bytes:
    return msgspec.json.encode(openapi.document(one.operation for one in api_routes()))


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope, receive)
    await error_response(request, HTTPException(404))(scope, receive, send)

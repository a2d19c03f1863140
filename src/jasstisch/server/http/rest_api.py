"""The REST application: the routes, the services that they call, and the API description.

Every refusal is an `ErrorBody`. The actions at a table use the WebSocket instead.
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

from jasstisch.server.api import bodies, openapi
from jasstisch.server.http.dependencies import ApiServices
from jasstisch.server.http.error_responses import error_response
from jasstisch.server.http.localized_texts import LocalizedTexts
from jasstisch.server.http.routes import api_routes
from jasstisch.server.http.routing import get, group_into_resources
from jasstisch.server.http.table_creation_limit import TableCreationLimit
from jasstisch.server.net import OriginPolicy, Receive, Scope, Send
from jasstisch.server.tables import (
    PersonalMatchHistory,
    PublicTableIndex,
    ReplayService,
    TableLookup,
    TableRegistry,
)

_SLASHES = re.compile("/{2,}")


class RestApi:
    """The REST application.

    Args:
        services: the services that the routes call.
        lifespan: the lifespan of the application.
    """

    def __init__(
        self,
        services: ApiServices,
        lifespan: Callable[[Any], AbstractAsyncContextManager[None]],
    ) -> None:
        self.services = services
        routes = [*api_routes(), *_OPENAPI_ROUTES]
        self._router = Router(
            group_into_resources(routes),
            redirect_slashes=False,
            default=_not_found,
            lifespan=lifespan,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request, or the lifespan of the application."""
        scope["app"] = self
        if scope["type"] == "http":
            scope["path"] = _SLASHES.sub("/", f"/{scope['path'].strip('/')}")
        await self._router(scope, receive, send)


def build_rest_api(
    registry: TableRegistry,
    origins: OriginPolicy,
    lookup: TableLookup,
    page_config: Callable[[], bodies.PageConfig],
    texts: LocalizedTexts,
    lifespan: Callable[[Any], AbstractAsyncContextManager[None]],
) -> RestApi:
    """Builds the REST application.

    Args:
        registry: the tables.
        origins: the accepted hosts and origins.
        lookup: looks up tables for clients.
        page_config: gives the configuration of the page.
        texts: the texts of the games.
        lifespan: the lifespan of the application.
    """
    services = ApiServices(
        registry=registry,
        origin_policy=origins,
        table_lookup=lookup,
        page_config=page_config,
        creation_limit=TableCreationLimit(registry.context),
        public_tables=PublicTableIndex(registry),
        texts=texts,
        replays=ReplayService(registry.context.store, registry.context.limits),
        match_history=PersonalMatchHistory(registry.context),
    )
    return RestApi(services, lifespan)


async def _openapi_document(_: Request) -> bytes:
    """The description of the REST API, as an OpenAPI 3.1 document."""
    return await asyncio.to_thread(_encoded_document)


_OPENAPI_ROUTES = [
    get(
        path,
        summary="REST, as OpenAPI",
        media_type="application/vnd.oai.openapi+json",
        public=True,
    )(_openapi_document)
    for path in ("/api/docs", "/api/docs/openapi.json")
]
"""The routes of the description, which does not describe itself."""


@cache
def _encoded_document() -> bytes:
    return msgspec.json.encode(openapi.document(one.operation for one in api_routes()))


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope, receive)
    await error_response(request, HTTPException(404))(scope, receive, send)

"""The routes for the server as a whole: its configuration, and its WebSocket description."""

import asyncio
from typing import Any

from starlette.requests import Request

from jasstisch.server.api import asyncapi, bodies
from jasstisch.server.http.dependencies import get_services
from jasstisch.server.http.routing import Endpoint, get


@get("/api/house", summary="What the host has chosen for the page", public=True)
async def page_config(request: Request) -> bodies.PageConfig:
    """The languages that the page offers, the greeting on its start page, and its games."""
    return get_services(request).page_config()


@get("/api/docs/asyncapi.json", summary="The WebSocket, as AsyncAPI", public=True)
async def asyncapi_document(_: Request) -> dict[str, Any]:
    """The messages over the WebSocket at /ws, as an AsyncAPI 3.0 document."""
    return await asyncio.to_thread(asyncapi.document)


def server_info_routes() -> list[Endpoint]:
    """The routes for the server as a whole."""
    return [page_config, asyncapi_document]

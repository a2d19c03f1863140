"""The routes for the server as a whole: its configuration, and its WebSocket description."""

import asyncio
from typing import Any

from jasstisch.server.api import asyncapi, messages
from jasstisch.server.http.dependencies import AnyRequest, get_api_context
from jasstisch.server.http.routing import Endpoint, get

__all__ = ["site_routes"]


@get("/api/house", summary="What the host has chosen for the page")
async def site_config(request: AnyRequest) -> messages.SiteConfig:
    """The languages that the page offers, and the greeting on its start page."""
    return get_api_context(request).site_config


@get("/api/docs/asyncapi.json", summary="The WebSocket, as AsyncAPI")
async def asyncapi_document(_: AnyRequest) -> dict[str, Any]:
    """The messages over the WebSocket at /ws, as an AsyncAPI 3.0 document."""
    return await asyncio.to_thread(asyncapi.document)


def site_routes() -> list[Endpoint]:
    """The routes for the server as a whole."""
    return [site_config, asyncapi_document]

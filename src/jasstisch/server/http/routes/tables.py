"""The routes for tables: creating one, reading one, and listing the published ones."""

from typing import Any

from starlette.requests import Request

from jasstisch.server.api import bodies, messages
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    TableId,
    ensure_identity,
    find_authorized_table,
    find_caller,
    get_client_address,
    get_registry,
    get_services,
)
from jasstisch.server.http.routing import Endpoint, get, post
from jasstisch.server.net import rate_limit_key


@post(
    "/api/tables",
    summary="Make a table",
    status=201,
    errors=(403, 429, 503),
)
async def make_table(request: Request, data: bodies.NewTable) -> bodies.CreatedTable:
    """Creates a table, seats its creator, and starts the match if `start` says so."""
    get_services(request).creation_limit.check(get_client_address(request))
    maker = await ensure_identity(request)
    address = rate_limit_key(get_client_address(request))
    return await get_registry(request).create(data, maker, address)


@get("/api/tables", summary="The published tables")
async def list_public_tables(request: Request) -> bodies.PublicTables:
    """The published tables; others can be found by their links only."""
    return await get_services(request).public_tables.tables()


@get(
    "/api/tables/{table}",
    summary="Look at a table",
    errors=(404, 429, 503),
    headers=(LINK_KEY,),
)
async def get_room(request: Request, table: TableId) -> messages.RoomInfo:
    """What everybody who has the link may know about a table."""
    handle = await find_authorized_table(request, table)
    return await handle.get_room_for(await find_caller(request))


@get(
    "/api/tables/{table}/record",
    summary="The record of the last match",
    errors=(404, 409, 429, 503),
    headers=(LINK_KEY,),
)
async def get_record(request: Request, table: TableId) -> dict[str, Any]:
    """The record of the finished match; `Match.from_record` replays it."""
    handle = await find_authorized_table(request, table)
    # A stranger may access the table, but not a match from before it was published.
    handle = await find_authorized_table(request, table, (await handle.get_room()).number or None)
    found = await handle.get_record()
    if found is None:
        raise ApiError("wrong_phase", "there is a record once a match is over")
    return dict(found)


def table_routes() -> list[Endpoint]:
    """The routes for tables."""
    return [make_table, list_public_tables, get_room, get_record]

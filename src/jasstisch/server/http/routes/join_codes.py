"""The routes for join codes: creating one, and finding a table by one."""

from starlette.requests import Request

from jasstisch.server.api import bodies
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    TableId,
    find_authorized_table,
    find_caller,
    get_client_address,
    get_registry,
    get_services,
)
from jasstisch.server.http.routing import Endpoint, post
from jasstisch.server.identity import base32_codes
from jasstisch.server.tables import JoinCodeEntry

_ERRORS = (400, 403, 404, 429, 503)


@post(
    "/api/tables/{table}/code",
    summary="A short code for a table",
    errors=_ERRORS,
    headers=(LINK_KEY,),
)
async def create_join_code(request: Request, table: TableId) -> bodies.IssuedCode:
    """Creates a join code, which leads to the table as its link does, for some hours."""
    room = await (await find_authorized_table(request, table)).get_room()
    if room.phase == "closed":
        raise ApiError("wrong_phase", "this table is closed")
    code, seconds = get_registry(request).join_codes.create(
        table, room.key, get_client_address(request)
    )
    return bodies.IssuedCode(base32_codes.format_code(code), int(seconds))


@post("/api/codes", summary="Come to a table by a code", errors=_ERRORS)
async def resolve_join_code(request: Request, data: bodies.CodeInput) -> bodies.JoinCodeTarget:
    """The table to which a join code leads; many people may use the same code."""
    address, person = get_client_address(request), await find_caller(request)

    async def admits(entry: JoinCodeEntry | None) -> bool:
        handle = await get_services(request).table_lookup.find_by_code(entry, person, address)
        return handle is not None and (await handle.get_room()).phase != "closed"

    found = await get_registry(request).join_codes.resolve(data.code, address, admits)
    return bodies.JoinCodeTarget(found.table, found.key)


def join_code_routes() -> list[Endpoint]:
    """The routes for join codes."""
    return [create_join_code, resolve_join_code]

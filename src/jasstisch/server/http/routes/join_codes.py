"""The routes about short codes for tables: making one, and coming to a table by one."""

from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError, TableNotFoundError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    AnyRequest,
    TableId,
    check_origin,
    find_authorized_table,
    find_caller,
    get_api_context,
    get_client_address,
    get_registry,
)
from jasstisch.server.http.routing import Endpoint, post
from jasstisch.server.identity import base32_codes

__all__ = ["join_code_routes"]

ERRORS = (400, 403, 404, 429, 503)


@post(
    "/api/tables/{table}/code",
    summary="A short code for a table",
    errors=ERRORS,
    headers=(LINK_KEY,),
)
async def create_join_code(request: AnyRequest, table: TableId) -> messages.IssuedCode:
    """A short code that leads to the table as its link does, for some hours."""
    check_origin(request)
    room = await (await find_authorized_table(request, table)).get_room()
    if room.phase == "closed":
        raise ApiError("wrong_phase", "this table is closed")
    code, seconds = get_registry(request).join_codes.create(
        table, room.key, get_client_address(request)
    )
    return messages.IssuedCode(base32_codes.format_code(code), int(seconds))


@post("/api/codes", summary="Come to a table by a code", errors=ERRORS)
async def resolve_join_code(
    request: AnyRequest, data: messages.CodeInput
) -> messages.JoinCodeTarget:
    """Where a code for a table leads; it may be used by many."""
    check_origin(request)
    address = get_client_address(request)
    found = await get_registry(request).join_codes.resolve(data.code, address)
    try:
        guesses, person = get_api_context(request).lookup, await find_caller(request)
        live = await guesses.find_authorized(person, found.table, found.key, address)
    except TableNotFoundError:
        # It has been deleted, or its link renewed.
        raise ApiError("bad_code", "this code is not good, or no longer") from None
    if (await live.get_room()).phase == "closed":
        raise ApiError("bad_code", "this code is not good, or no longer")
    return messages.JoinCodeTarget(found.table, found.key)


def join_code_routes() -> list[Endpoint]:
    """Both of them."""
    return [create_join_code, resolve_join_code]

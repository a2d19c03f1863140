"""The REST calls about short codes for tables: making one, and coming to a table by one."""

from typing import Annotated

from litestar import Router, post
from litestar.params import Body

from jasstisch.server import codes, messages
from jasstisch.server.calls import (
    REFUSED,
    AnyRequest,
    RefusedError,
    TableId,
    address_of,
    asker,
    check_origin,
    find_for,
    hall_of,
    means_of,
)
from jasstisch.server.hall import UnknownTableError

__all__ = ["invitation_calls"]

_ANSWERS = dict.fromkeys((400, 403, 404, 429, 503), REFUSED)


@post(
    "/api/tables/{table:str}/code",
    status_code=200,
    summary="A short code for a table",
    responses=_ANSWERS,
)
async def make_code(request: AnyRequest, table: TableId) -> messages.NewCode:
    """A short code that leads to the table as its link does, for some hours."""
    check_origin(request)
    room = await (await find_for(request, table)).look()
    if room.phase == "closed":
        raise RefusedError("wrong_phase", "this table is closed")
    code, seconds = hall_of(request).invitations.make(table, room.key, address_of(request))
    return messages.NewCode(codes.grouped(code), int(seconds))


@post("/api/codes", status_code=200, summary="Come to a table by a code", responses=_ANSWERS)
async def read_code(
    request: AnyRequest, data: Annotated[messages.EnteredCode, Body()]
) -> messages.Invitation:
    """Where a code for a table leads; it may be used by many."""
    check_origin(request)
    address = address_of(request)
    found = await hall_of(request).invitations.read(data.code, address)
    try:
        guesses, person = means_of(request).guesses, await asker(request)
        live = await guesses.find_for(person, found.table, found.key, address)
    except UnknownTableError:
        # It has been deleted, or its link renewed.
        raise RefusedError("bad_code", "this code is not good, or no longer") from None
    if (await live.look()).phase == "closed":
        raise RefusedError("bad_code", "this code is not good, or no longer")
    return messages.Invitation(found.table, found.key)


def invitation_calls() -> Router:
    """Both of them."""
    return Router("/", route_handlers=[make_code, read_code])

"""The routes about a match that is over: its replay, its record, and playing on from a step of it.

Who may have the record of a match may have its replay, and while it is played that of the rounds
that are over, as they saw them.
"""

from typing import Annotated, Any

from msgspec import Meta

from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    AnyRequest,
    MatchNumber,
    TableId,
    check_origin,
    ensure_identity,
    find_authorized_table,
    find_caller,
    get_client_address,
    get_registry,
    get_services,
)
from jasstisch.server.http.routing import Endpoint, get, post
from jasstisch.server.net import rate_limit_key
from jasstisch.server.tables import ERR_MATCH_NOT_OVER
from jasstisch.table import Room

__all__ = ["match_routes"]

ViewSeat = Annotated[
    Annotated[int, Meta(ge=0, le=15)] | None, Meta(description="Whose view; without it one's own.")
]


@get(
    "/api/tables/{table}/matches/{match}/replay",
    summary="The replay of a match",
    response=messages.Replay,
    errors=(404, 409, 429, 503),
    headers=(LINK_KEY,),
)
async def get_replay(
    request: AnyRequest, table: TableId, match: MatchNumber, seat: ViewSeat = None
) -> bytes:
    """A match that is over, step by step, as a seat saw it, and with what everybody held.

    Of a match that is being played it is the rounds that are over, as whoever asks saw them.
    """
    room, person = await _fetch_room(request, table, match), await find_caller(request)
    return await get_services(request).replays.replay(
        room, match, seat, person, get_client_address(request)
    )


@get(
    "/api/tables/{table}/matches/{match}/record",
    summary="The record of a match",
    response=dict[str, Any],
    errors=(404, 409, 429, 503),
    headers=(LINK_KEY,),
)
async def get_match_record(request: AnyRequest, table: TableId, match: MatchNumber) -> bytes:
    """The record of a match that is over, also of one before the last; see `Match.from_record`."""
    room = await _get_match_room(request, table, match)
    return await get_services(request).replays.record(room, match, get_client_address(request))


@post(
    "/api/tables/{table}/matches/{match}/resume",
    summary="Play on from a step of a match",
    status=201,
    errors=(403, 404, 409, 429, 503),
    headers=(LINK_KEY,),
)
async def resume_match(
    request: AnyRequest,
    table: TableId,
    match: MatchNumber,
    data: messages.ResumeMatch,
) -> messages.CreatedTable:
    """Makes a table where a match that is over goes on from a step, with the caller at a seat."""
    check_origin(request)
    room, address = await _get_match_room(request, table, match), get_client_address(request)
    get_services(request).creation_limit.check(address)
    person = await ensure_identity(request)
    old, found = await get_services(request).replays.branch_point(room, match, data.step, address)
    return await get_registry(request).resume(old, found, data, person, rate_limit_key(address))


def match_routes() -> list[Endpoint]:
    """All of them."""
    return [get_replay, get_match_record, resume_match]


async def _get_match_room(request: AnyRequest, table: str, match: int) -> Room:
    """The table of a match that is over, for a caller who may know of it.

    Raises:
        ApiError: there is no such match, or it is not over.
    """
    room = await _fetch_room(request, table, match)
    if match == room.number and room.phase not in ("over", "closed"):
        raise ApiError("wrong_phase", ERR_MATCH_NOT_OVER)
    return room


async def _fetch_room(request: AnyRequest, table: str, match: int) -> Room:
    """The table of a match, for a caller who may know of it.

    Raises:
        ApiError: there is no such match.
    """
    room = await (await find_authorized_table(request, table, match)).get_room()
    if match > room.number:
        raise ApiError("not_found", "there is no match of this number at the table")
    return room

"""The routes for finished matches: the replay, the record, and playing on from a step.

Everybody who may read the record of a match may read its replay. While a match is in progress, its
players may replay its finished rounds from their own seats.
"""

from typing import Annotated, Any

from msgspec import Meta
from starlette.requests import Request

from jasstisch.server.api import bodies, messages
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    MatchNumber,
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
from jasstisch.server.tables import ERR_MATCH_NOT_OVER
from jasstisch.table import RoomInfo

_ViewSeat = Annotated[
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
    request: Request, table: TableId, match: MatchNumber, seat: _ViewSeat = None
) -> bytes:
    """A finished match, step by step, as a seat saw it, and with all hands.

    For a match in progress, it contains the finished rounds as the caller saw them.
    """
    room, person = await _fetch_room(request, table, match), await find_caller(request)
    return await get_services(request).replays.build_replay(
        room, match, seat, person, get_client_address(request)
    )


@get(
    "/api/tables/{table}/matches/{match}/record",
    summary="The record of a match",
    response=dict[str, Any],
    errors=(404, 409, 429, 503),
    headers=(LINK_KEY,),
)
async def get_match_record(request: Request, table: TableId, match: MatchNumber) -> bytes:
    """The record of any finished match of the table; see `Match.from_record`."""
    room = await _get_match_room(request, table, match)
    return await get_services(request).replays.build_record(
        room, match, get_client_address(request)
    )


@post(
    "/api/tables/{table}/matches/{match}/resume",
    summary="Play on from a step of a match",
    status=201,
    errors=(403, 404, 409, 429, 503),
    headers=(LINK_KEY,),
)
async def create_table_from_step(
    request: Request,
    table: TableId,
    match: MatchNumber,
    data: bodies.ResumeMatch,
) -> bodies.CreatedTable:
    """Creates a table that continues a finished match from a step, with the caller in a seat."""
    room, address = await _get_match_room(request, table, match), get_client_address(request)
    get_services(request).creation_limit.check(address)
    person = await ensure_identity(request)
    old, found = await get_services(request).replays.branch_point(room, match, data.step, address)
    return await get_registry(request).create_from_branch_point(
        old, found, data, person, rate_limit_key(address)
    )


def match_routes() -> list[Endpoint]:
    """The routes for matches."""
    return [get_replay, get_match_record, create_table_from_step]


async def _get_match_room(request: Request, table: str, match: int) -> RoomInfo:
    """The room of the table of a finished match, if the caller may access it.

    Raises:
        ApiError: there is no such match, or it is not finished.
    """
    room = await _fetch_room(request, table, match)
    if match == room.number and room.phase not in ("over", "closed"):
        raise ApiError("wrong_phase", ERR_MATCH_NOT_OVER)
    return room


async def _fetch_room(request: Request, table: str, match: int) -> RoomInfo:
    """The room of the table of a match, if the caller may access it.

    Raises:
        ApiError: there is no such match.
    """
    room = await (await find_authorized_table(request, table, match)).get_room()
    if match > room.number:
        raise ApiError("not_found", "there is no match of this number at the table")
    return room

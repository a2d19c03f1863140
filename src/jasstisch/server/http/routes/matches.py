"""The REST calls for one match of a table: its replay and its record."""

from typing import Annotated, Any, cast

from litestar import MediaType, Response, get
from litestar.params import Parameter

from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    ERROR_RESPONSE,
    AnyRequest,
    MatchNumber,
    TableId,
    find_authorized_table,
    find_caller,
    get_client_address,
)
from jasstisch.server.tables import ERR_MATCH_NOT_OVER, ReplayService
from jasstisch.table import Room

__all__ = ["get_match_room", "get_replay_service", "record_route", "replay_route"]

ViewSeat = Annotated[
    int | None, Parameter(description="Whose view; without it one's own.", ge=0, le=15)
]


def get_replay_service(request: AnyRequest) -> ReplayService:
    """What makes the replays of this server."""
    return cast("ReplayService", request.app.state.replays)


@get(
    "/api/tables/{table:str}/matches/{match:int}/replay",
    summary="The replay of a match",
    responses=dict.fromkeys((400, 404, 409, 429, 503), ERROR_RESPONSE),
)
async def replay_route(
    request: AnyRequest, table: TableId, match: MatchNumber, seat: ViewSeat = None
) -> Response[messages.Replay]:
    """A match that is over, step by step, as a seat saw it, and with what everybody held.

    Of a match that is being played it is the rounds that are over, as whoever asks saw them.
    """
    room, person = await _fetch_room(request, table, match), await find_caller(request)
    content: Any = await get_replay_service(request).replay(
        room, match, seat, person, get_client_address(request)
    )
    return Response(content, media_type=MediaType.JSON)


@get(
    "/api/tables/{table:str}/matches/{match:int}/record",
    summary="The record of a match",
    responses=dict.fromkeys((400, 404, 409, 429, 503), ERROR_RESPONSE),
)
async def record_route(
    request: AnyRequest, table: TableId, match: MatchNumber
) -> Response[dict[str, Any]]:
    """The record of a match that is over, also of one before the last; see `Match.from_record`."""
    room = await get_match_room(request, table, match)
    content: Any = await get_replay_service(request).record(
        room, match, get_client_address(request)
    )
    return Response(content, media_type=MediaType.JSON)


async def get_match_room(request: AnyRequest, table: str, match: int) -> Room:
    """The table of a match that is over, for a caller who may know of it.

    Raises:
        RefusedError: there is no such match, or it is not over.
    """
    room = await _fetch_room(request, table, match)
    if match == room.number and room.phase not in ("over", "closed"):
        raise ApiError("wrong_phase", ERR_MATCH_NOT_OVER)
    return room


async def _fetch_room(request: AnyRequest, table: str, match: int) -> Room:
    """The table of a match, for a caller who may know of it.

    Raises:
        RefusedError: there is no such match.
    """
    room = await (await find_authorized_table(request, table, match)).get_room()
    if match > room.number:
        raise ApiError("not_found", "there is no match of this number at the table")
    return room

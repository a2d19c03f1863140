"""The routes for the analysis of a match: requesting it, and reading its status or result.

Everybody who may read the record of a match may read its analysis.
"""

import asyncio
from collections.abc import Sequence

import msgspec
from starlette.requests import Request

from jasstisch.games.rules import REGISTRY
from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import bodies, reason_text, unit_text
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    Language,
    MatchNumber,
    TableId,
    check_language,
    ensure_identity,
    find_authorized_table,
    get_client_address,
    get_registry,
    get_services,
)
from jasstisch.server.http.routing import Endpoint, get, post
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables import ANALYSIS_FORMAT, AnalysisStatus, StoredAnalysis, TableHandle
from jasstisch.storage import CorruptionError
from jasstisch.table import RoomInfo

_PATH = "/api/tables/{table}/matches/{match}/analysis"
_ERRORS = (400, 403, 404, 409, 429, 503)


class _FormatHeader(msgspec.Struct):
    """The format of a stored document."""

    format: str = ""


@post(
    _PATH,
    summary="Ask for the analysis of a match",
    response=bodies.AnalysisState,
    errors=_ERRORS,
    headers=(LINK_KEY,),
)
async def request_analysis(
    request: Request, table: TableId, match: MatchNumber, lang: Language = LANGUAGES[0]
) -> bytes:
    """Starts the analysis of a finished match, or returns the analysis if it exists already.

    A repeated request while the analysis is running does not start another one.
    """
    check_language(lang)
    handle = await find_authorized_table(request, table, match)
    person = await ensure_identity(request)
    room = await handle.get_room()
    stored = await _stored_analysis(request, handle, match, lang)
    if stored is not None:
        return stored
    await _check_analysable(request, room, match)
    status = await handle.request_analysis(match, person)
    return await _analysis_state(request, handle, match, lang, status)


@get(
    _PATH,
    summary="The analysis of a match",
    response=bodies.AnalysisState,
    errors=_ERRORS,
    headers=(LINK_KEY,),
)
async def get_analysis(
    request: Request, table: TableId, match: MatchNumber, lang: Language = LANGUAGES[0]
) -> bytes:
    """The analysis of a match, or the status of its computation."""
    check_language(lang)
    handle = await find_authorized_table(request, table, match)
    status = await handle.analysis_status(match)
    return await _analysis_state(request, handle, match, lang, status)


def analysis_routes() -> list[Endpoint]:
    """The routes for analyses."""
    return [request_analysis, get_analysis]


async def _check_analysable(request: Request, room: RoomInfo, match: int) -> None:
    """Checks that a match can be analysed on this server.

    Raises:
        ApiError: there is no such match, or this server cannot analyse its game.
    """
    if match > room.number:
        raise ApiError("not_found", "there is no match of this number at the table")
    if room.game not in await get_registry(request).context.games_with_hints():
        raise ApiError("not_found", f"there is no analysis of {room.game} here")


async def _analysis_state(
    request: Request, handle: TableHandle, match: int, lang: str, status: AnalysisStatus
) -> bytes:
    """The response about an analysis that is not stored yet."""
    if status.refused is not None:
        raise ApiError(*status.refused)
    if status.state == "none":
        found = await _stored_analysis(request, handle, match, lang)
        if found is not None:
            return found
    answer = bodies.AnalysisState(match, status.state, status.progress, None)
    return msgspec.json.encode(answer)


async def _stored_analysis(
    request: Request, handle: TableHandle, match: int, lang: str
) -> bytes | None:
    """The response with the stored analysis of a match; None if it is missing or outdated.

    Raises:
        StoreError: it cannot be read.
        ApiError: too many requests from this address need the players of an earlier match.
        ServerBusyError: too many such requests wait.
    """
    try:
        body = await get_registry(request).context.store.analysis(handle.id, match)
    except CorruptionError as error:  # the analysis can be computed again
        log.error("analysis_damaged", table=short_id(handle.id), **describe_exception(error))
        return None
    if body is None:
        return None
    room, record = await handle.get_room(), await handle.get_record()
    if room.number == match and record is not None:
        names = record["players"]
    else:  # the people who sit there now may not have played it
        names = await get_services(request).replays.players(
            room, match, get_client_address(request)
        )
    # Decoding a long analysis takes a moment.
    return await asyncio.to_thread(_localize, body, room.game, names, match, lang)


def _localize(body: bytes, game: str, names: Sequence[str], match: int, lang: str) -> bytes | None:
    """Translates a stored analysis into a language; None if its format is outdated."""
    if msgspec.json.decode(body, type=_FormatHeader).format != ANALYSIS_FORMAT:
        return None
    kept = msgspec.json.decode(body, type=StoredAnalysis)
    figure = REGISTRY[game].metric
    assert figure is not None
    analysis = bodies.MatchAnalysis(
        game=game,
        lang=lang,
        unit=figure.unit,
        unit_text=unit_text(lang, figure.unit),
        digits=figure.digits,
        high_is_good=figure.higher_is_better,
        rounds=kept.rounds,
        decisions=[
            msgspec.structs.replace(one, text=reason_text(lang, one.reason, one.values, names))
            for one in kept.decisions
        ],
        dearest=kept.dearest,
        lost=kept.lost,
    )
    return msgspec.json.encode(bodies.AnalysisState(match, "ready", None, analysis))

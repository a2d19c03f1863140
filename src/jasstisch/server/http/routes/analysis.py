"""The routes about the analysis of a match: asking for it, and looking how far it is.

Who may have the record of a match may have its analysis.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from jasstisch.games.rules import REGISTRY
from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import messages, reason_text, unit_text
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    AnyRequest,
    Language,
    MatchNumber,
    TableId,
    check_language,
    check_origin,
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
from jasstisch.table import Room

__all__ = ["analysis_routes"]

PATH = "/api/tables/{table}/matches/{match}/analysis"
ERRORS = (400, 403, 404, 409, 429, 503)


class _FormatHeader(msgspec.Struct):
    """How something that is kept is written."""

    format: str = ""


@post(
    PATH,
    summary="Ask for the analysis of a match",
    response=messages.AnalysisState,
    errors=ERRORS,
    headers=(LINK_KEY,),
)
async def request_analysis(
    request: AnyRequest, table: TableId, match: MatchNumber, lang: Language = LANGUAGES[0]
) -> bytes:
    """Has a match that is over analysed; the analysis, where it is there already.

    Asked again while it is worked out, it is worked out once.
    """
    check_origin(request)
    check_language(lang)
    live = await find_authorized_table(request, table, match)
    person = await ensure_identity(request)
    room = await live.get_room()
    stored = await _stored_analysis(request, live, match, lang)
    if stored is not None:
        return stored
    await _check_analysable(request, room, match)
    standing = await live.request_analysis(match, person)
    return await _analysis_state(request, live, match, lang, standing)


@get(
    PATH,
    summary="The analysis of a match",
    response=messages.AnalysisState,
    errors=ERRORS,
    headers=(LINK_KEY,),
)
async def get_analysis(
    request: AnyRequest, table: TableId, match: MatchNumber, lang: Language = LANGUAGES[0]
) -> bytes:
    """The analysis of a match, or how far it is."""
    check_language(lang)
    live = await find_authorized_table(request, table, match)
    standing = await live.analysis_status(match)
    return await _analysis_state(request, live, match, lang, standing)


def analysis_routes() -> list[Endpoint]:
    """Both of them."""
    return [request_analysis, get_analysis]


async def _check_analysable(request: AnyRequest, room: Room, match: int) -> None:
    """Refuses what can never be analysed here.

    Raises:
        ApiError: there is no such match, or this server cannot analyse its game.
    """
    if match > room.number:
        raise ApiError("not_found", "there is no match of this number at the table")
    if room.game not in await get_registry(request).context.games_with_hints():
        raise ApiError("not_found", f"there is no analysis of {room.game} here")


async def _analysis_state(
    request: AnyRequest, live: TableHandle, match: int, lang: str, standing: AnalysisStatus
) -> bytes:
    """What is answered where an analysis is, or is not, in the making."""
    if standing.refused is not None:
        raise ApiError(*standing.refused)
    if standing.state == "none":
        found = await _stored_analysis(request, live, match, lang)
        if found is not None:
            return found
    answer = messages.AnalysisState(match, standing.state, standing.progress, None)
    return msgspec.json.encode(answer)


async def _stored_analysis(
    request: AnyRequest, live: TableHandle, match: int, lang: str
) -> bytes | None:
    """What is kept of a match, as it is answered; None where it is of no use.

    Raises:
        StoreError: it cannot be read.
        ApiError: too many from there wait to be told who played a match before the last one.
        ServerBusyError: too many wait for that.
    """
    try:
        body = await get_registry(request).context.store.analysis(live.id, match)
    except CorruptionError as error:  # it can be worked out anew
        log.error("analysis_damaged", table=short_id(live.id), **describe_exception(error))
        return None
    if body is None:
        return None
    room, record = await live.get_room(), await live.record()
    if room.number == match and record is not None:
        names = record["players"]
    else:  # who sits there now need not have played it
        names = await get_services(request).replays.players(
            room, match, get_client_address(request)
        )
    # A long one takes a moment.
    return await asyncio.to_thread(_localize, body, room.game, names, match, lang)


def _localize(body: bytes, game: str, names: Sequence[str], match: int, lang: str) -> bytes | None:
    """An analysis as it is kept, in a language; None where it is kept in another form."""
    if msgspec.json.decode(body, type=_FormatHeader).format != ANALYSIS_FORMAT:
        return None
    kept = msgspec.json.decode(body, type=StoredAnalysis)
    figure = REGISTRY[game].metric
    assert figure is not None
    analysis = messages.MatchAnalysis(
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
    return msgspec.json.encode(messages.AnalysisState(match, "ready", None, analysis))

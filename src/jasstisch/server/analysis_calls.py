"""The REST calls about the analysis of a match: asking for it, and looking how far it is.

Who may have the record of a match may have its analysis.
"""

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import Parameter

from jasstisch.errors import GameError
from jasstisch.games.rules import REGISTRY
from jasstisch.guides.texts import LANGUAGES
from jasstisch.server import messages
from jasstisch.server.analyst import FORMAT, AnalysisStanding, Kept
from jasstisch.server.calls import (
    REFUSED,
    AnyRequest,
    RefusedError,
    check_origin,
    find_for,
    hall_of,
    identify,
)
from jasstisch.server.hosted import Hosted
from jasstisch.server.log import failure, log, short
from jasstisch.server.reason_texts import reason_text, unit_text
from jasstisch.store import DamagedError
from jasstisch.table import Room

__all__ = ["analysis_calls"]

TableId = Annotated[str, Parameter(description="The table's id.")]
Number = Annotated[int, Parameter(description="Which match of the table, from 1.", ge=1, le=10**6)]
Language = Annotated[str, Parameter(description="Such as `en`.", max_length=8)]

_PATH = "/api/tables/{table:str}/matches/{match:int}/analysis"
_ANSWERS = dict.fromkeys((400, 403, 404, 409, 429, 503), REFUSED)


class _Format(msgspec.Struct):
    """How something that is kept is written."""

    format: str = ""


@post(_PATH, status_code=200, summary="Ask for the analysis of a match", responses=_ANSWERS)
async def ask(
    request: AnyRequest, table: TableId, match: Number, lang: Language = LANGUAGES[0]
) -> Response[messages.AnalysisState]:
    """Has a match that is over analysed; the analysis, where it is there already.

    Asked again while it is worked out, it is worked out once.
    """
    check_origin(request)
    _check_language(lang)
    live = await find_for(request, table)
    response: Response[Any] = Response(None, media_type=MediaType.JSON)
    person = await identify(request, response)
    room = await live.look()
    found = await _kept(request, table, match)
    if found is None:
        await _check(request, room, match)
        standing = await live.analyse(match, person)
        response.content = await _told(request, live, match, lang, standing)
    else:
        response.content = await _written(found, room, match, lang)
    return response


@get(_PATH, summary="The analysis of a match", responses=_ANSWERS)
async def look(
    request: AnyRequest, table: TableId, match: Number, lang: Language = LANGUAGES[0]
) -> Response[messages.AnalysisState]:
    """The analysis of a match, or how far it is."""
    _check_language(lang)
    live = await find_for(request, table)
    standing = await live.analysis(match)
    content: Any = await _told(request, live, match, lang, standing)
    return Response(content, media_type=MediaType.JSON)


def analysis_calls() -> Router:
    """The calls, for the REST application."""
    return Router("", route_handlers=[ask, look])


def _check_language(lang: str) -> None:
    try:
        unit_text(lang, "")
    except GameError as error:
        raise RefusedError("not_found", str(error)) from error


async def _check(request: AnyRequest, room: Room, match: int) -> None:
    """Refuses what can never be analysed here.

    Raises:
        RefusedError: there is no such match, or this server cannot analyse its game.
    """
    if match > room.number:
        raise RefusedError("not_found", "there is no match of this number at the table")
    if room.game not in await hall_of(request).services.hinted():
        raise RefusedError("not_found", f"there is no analysis of {room.game} here")


async def _told(
    request: AnyRequest, live: Hosted, match: int, lang: str, standing: AnalysisStanding
) -> bytes:
    """What is answered where an analysis is, or is not, in the making."""
    if standing.refused is not None:
        raise RefusedError(*standing.refused)
    if standing.state in ("none", "kept"):
        found = await _kept(request, live.id, match)
        if found is not None:
            return await _written(found, await live.look(), match, lang)
    state = "none" if standing.state == "kept" else standing.state
    return msgspec.json.encode(messages.AnalysisState(match, state, standing.progress, None))


async def _kept(request: AnyRequest, table: str, match: int) -> bytes | None:
    """What is kept of a match; None where it is of no use.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        body = await hall_of(request).services.store.analysis(table, match)
    except DamagedError as error:  # it can be worked out anew
        log.error("analysis_damaged", table=short(table), **failure(error))
        return None
    if body is None or msgspec.json.decode(body, type=_Format).format != FORMAT:
        return None
    return body


async def _written(body: bytes, room: Room, match: int, lang: str) -> bytes:
    """An analysis that is kept as it is answered, in a language; a long one takes a moment."""
    return await asyncio.to_thread(_in_words, body, room, match, lang)


def _in_words(body: bytes, room: Room, match: int, lang: str) -> bytes:
    kept = msgspec.json.decode(body, type=Kept)
    figure = REGISTRY[room.game].figure
    assert figure is not None
    names = [seat.name or str(number) for number, seat in enumerate(room.seats, start=1)]
    analysis = messages.MatchAnalysis(
        game=room.game,
        lang=lang,
        unit=figure.unit,
        unit_text=unit_text(lang, figure.unit),
        digits=figure.digits,
        high_is_good=figure.high_is_good,
        rounds=kept.rounds,
        decisions=[
            msgspec.structs.replace(one, text=reason_text(lang, one.reason, one.values, names))
            for one in kept.decisions
        ],
        dearest=kept.dearest,
        lost=kept.lost,
    )
    return msgspec.json.encode(messages.AnalysisState(match, "ready", None, analysis))

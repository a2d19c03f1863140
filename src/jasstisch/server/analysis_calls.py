"""The REST calls about the analysis of a match: asking for it, and looking how far it is.

Who may have the record of a match may have its analysis.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import MediaType, Response, Router, get, post

from jasstisch.games.rules import REGISTRY
from jasstisch.guides.texts import LANGUAGES
from jasstisch.server import messages
from jasstisch.server.analyst import FORMAT, AnalysisStanding, KeptAnalysis
from jasstisch.server.calls import (
    REFUSED,
    AnyRequest,
    Language,
    Number,
    RefusedError,
    TableId,
    address_of,
    check_language,
    check_origin,
    find_for,
    hall_of,
    identify,
)
from jasstisch.server.hosted import Hosted
from jasstisch.server.log import failure, log, short
from jasstisch.server.reason_texts import reason_text, unit_text
from jasstisch.server.replays import replays_of
from jasstisch.store import DamagedError
from jasstisch.table import Room

__all__ = ["analysis_calls"]

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
    check_language(lang)
    live = await find_for(request, table, match)
    response: Response[Any] = Response(None, media_type=MediaType.JSON)
    person = await identify(request, response)
    room = await live.look()
    response.content = await _kept(request, live, match, lang)
    if response.content is None:
        await _check(request, room, match)
        standing = await live.analyse(match, person)
        response.content = await _told(request, live, match, lang, standing)
    return response


@get(_PATH, summary="The analysis of a match", responses=_ANSWERS)
async def look(
    request: AnyRequest, table: TableId, match: Number, lang: Language = LANGUAGES[0]
) -> Response[messages.AnalysisState]:
    """The analysis of a match, or how far it is."""
    check_language(lang)
    live = await find_for(request, table, match)
    standing = await live.analysis(match)
    content: Any = await _told(request, live, match, lang, standing)
    return Response(content, media_type=MediaType.JSON)


def analysis_calls() -> Router:
    """The calls, for the REST application."""
    return Router("", route_handlers=[ask, look])


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
    if standing.state == "none":
        found = await _kept(request, live, match, lang)
        if found is not None:
            return found
    answer = messages.AnalysisState(match, standing.state, standing.progress, None)
    return msgspec.json.encode(answer)


async def _kept(request: AnyRequest, live: Hosted, match: int, lang: str) -> bytes | None:
    """What is kept of a match, as it is answered; None where it is of no use.

    Raises:
        StoreError: it cannot be read.
        RefusedError: too many from there wait to be told who played a match before the last one.
        BusyError: too many wait for that.
    """
    try:
        body = await hall_of(request).services.store.analysis(live.id, match)
    except DamagedError as error:  # it can be worked out anew
        log.error("analysis_damaged", table=short(live.id), **failure(error))
        return None
    if body is None:
        return None
    room, record = await live.look(), await live.record()
    if room.number == match and record is not None:
        names = record["players"]
    else:  # who sits there now need not have played it
        names = await replays_of(request).players(room, match, address_of(request))
    # A long one takes a moment.
    return await asyncio.to_thread(_in_words, body, room.game, names, match, lang)


def _in_words(body: bytes, game: str, names: Sequence[str], match: int, lang: str) -> bytes | None:
    """An analysis as it is kept, in a language; None where it is kept in another form."""
    if msgspec.json.decode(body, type=_Format).format != FORMAT:
        return None
    kept = msgspec.json.decode(body, type=KeptAnalysis)
    figure = REGISTRY[game].figure
    assert figure is not None
    analysis = messages.MatchAnalysis(
        game=game,
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

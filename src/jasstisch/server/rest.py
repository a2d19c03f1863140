"""The REST calls: which games there are, an identity, making a table, looking at one.

Every refusal is an `ErrorBody`. Whatever happens at a table goes over the WebSocket instead.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, cast

from litestar import Litestar, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import Body, Parameter

from jasstisch.errors import GameError
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.guides import GAMES, guide
from jasstisch.server import asyncapi, messages
from jasstisch.server.addresses import caller
from jasstisch.server.analysis_calls import analysis_calls
from jasstisch.server.calls import (
    DAMAGED,
    REFUSED,
    AnyRequest,
    Language,
    Means,
    Number,
    RefusedError,
    TableId,
    address_of,
    asker,
    check_origin,
    find_for,
    hall_of,
    identify,
    means_of,
)
from jasstisch.server.guesses import TooManyGuessesError
from jasstisch.server.hall import BusyError, Hall, UnknownTableError
from jasstisch.server.identity_calls import identity_calls
from jasstisch.server.incidents import Incidents
from jasstisch.server.invitation_calls import invitation_calls
from jasstisch.server.listing import Listing
from jasstisch.server.log import failure, log
from jasstisch.server.own_calls import own_calls
from jasstisch.server.own_matches import OwnMatches
from jasstisch.server.readiness import Readiness
from jasstisch.server.replays import Replays, record_call, replay_call, replays_of, room_of
from jasstisch.server.shelf import Shelf
from jasstisch.store import DamagedError, StoreError
from jasstisch.table import TableError

__all__ = ["every_game", "rest"]

GameName = Annotated[str, Parameter(description="The game's name.", max_length=40)]

STATUS: dict[messages.ErrorCode, int] = {
    "forbidden_origin": 403,
    "banned": 403,
    "unknown_table": 404,
    "not_found": 404,
    "wrong_phase": 409,
    "too_large": 413,
    "too_fast": 429,
    "internal": 500,
    "damaged": 500,
    "busy": 503,
}
"""HTTP status of each code; the others are 400."""

CODES: dict[int, messages.ErrorCode] = {404: "not_found", 413: "too_large"}
"""Code of the statuses that the framework itself answers; the others below 500 are malformed."""


DAY = 24 * 3600.0

GONE = "client disconnected prematurely"
"""What the framework calls an error, and is none of ours: nobody waits for the answer."""


class TableMakers:
    """Keeps any one address from making tables without end.

    Args:
        hall: the tables, for the limits and the time.
        incidents: where it is noted.
    """

    def __init__(self, hall: Hall, incidents: Incidents) -> None:
        self._services = hall.services
        self._incidents = incidents
        limits = hall.services.limits
        buckets, now = hall.services.shared.buckets, hall.services.now
        minute, day = limits.new_tables_per_minute, limits.new_tables_per_day
        self._allowed = {
            f"{minute} new tables a minute": buckets("new_tables", minute / 60, minute, now),
            f"{day} new tables a day": buckets("new_tables_of_a_day", day / DAY, day, now),
        }

    def check(self, address: str) -> None:
        """Counts one table.

        Raises:
            RefusedError: this address has made too many.
        """
        now = self._services.now()
        for most, buckets in self._allowed.items():
            if not buckets.of(caller(address), now).take(now):
                self._incidents.note("limit_hit", "new_tables", address)
                raise RefusedError("too_fast", f"at most {most}, please")


@get("/api/games", summary="The games and their options")
async def games(request: AnyRequest) -> list[messages.GameInfo]:
    """Every game that can be played here, with its options, defaults and allowed values."""
    services = hall_of(request).services
    computers, hinted = await services.players(), await services.hinted()
    return every_game(computers, hinted, services.readiness)


@get("/api/house", summary="What the host has chosen for the page")
async def house(request: AnyRequest) -> messages.House:
    """The languages that the page offers, and the greeting on its start page."""
    return means_of(request).house


@get("/api/docs/asyncapi.json", summary="The WebSocket, as AsyncAPI", sync_to_thread=True)
def websocket_document() -> dict[str, Any]:
    """What is said over the WebSocket at /ws, as a document of AsyncAPI 3.0."""
    return asyncapi.document()


@get("/api/words/{lang:str}", summary="The words for the games", responses={404: REFUSED})
async def words(request: AnyRequest, lang: Language) -> dict[str, messages.GameWords]:
    """How every game is shown in a language: what it, its options and its actions are called."""
    try:
        return _shelf(request).words(lang)
    except GameError as error:
        raise RefusedError("not_found", str(error)) from error


@get(
    "/api/sheets/{name:str}/{lang:str}",
    summary="A rule sheet",
    media_type="text/markdown",
    responses={404: REFUSED},
)
async def sheet(request: AnyRequest, name: GameName, lang: Language) -> str:
    """The rule sheet of a game as Markdown: in a language, else in the first there is."""
    try:
        return _shelf(request).sheet(name, lang)
    except GameError as error:
        raise RefusedError("not_found", str(error)) from error


@post(
    "/api/tables",
    summary="Make a table",
    responses=dict.fromkeys((400, 403, 413, 429, 503), REFUSED),
)
async def make_table(
    request: AnyRequest, data: Annotated[messages.NewTable, Body()]
) -> Response[messages.CreatedTable]:
    """Makes a table, seats its maker, and begins the match if `start` says so."""
    check_origin(request)
    _makers(request).check(address_of(request))
    response: Response[Any] = Response(None, status_code=201)
    maker = await identify(request, response)
    address = caller(address_of(request))
    response.content = await hall_of(request).create(data, maker, address)
    return response


@post(
    "/api/tables/{table:str}/matches/{match:int}/resume",
    summary="Play on from a step of a match",
    responses=dict.fromkeys((400, 403, 404, 409, 413, 429, 503), REFUSED),
)
async def resume_match(
    request: AnyRequest,
    table: TableId,
    match: Number,
    data: Annotated[messages.ResumeMatch, Body()],
) -> Response[messages.CreatedTable]:
    """Makes a table where a match that is over goes on from a step, with the caller at a seat."""
    check_origin(request)
    room, address = await room_of(request, table, match), address_of(request)
    _makers(request).check(address)
    response: Response[Any] = Response(None, status_code=201)
    person = await identify(request, response)
    old, found = await replays_of(request).at(room, match, data.step, address)
    response.content = await hall_of(request).resume(old, found, data, person, caller(address))
    return response


@get("/api/tables", summary="The published tables")
async def public_tables(request: AnyRequest) -> messages.PublicTables:
    """The tables that their hosts have published; others are found by their links alone."""
    return await cast("Listing", request.app.state.listing).tables()


@get(
    "/api/tables/{table:str}",
    summary="Look at a table",
    responses=dict.fromkeys((404, 429, 503), REFUSED),
)
async def look(request: AnyRequest, table: TableId) -> messages.Room:
    """What everybody who has the link may know of a table."""
    live = await find_for(request, table)
    return await live.look_as(await asker(request))


@get(
    "/api/tables/{table:str}/record",
    summary="The record of the last match",
    responses=dict.fromkeys((404, 409, 429, 503), REFUSED),
)
async def record(request: AnyRequest, table: TableId) -> dict[str, Any]:
    """The whole match, once it is over; `Match.from_record` replays it."""
    live = await find_for(request, table)
    # A stranger may know of the table, but not of a match from before it was published.
    live = await find_for(request, table, (await live.look()).number or None)
    found = await live.record()
    if found is None:
        raise RefusedError("wrong_phase", "there is a record once a match is over")
    return dict(found)


def rest(
    hall: Hall,
    means: Means,
    lifespan: Callable[[Litestar], AbstractAsyncContextManager[None]],
) -> Litestar:
    """The REST application.

    Args:
        hall: the tables.
        means: what the calls need besides.
        lifespan: what surrounds the application's life.
    """
    return Litestar(
        route_handlers=[
            *(games, house, words, sheet, make_table, public_tables, look, record),
            *(websocket_document, identity_calls(), own_calls(), analysis_calls()),
            *(replay_call, record_call, resume_match, invitation_calls()),
        ],
        state=State(
            {
                "hall": hall,
                "means": means,
                "makers": TableMakers(hall, means.incidents),
                "listing": Listing(hall),
                "shelf": Shelf(),
                "replays": Replays(hall.services.store, hall.services.limits),
                "own_matches": OwnMatches(hall.services),
            }
        ),
        exception_handlers={
            RefusedError: _refused,
            TableError: _refused,
            UnknownTableError: _unknown_table,
            TooManyGuessesError: _too_many_guesses,
            BusyError: _busy,
            StoreError: _store_failed,
            HTTPException: _malformed,
            RecursionError: _too_deep,
            UnicodeDecodeError: _no_text,
            Exception: _failed,
        },
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Jasstisch",
            version=str(messages.PROTOCOL),
            description="Tables are made and found here; play goes over the WebSocket at /ws.",
            path="/api/docs",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        request_max_body_size=hall.services.limits.body_bytes,
    )


def _shelf(request: AnyRequest) -> Shelf:
    return cast("Shelf", request.app.state.shelf)


def _makers(request: AnyRequest) -> TableMakers:
    return cast("TableMakers", request.app.state.makers)


def every_game(
    computers: Mapping[str, Sequence[str]], hinted: Collection[str], readiness: Readiness
) -> list[messages.GameInfo]:
    """What is told of all games.

    Args:
        computers: the computer players that know each game.
        hinted: the games in which there can be hints.
        readiness: which of them are ready.
    """
    return [
        _game_info(Game(name, {}), computers[name], readiness, hints=name in hinted)
        for name in sorted(REGISTRY)
    ]


def _game_info(
    game: Game, computers: Sequence[str], readiness: Readiness, *, hints: bool
) -> messages.GameInfo:
    guided = Game(game.name, guide(game.name).options).players if game.name in GAMES else None
    return messages.GameInfo(
        game.name,
        [_option_info(option, game) for option in game.rules.options],
        guided,
        list(computers),
        preparing=[one for one in computers if not readiness.is_ready(one, game.name)],
        hints=hints,
    )


def _option_info(option: Option, game: Game) -> messages.OptionInfo:
    name, default = option.name, game.options[option.name]
    match option:
        case Choice(values=values):
            return messages.OptionInfo(name, default, values=list(values))
        case Whole(low=low, high=high):
            at = {str(players): number for players, number in option.at.items()} or None
            return messages.OptionInfo(name, default, min=low, max=high, defaults=at)
        case _:
            return messages.OptionInfo(name, default, min=0, max=game.players - 1)


# --- refusals --------------------------------------------------------------------------------


def _body(
    request: AnyRequest, code: messages.ErrorCode, message: str, status: int | None = None
) -> Response[messages.ErrorBody]:
    hall_of(request).services.meters.refused[code] += 1
    body = messages.ErrorBody(code, message)
    return Response(body, status_code=status or STATUS.get(code, 400))


def _refused(request: AnyRequest, error: RefusedError | TableError) -> Response[messages.ErrorBody]:
    return _body(request, error.code, str(error))


def _unknown_table(request: AnyRequest, _: UnknownTableError) -> Response[messages.ErrorBody]:
    return _body(request, "unknown_table", "there is no table of this id")


def _too_many_guesses(
    request: AnyRequest, error: TooManyGuessesError
) -> Response[messages.ErrorBody]:
    return _body(request, "too_fast", str(error))


def _busy(request: AnyRequest, error: BusyError) -> Response[messages.ErrorBody]:
    return _body(request, "busy", str(error))


def _store_failed(request: AnyRequest, error: StoreError) -> Response[messages.ErrorBody]:
    if isinstance(error, DamagedError):  # of which the hall has told the host
        return _body(request, "damaged", DAMAGED)
    log.error("store_failed", **failure(error))
    return _body(request, "busy", "the server cannot store or read this now; nothing has changed")


def _malformed(request: AnyRequest, error: HTTPException) -> Response[messages.ErrorBody]:
    """What the framework refuses by itself: unknown addresses, wrong methods, malformed bodies."""
    status = error.status_code
    if status >= 500 and error.detail != GONE:
        return _failed(request, error)
    extra = error.extra if isinstance(error.extra, list) else []
    details = [
        f"{item.get('key', 'body')}: {item['message']}"
        for item in extra
        if isinstance(item, dict) and "message" in item
    ]
    text = "; ".join(details)[:300] or error.detail[:300] or "malformed"
    code = CODES.get(status, "bad_message")
    return _body(request, code, text, status)


def _too_deep(request: AnyRequest, _: RecursionError) -> Response[messages.ErrorBody]:
    return _body(request, "bad_message", "the body is nested too deeply")


def _no_text(request: AnyRequest, error: UnicodeDecodeError) -> Response[messages.ErrorBody]:
    return _body(
        request, "bad_message", f"the body is not UTF-8: {error.reason} at byte {error.start}"
    )


def _failed(request: AnyRequest, error: Exception) -> Response[messages.ErrorBody]:
    log.error("call_failed", **failure(error))
    return _body(request, "internal", "the server could not do this and has noted it")

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

from jasstisch.engine.errors import GameError
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.server.api import asyncapi, messages
from jasstisch.server.errors import (
    ERR_TABLE_DAMAGED,
    ApiError,
    EnumerationLimitError,
    ServerBusyError,
    TableNotFoundError,
)
from jasstisch.server.http.dependencies import (
    ERROR_RESPONSE,
    AnyRequest,
    ApiContext,
    Language,
    MatchNumber,
    TableId,
    check_origin,
    ensure_identity,
    find_authorized_table,
    find_caller,
    get_api_context,
    get_client_address,
    get_registry,
)
from jasstisch.server.http.localization import LocalizedTexts
from jasstisch.server.http.routes.analysis import analysis_routes
from jasstisch.server.http.routes.identity import identity_routes
from jasstisch.server.http.routes.join_codes import join_code_routes
from jasstisch.server.http.routes.matches import (
    get_match_room,
    get_replay_service,
    record_route,
    replay_route,
)
from jasstisch.server.http.routes.me import me_routes
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import AlertLog, describe_exception, log
from jasstisch.server.tables import MatchHistory, PublicTableIndex, ReplayService, TableRegistry
from jasstisch.server.workers import BotWarmup
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import TableError
from jasstisch.tutorials import GAMES, get_tutorial

__all__ = ["build_rest_api", "game_catalogue"]

GameName = Annotated[str, Parameter(description="The game's name.", max_length=40)]

HTTP_STATUS: dict[messages.ErrorCode, int] = {
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

FRAMEWORK_ERROR_CODES: dict[int, messages.ErrorCode] = {404: "not_found", 413: "too_large"}
"""Code of the statuses that the framework itself answers; the others below 500 are malformed."""


DAY_S = 24 * 3600.0

CLIENT_DISCONNECTED = "client disconnected prematurely"
"""What the framework calls an error, and is none of ours: nobody waits for the answer."""


class TableCreationLimit:
    """Keeps any one address from making tables without end.

    Args:
        hall: the tables, for the limits and the time.
        incidents: where it is noted.
    """

    def __init__(self, hall: TableRegistry, incidents: AlertLog) -> None:
        self._context = hall.context
        self._alerts = incidents
        limits = hall.context.limits
        buckets, now = hall.context.shared_usage.buckets, hall.context.now
        minute, day = limits.new_tables_per_minute, limits.new_tables_per_day
        self._rates = {
            f"{minute} new tables a minute": buckets("new_tables", minute / 60, minute, now),
            f"{day} new tables a day": buckets("new_tables_of_a_day", day / DAY_S, day, now),
        }

    def check(self, address: str) -> None:
        """Counts one table.

        Raises:
            RefusedError: this address has made too many.
        """
        now = self._context.now()
        for most, buckets in self._rates.items():
            if not buckets.bucket_for(rate_limit_key(address), now).try_take(now):
                self._alerts.report("limit_hit", "new_tables", address)
                raise ApiError("too_fast", f"at most {most}, please")


@get("/api/games", summary="The games and their options")
async def list_games(request: AnyRequest) -> list[messages.GameInfo]:
    """Every game that can be played here, with its options, defaults and allowed values."""
    services = get_registry(request).context
    computers, hinted = await services.bots_by_game(), await services.games_with_hints()
    return game_catalogue(computers, hinted, services.warmup)


@get("/api/house", summary="What the host has chosen for the page")
async def site_config(request: AnyRequest) -> messages.SiteConfig:
    """The languages that the page offers, and the greeting on its start page."""
    return get_api_context(request).site_config


@get("/api/docs/asyncapi.json", summary="The WebSocket, as AsyncAPI", sync_to_thread=True)
def asyncapi_document() -> dict[str, Any]:
    """What is said over the WebSocket at /ws, as a document of AsyncAPI 3.0."""
    return asyncapi.document()


@get("/api/words/{lang:str}", summary="The words for the games", responses={404: ERROR_RESPONSE})
async def game_texts(request: AnyRequest, lang: Language) -> dict[str, messages.GameTexts]:
    """How every game is shown in a language: what it, its options and its actions are called."""
    try:
        return _get_localized_texts(request).game_texts(lang)
    except GameError as error:
        raise ApiError("not_found", str(error)) from error


@get(
    "/api/sheets/{name:str}/{lang:str}",
    summary="A rule sheet",
    media_type="text/markdown",
    responses={404: ERROR_RESPONSE},
)
async def rule_sheet(request: AnyRequest, name: GameName, lang: Language) -> str:
    """The rule sheet of a game as Markdown: in a language, else in the first there is."""
    try:
        return _get_localized_texts(request).rule_sheet(name, lang)
    except GameError as error:
        raise ApiError("not_found", str(error)) from error


@post(
    "/api/tables",
    summary="Make a table",
    responses=dict.fromkeys((400, 403, 413, 429, 503), ERROR_RESPONSE),
)
async def make_table(
    request: AnyRequest, data: Annotated[messages.NewTable, Body()]
) -> Response[messages.CreatedTable]:
    """Makes a table, seats its maker, and begins the match if `start` says so."""
    check_origin(request)
    _get_creation_limit(request).check(get_client_address(request))
    response: Response[Any] = Response(None, status_code=201)
    maker = await ensure_identity(request, response)
    address = rate_limit_key(get_client_address(request))
    response.content = await get_registry(request).create(data, maker, address)
    return response


@post(
    "/api/tables/{table:str}/matches/{match:int}/resume",
    summary="Play on from a step of a match",
    responses=dict.fromkeys((400, 403, 404, 409, 413, 429, 503), ERROR_RESPONSE),
)
async def resume_match(
    request: AnyRequest,
    table: TableId,
    match: MatchNumber,
    data: Annotated[messages.ResumeMatch, Body()],
) -> Response[messages.CreatedTable]:
    """Makes a table where a match that is over goes on from a step, with the caller at a seat."""
    check_origin(request)
    room, address = await get_match_room(request, table, match), get_client_address(request)
    _get_creation_limit(request).check(address)
    response: Response[Any] = Response(None, status_code=201)
    person = await ensure_identity(request, response)
    old, found = await get_replay_service(request).resume_point(room, match, data.step, address)
    response.content = await get_registry(request).resume(
        old, found, data, person, rate_limit_key(address)
    )
    return response


@get("/api/tables", summary="The published tables")
async def list_public_tables(request: AnyRequest) -> messages.PublicTables:
    """The tables that their hosts have published; others are found by their links alone."""
    return await cast("PublicTableIndex", request.app.state.listing).tables()


@get(
    "/api/tables/{table:str}",
    summary="Look at a table",
    responses=dict.fromkeys((404, 429, 503), ERROR_RESPONSE),
)
async def get_room(request: AnyRequest, table: TableId) -> messages.Room:
    """What everybody who has the link may know of a table."""
    live = await find_authorized_table(request, table)
    return await live.get_room_for(await find_caller(request))


@get(
    "/api/tables/{table:str}/record",
    summary="The record of the last match",
    responses=dict.fromkeys((404, 409, 429, 503), ERROR_RESPONSE),
)
async def get_record(request: AnyRequest, table: TableId) -> dict[str, Any]:
    """The whole match, once it is over; `Match.from_record` replays it."""
    live = await find_authorized_table(request, table)
    # A stranger may know of the table, but not of a match from before it was published.
    live = await find_authorized_table(request, table, (await live.get_room()).number or None)
    found = await live.record()
    if found is None:
        raise ApiError("wrong_phase", "there is a record once a match is over")
    return dict(found)


def build_rest_api(
    hall: TableRegistry,
    means: ApiContext,
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
            *(
                list_games,
                site_config,
                game_texts,
                rule_sheet,
                make_table,
                list_public_tables,
                get_room,
                get_record,
            ),
            *(asyncapi_document, identity_routes(), me_routes(), analysis_routes()),
            *(replay_route, record_route, resume_match, join_code_routes()),
        ],
        state=State(
            {
                "hall": hall,
                "means": means,
                "makers": TableCreationLimit(hall, means.alerts),
                "listing": PublicTableIndex(hall),
                "shelf": LocalizedTexts(),
                "replays": ReplayService(hall.context.store, hall.context.limits),
                "own_matches": MatchHistory(hall.context),
            }
        ),
        exception_handlers={
            ApiError: _on_api_error,
            TableError: _on_api_error,
            TableNotFoundError: _on_table_not_found,
            EnumerationLimitError: _on_enumeration_limit,
            ServerBusyError: _on_server_busy,
            StoreError: _on_store_error,
            HTTPException: _on_http_exception,
            RecursionError: _on_recursion_error,
            UnicodeDecodeError: _on_unicode_error,
            Exception: _on_unexpected_error,
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
        request_max_body_size=hall.context.limits.body_bytes,
    )


def _get_localized_texts(request: AnyRequest) -> LocalizedTexts:
    return cast("LocalizedTexts", request.app.state.shelf)


def _get_creation_limit(request: AnyRequest) -> TableCreationLimit:
    return cast("TableCreationLimit", request.app.state.makers)


def game_catalogue(
    computers: Mapping[str, Sequence[str]], hinted: Collection[str], readiness: BotWarmup
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
    game: Game, computers: Sequence[str], readiness: BotWarmup, *, hints: bool
) -> messages.GameInfo:
    guided = (
        Game(game.name, get_tutorial(game.name).options).players if game.name in GAMES else None
    )
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
            at = {
                str(players): number for players, number in option.defaults_by_players.items()
            } or None
            return messages.OptionInfo(name, default, min=low, max=high, defaults=at)
        case _:
            return messages.OptionInfo(name, default, min=0, max=game.players - 1)


# --- refusals --------------------------------------------------------------------------------


def _error_response(
    request: AnyRequest, code: messages.ErrorCode, message: str, status: int | None = None
) -> Response[messages.ErrorBody]:
    get_registry(request).context.metrics.errors[code] += 1
    body = messages.ErrorBody(code, message)
    return Response(body, status_code=status or HTTP_STATUS.get(code, 400))


def _on_api_error(
    request: AnyRequest, error: ApiError | TableError
) -> Response[messages.ErrorBody]:
    return _error_response(request, error.code, str(error))


def _on_table_not_found(request: AnyRequest, _: TableNotFoundError) -> Response[messages.ErrorBody]:
    return _error_response(request, "unknown_table", "there is no table of this id")


def _on_enumeration_limit(
    request: AnyRequest, error: EnumerationLimitError
) -> Response[messages.ErrorBody]:
    return _error_response(request, "too_fast", str(error))


def _on_server_busy(request: AnyRequest, error: ServerBusyError) -> Response[messages.ErrorBody]:
    return _error_response(request, "busy", str(error))


def _on_store_error(request: AnyRequest, error: StoreError) -> Response[messages.ErrorBody]:
    if isinstance(error, CorruptionError):  # of which the hall has told the host
        return _error_response(request, "damaged", ERR_TABLE_DAMAGED)
    log.error("store_failed", **describe_exception(error))
    return _error_response(
        request, "busy", "the server cannot store or read this now; nothing has changed"
    )


def _on_http_exception(request: AnyRequest, error: HTTPException) -> Response[messages.ErrorBody]:
    """What the framework refuses by itself: unknown addresses, wrong methods, malformed bodies."""
    status = error.status_code
    if status >= 500 and error.detail != CLIENT_DISCONNECTED:
        return _on_unexpected_error(request, error)
    extra = error.extra if isinstance(error.extra, list) else []
    details = [
        f"{item.get('key', 'body')}: {item['message']}"
        for item in extra
        if isinstance(item, dict) and "message" in item
    ]
    text = "; ".join(details)[:300] or error.detail[:300] or "malformed"
    code = FRAMEWORK_ERROR_CODES.get(status, "bad_message")
    return _error_response(request, code, text, status)


def _on_recursion_error(request: AnyRequest, _: RecursionError) -> Response[messages.ErrorBody]:
    return _error_response(request, "bad_message", "the body is nested too deeply")


def _on_unicode_error(
    request: AnyRequest, error: UnicodeDecodeError
) -> Response[messages.ErrorBody]:
    return _error_response(
        request, "bad_message", f"the body is not UTF-8: {error.reason} at byte {error.start}"
    )


def _on_unexpected_error(request: AnyRequest, error: Exception) -> Response[messages.ErrorBody]:
    log.error("call_failed", **describe_exception(error))
    return _error_response(request, "internal", "the server could not do this and has noted it")

"""The REST calls: which games there are, an identity, making a table, looking at one.

Every refusal is an `ErrorBody`. Whatever happens at a table goes over the WebSocket instead.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Annotated, Any, cast

from litestar import Litestar, Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import Body, Parameter

from jasstisch.errors import GameError
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.guides import GAMES, guide
from jasstisch.server import messages
from jasstisch.server.addresses import caller
from jasstisch.server.bucket import Buckets
from jasstisch.server.front import Front
from jasstisch.server.guesses import Guesses, TooManyGuessesError
from jasstisch.server.hall import BusyError, Hall, UnknownTableError
from jasstisch.server.identity import cookie_header, new_token, person, person_of
from jasstisch.server.incidents import Incidents
from jasstisch.server.live import Live
from jasstisch.server.log import failure, log
from jasstisch.server.readiness import Readiness
from jasstisch.server.security import under_tls
from jasstisch.server.shelf import Shelf
from jasstisch.store import StoreError
from jasstisch.table import TableError

__all__ = ["every_game", "rest"]

AnyRequest = Request[Any, Any, Any]
TableId = Annotated[str, Parameter(description="The table's id.")]
GameName = Annotated[str, Parameter(description="The game's name.", max_length=40)]
Language = Annotated[str, Parameter(description="Such as `en`.", max_length=8)]

REFUSED = ResponseSpec(
    messages.ErrorBody, description="Refused, with the reason.", generate_examples=False
)

STATUS: dict[messages.ErrorCode, int] = {
    "forbidden_origin": 403,
    "unknown_table": 404,
    "not_found": 404,
    "wrong_phase": 409,
    "too_large": 413,
    "too_fast": 429,
    "internal": 500,
    "busy": 503,
}
"""HTTP status of each code; the others are 400."""

CODES: dict[int, messages.ErrorCode] = {404: "not_found", 413: "too_large"}
"""Code of the statuses that the framework itself answers; the others below 500 are malformed."""


DAY = 24 * 3600.0

GONE = "client disconnected prematurely"
"""What the framework calls an error, and is none of ours: nobody waits for the answer."""


class RefusedError(Exception):
    """A call that is answered by an error body."""

    def __init__(self, code: messages.ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: messages.ErrorCode = code


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
        minute, day = limits.new_tables_per_minute, limits.new_tables_per_day
        self._allowed = {
            f"{minute} new tables a minute": Buckets(minute / 60, minute),
            f"{day} new tables a day": Buckets(day / DAY, day),
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


@dataclass(frozen=True, slots=True)
class _Means:
    """What the calls need besides the tables."""

    front: Front
    guesses: Guesses
    incidents: Incidents
    makers: TableMakers
    shelf: Shelf


@get("/api/games", summary="The games and their options")
async def games(request: AnyRequest) -> list[messages.GameInfo]:
    """Every game that can be played here, with its options, defaults and allowed values."""
    services = _hall(request).services
    computers, hinted = await services.players(), await services.hinted()
    return every_game(computers, hinted, services.readiness)


@get("/api/words/{lang:str}", summary="The words for the games", responses={404: REFUSED})
async def words(request: AnyRequest, lang: Language) -> dict[str, messages.GameWords]:
    """How every game is shown in a language: what it, its options and its actions are called."""
    try:
        return _means(request).shelf.words(lang)
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
        return _means(request).shelf.sheet(name, lang)
    except GameError as error:
        raise RefusedError("not_found", str(error)) from error


@post("/api/identity", status_code=204, summary="Get an identity", responses={403: REFUSED})
async def identity(request: AnyRequest) -> Response[None]:
    """Gives the browser the cookie that is its identity, unless it has one."""
    _check_origin(request)
    response: Response[None] = Response(None, status_code=204)
    _identify(request, response)
    return response


@post(
    "/api/tables",
    summary="Make a table",
    responses=dict.fromkeys((400, 403, 413, 429, 503), REFUSED),
)
async def make_table(
    request: AnyRequest, data: Annotated[messages.NewTable, Body()]
) -> Response[messages.CreatedTable]:
    """Makes a table, seats its maker, and begins the match if `start` says so."""
    _check_origin(request)
    _means(request).makers.check(_address(request))
    response: Response[Any] = Response(None, status_code=201)
    maker = _identify(request, response)
    response.content = await _hall(request).create(data, maker, caller(_address(request)))
    return response


@get(
    "/api/tables/{table:str}",
    summary="Look at a table",
    responses=dict.fromkeys((404, 429, 503), REFUSED),
)
async def look(request: AnyRequest, table: TableId) -> messages.Room:
    """What everybody who has the link may know of a table."""
    return (await _find(request, table)).room


@get(
    "/api/tables/{table:str}/record",
    summary="The record of the last match",
    responses=dict.fromkeys((404, 409, 429, 503), REFUSED),
)
async def record(request: AnyRequest, table: TableId) -> dict[str, Any]:
    """The whole match, once it is over; `Match.from_record` replays it."""
    live = await _find(request, table)
    found = await live.record()
    if found is None:
        raise RefusedError("wrong_phase", "there is a record once a match is over")
    return found


def rest(
    hall: Hall,
    front: Front,
    guesses: Guesses,
    incidents: Incidents,
    lifespan: Callable[[Litestar], AbstractAsyncContextManager[None]],
) -> Litestar:
    """The REST application.

    Args:
        hall: the tables.
        front: how the server is reached.
        guesses: finds tables for people.
        incidents: where refusals are noted.
        lifespan: what surrounds the application's life.
    """
    means = _Means(front, guesses, incidents, TableMakers(hall, incidents), Shelf())
    return Litestar(
        route_handlers=[games, words, sheet, identity, make_table, look, record],
        state=State({"hall": hall, "means": means}),
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


def _hall(request: AnyRequest) -> Hall:
    return cast("Hall", request.app.state.hall)


def _means(request: AnyRequest) -> _Means:
    return cast("_Means", request.app.state.means)


def _address(request: AnyRequest) -> str:
    return request.client.host if request.client else ""


async def _find(request: AnyRequest, table: str) -> Live:
    """A table for those who may know of it."""
    live = await _means(request).guesses.find(table, _address(request))
    if not live.admits(person_of(request.scope["headers"])):
        raise UnknownTableError(table)
    return live


def _check_origin(request: AnyRequest) -> None:
    means = _means(request)
    wrong = means.front.wrong_origin(request.scope["headers"])
    if wrong is not None:
        means.incidents.note("request_refused", "origin", _address(request))
        raise RefusedError("forbidden_origin", wrong)


def _identify(request: AnyRequest, response: Response[Any]) -> str:
    """Who calls; a caller without an identity gets one along with the answer."""
    known = person_of(request.scope["headers"])
    if known is not None:
        return known
    token = new_token()
    secure = under_tls(request.scope["scheme"])
    response.headers["set-cookie"] = cookie_header(token, secure=secure)
    return person(token)


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


def _body(code: messages.ErrorCode, message: str) -> Response[messages.ErrorBody]:
    return Response(messages.ErrorBody(code, message), status_code=STATUS.get(code, 400))


def _refused(_: AnyRequest, error: RefusedError | TableError) -> Response[messages.ErrorBody]:
    return _body(error.code, str(error))


def _unknown_table(_: AnyRequest, __: UnknownTableError) -> Response[messages.ErrorBody]:
    return _body("unknown_table", "there is no table of this id")


def _too_many_guesses(_: AnyRequest, error: TooManyGuessesError) -> Response[messages.ErrorBody]:
    return _body("too_fast", str(error))


def _busy(_: AnyRequest, error: BusyError) -> Response[messages.ErrorBody]:
    return _body("busy", str(error))


def _store_failed(_: AnyRequest, error: StoreError) -> Response[messages.ErrorBody]:
    log.error("store_failed", **failure(error))
    return _body("busy", "the server cannot store or read this now; nothing has changed")


def _malformed(_: AnyRequest, error: HTTPException) -> Response[messages.ErrorBody]:
    """What the framework refuses by itself: unknown addresses, wrong methods, malformed bodies."""
    status = error.status_code
    if status >= 500 and error.detail != GONE:
        return _failed(_, error)
    extra = error.extra if isinstance(error.extra, list) else []
    details = [
        f"{item.get('key', 'body')}: {item['message']}"
        for item in extra
        if isinstance(item, dict) and "message" in item
    ]
    text = "; ".join(details)[:300] or error.detail[:300] or "malformed"
    code = CODES.get(status, "bad_message")
    return Response(messages.ErrorBody(code, text), status_code=status)


def _too_deep(_: AnyRequest, __: RecursionError) -> Response[messages.ErrorBody]:
    return _body("bad_message", "the body is nested too deeply")


def _no_text(_: AnyRequest, error: UnicodeDecodeError) -> Response[messages.ErrorBody]:
    return _body("bad_message", f"the body is not UTF-8: {error.reason} at byte {error.start}")


def _failed(_: AnyRequest, error: Exception) -> Response[messages.ErrorBody]:
    log.error("call_failed", **failure(error))
    return _body("internal", "the server could not do this and has noted it")

"""The routes for the games: their options, texts and rule sheets."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from jasstisch.engine.errors import GameError
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.server.api import bodies
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import Language, get_registry, get_services
from jasstisch.server.http.files import file_response
from jasstisch.server.http.routing import Endpoint, get
from jasstisch.server.workers import BotWarmup
from jasstisch.tutorials import GAMES, get_tutorial

_GameName = Annotated[str, Meta(description="The game's name.", max_length=40)]

_Version = Annotated[
    Annotated[str, Meta(max_length=64)] | None,
    Meta(description="The version of the texts; an answer to the current one may be kept."),
]


@get("/api/games", summary="The games and their options", public=True)
async def list_games(request: Request) -> list[bodies.GameInfo]:
    """Every game that can be played here, with its options, defaults and allowed values."""
    return await _game_infos(request, sorted(REGISTRY))


@get("/api/games/{name}", summary="A game and its options", public=True, errors=(404,))
async def game_info(request: Request, name: _GameName) -> bodies.GameInfo:
    """One of the games that can be played here."""
    if name not in REGISTRY:
        raise ApiError("not_found", f"no game here is called {name}")
    (found,) = await _game_infos(request, [name])
    return found


@get(
    "/api/catalogue/{lang}",
    summary="The list of games",
    response=list[bodies.GameSummary],
    errors=(404,),
)
async def catalogue(request: Request, lang: Language, v: _Version = None) -> Response:
    """Every game in a few words, the best known first."""
    with _not_found():
        return file_response(request.scope, get_services(request).texts.catalogue(lang, v))


@get(
    "/api/words/{lang}/{name}",
    summary="The words for a game",
    response=bodies.GameTexts,
    errors=(404,),
)
async def game_texts(
    request: Request, lang: Language, name: _GameName, v: _Version = None
) -> Response:
    """The names of a game, its options and its actions in a language."""
    with _not_found():
        return file_response(request.scope, get_services(request).texts.game_texts(name, lang, v))


@get(
    "/api/sheets/{name}/{lang}",
    summary="A rule sheet",
    media_type="text/markdown",
    public=True,
    errors=(404,),
)
async def rule_sheet(request: Request, name: _GameName, lang: Language) -> str:
    """The rule sheet of a game as Markdown, in a language if available, otherwise in the first."""
    with _not_found():
        return get_services(request).texts.rule_sheet(name, lang)


def game_routes() -> list[Endpoint]:
    """The routes for games."""
    return [list_games, game_info, catalogue, game_texts, rule_sheet]


@contextmanager
def _not_found() -> Iterator[None]:
    """Answers 404 for a game, a language or a sheet that does not exist."""
    try:
        yield
    except GameError as error:
        raise ApiError("not_found", str(error)) from error


async def _game_infos(request: Request, games: Sequence[str]) -> list[bodies.GameInfo]:
    services = get_registry(request).context
    bots, games_with_hints = await services.bots_by_game(), await services.games_with_hints()
    return build_game_infos(games, bots, games_with_hints, services.warmup)


def build_game_infos(
    games: Sequence[str],
    bots: Mapping[str, Sequence[str]],
    games_with_hints: Collection[str],
    warmup: BotWarmup,
) -> list[bodies.GameInfo]:
    """The descriptions of games.

    Args:
        games: the names of the games.
        bots: the bots that play each game.
        games_with_hints: the games with hints.
        warmup: tells which bots are ready.
    """
    return [
        _game_info(Game(name, {}), bots[name], warmup, hints=name in games_with_hints)
        for name in games
    ]


def _game_info(
    game: Game, bots: Sequence[str], warmup: BotWarmup, *, hints: bool
) -> bodies.GameInfo:
    guided = (
        Game(game.name, get_tutorial(game.name).options).players if game.name in GAMES else None
    )
    return bodies.GameInfo(
        game.name,
        [_option_info(option, game) for option in game.rules.options],
        guided,
        list(bots),
        preparing=[one for one in bots if not warmup.is_ready(one, game.name)],
        hints=hints,
    )


def _option_info(option: Option, game: Game) -> bodies.OptionInfo:
    name, default = option.name, game.options[option.name]
    match option:
        case Choice(values=values):
            return bodies.OptionInfo(name, default, values=list(values))
        case Whole(low=low, high=high):
            at = {
                str(players): number for players, number in option.defaults_by_players.items()
            } or None
            return bodies.OptionInfo(name, default, min=low, max=high, defaults=at)
        case _:
            return bodies.OptionInfo(name, default, min=0, max=game.players - 1)

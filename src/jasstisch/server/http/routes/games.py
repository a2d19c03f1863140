"""The routes for the games: their options, texts and rule sheets."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request

from jasstisch.engine.errors import GameError
from jasstisch.games.options import Choice, Option, Whole
from jasstisch.games.rules import REGISTRY, Game
from jasstisch.server.api import bodies
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import Language, get_registry, get_services
from jasstisch.server.http.routing import Endpoint, get
from jasstisch.server.workers import BotWarmup
from jasstisch.tutorials import GAMES, get_tutorial

_GameName = Annotated[str, Meta(description="The game's name.", max_length=40)]


@get("/api/games", summary="The games and their options")
async def list_games(request: Request) -> list[bodies.GameInfo]:
    """Every game that can be played here, with its options, defaults and allowed values."""
    services = get_registry(request).context
    bots, games_with_hints = await services.bots_by_game(), await services.games_with_hints()
    return build_game_catalogue(bots, games_with_hints, services.warmup)


@get("/api/words/{lang}", summary="The words for the games", errors=(404,))
async def game_texts(request: Request, lang: Language) -> dict[str, bodies.GameTexts]:
    """The names of every game, its options and its actions in a language."""
    try:
        return get_services(request).texts.game_texts(lang)
    except GameError as error:
        raise ApiError("not_found", str(error)) from error


@get(
    "/api/sheets/{name}/{lang}",
    summary="A rule sheet",
    media_type="text/markdown",
    errors=(404,),
)
async def rule_sheet(request: Request, name: _GameName, lang: Language) -> str:
    """The rule sheet of a game as Markdown, in a language if available, otherwise in the first."""
    try:
        return get_services(request).texts.rule_sheet(name, lang)
    except GameError as error:
        raise ApiError("not_found", str(error)) from error


def game_routes() -> list[Endpoint]:
    """The routes for games."""
    return [list_games, game_texts, rule_sheet]


def build_game_catalogue(
    bots: Mapping[str, Sequence[str]], games_with_hints: Collection[str], warmup: BotWarmup
) -> list[bodies.GameInfo]:
    """The description of all games.

    Args:
        bots: the bots that play each game.
        games_with_hints: the games with hints.
        warmup: tells which bots are ready.
    """
    return [
        _game_info(Game(name, {}), bots[name], warmup, hints=name in games_with_hints)
        for name in sorted(REGISTRY)
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

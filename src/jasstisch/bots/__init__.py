"""Bots (computer players): their registry and the lookup of a bot by its name.

This package decides where bots come from: the built-in ones, and those that other packages offer in
the entry-point group `jasstisch.bots`. A bot sits behind a seat like any other player. It receives
the view of its seat, the legal actions and a random generator, and nothing else.

It does not decide the rules of any game, nor which bots an operator or a person may start:
`jasstisch.bots.resolver` loads bots from a file or a program, for the command line only. Modules of
bots are imported on first use.

Begin with `api`, then `greedy` (heuristics) and `searching` (search).
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from jasstisch.bots.api import Bot, View
from jasstisch.bots.calls import BotExitError, call, choose_action
from jasstisch.engine.errors import GameError, did_you_mean, quote
from jasstisch.extras import MissingExtraError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "DEFAULT_BOTS",
    "ENTRY_POINT_GROUP",
    "STRENGTH_ORDER",
    "Bot",
    "BotExitError",
    "UnknownBotError",
    "View",
    "bot",
    "bots",
    "choose_action",
    "default_bot",
    "prepare",
    "strength_order",
    "supports",
    "without_clock",
]

ENTRY_POINT_GROUP = "jasstisch.bots"
"""The entry-point group in which other packages offer bots."""

BUILT_IN = {
    "club": ("jasstisch.bots.searching", "ClubBot"),
    "greedy": ("jasstisch.bots.greedy", "GreedyBot"),
    "master": ("jasstisch.bots.searching", "MasterBot"),
    "random": ("jasstisch.bots.random_bot", "RandomBot"),
    "sociable": ("jasstisch.bots.sociable", "SociableBot"),
}
"""Module and class of each bot that comes with Jasstisch."""

STRENGTH_ORDER = ("random", "sociable", "greedy", "club", "master")
"""The names of the built-in bots from the weakest to the strongest; not all support every game."""

DEFAULT_BOTS = ("sociable", "greedy", "random")
"""The bots used when none is named: the first of these that supports the game."""


class UnknownBotError(GameError):
    """No bot of this name exists, neither built-in nor in another package."""


def bot(name: str) -> Bot:
    """Returns the bot of this name.

    Built-in names come first; another package cannot take them over.

    Raises:
        UnknownBotError: there is no such bot; the message lists the known ones.
        GameError: the package that offers the bot is broken, or the bot needs an extra that is
            missing; the message says what is wrong or what to install.
    """
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name]
        try:
            factory = getattr(import_module(module), attribute)
        except MissingExtraError as error:
            raise GameError(f"bot {name!r} cannot play here: {error}") from error
        return _make_validated(name, factory, "jasstisch")
    offers = [offer for offer in _entry_points() if offer.name == name]
    if not offers:
        known = bots()
        near = did_you_mean(name, known)
        raise UnknownBotError(f"unknown bot {quote(name)}; the bots are {', '.join(known)}{near}")
    sources = sorted({_describe_source(offer) for offer in offers})
    if len(sources) > 1:
        raise GameError(f"bot {name!r} is offered more than once: by {' and by '.join(sources)}")
    try:
        factory = offers[0].load()
    except (Exception, SystemExit) as error:
        raise GameError(f"bot {name!r} of {sources[0]} cannot be loaded: {error!r}") from error
    return _make_validated(name, factory, sources[0])


def bots() -> tuple[str, ...]:
    """The names of all bots, built in or offered by other packages, in alphabetical order."""
    return tuple(sorted({*BUILT_IN, *(offer.name for offer in _entry_points())}))


def supports(player: Bot, game: str) -> bool:
    """Whether a bot plays the game of this name; a bot without `games` plays all of them."""
    return game in tuple(getattr(player, "games", (game,)))


def strength_order(game: str) -> tuple[str, ...]:
    """The names of those bots in `STRENGTH_ORDER` that support a game, from weak to strong."""
    return tuple(name for name in STRENGTH_ORDER if supports(bot(name), game))


def default_bot(game: str) -> Bot:
    """The bot that plays a game when no bot is named."""
    return next(player for player in map(bot, DEFAULT_BOTS) if supports(player, game))


def prepare(player: Bot, game: str) -> None:
    """Prepares a bot for a game, if the bot has anything to prepare."""
    own = getattr(player, "prepare", None)
    if own is not None:
        call(own, game)


def without_clock(player: Bot) -> Bot:
    """The same bot without a time limit, so that equal seeds give equal moves on every machine."""
    own: Callable[[], Bot] | None = getattr(player, "without_clock", None)
    return call(own) if own else player


def _entry_points() -> "list[EntryPoint]":
    # Reading the installed packages takes longer than importing all of Jasstisch.
    from importlib.metadata import entry_points  # noqa: PLC0415 - only when it is needed

    return list(entry_points(group=ENTRY_POINT_GROUP))


def _describe_source(offer: "EntryPoint") -> str:
    return f"{offer.value} of {offer.dist.name}" if offer.dist else offer.value


def _make_validated(name: str, factory: object, source: str) -> Bot:
    """Instantiates the bot from a factory; it must carry the name under which it is offered."""
    from jasstisch.bots.validation import instantiate  # noqa: PLC0415 - only when it is needed

    found = instantiate(factory, f"bot {name!r} of {source}")
    if found.name != name:
        raise GameError(f"bot {name!r} of {source} calls itself {quote(found.name)}")
    return found

"""What is thought beside the server: functions that a worker in another process finds."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from jasstisch.bots import Bot, bot, bots
from jasstisch.errors import GameError

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["choose", "hint", "players", "prepare"]

LADDER = ("random", "greedy", "club", "master")
"""The project's own computer players, from the weakest to the strongest."""

_chance = SystemRandom()


def choose(
    find_bot: Callable[[str], Bot], name: str, view: dict[str, Any], legal: Sequence[str]
) -> str:
    """The action a computer player chooses."""
    return find_bot(name).act(view, legal, _chance)


def hint(view: dict[str, Any], legal: Sequence[str]) -> "Hint":
    """What a strong player would do, and why."""
    # The server's own process has no use for all that analysis needs.
    from jasstisch import analysis  # noqa: PLC0415

    return analysis.hint(view, legal, _chance)


def players(games: Sequence[str]) -> dict[str, list[str]]:
    """The computer players that know each game: our own from weak to strong, then the others."""
    found: dict[str, list[str]] = {game: [] for game in games}
    others = [name for name in bots() if name not in LADDER]
    for name in (*LADDER, *others):
        with suppress(GameError):  # one that cannot be loaded
            # A player that does not say which games it knows is taken to know them all.
            for game in getattr(bot(name), "games", games):
                found.get(game, []).append(name)
    return found


def prepare() -> None:
    """Loads all computer players."""
    for name in bots():
        with suppress(GameError):  # a broken one says so where it is asked to play
            bot(name)

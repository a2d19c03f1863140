"""What is thought beside the server: functions that a worker in another process finds."""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import jasstisch as jt
from jasstisch.bots import LADDER, Bot, bot, bots
from jasstisch.bots import prepare as make_ready

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["choose", "hint", "players", "prepare"]

NOTICED = 5.0
"""Seconds after which whoever waits wants to know what for."""

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
        with suppress(Exception):  # one that cannot be loaded, or speaks nonsense
            # A player that does not say which games it knows is taken to know them all.
            for game in tuple(getattr(bot(name), "games", games)):
                found.get(game, []).append(name)
    return found


def prepare() -> None:
    """Makes all computer players ready; what has never been compiled on this machine takes long."""
    from jasstisch.bots.searching import prepare as prepare_searching  # noqa: PLC0415 - as above

    told = _Compiling()
    prepare_searching(told)
    told.end()
    for game, names in players(jt.games()).items():
        for name in names:
            with suppress(Exception):  # a broken one says so where it is asked to play
                make_ready(bot(name), game)


class _Compiling:
    """Tells the host how far the computer players are prepared, once that takes long."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._line = sys.stderr.isatty()
        self._told = False

    def __call__(self, game: str, done: int, total: int) -> None:
        if time.monotonic() - self._began > NOTICED:
            text = f"Preparing the computer players, once on this machine: {done} of {total} games"
            sys.stderr.write(f"\r{text}" if self._line else f"{text}\n")
            sys.stderr.flush()
            self._told = True

    def end(self) -> None:
        """Makes way for whatever is told next."""
        if self._told and self._line:
            sys.stderr.write("\n")

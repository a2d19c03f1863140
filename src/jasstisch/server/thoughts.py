"""What is thought beside the server: functions that a worker in another process finds."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import SystemRandom
from typing import Any

from jasstisch.bots import Bot, bot, bots
from jasstisch.errors import GameError

__all__ = ["choose", "prepare"]

_chance = SystemRandom()


def choose(
    find_bot: Callable[[str], Bot], name: str, view: dict[str, Any], legal: Sequence[str]
) -> str:
    """The action a computer player chooses."""
    return find_bot(name).act(view, legal, _chance)


def prepare() -> None:
    """Loads all computer players."""
    for name in bots():
        with suppress(GameError):  # a broken one says so where it is asked to play
            bot(name)

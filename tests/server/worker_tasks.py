"""Thoughts for other processes to think, in a module they can import quickly."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from jasstisch.bots import Bot


def pid() -> int:
    """The number of the process that thinks."""
    return os.getpid()


def exit_process() -> None:
    """Ends the process that thinks."""
    os._exit(3)


def hang() -> None:
    """Thinks longer than anybody waits."""
    time.sleep(600)


def fail_with_card(card: str) -> None:
    """Fails with a message that names a card."""
    raise KeyError(card)


def return_unpicklable() -> Callable[[], int]:
    """What another process cannot be told."""
    return lambda: 1


class CrashingBot:
    """A computer player whose process dies of its first card in every deal."""

    name = "greedy"

    def act(self, view: Mapping[str, object], legal: Sequence[str], rng: Random) -> str:
        if not view["tricks"]:
            os._exit(3)
        return legal[0]


def find_crashing_bot(name: str) -> Bot:
    """Finds nobody else."""
    return CrashingBot()

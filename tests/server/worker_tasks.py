"""Tasks for worker processes, in a module that imports quickly."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from jasstisch.bots import Bot


def pid() -> int:
    """The id of the worker process."""
    return os.getpid()


def exit_process() -> None:
    """Ends the worker process."""
    os._exit(3)


def hang() -> None:
    """Runs longer than any timeout."""
    time.sleep(600)


def fail_with_card(card: str) -> None:
    """Raises an error whose message names a card."""
    raise KeyError(card)


def return_unpicklable() -> Callable[[], int]:
    """Returns a value that cannot be pickled."""
    return lambda: 1


class CrashingBot:
    """A bot that kills its process at its first card of every deal."""

    name = "greedy"

    def act(self, view: Mapping[str, object], legal: Sequence[str], rng: Random) -> str:
        if not view["tricks"]:
            os._exit(3)
        return legal[0]


def find_crashing_bot(name: str) -> Bot:
    """Finds this bot only."""
    return CrashingBot()

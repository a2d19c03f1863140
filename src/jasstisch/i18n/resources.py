"""Where the sheets and words of a game lie: ours in this package, others beside the game's module.

The files of a game begin with its name: `ramsch.en.md` is its rule sheet in English,
`ramsch.de.json` its words in German, and `ramsch.json` holds what is the same in every language.
"""

import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from jasstisch.games.rules import REGISTRY

__all__ = ["games_with", "read_text"]

BUILT_IN_PREFIX = "jasstisch.games."
"""How the names of the modules of our own games begin."""


def read_text(game: str, rest: str) -> str | None:
    """The text of a file of a game, None where there is none.

    Args:
        game: the name of a game.
        rest: what the file's name has after the game's and a dot, such as `en.md`.
    """
    folder = _folder(game)
    file = None if folder is None else folder.joinpath(f"{game}.{rest}")
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None


def games_with(rest: str) -> tuple[str, ...]:
    """The games that have such a file, in alphabetical order."""
    return tuple(game for game in sorted(REGISTRY) if read_text(game, rest) is not None)


def _folder(game: str) -> Traversable | None:
    """Where the files of a game lie; None for one that comes from no module."""
    if game not in REGISTRY:
        return None
    name = REGISTRY[game].__module__
    if name.startswith(BUILT_IN_PREFIX):
        return files("jasstisch.games").joinpath("texts", game)
    module = sys.modules.get(name)
    if module is None:
        return None
    package = name if hasattr(module, "__path__") else name.rpartition(".")[0]
    if package:
        return files(package)
    # A module that stands alone, which importlib.resources knows only from Python 3.12 on.
    return Path(module.__file__).parent if module.__file__ else None

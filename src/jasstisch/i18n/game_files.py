"""The location of a game's text files: in `games/texts`, or beside the module of another package.

The files of a game begin with its name: `ramsch.en.md` is its rule sheet in English,
`ramsch.de.json` its texts in German, and `ramsch.json` its metadata in no language.
"""

import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from jasstisch.games.rules import REGISTRY

_BUILT_IN_PREFIX = "jasstisch.games."
"""The prefix of the module names of built-in games."""


def read_text(game: str, rest: str) -> str | None:
    """The content of a file of a game, None where it does not exist.

    Args:
        game: the name of a game.
        rest: the part of the file name after the name of the game and a dot, such as `en.md`.
    """
    folder = _folder(game)
    file = None if folder is None else folder.joinpath(f"{game}.{rest}")
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None


def games_with_file(rest: str) -> tuple[str, ...]:
    """The games that have a file with this ending, in alphabetical order."""
    return tuple(game for game in sorted(REGISTRY) if read_text(game, rest) is not None)


def _folder(game: str) -> Traversable | None:
    """The folder with the files of a game; None for a game without a module."""
    if game not in REGISTRY:
        return None
    name = REGISTRY[game].__module__
    if name.startswith(_BUILT_IN_PREFIX):
        return files("jasstisch.games").joinpath("texts", game)
    module = sys.modules.get(name)
    if module is None:
        return None
    package = name if hasattr(module, "__path__") else name.rpartition(".")[0]
    if package:
        return files(package)
    # A top-level module outside a package; importlib.resources supports these from Python 3.12 on.
    return Path(module.__file__).parent if module.__file__ else None

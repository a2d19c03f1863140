"""Games from elsewhere, that are games of this house only while a test has them as its guests.

One is built by docs/adding-a-game.md; the other, `bock`, has a phase, an option and figures that no
room of the house has words for.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from jasstisch.games.rules import REGISTRY

__all__ = ["BOCK", "PAGE", "blocks", "visiting"]

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
"""The page that builds a game."""

BOCK = Path(__file__).parent / "bock.py"
"""The module of the other one."""


def blocks() -> list[str]:
    """The pieces of Python on the page: the game, and its test."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@contextmanager
def visiting(file: Path) -> Iterator[str]:
    """The game of a module, for as long as it is a guest; its name is that of the file."""
    name = file.stem
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        yield name
    finally:
        REGISTRY.pop(name, None)
        del sys.modules[name]

"""Games from elsewhere, that are games of this house only while a test has them as its guests.

Two are built by docs/adding-a-game.md; `bock` has a phase, an option and figures that no room of
the house has words for; `elster` has the words of the house for things of its own.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from jasstisch.games.rules import REGISTRY

__all__ = [
    "BOCK",
    "ELSTER",
    "EXAMPLE_PAGE",
    "python_blocks",
    "registered_game",
    "write_all_packages",
    "write_package",
]

EXAMPLE_PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
"""The page that builds a game."""

BOCK = Path(__file__).parent / "bock.py"
"""The module of the one with words of its own."""

ELSTER = Path(__file__).parent / "elster.py"
"""The module of a game whose views have the keys of all others, which mean something else there."""

WORDS = Path(__file__).parent / "words"
"""Words and a rule sheet for it, which it brings only where it comes as a package."""


def python_blocks() -> list[str]:
    """The pieces of Python on the page: the game, its test, and a game with an auction."""
    return re.findall(r"```python\n(.*?)```", EXAMPLE_PAGE.read_text(encoding="utf-8"), re.DOTALL)


@contextmanager
def registered_game(file: Path) -> Iterator[str]:
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


def write_package(folder: Path, files: Mapping[str, str], **offers: str) -> Path:
    """Lays a package from elsewhere into a folder, as an installation would.

    Args:
        folder: a folder that then belongs on the path of Python.
        files: the texts of its files by their names.
        offers: its entry points in the group `jasstisch.games`.
    """
    info = folder / "guests-1.0.dist-info"
    info.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    named = "".join(f"{name} = {module}\n" for name, module in offers.items())
    (info / "entry_points.txt").write_text(f"[jasstisch.games]\n{named}", encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n")
    return folder


def write_all_packages(folder: Path) -> Path:
    """The games as a package from elsewhere: two without words, `bock` with words and a sheet."""
    words = {file.name: file.read_text(encoding="utf-8") for file in WORDS.iterdir()}
    ramsch, _, steigern = python_blocks()
    modules = {"ramsch": ramsch, "steigern": steigern, "bock": BOCK.read_text(encoding="utf-8")}
    files = {f"{name}.py": text for name, text in modules.items()}
    return write_package(folder, files | words, **{name: name for name in modules})

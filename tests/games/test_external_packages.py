"""Games of other packages: a broken one hides no other game, and an error says what is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import jasstisch as jt
from tests.guests import BOCK, write_package

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.outside

LIST_GAMES = """
import jasstisch as jt
from jasstisch.games.rules import REGISTRY
print(*jt.games())
print(*REGISTRY.load_entry_points().values())
"""
LOAD_GAMES = """
import sys
import jasstisch as jt
jt.game("jass")
assert "bock" not in sys.modules
print(jt.game("bock").name, jt.Match.from_record(jt.Match(jt.game("bock")).record()).game.name)
"""


@pytest.fixture
def python(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python that finds the packages in a folder of this test."""
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def run(python: dict[str, str], *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *words], env=python, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_game_of_another_package_is_listed(tmp_path: Path, python: dict[str, str]) -> None:
    write_package(tmp_path, {"bock.py": BOCK.read_text(encoding="utf-8")}, bock="bock")
    status, games, _ = run(python, "-c", LIST_GAMES)
    assert (status, games.split()) == (0, sorted([*jt.games(), "bock"]))


def test_other_packages_are_imported_only_for_unknown_names(
    tmp_path: Path, python: dict[str, str]
) -> None:
    write_package(tmp_path, {"bock.py": BOCK.read_text(encoding="utf-8")}, bock="bock")
    assert run(python, "-c", LOAD_GAMES) == (0, "bock bock\n", "")


def test_broken_packages_hide_no_other_game_and_are_reported(
    tmp_path: Path, python: dict[str, str]
) -> None:
    code = BOCK.read_text(encoding="utf-8")
    files = {
        "bock.py": code,
        "broken.py": code.replace('name="bock"', 'name="half"') + "\nraise ValueError(7)\n",
        "thief.py": code.replace('name="bock"', 'name="jass"'),
        "empty.py": "",
    }
    offers = {name: name for name in ("bock", "broken", "empty", "missing", "thief")}
    write_package(tmp_path, files, **offers)
    status, said, _ = run(python, "-c", LIST_GAMES)
    assert status == 0
    games, faults = said.splitlines()
    assert games.split() == sorted([*jt.games(), "bock"])
    for fault in (
        "game 'broken' of broken of guests cannot be loaded: ValueError(7)",
        "game 'empty' of empty of guests is no game: its module has no class with a name",
        "game 'missing' of missing of guests cannot be loaded: ModuleNotFoundError",
        "game 'thief' of thief of guests cannot be registered: the name 'jass' is taken: ",
    ):
        assert fault in faults
    status, _, errors = run(python, "-m", "jasstisch", "play", "missing")
    assert status == 2
    assert "jasstisch: game 'thief' of thief of guests cannot be registered" in errors
    assert errors.splitlines()[-1].startswith("jasstisch: game 'missing' of missing of guests")
    status, whose, _ = run(
        python, "-c", "import jasstisch as jt; print(jt.game('jass').rules.__module__)"
    )
    assert whose == "jasstisch.games.handjass\n"

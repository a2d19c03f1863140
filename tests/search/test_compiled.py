"""Compiled code is found again, in a folder that changes with the sources."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jasstisch.search import compiled

PROBE = """
import random
from jasstisch.search import chance
print(chance.number(chance.stream(random.Random(1)), 1000))
print(sum(chance.number.stats.cache_hits.values()))
"""


def run(cache: Path) -> list[str]:
    """A fresh interpreter that calls a kernel: what it found, and how often in the cache."""
    environment = dict(os.environ, JASSTISCH_CACHE=str(cache))
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_later_process_finds_what_an_earlier_one_compiled(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert int(first[1]) == 0
    assert int(second[1]) > 0
    assert first[0] == second[0]


def test_the_folder_is_named_after_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed rule finds nothing that was compiled from the old one."""
    rules = tmp_path / "tricks.py"
    rules.write_text("RANKS = 9")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    names = []
    for text in ("RANKS = 9", "RANKS = 10", "RANKS = 9"):
        rules.write_text(text)
        compiled.folder_of_sources.cache_clear()
        names.append(compiled.folder_of_sources())
    compiled.folder_of_sources.cache_clear()
    assert names[0] == names[2] != names[1]


def test_the_cache_lies_where_the_user_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JASSTISCH_CACHE", str(tmp_path / "own"))
    assert compiled.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("JASSTISCH_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert compiled.cache_folder() == tmp_path / "cache" / "jasstisch"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert compiled.cache_folder() == Path.home() / "Library" / "Caches" / "jasstisch"


def test_a_kernel_leaves_the_cache_of_other_packages_alone() -> None:
    before = compiled.config.CACHE_DIR
    compiled.kernel(lambda cards: cards)
    assert before == compiled.config.CACHE_DIR

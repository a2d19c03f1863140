"""Compiled code is cached in a folder that depends on its sources, and frees its arrays."""

import gc
import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

import jasstisch.bench
import jasstisch.env
import jasstisch.search
from jasstisch.bots.searching.registry import supported_games
from jasstisch.bots.searching.warmup import _play_warmup_round
from jasstisch.games.rules import Game
from jasstisch.search.jit import compiler

PROBE = """
import random
from jasstisch.search.jit import prng
print(prng.randbelow(prng.new_stream(random.Random(1)), 1000))
print(sum(prng.randbelow.stats.cache_hits.values()))
"""


def run(cache: Path) -> list[str]:
    """Calls a kernel in a fresh interpreter; returns its result and the number of cache hits."""
    environment = dict(os.environ, JASSTISCH_CACHE=str(cache))
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.outside
def test_second_process_loads_compiled_code_from_the_cache(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert int(first[1]) == 0
    assert int(second[1]) > 0
    assert first[0] == second[0]


def test_cache_folder_name_changes_with_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code compiled from an old rule is not found after the rule changes."""
    rules = tmp_path / "engine" / "tricks.py"
    rules.parent.mkdir()
    rules.write_text("RANKS = 9")
    monkeypatch.setattr(compiler, "_PACKAGE_ROOT", tmp_path)
    names = []
    for text in ("RANKS = 9", "RANKS = 10", "RANKS = 9"):
        rules.write_text(text)
        compiler.source_hash_folder.cache_clear()
        names.append(compiler.source_hash_folder())
    compiler.source_hash_folder.cache_clear()
    assert names[0] == names[2] != names[1]


def test_hashed_sources_contain_every_function_used_by_kernels() -> None:
    sources = {
        file for one in compiler._SOURCE_PATTERNS for file in compiler._PACKAGE_ROOT.glob(one)
    }
    built_from = {
        Path(called.__code__.co_filename)
        for _, function in kernels()
        for called in called_by(function)
        if isinstance(called, FunctionType) and called.__module__.startswith("jasstisch")
    }
    assert compiler._PACKAGE_ROOT / "games" / "evaluation" / "hand_evaluation.py" in built_from
    assert built_from <= sources


def test_cache_folder_follows_environment_variables_and_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JASSTISCH_CACHE", str(tmp_path / "own"))
    assert compiler.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("JASSTISCH_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert compiler.cache_folder() == tmp_path / "cache" / "jasstisch"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert compiler.cache_folder() == Path.home() / "Library" / "Caches" / "jasstisch"


def test_kernel_does_not_change_the_global_cache_folder_of_numba() -> None:
    before = compiler._numba_config.CACHE_DIR
    compiler.kernel(lambda cards: cards)
    assert before == compiler._numba_config.CACHE_DIR


def kernels() -> Iterator[tuple[str, Any]]:
    """All compiled functions of the package, by name."""
    for package in (jasstisch.search, jasstisch.env, jasstisch.bench):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, thing in vars(importlib.import_module(module.name)).items():
                if isinstance(thing, Dispatcher) and thing.__module__ == module.name:
                    yield f"{module.name}.{name}", thing


def counts_references(function: Any) -> bool:
    return bool(function.targetoptions["_nrt"])


def holds_arrays(hint: Any) -> bool:
    if get_origin(hint) is tuple:
        return any(holds_arrays(part) for part in get_args(hint))
    if hasattr(hint, "_fields"):
        return any(holds_arrays(part) for part in get_type_hints(hint).values())
    return np.ndarray in (hint, get_origin(hint))


def returns_arrays(function: Any) -> bool:
    return holds_arrays(get_type_hints(function.py_func).get("return"))


def called_by(function: Any) -> Iterator[Any]:
    """The compiled functions that a compiled function names, of its module or of another one."""
    names = function.py_func.__code__.co_names
    known = function.py_func.__globals__
    for name in names:
        thing = known.get(name)
        if isinstance(thing, ModuleType):
            yield from (vars(thing).get(of) for of in names)
        else:
            yield thing


def test_kernels_without_reference_counting_neither_receive_nor_return_arrays() -> None:
    """A received array would never be freed, and a returned one would be freed while in use."""
    found = [(name, function) for name, function in kernels() if not counts_references(function)]
    assert len(found) > 100
    returning = [name for name, function in found if returns_arrays(function)]
    receiving = [
        name
        for name, function in found
        for called in called_by(function)
        if isinstance(called, Dispatcher) and returns_arrays(called)
    ]
    assert returning == receiving == []


def test_kernel_that_allocates_arrays_must_be_an_allocating_kernel() -> None:
    def undeclared(size: int) -> int:
        return len(np.zeros(size))

    def declared(size: int) -> int:  # a copy, for the cache would find the same code compiled
        return len(np.zeros(size))

    with pytest.raises(NumbaError, match="array passed into the function as argument"):
        compiler.kernel(undeclared)(3)
    assert compiler.allocating_kernel(declared)(3) == 3


def test_round_of_each_game_frees_all_allocated_arrays() -> None:
    """As many arrays are freed as allocated, once the permanent ones exist."""
    memory: Any = importlib.import_module("numba.core.runtime.nrt")
    memory._nrt.memsys_enable_stats()
    for name in supported_games():
        _play_warmup_round(Game(name, {}))
        before = memory.rtsys.get_allocation_stats()
        _play_warmup_round(Game(name, {}))
        gc.collect()
        after = memory.rtsys.get_allocation_stats()
        assert after.mi_alloc > before.mi_alloc
        assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free, name

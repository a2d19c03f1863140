"""How Python functions become machine code, and where that is kept.

`kernel` compiles a function with Numba so that it runs without the interpreter lock, and
`allocating_kernel` one that makes arrays of its own; `shared` lets kernels call the pure functions
of the rule book, which stay plain Python for everybody else. What was compiled is kept in the
user's cache folder, in a folder named after all sources a kernel may be built from: Numba itself
does not notice a change in a function that lives in another file.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as _config
from numba.extending import register_jitable

from jasstisch.engine import melds, tricks
from jasstisch.search.jit import intrinsics

__all__ = [
    "allocating_kernel",
    "cache_folder",
    "inlined_kernel",
    "jit_shared",
    "kernel",
    "source_hash_folder",
]  # fmt: skip

_Function = TypeVar("_Function", bound=Callable[..., Any])

numba_config: Any = _config

PACKAGE_ROOT = Path(__file__).resolve().parents[2]
SOURCE_PATTERNS = (
    "engine/*.py",
    "games/**/*.py",
    "search/**/*.py",
    "bots/greedy/*.py",
    "bots/position.py",
    "env/**/*.py",
    "bench/**/*.py",
)
"""All that kernels are compiled from, as patterns below the package."""

CACHE_ENVIRONMENT_VARIABLE = "JASSTISCH_CACHE"
"""The environment variable that names another cache folder."""


def cache_folder() -> Path:
    """Where compiled code is kept: the user's cache folder, or `$JASSTISCH_CACHE`."""
    chosen = os.environ.get(CACHE_ENVIRONMENT_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "jasstisch"


@cache
def source_hash_folder() -> str:
    """The folder for code compiled from just these sources."""
    about = f"{numba.__version__} {sys.implementation.cache_tag} {intrinsics.HAS_PDEP}"
    total = hashlib.sha256(about.encode())
    for pattern in SOURCE_PATTERNS:
        for file in sorted(PACKAGE_ROOT.glob(pattern)):
            total.update(file.relative_to(PACKAGE_ROOT).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return str(cache_folder() / "compiled" / total.hexdigest()[:16])


def kernel(function: _Function) -> _Function:
    """Compiles a function at its first call; it then runs without the interpreter lock.

    It works on the arrays it is given and neither makes any nor returns one: whoever calls it owns
    them, so that it need not count references to them. Counting them, so that it holds with several
    threads, took a fifth of the time of random rounds.

    Its compiled form is found again by later processes. Division is that of machine numbers:
    nothing in a kernel raises.
    """
    return _compiled(function, counts_references=False)


def allocating_kernel(function: _Function) -> _Function:
    """Compiles a function that makes arrays or returns them; otherwise as `kernel` does.

    A `kernel` may call it as long as no array comes back.
    """
    return _compiled(function, counts_references=True)


def inlined_kernel(function: _Function) -> _Function:
    """Compiles a function into each kernel that calls it; otherwise as `kernel` does.

    For what is called in the innermost loops with many arguments, which cost more than they do.
    """
    return _compiled(function, counts_references=False, inlined=True)


def _compiled(function: _Function, *, counts_references: bool, inlined: bool = False) -> _Function:
    # Numba names `_nrt` where it explains how to extend it, but not among its types.
    options: dict[str, Any] = {
        "error_model": "numpy",
        "_nrt": counts_references,
        "forceinline": inlined,
    }
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = (
        source_hash_folder()
    )  # asked for while the decorator runs, and only then
    try:
        return cast("_Function", numba.njit(nogil=True, cache=True, **options)(function))
    finally:
        numba_config.CACHE_DIR = before


def jit_shared(*functions: Callable[..., Any]) -> None:
    """Lets kernels call these pure functions; they are compiled with the kernel."""
    for function in functions:
        register_jitable(function)


jit_shared(
    tricks.legal_cards,
    tricks.beats,
    tricks.lay,
    tricks.trump_after,
    tricks.points,
    tricks.card_points,
    melds.first_run,
    melds.molotov_points,
    melds.rank_of_four,
    melds.weis_points,
    melds.weis_strength,
    melds.first_weis,
    melds.weis_worth,
    melds.best_fours,
)

"""Compilation of Python functions to machine code with Numba, and its cache on disk.

`kernel` compiles a function so that it runs without the interpreter lock (GIL), and
`allocating_kernel` one that allocates arrays; `jit_shared` lets kernels call the pure functions of
the rules, which remain plain Python for all other callers. Compiled code is cached in the user's
cache folder, in a folder named after a hash of all sources that kernels may be built from: Numba
itself does not notice a change in a function of another file.
"""

import hashlib
import logging
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as _config
from numba.core import event as _event
from numba.extending import register_jitable

from jasstisch.engine import melds, tricks
from jasstisch.search.jit import intrinsics

_Function = TypeVar("_Function", bound=Callable[..., Any])

_numba_config: Any = _config

_PACKAGE_ROOT = Path(__file__).resolve().parents[2]
_SOURCE_PATTERNS = (
    "engine/*.py",
    "games/**/*.py",
    "search/**/*.py",
    "bots/greedy/*.py",
    "bots/position.py",
    "env/**/*.py",
    "bench/**/*.py",
)
"""The sources of kernels, as patterns relative to the package."""

_CACHE_ENVIRONMENT_VARIABLE = "JASSTISCH_CACHE"
"""The environment variable that names another cache folder."""


def cache_folder() -> Path:
    """The folder for compiled code: the user's cache folder, or `$JASSTISCH_CACHE`."""
    chosen = os.environ.get(_CACHE_ENVIRONMENT_VARIABLE)
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
    """The name of the folder for code compiled from the present sources."""
    about = f"{numba.__version__} {sys.implementation.cache_tag} {intrinsics.HAS_PDEP}"
    total = hashlib.sha256(about.encode())
    for pattern in _SOURCE_PATTERNS:
        for file in sorted(_PACKAGE_ROOT.glob(pattern)):
            total.update(file.relative_to(_PACKAGE_ROOT).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return str(cache_folder() / "compiled" / total.hexdigest()[:16])


def kernel(function: _Function) -> _Function:
    """Compiles a function at its first call; it then runs without the interpreter lock.

    A kernel works on the arrays it is given and neither allocates nor returns any. Its callers own
    the arrays, so that the kernel need not count references to them. Reference counting that is
    safe with several threads took a fifth of the time of random rounds.

    Later processes load the compiled form from the cache. Division follows machine arithmetic:
    nothing in a kernel raises.
    """
    return _compiled(function, counts_references=False)


def allocating_kernel(function: _Function) -> _Function:
    """Compiles a function that allocates or returns arrays; otherwise like `kernel`.

    A `kernel` may call it if no array is returned.
    """
    return _compiled(function, counts_references=True)


def inlined_kernel(function: _Function) -> _Function:
    """Compiles a function into each kernel that calls it; otherwise like `kernel`.

    Use it for functions of many arguments in innermost loops, where a call costs more than the
    body.
    """
    return _compiled(function, counts_references=False, inlined=True)


def _compiled(function: _Function, *, counts_references: bool, inlined: bool = False) -> _Function:
    # Numba documents `_nrt` for extensions, but does not list it among its types.
    options: dict[str, Any] = {
        "error_model": "numpy",
        "_nrt": counts_references,
        "forceinline": inlined,
    }
    before = _numba_config.CACHE_DIR
    _numba_config.CACHE_DIR = (
        source_hash_folder()
    )  # asked for while the decorator runs, and only then
    try:
        return cast("_Function", numba.njit(nogil=True, cache=True, **options)(function))
    finally:
        _numba_config.CACHE_DIR = before


def register_jitable_functions(*functions: Callable[..., Any]) -> None:
    """Lets kernels call these pure functions; they are compiled together with the kernel."""
    for function in functions:
        register_jitable(function)


class _CompilationNotice(_event.Listener):
    """Logs a warning when the first kernel is compiled: the caller waits for it."""

    def __init__(self, log: logging.Logger, text: str) -> None:
        self._log, self._text, self._told = log, text, False

    def on_start(self, event: object) -> None:
        if not self._told:
            self._told = True
            self._log.warning(self._text)

    def on_end(self, event: object) -> None:
        """Nothing is to be said then."""


@cache
def warn_of_compilation() -> None:
    """Has a warning logged, once, when this process compiles a kernel instead of loading it."""
    text = (
        "compiling kernels for this machine, which takes up to half a minute once; "
        "`jasstisch prepare` does it ahead"
    )
    notice = _CompilationNotice(logging.getLogger("jasstisch"), text)
    _event.register("numba:compile", notice)  # type: ignore[no-untyped-call]


register_jitable_functions(
    tricks.legal_cards,
    tricks.beats,
    tricks.best_card_after,
    tricks.trump_after,
    tricks.points,
    tricks.card_points,
    melds.first_run,
    melds.molotov_points,
    melds.rank_of_four,
    melds.weis_points,
    melds.weis_strength,
    melds.next_meld,
    melds.split_value,
    melds.best_fours,
)

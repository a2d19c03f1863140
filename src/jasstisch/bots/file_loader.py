"""Loading of bots from Python files: `mybot.py:Low` is the class or function `Low` of that file.

A bot can so be tried without packaging it. The file is executed on every call, so that changes in
it take effect; it may import modules from its own folder.
"""

import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from jasstisch.bots.api import Bot
from jasstisch.bots.validation import format_error, instantiate
from jasstisch.engine.errors import GameError, quote, shorten

_EXTENSION = ".py"
_MAX_LISTED_NAMES = 12


def is_file_spec(what: str) -> bool:
    """Whether a text names a bot in a file, rather than a bot by its name."""
    return _split_spec(what)[0].endswith(_EXTENSION)


def absolute_spec(what: str) -> str:
    """The same specification with an absolute path, valid in every working directory."""
    path, name = _split_spec(what)
    return f"{Path(path).resolve()}:{name}"


def load_bot(what: str) -> Bot:
    """Loads a bot from a file.

    Args:
        what: `mybot.py:Low`, a path and the name of a class or function in it.

    Raises:
        GameError: the file has no such bot; the message says in one sentence what is missing.
    """
    path, name = _split_spec(what)
    module = _load_module(path)
    own = {key: item for key, item in vars(module).items() if _is_candidate(key, item, module)}
    there = f"{path} offers {_summarize(own)}"
    if not name:
        raise GameError(
            f"name a class after the file, as in {path}:{next(iter(own), 'Low')}; {there}"
        )
    if not hasattr(module, name):
        raise GameError(f"{path} has no {quote(name)}; {there}")
    return instantiate(getattr(module, name), shorten(what))


def _split_spec(what: str) -> tuple[str, str]:
    """Splits a specification into path and name; the name is empty if only a file is given."""
    path, colon, name = what.rpartition(":")
    return (path, name) if colon and not name.endswith(_EXTENSION) else (what, "")


def _load_module(path: str) -> ModuleType:
    """Executes a file and returns it as a module.

    Raises:
        GameError: there is no such file, or running it fails.
    """
    place = Path(path).resolve()
    if not place.is_file():
        raise GameError(f"there is no file {shorten(path)}")
    name = f"jasstisch_bot:{place}"  # cannot clash with the name of an importable module
    spec = spec_from_file_location(name, place)
    assert spec is not None  # Python knows a loader for `.py`
    assert spec.loader is not None
    module = module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up there
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))  # last, so that nothing installed is hidden
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise GameError(
            f"{path} cannot be run: {format_error(error)}{_error_location(error, place)}"
        ) from error
    return module


def _error_location(error: BaseException, place: Path) -> str:
    """The line of a file in which an error occurred, as the end of a sentence."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(place)
    ]
    return f" (line {lines[-1]})" if lines else ""


def _is_candidate(name: str, item: object, module: ModuleType) -> bool:
    """Whether an attribute of a module may be a bot: a public class or function defined there."""
    return (
        callable(item)
        and not name.startswith("_")
        and getattr(item, "__module__", None) == module.__name__
    )


def _summarize(names: dict[str, object]) -> str:
    """Lists the first names and says how many more there are."""
    shown = ", ".join(list(names)[:_MAX_LISTED_NAMES])
    more = len(names) - _MAX_LISTED_NAMES
    return (f"{shown} and {more} more" if more > 0 else shown) or "no class and no function"

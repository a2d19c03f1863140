"""Takes a check out of the code of the honest device, to see what it stops."""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

ROOT = Path(__file__).parents[3]
TYPESCRIPT = ROOT / "web/src/features/fairness"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to the source of a module.

    Attributes:
        module: the name of the Python module, or the name of the TypeScript file.
        old: a text that occurs once in it.
        new: the text in its place.
    """

    module: str
    old: str
    new: str

    def applied_to(self, source: str) -> str:
        """The source with this change.

        Raises:
            ValueError: the text does not occur once in it.
        """
        if source.count(self.old) != 1:
            raise ValueError(f"{self.module} has {source.count(self.old)} times: {self.old}")
        return source.replace(self.old, self.new)


@contextmanager
def edited(edit: Edit) -> Iterator[None]:
    """Runs the functions of a Python module with a change to its source."""
    module = import_module(edit.module)
    path = Path(str(module.__file__))
    source = edit.applied_to(path.read_text(encoding="utf-8"))
    changed = ModuleType(module.__name__)
    changed.__file__ = str(path)
    exec(compile(source, str(path), "exec"), changed.__dict__)  # noqa: S102 - it is our own source
    ours, theirs = _functions(module), _functions(changed)
    before: dict[str, CodeType] = {name: function.__code__ for name, function in ours.items()}
    try:
        for name, function in ours.items():
            function.__code__ = theirs[name].__code__
        yield
    finally:
        for name, function in ours.items():
            function.__code__ = before[name]


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    """The functions and methods that a module defines, by qualified name."""
    found: dict[str, FunctionType] = {}
    for value in vars(module).values():
        members = [value, *vars(value).values()] if isinstance(value, type) else [value]
        for member in members:
            function = _function_of(member)
            if function is not None and function.__code__.co_filename == module.__file__:
                found[function.__qualname__] = function
    return found


def _function_of(member: object) -> FunctionType | None:
    if isinstance(member, property):
        member = member.fget
    if isinstance(member, classmethod | staticmethod):
        member = member.__func__
    return member if isinstance(member, FunctionType) else None


PYTHON_MODULES = (
    "deal_contributor",
    "encoding",
    "evidence",
    "json_validation",
    "messages",
    "participant",
    "shuffle",
    "verifier",
)
"""The modules of `jasstisch.fairness` that run on a device; the others are the server's."""


def python_checks() -> list[Edit]:
    """For each check of the Python device a change that takes it out: each `raise FairError`."""
    found = []
    for name in PYTHON_MODULES:
        source = (ROOT / f"src/jasstisch/fairness/{name}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Raise) and "FairError(" in ast.unparse(node):
                text = str(ast.get_source_segment(source, node))
                start = source.index(text)
                end = start + len(text)
                found.append(_removal(f"jasstisch.fairness.{name}", source, start, end, "pass"))
    return found


def typescript_checks() -> list[Edit]:
    """For each check of the TypeScript device a change that takes it out."""
    found = []
    for path in sorted(TYPESCRIPT.glob("*.ts")):
        if ".test." not in path.name:
            source = path.read_text(encoding="utf-8")
            throws = re.finditer(r"throw new FairError\(.*?\);", source, re.DOTALL)
            found += [
                _removal(path.name, source, throw.start(), throw.end(), ";") for throw in throws
            ]
    return found


def _removal(module: str, source: str, start: int, end: int, new: str) -> Edit:
    """Puts another text in a place, together with as much before it as occurs once."""
    first = start
    while source.count(source[first:end]) > 1:
        first -= 1
    return Edit(module, source[first:end], source[first:start] + new)


def check_saying(checks: Sequence[Edit], module: str, text: str) -> Edit:
    """The one check of a module whose error has this text.

    Raises:
        ValueError: there is none, or more than one.
    """
    found = [one for one in checks if one.module.endswith(module) and text in one.old]
    if len(found) != 1:
        raise ValueError(f"{module} has {len(found)} checks that say: {text}")
    return found[0]

"""Docstrings name existing attributes, arguments and exceptions."""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    [*(ROOT / "src" / "jasstisch").rglob("*.py"), *(ROOT / "tests").rglob("*.py")],
    key=lambda path: path.relative_to(ROOT),
)
ENTRY = re.compile(r"^    ([\w.*]+(?:, [\w.*]+)*)(?: \(.*\))?:", re.MULTILINE)
CLASS = re.compile(r"^ *class (\w+)", re.MULTILINE)


def documented(docstring: str | None, section: str) -> Iterator[str]:
    """The names that a section of a docstring describes."""
    _, found, rest = (docstring or "").partition(f"{section}:\n")
    if found:
        for names in ENTRY.findall(rest.split("\n\n")[0]):
            yield from (name.lstrip("*") for name in names.split(", "))


def members(node: ast.ClassDef) -> set[str]:
    """The names that a class defines or assigns, in its body and in its methods."""
    found = {one.name for one in ast.walk(node) if isinstance(one, ast.FunctionDef)}
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            found.add(one.id)
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            found.add(one.attr)
    return found


def arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of the arguments of a function."""
    return {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}


def imports(tree: ast.AST) -> set[str]:
    """The names that a module imports, and the packages from which it does."""
    found = set()
    for one in ast.walk(tree):
        if isinstance(one, ast.Import | ast.ImportFrom):
            found |= {name.asname or name.name for name in one.names}
        if isinstance(one, ast.ImportFrom) and one.module is not None:
            found.add(one.module.partition(".")[0])
    return found


@pytest.fixture(scope="module")
def classes() -> set[str]:
    """The names of all classes, of the modules and built in."""
    texts = (module.read_text("utf-8") for module in MODULES)
    return {name for text in texts for name in CLASS.findall(text)} | set(dir(builtins))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_describe_existing_names(module: Path, classes: set[str]) -> None:
    wrong = []
    tree = ast.parse(module.read_text("utf-8"))
    known = classes | imports(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = set(documented(ast.get_docstring(node), "Attributes")) - members(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = set(documented(ast.get_docstring(node), "Args")) - arguments(node)
            raised = documented(ast.get_docstring(node), "Raises")
            names |= {name for name in raised if name.partition(".")[0] not in known}
        else:
            continue
        wrong += [f"line {node.lineno}: {node.name} has no {name}" for name in sorted(names)]
        for section in ("Attributes", "Args", "Raises"):
            times = Counter(documented(ast.get_docstring(node), section))
            twice = [name for name, count in times.items() if count > 1]
            wrong += [f"line {node.lineno}: {node.name} has {name} twice" for name in twice]
    assert not wrong, "\n".join(wrong)

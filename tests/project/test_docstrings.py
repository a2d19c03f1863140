"""Docstrings name existing attributes and arguments."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src" / "jasstisch").rglob("*.py"))
ENTRY = re.compile(r"^    ([\w*]+(?:, [\w*]+)*)(?: \(.*\))?:", re.MULTILINE)


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


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_describe_existing_names(module: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef):
            names = set(documented(ast.get_docstring(node), "Attributes")) - members(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = set(documented(ast.get_docstring(node), "Args")) - arguments(node)
        else:
            continue
        wrong += [f"line {node.lineno}: {node.name} has no {name}" for name in sorted(names)]
    assert not wrong, "\n".join(wrong)

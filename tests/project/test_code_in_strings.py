"""Python code in strings, which no type checker sees, imports names that exist."""

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "bench", "tools", "tests", "examples")
PAGE_SCRIPTS = ROOT / "web"
IMPORT = re.compile(
    r"^[ \t]*(from jasstisch[\w.]* import \w+(?:, \w+)*|import jasstisch[\w.]*)", re.MULTILINE
)
"""One line of an import; longer ones do not occur in strings."""


def imports_in_strings() -> list[tuple[str, str]]:
    """The imports of the package in string literals, each with its file."""
    found: set[tuple[str, str]] = set()
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            docstrings = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            found |= {
                (path.relative_to(ROOT).as_posix(), statement)
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
                for statement in IMPORT.findall(node.value)
            }
    for path in (PAGE_SCRIPTS / "scripts").rglob("*.ts"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT).as_posix()
        found |= {(name, statement) for statement in IMPORT.findall(text)}
    return sorted(found)


@pytest.mark.parametrize(("_place", "statement"), imports_in_strings())
def test_code_in_a_string_imports_what_exists(_place: str, statement: str) -> None:
    (node,) = ast.parse(statement).body
    if isinstance(node, ast.Import):
        for alias in node.names:
            importlib.import_module(alias.name)
        return
    assert isinstance(node, ast.ImportFrom)
    assert node.module
    module = importlib.import_module(node.module)
    for alias in node.names:
        if not hasattr(module, alias.name):
            importlib.import_module(f"{node.module}.{alias.name}")

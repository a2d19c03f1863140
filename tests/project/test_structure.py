"""The structure of the package: imports, sizes of folders, docstrings of packages.

An import counts wherever it stands: at the top of a module, in a function, under `TYPE_CHECKING`.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
ROOT = "jasstisch"
HANDING_ON = {"jasstisch.server.api.messages"}
"""Modules with an `__all__` because they hand on what others define."""
MAX_MODULES = 25
"""How many modules a folder may hold, its `__init__` not counted."""


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for file in sorted((SOURCE / ROOT).rglob("*.py")):
        parts = file.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def parsed(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(modules()[module].read_text("utf-8"))


def is_package(module: str) -> bool:
    """Whether this module is the `__init__` of a package."""
    return modules()[module].name == "__init__.py"


def imported(tree: ast.Module, known: Mapping[str, Path]) -> Iterator[tuple[str, int]]:
    """Each module of `known` that a module imports, with the line of the import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [
                inner if (inner := f"{node.module}.{alias.name}") in known else node.module
                for alias in node.names
            ]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name in known)


@cache
def imports() -> Mapping[str, Mapping[str, int]]:
    """For each module, the modules that it imports, each with the line of its first import."""
    found: dict[str, dict[str, int]] = {}
    for module in modules():
        lines: dict[str, int] = {}
        for name, line in imported(parsed(module), modules()):
            if name != module:
                lines.setdefault(name, line)
        found[module] = lines
    return found


def reachable(graph: Mapping[str, Mapping[str, int]], start: str) -> set[str]:
    """All nodes to which a path leads from `start`."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()].keys() - found
        found |= new
        waiting.extend(new)
    return found


def circles(graph: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """The strongly connected components of `graph` that have more than one node."""
    reach = {node: reachable(graph, node) for node in graph}
    found = {
        frozenset(other for other in reach[node] if node in reach[other])
        for node in graph
        if node in reach[node]
    }
    return sorted(map(sorted, found))


def test_no_modules_import_each_other_in_a_circle() -> None:
    found = [
        "\n".join(
            f"  {source}:{line} imports {target}"
            for source in circle
            for target, line in imports()[source].items()
            if target in circle
        )
        for circle in circles(imports())
    ]
    assert not found, "circular imports:\n" + "\n\n".join(found)


def test_circles_are_found_in_every_form_of_import() -> None:
    known = {"a": Path("a.py"), "b": Path("b.py")}
    in_function = ast.parse("def f():\n    import b\n")
    for_types = ast.parse(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import X\n"
    )
    graph = {"a": dict(imported(in_function, known)), "b": dict(imported(for_types, known))}
    assert circles(graph) == [["a", "b"]]
    assert circles({"a": {"b": 1}, "b": {}}) == []


def test_packages_of_one_folder_import_in_one_direction() -> None:
    siblings: defaultdict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    for module in modules():
        for depth in range(1, module.count(".") + 1):
            parent, _, name = ".".join(module.split(".")[: depth + 1]).rpartition(".")
            siblings[parent].setdefault(f"{parent}.{name}", {})
    for source, targets in imports().items():
        for target in targets:
            own, others = source.split("."), target.split(".")
            level = next(
                (at for at, (a, b) in enumerate(zip(own, others, strict=False)) if a != b), None
            )
            if level:
                parent = ".".join(own[:level])
                first, second = f"{parent}.{own[level]}", f"{parent}.{others[level]}"
                siblings[parent][first].setdefault(second, targets[target])
    found = {parent: circle for parent, graph in siblings.items() if (circle := circles(graph))}
    assert not found, f"these import each other: {found}"


def test_folders_hold_a_limited_number_of_modules() -> None:
    sizes = Counter(file.parent for file in modules().values() if file.name != "__init__.py")
    large = {
        str(folder.relative_to(SOURCE)): size
        for folder, size in sizes.items()
        if size > MAX_MODULES
    }
    assert not large, f"more than {MAX_MODULES} modules in {large}"


def test_no_module_imports_a_private_name_of_another() -> None:
    found = [
        f"{source}:{node.lineno} imports {alias.name} of {node.module}"
        for source in modules()
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.ImportFrom) and node.module in modules()
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.endswith("__")
    ]
    assert not found, "\n".join(found)


def test_only_a_package_lists_its_public_names() -> None:
    listing = {
        name
        for name in modules()
        if not is_package(name) and public_names(name) and name not in HANDING_ON
    }
    assert not listing, f"a private name begins with an underscore; no __all__ in {listing}"


def public_names(package: str) -> set[str]:
    """The names in the `__all__` of a package."""
    for node in parsed(package).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def hidden_names(tree: ast.Module, package: str, public: set[str]) -> Iterator[tuple[str, int]]:
    """Imports of names that are not public in their package, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from ((name, node.lineno) for name in names if name.startswith(f"{package}."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            yield str(node.module), node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module == package:
            names = [alias.name for alias in node.names]
            yield from ((f"{package}.{name}", node.lineno) for name in names if name not in public)


def test_server_packages_are_used_through_their_public_names() -> None:
    parts = {
        name: public_names(name)
        for name in modules()
        if name.count(".") == 2 and name.startswith(f"{ROOT}.server.") and is_package(name)
    }
    found = [
        f"{source}:{line} imports {name}; import what {part} names in its __all__"
        for source in modules()
        for part, public in parts.items()
        if source != part and not source.startswith(f"{part}.")
        for name, line in hidden_names(parsed(source), part, public)
    ]
    assert not found, "\n".join(found)


def test_hidden_names_are_found_in_every_form_of_import() -> None:
    source = "import p.a\nfrom p.a import x\nfrom p import b, m, shown\n"
    found = list(hidden_names(ast.parse(source), "p", {"m", "shown"}))
    assert found == [("p.a", 1), ("p.a", 2), ("p.b", 3)]


@pytest.mark.parametrize("package", sorted(name for name in modules() if is_package(name)))
def test_package_docstrings_state_their_responsibility(package: str) -> None:
    text = ast.get_docstring(parsed(package)) or ""
    sentences = re.findall(r"[.!?:](?=\s|$)", text)
    assert len(sentences) >= 3, (
        f"{package}: its docstring says in three sentences what it decides, what it does not, "
        "and in which module to begin reading"
    )

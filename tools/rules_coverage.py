"""Maps the clauses of the rule book to the tests that prove them, by the names of the tests.

A test names the clauses it proves at the end of its own name, after two underscores:
`test_bur_is_never_forced__C8c`, or several, `test_marks_by_score__MW4_MW5`. A test of whole matches
names a section by its letters, `__JS`, which proves no clause of it. The page
docs/rules-coverage.md is generated from these names and from the headings of docs/rules.md.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = "docs/rules.md"
PAGE = "docs/rules-coverage.md"

HEADING_PATTERN = re.compile(r"^#{3,4} (?P<id>\S+) · (?P<title>\S.*)$", re.MULTILINE)
TEST_NAME_PATTERN = re.compile(r"test_(?P<words>.*?)__(?P<ids>[A-Z]\w*)$")
SECTION_PATTERN = re.compile(
    r"^## (?P<letters>C|MV|MW|DF|JS|ID|CT|SC|CO) · (?P<title>.*)$", re.MULTILINE
)

PAGE_HEADER = f"""\
<!-- Made by `make docs` from {RULES} and the names of the tests; change those. -->

# Rules and their tests

Each clause of [the rule book](rules.md) with the tests that prove it. The name of a test ends with
its clauses: `test_bur_is_never_forced__C8c`. The build fails if a clause has no test. Tests under
*whole matches* check all clauses of a section together on many deals.
"""


@dataclass(frozen=True, order=True, slots=True)
class Proof:
    """A test that names clauses.

    Attributes:
        file: the path of its file below the project.
        name: its full name.
        clauses: the ids at the end of the name.
    """

    file: str
    name: str
    clauses: tuple[str, ...]


def clauses(root: Path = ROOT) -> dict[str, str]:
    """Returns the title of every clause of the rule book by id, in the order of the book."""
    text = (root / RULES).read_text(encoding="utf-8")
    return {found["id"]: found["title"] for found in HEADING_PATTERN.finditer(text)}


def sections(root: Path = ROOT) -> dict[str, str]:
    """Returns the title of every section by the letters of its ids."""
    text = (root / RULES).read_text(encoding="utf-8")
    return {found["letters"]: found["title"] for found in SECTION_PATTERN.finditer(text)}


def proofs(root: Path = ROOT) -> list[Proof]:
    """Returns all Python tests that name clauses, by file and position."""
    files = sorted((root / "tests").rglob("test_*.py"))
    return [proof for file in files for proof in proofs_of_file(file, root)]


def proofs_of_file(file: Path, root: Path) -> Iterator[Proof]:
    """Yields the tests of one file that name clauses."""
    path = file.relative_to(root).as_posix()
    for name in function_names(file.read_text(encoding="utf-8")):
        if found := TEST_NAME_PATTERN.match(name):
            yield Proof(path, name, tuple(filter(None, found["ids"].split("_"))))


@cache
def function_names(text: str) -> tuple[str, ...]:
    """Returns the names of the functions and methods of a module, in order."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return tuple(node.name for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))


def unknown_clauses(root: Path = ROOT) -> list[str]:
    """Returns clauses named by tests that are not in the rule book."""
    known = {*clauses(root), *sections(root)}
    return [
        f"{proof.file}: {proof.name} names {clause}"
        for proof in proofs(root)
        for clause in proof.clauses
        if clause not in known
    ]


def unproved_clauses(root: Path = ROOT) -> list[str]:
    """Returns the ids of clauses that no test names."""
    named = {clause for proof in proofs(root) for clause in proof.clauses}
    return [clause for clause in clauses(root) if clause not in named]


def page(root: Path = ROOT) -> dict[str, str]:
    """Returns the page with all clauses and their tests, by its path."""
    found = proofs(root)
    parts = [PAGE_HEADER]
    titles = sections(root)
    section = ""
    for clause, title in clauses(root).items():
        letters = re.match(r"[A-Z]+", clause)
        if letters and letters[0] != section:
            section = letters[0]
            parts.append(
                f"\n## {section} · {titles[section]}\n\n| clause | proved by |\n|---|---|\n"
            )
            parts.append(row("whole matches", section, found))
        parts.append(row(f"**{clause}** {title}", clause, found))
    return {PAGE: "".join(parts)}


def row(title: str, clause: str, found: list[Proof]) -> str:
    """Returns a row of the page: a clause or section, and the tests that name it."""
    links = "<br>".join(proof_link(proof) for proof in found if clause in proof.clauses)
    return f"| {title} | {links or '—'} |\n"


def proof_link(proof: Proof) -> str:
    """Returns a link to the file of a test, labelled with its name without the ids."""
    found = TEST_NAME_PATTERN.match(proof.name)
    return f"[{found['words'] if found else proof.name}](../{proof.file})"

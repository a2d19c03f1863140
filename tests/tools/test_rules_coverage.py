"""Every clause of the rule book has a test that names it."""

from pathlib import Path

import pytest

from tools import rules_coverage

BOOK = """\
## C · Common

### C1 · The pack

Text.

#### C1a · A part

Text.
"""

TESTS = '''\
"""def test_in_a_text__C1() -> None: ..."""

import pytest


def test_of_two_clauses__C1_C1a() -> None: ...


async def test_of_a_section__C() -> None: ...


class TestInAClass:
    def test_of_no_clause_there_is__C9(self) -> None: ...


def helper__C1() -> None: ...


def test_without_a_clause() -> None: ...
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a rule book of two clauses and one file of tests."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.md").write_text(BOOK, encoding="utf-8")
    (tmp_path / "tests" / "rules").mkdir(parents=True)
    (tmp_path / "tests" / "rules" / "test_pack.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def test_every_clause_has_a_test_that_names_it() -> None:
    assert rules_coverage.unproved_clauses() == []


def test_tests_name_only_existing_clauses() -> None:
    assert rules_coverage.unknown_clauses() == []


def test_clauses_come_from_the_headings_of_the_book(project: Path) -> None:
    assert rules_coverage.clauses(project) == {"C1": "The pack", "C1a": "A part"}


def test_tests_are_found_by_the_ids_at_the_end_of_their_names(project: Path) -> None:
    found = {proof.name: proof.clauses for proof in rules_coverage.proofs(project)}
    assert found == {
        "test_of_two_clauses__C1_C1a": ("C1", "C1a"),
        "test_of_a_section__C": ("C",),
        "test_of_no_clause_there_is__C9": ("C9",),
    }


def test_a_clause_without_a_test_is_named(project: Path) -> None:
    """A test of a whole section does not count for each of its clauses."""
    assert rules_coverage.unproved_clauses(project) == []
    file = project / "tests" / "rules" / "test_pack.py"
    file.write_text(TESTS.replace("__C1_C1a", "__C1"), encoding="utf-8")
    assert rules_coverage.unproved_clauses(project) == ["C1a"]


def test_a_test_of_an_unknown_clause_is_named(project: Path) -> None:
    (told,) = rules_coverage.unknown_clauses(project)
    assert told == "tests/rules/test_pack.py: test_of_no_clause_there_is__C9 names C9"


def test_the_page_links_each_clause_to_its_tests(project: Path) -> None:
    (text,) = rules_coverage.page(project).values()
    link = "[of_two_clauses](../tests/rules/test_pack.py)"
    assert f"| **C1** The pack | {link} |" in text
    assert f"| **C1a** A part | {link} |" in text
    assert "| whole matches | [of_a_section](../tests/rules/test_pack.py) |" in text

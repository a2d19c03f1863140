"""CITATION.cff agrees with the metadata of the package."""

import re
import tomllib
from pathlib import Path

import pytest

import jasstisch

ROOT = Path(__file__).parents[2]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def told(key: str) -> str:
    """The value of a key, on its line or folded below it."""
    found = re.search(rf"^{key}: (?:>-\n)?(.+(?:\n  (?!- ).+)*)", CITATION, re.MULTILINE)
    assert found is not None, key
    return " ".join(found[1].split())


def listed(key: str) -> list[str]:
    """The items of a list."""
    found = re.search(rf"^{key}:\n((?:  - .+\n)+)", CITATION, re.MULTILINE)
    assert found is not None, key
    return [line.removeprefix("  - ") for line in found[1].splitlines()]


def test_version_is_that_of_the_package() -> None:
    assert told("version") == jasstisch.__version__


def test_title_licence_and_authors_are_those_of_the_package() -> None:
    assert told("title").lower() == PROJECT["name"]
    assert told("license") == PROJECT["license"]
    assert told("abstract") == f"{PROJECT['description']}."
    assert listed("authors") == [f"name: {one['name']}" for one in PROJECT["authors"]]
    assert listed("keywords") == PROJECT["keywords"]


@pytest.mark.parametrize("key", ["cff-version", "message", "title", "authors"])
def test_required_fields_are_present(key: str) -> None:
    assert re.search(rf"^{key}:", CITATION, re.MULTILINE)

"""A release is of one version, which the changelog knows, and tells what is in it."""

import re

from tools import release
from tools.lock_dependencies import REQUIREMENTS

CHANGELOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-24

### Added
- Something.

## [0.1.0]

- Everything.
"""


def test_every_place_tells_the_same_version() -> None:
    (version,) = {*release.versions().values()}
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)


def test_the_text_of_a_release_is_its_section_of_the_changelog() -> None:
    assert release.notes(CHANGELOG, "0.2.0") == "### Added\n- Something."
    assert release.notes(CHANGELOG, "0.1.0") == "- Everything."


def test_a_version_that_the_changelog_does_not_know_has_no_text() -> None:
    assert release.notes(CHANGELOG, "0.3.0") == ""
    assert release.notes(CHANGELOG, "Unreleased") == ""


def test_a_bill_of_materials_is_of_what_is_locked() -> None:
    lines = release.pins(REQUIREMENTS / "serve.txt")
    assert [line for line in lines if not re.match(r"[a-z0-9.-]+==[^ ]+( ; |$)", line)] == []
    assert any(line.startswith("msgspec==") for line in lines)

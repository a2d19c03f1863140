"""A release has one version, a section in the changelog, and a bill of materials."""

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


def test_all_version_numbers_agree() -> None:
    (version,) = {*release.versions().values()}
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)


def test_release_notes_are_the_changelog_section() -> None:
    assert release.notes(CHANGELOG, "0.2.0") == "### Added\n- Something."
    assert release.notes(CHANGELOG, "0.1.0") == "- Everything."


def test_a_version_missing_in_the_changelog_has_no_notes() -> None:
    assert release.notes(CHANGELOG, "0.3.0") == ""
    assert release.notes(CHANGELOG, "Unreleased") == ""


def test_the_bill_of_materials_lists_the_locked_packages() -> None:
    lines = release.pins(REQUIREMENTS / "serve.txt")
    assert [line for line in lines if not re.match(r"[a-z0-9.-]+==[^ ]+( ; |$)", line)] == []
    assert any(line.startswith("msgspec==") for line in lines)

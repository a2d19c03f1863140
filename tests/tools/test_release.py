"""A release has one version, a section in the changelog, and a bill of materials."""

import re
import zipfile
from base64 import b64encode
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import pytest

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


CITATION = "cff-version: 1.2.0\ndate-released: 2026-12-24\n"


@pytest.mark.parametrize(
    ("changelog", "citation", "message"),
    [
        ("## [0.2.0] - 2026-12-24\n", CITATION, None),
        ("## [0.2.0]\n", CITATION, "CHANGELOG.md states no date of version 0.2.0."),
        ("## [0.2.0] - 2026-12-24\n", "version: 0.2.0\n", "CITATION.cff states no date"),
        ("## [0.2.0] - 2026-12-25\n", CITATION, "CHANGELOG.md and CITATION.cff differ"),
    ],
)
def test_changelog_and_citation_state_the_same_date_of_release(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changelog: str,
    citation: str,
    message: str | None,
) -> None:
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    (tmp_path / "CITATION.cff").write_text(citation)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with nullcontext() if message is None else pytest.raises(SystemExit, match=message):
        release.check_dates("0.2.0")


def test_the_bill_of_materials_lists_the_locked_packages() -> None:
    lines = release.pins(REQUIREMENTS / "serve.txt")
    assert [line for line in lines if not re.match(r"[a-z0-9.-]+==[^ ]+( ; |$)", line)] == []
    assert any(line.startswith("msgspec==") for line in lines)


def test_the_hashes_of_the_page_are_those_of_all_that_a_browser_runs(tmp_path: Path) -> None:
    wheel = tmp_path / "jasstisch.whl"
    page = (
        b'<head><script type="application/json">{}</script><script>first()</script>'
        b'<script type="module" src="/assets/a.js"></script>\n<script>\nsecond()</script></head>'
    )
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in {
            "index.html": page,
            "assets/a.js": b"run()",
            "assets/a.js.br": b"compressed",
            "assets/a.css": b"a{}",
            "icon.png": b"",
        }.items():
            archive.writestr(f"jasstisch/server/static/{name}", content)

    def hashed(content: bytes) -> str:
        return f"sha256-{b64encode(sha256(content).digest()).decode()}"

    assert release.page_hashes(wheel) == {
        "inline": [hashed(b"first()"), hashed(b"\nsecond()")],
        "assets": {"assets/a.css": hashed(b"a{}"), "assets/a.js": hashed(b"run()")},
    }

"""A clone works anywhere: no file names a machine or a package registry."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put together here, so that this file does not name them either.
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("deb", "debian", "org"),
    )
)
MACHINE_PATH = re.compile(r"(?<![\w.~$}-])/(?:root|home|Users|opt|work)/\w")


def tracked_texts() -> list[Path]:
    """Every tracked file that is not binary."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    files = [ROOT / name for name in listing.split("\0") if name]
    return [file for file in files if file.is_file() and b"\0" not in file.read_bytes()]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in tracked_texts()
    }


def test_no_file_names_a_package_registry(texts: dict[str, str]) -> None:
    named = [
        f"{name}: {host}" for name, text in texts.items() for host in REGISTRIES if host in text
    ]
    assert named == []


def test_no_file_names_a_path_of_one_machine(texts: dict[str, str]) -> None:
    named = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert named == []


def test_the_npm_lock_contains_no_registry_urls(texts: dict[str, str]) -> None:
    assert '"resolved"' not in texts["web/package-lock.json"]
    assert '"integrity": "sha512-' in texts["web/package-lock.json"]

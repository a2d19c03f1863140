"""Builds the files of a release into `dist/`: `make release`.

These are the sdist and the wheel, bills of materials (CycloneDX) of the locked packages of the
server and of the page, the hashes of the page's scripts, and the checksums of all of them. The
release notes are the newest section of the changelog. If the places that state the version differ,
or the changelog has no section for it, the command stops before building.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools.bench_venv import parse_lock
from tools.setup import (
    PYTHON,
    ROOT,
    UV,
    WEB,
    exit_with_message,
    node_path,
    print_progress,
    run_quietly,
)

DIST = ROOT / "dist"
NOTES = ROOT / "build" / "release-notes.md"
CHECKSUMS = "SHA256SUMS"

VERSION = {
    "src/jasstisch/__init__.py": r'^__version__ = "(.+)"$',
    "web/package.json": r'^  "version": "(.+)",$',
    "CITATION.cff": r"^version: (.+)$",
}
"""The files that state the version, with the patterns that find it."""


def versions() -> dict[str, str]:
    """Returns the version stated in each of these files, by path."""
    found = {}
    for file, pattern in VERSION.items():
        match = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
        found[file] = match[1] if match else ""
    return found


def notes(changelog: str, version: str) -> str:
    """Returns the section of a changelog for a version, without its heading; empty if missing."""
    heading = rf"^## \[{re.escape(version)}\][^\n]*\n"
    section = re.search(rf"{heading}(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def check(tag: str | None) -> str:
    """Returns the version to release, if all places that state it agree."""
    told = versions()
    if len({*told.values()}) != 1:
        lines = (f"{file} says {version or 'no version'}" for file, version in told.items())
        exit_with_message("\n".join(lines))
    version = next(iter(told.values()))
    if tag is not None and tag != f"v{version}":
        exit_with_message(f"The tag is {tag}, and this is version {version}.")
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if not text:
        exit_with_message(f"CHANGELOG.md has no section [{version}].")
    check_dates(version)
    NOTES.parent.mkdir(exist_ok=True)
    NOTES.write_text(f"{text}\n", encoding="utf-8")
    return version


def check_dates(version: str) -> None:
    """Stops unless changelog and citation state the same date of release."""
    heading = rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$"
    patterns = {"CHANGELOG.md": heading, "CITATION.cff": r"^date-released: (\d{4}-\d\d-\d\d)$"}
    dates = set[str]()
    for file, pattern in patterns.items():
        found = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
        if found is None:
            exit_with_message(f"{file} states no date of version {version}.")
        dates.add(found[1])
    if len(dates) != 1:
        exit_with_message(f"{' and '.join(patterns)} differ in the date of version {version}.")


def build() -> None:
    """Builds the sdist, and the wheel from it."""
    print_progress("building the packages")
    shutil.rmtree(DIST, ignore_errors=True)
    how: list[str | Path] = ["--no-build-isolation", "--python", PYTHON, "--out-dir", DIST]
    run_quietly([UV, "build", "--quiet", *how, ROOT], "The packages could not be built; see above.")


def check_complete(dist: Path) -> None:
    """Stops if a package lacks the web page or the documentation."""
    for package in (*dist.glob("*.whl"), *dist.glob("*.tar.gz")):
        if package.suffix == ".whl":
            names = zipfile.ZipFile(package).namelist()
        else:
            with tarfile.open(package) as archive:
                names = archive.getnames()
        for folder in ("static", "site"):
            if not any(name.endswith(f"jasstisch/server/{folder}/index.html") for name in names):
                exit_with_message(f"{package.name} has no {folder}/: see the lines above.")


def pins(lock: Path) -> list[str]:
    """Returns the packages of a lock file with versions and markers, as requirements."""
    return [lines.partition("\\")[0].strip() for _, lines in parse_lock(lock)]


def write_bills(version: str) -> None:
    """Writes the bills of materials of the server and the page."""
    print_progress("writing the bills of materials")
    failure = "A bill of materials could not be written; see the lines above."
    with tempfile.TemporaryDirectory() as folder:
        # uv exports it for a project, so this one requires what the lock file pins.
        project = {
            "name": '"jasstisch"',
            "version": json.dumps(version),
            "requires-python": '">=3.11"',
            "dependencies": json.dumps(pins(ROOT / "requirements" / "serve.txt")),
        }
        lines = ["[project]", *(f"{key} = {value}" for key, value in project.items())]
        (Path(folder) / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
        target = DIST / f"jasstisch-{version}-server.cdx.json"
        uv: list[str | Path] = [UV, "--no-config", "export", "--quiet", "--format", "cyclonedx1.5"]
        run_quietly([*uv, "--output-file", target], failure, Path(folder))
    npm = shutil.which("npm", path=node_path()) or "npm"
    bill = subprocess.run(
        [npm, "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"],
        cwd=WEB,
        env=dict(os.environ, PATH=node_path()),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    (DIST / f"jasstisch-{version}-page.cdx.json").write_text(bill, encoding="utf-8")


INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
"""A script in the page itself. The page's configuration is an element with a type."""


def page_hashes(wheel: Path) -> dict[str, list[str] | dict[str, str]]:
    """Returns the hashes of all that a browser runs of the page, as they stand in its sources.

    The form is that of `integrity` attributes and of content security policies: `sha256-` and
    the hash in base64.
    """

    def hashed(content: bytes) -> str:
        return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"

    folder = "jasstisch/server/static/"
    with zipfile.ZipFile(wheel) as archive:
        names = sorted(archive.namelist())
        files = [name for name in names if name.startswith(f"{folder}assets/")]
        return {
            "inline": [
                hashed(script)
                for script in INLINE_SCRIPT.findall(archive.read(f"{folder}index.html"))
            ],
            "assets": {
                name.removeprefix(folder): hashed(archive.read(name))
                for name in files
                if name.endswith((".js", ".css"))
            },
        }


def write_page_hashes(version: str) -> None:
    """Writes the hashes of the page, to compare with them what a server sends."""
    (wheel,) = DIST.glob("*.whl")
    target = DIST / f"jasstisch-{version}-page.json"
    target.write_text(f"{json.dumps(page_hashes(wheel), indent=1)}\n", encoding="utf-8")


def write_checksums(files: Iterable[Path]) -> None:
    """Writes the checksums of files into their folder, in the format of `sha256sum --check`."""
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files)
    ]
    (DIST / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def main() -> None:
    """Builds everything, or updates the checksums after files were added."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tag", help="the tag that is released: v and the version")
    parser.add_argument("--checksums", action="store_true", help="write the checksums only, anew")
    arguments = parser.parse_args()
    if not arguments.checksums:
        version = check(arguments.tag)
        build()
        check_complete(DIST)
        write_bills(version)
        write_page_hashes(version)
    write_checksums(file for file in DIST.iterdir() if file.name not in {CHECKSUMS, ".gitignore"})


if __name__ == "__main__":
    main()

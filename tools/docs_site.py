"""Builds the documentation as a site of plain files, for `/docs` of every server and any web host.

The pages are those of docs/, which are read in a checkout as well, and those of site/pages, which
are for the site alone. They are laid out side by side in build/site, where a link to a file outside
docs/ leads to a copy of it if somebody may want it, and else is text. Zensical makes the site; a
warning ends the build.

The server lets no script run but its own, so the hashes of those that stand in the pages are kept
beside them.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from tools.setup import ROOT, digest, exit_with_message, is_current, mark_current, print_progress

__all__ = ["SITE_DIR", "STAMP", "build_site", "site_is_current", "stage_pages"]

SITE_DIR = ROOT / "src" / "jasstisch" / "server" / "site"
"""Where the site is put: the package holds it, and it may be copied to any web host."""

SCRIPT_HASHES_FILE = "scripts.txt"
"""The file in it that holds the hashes of scripts in pages, as a policy names them."""

DOCS = ROOT / "docs"
SITE_SOURCES = ROOT / "site"
WORK_DIR = ROOT / "build" / "site"
STAMP = ROOT / "build" / ".site"

EXCLUDED = {"plan.md"}

EXTRA_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Pages of the project's own folder, and what they are here."""

DOWNLOADABLE = ("deploy/", "examples/", "src/jasstisch/match/record.schema.json")
"""Where files lie that somebody who reads here may want to have."""

LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<to>[^()\s]+)\)")
ANSI_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
FENCE = re.compile(r"^ *(?:```|~~~)")
NAMED_FENCE = re.compile(r"^(?P<fence> *```\w+) (?P<name>\w+)$")
"""The beginning of a block of code that has a name besides its language."""
SCRIPT = re.compile(rb"<script(?P<kind>[^>]*)>(?P<body>.*?)</script>", re.DOTALL)


def site_sources() -> Iterator[Path]:
    """Every file that the site is made from; the sources of the package for the reference."""
    yield from (ROOT / name for name in EXTRA_PAGES)
    yield from (ROOT / "requirements" / "site.txt", Path(__file__))
    for folder in (DOCS, SITE_SOURCES, ROOT / "examples", ROOT / "deploy"):
        yield from (file for file in folder.rglob("*") if file.is_file())
    yield from (ROOT / "src" / "jasstisch").rglob("*.py")


def site_is_current() -> bool:
    """Whether the site is there and was built from its sources as they are."""
    return is_current(STAMP, digest(site_sources())) and (SITE_DIR / "index.html").is_file()


def build_site() -> None:
    """Builds the site if anything that it is built from has changed."""
    if site_is_current():
        return
    print_progress("building the documentation")
    stage_pages()
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=WORK_DIR,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    # Whoever builds the package would find the sources here first and leave them out elsewhere.
    (WORK_DIR / "src").unlink()
    if done.returncode != 0:
        print(ANSI_COLOURS.sub("", done.stdout), file=sys.stderr)
        exit_with_message("The documentation could not be built; the lines above say why.")
    built = WORK_DIR / "built"
    # It names its style by an address from the root, which not every host puts the site at.
    (built / "404.html").unlink()
    (built / SCRIPT_HASHES_FILE).write_text(
        "\n".join(sorted(script_hashes(built))) + "\n", encoding="utf-8"
    )
    shutil.rmtree(SITE_DIR, ignore_errors=True)
    shutil.copytree(built, SITE_DIR)
    mark_current(STAMP, digest(site_sources()))


# What it is made of.


def stage_pages(work: Path = WORK_DIR) -> None:
    """Puts the pages side by side, as Zensical wants them."""
    pages = work / "pages"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns(*EXCLUDED))
    shutil.copytree(SITE_SOURCES / "pages", pages, dirs_exist_ok=True)
    for name in ("zensical.toml", "doctests.py"):
        shutil.copy(SITE_SOURCES / name, work)
    (work / "src").symlink_to(ROOT / "src", target_is_directory=True)
    for name, page in EXTRA_PAGES.items():
        if page != "index.md":
            (pages / page).write_text(rewrite_links(ROOT / name, page, pages), encoding="utf-8")
    for file in DOCS.rglob("*.md"):
        page = file.relative_to(DOCS).as_posix()
        if page not in EXCLUDED:
            (pages / page).write_text(rewrite_links(file, page, pages), encoding="utf-8")
    with (pages / "commands.md").open("a", encoding="utf-8") as told:
        told.write(command_reference())


def rewrite_links(file: Path, page: str, pages: Path) -> str:
    """The text of a page of the project, with its links as they are on the site.

    Args:
        file: where it lies.
        page: what it is here.
        pages: where all of them are laid out; copies of files that it names are put there.
    """

    def follow(found: re.Match[str]) -> str:
        text, to = found["text"], found["to"]
        path, mark, anchor = to.partition("#")
        if not path or ":" in path:
            return found[0]
        target = Path(os.path.normpath(file.parent / path))
        if not target.exists():
            exit_with_message(
                f"{file.relative_to(ROOT)} has a link to {path}, and there is no such file."
            )
        here = site_path(target, pages)
        if here is None:
            return text.removeprefix("!")[1:-1]
        up = os.path.relpath(here, PurePosixPath(page).parent)
        return f"{text}({PurePosixPath(up)}{mark}{anchor})"

    lines, fenced = [], False
    for line in file.read_text(encoding="utf-8").splitlines():
        fenced ^= FENCE.match(line) is not None
        titled = NAMED_FENCE.sub(r'\g<fence> title="\g<name>"', line)
        lines.append(titled if fenced else LINK.sub(follow, line))
    return "\n".join(lines) + "\n"


def site_path(target: Path, pages: Path) -> str | None:
    """What a file of the project is on the site; None where it is not there."""
    name = target.relative_to(ROOT).as_posix()
    if name in EXTRA_PAGES:
        return EXTRA_PAGES[name]
    if DOCS in target.parents:
        return target.relative_to(DOCS).as_posix()
    if not name.startswith(DOWNLOADABLE) or not target.is_file():
        return None
    # As texts: a browser shows them, and nothing takes them for a module of the package.
    copy = pages / "files" / (target.name if target.suffix == ".json" else f"{target.name}.txt")
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(target, copy)
    return f"files/{copy.name}"


def command_reference() -> str:
    """What all commands tell of themselves."""
    from jasstisch.cli import COMMANDS  # noqa: PLC0415 - a wheel is built without it installed

    with ThreadPoolExecutor() as pool:
        texts = dict(zip(COMMANDS, pool.map(command_help, COMMANDS), strict=True))
    return "".join(f"\n## {name}\n\n```text\n{text}```\n" for name, text in texts.items())


def command_help(command: str) -> str:
    """What a command says of itself."""
    wide = dict(
        os.environ, COLUMNS="96", NO_COLOR="1", PYTHONPATH=str(ROOT / "src"), LC_ALL="C.UTF-8"
    )
    return subprocess.run(
        [sys.executable, "-m", "jasstisch", command, "--help"],
        env=wide,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


# What it may do.


def script_hashes(built: Path) -> set[str]:
    """The hashes of all scripts that stand in pages, as a policy of contents names them."""
    return {
        f"'sha256-{base64.b64encode(hashlib.sha256(found['body']).digest()).decode()}'"
        for page in built.rglob("*.html")
        for found in SCRIPT.finditer(page.read_bytes())
        if b"src=" not in found["kind"] and b"application/json" not in found["kind"]
    }


if __name__ == "__main__":
    build_site()

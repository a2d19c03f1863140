"""Builds the documentation as a static site, for `/docs` of every server and for any web host.

The pages are those of docs/, which can also be read in a checkout, and those of site/pages, which
are only for the site. They are staged side by side in build/site. A link to a file outside docs/
becomes a link to a copy of it if readers may want the file, and plain text otherwise. Zensical
builds the site; a warning stops the build.

The content security policy of the server allows only its own scripts, so the hashes of inline
scripts are stored beside the pages.
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

SITE_DIR = ROOT / "src" / "jasstisch" / "server" / "site"
"""The output folder: part of the package, and ready to copy to any web host."""

SCRIPT_HASHES_FILE = "scripts.txt"
"""The file in it with the hashes of inline scripts, as a policy lists them."""

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
"""Pages from the project's root folder, and their names on the site."""

DOWNLOADABLE = ("deploy/", "examples/", "src/jasstisch/match/record.schema.json")
"""Folders with files that readers may want to download."""

LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<to>[^()\s]+)\)")
ANSI_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
FENCE = re.compile(r"^ *(?:```|~~~)")
NAMED_FENCE = re.compile(r"^(?P<fence> *```\w+) (?P<name>\w+)$")
"""The beginning of a code block with a name besides its language."""
SCRIPT = re.compile(rb"<script(?P<kind>[^>]*)>(?P<body>.*?)</script>", re.DOTALL)


def site_sources() -> Iterator[Path]:
    """Yields all source files of the site, including the package for the API reference."""
    yield from (ROOT / name for name in EXTRA_PAGES)
    yield from (ROOT / "requirements" / "site.txt", Path(__file__))
    for folder in (DOCS, SITE_SOURCES, ROOT / "examples", ROOT / "deploy"):
        yield from (file for file in folder.rglob("*") if file.is_file())
    yield from (ROOT / "src" / "jasstisch").rglob("*.py")


def site_is_current() -> bool:
    """Returns whether the site exists and was built from the current sources."""
    return is_current(STAMP, digest(site_sources())) and (SITE_DIR / "index.html").is_file()


def build_site() -> None:
    """Builds the site if one of its sources has changed."""
    if site_is_current():
        return
    print_progress("building the documentation")
    stage_pages()
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=WORK_DIR,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # A package build would otherwise find the sources here and leave them out elsewhere.
    (WORK_DIR / "src").unlink()
    if done.returncode != 0:
        print(ANSI_COLOURS.sub("", done.stdout), file=sys.stderr)
        exit_with_message("The documentation could not be built; see the lines above.")
    built = WORK_DIR / "built"
    # It links its style sheet from the root, where not every host puts the site.
    (built / "404.html").unlink()
    (built / SCRIPT_HASHES_FILE).write_text(
        "\n".join(sorted(script_hashes(built))) + "\n", encoding="utf-8"
    )
    shutil.rmtree(SITE_DIR, ignore_errors=True)
    shutil.copytree(built, SITE_DIR)
    mark_current(STAMP, digest(site_sources()))


# Sources.


def stage_pages(work: Path = WORK_DIR) -> None:
    """Stages the pages side by side, as Zensical expects them."""
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
    """Returns the text of a page with its links rewritten for the site.

    Args:
        file: its path in the project.
        page: its path on the site.
        pages: the folder of staged pages; copies of linked files are put there.
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
    """Returns the path of a project file on the site; None if it is not part of it."""
    name = target.relative_to(ROOT).as_posix()
    if name in EXTRA_PAGES:
        return EXTRA_PAGES[name]
    if DOCS in target.parents:
        return target.relative_to(DOCS).as_posix()
    if not name.startswith(DOWNLOADABLE) or not target.is_file():
        return None
    # As text files: browsers show them, and no tool takes them for modules of the package.
    copy = pages / "files" / (target.name if target.suffix == ".json" else f"{target.name}.txt")
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(target, copy)
    return f"files/{copy.name}"


def command_reference() -> str:
    """Returns the page with the help of all commands."""
    from jasstisch.cli import COMMANDS  # noqa: PLC0415 - not installed when a wheel is built

    with ThreadPoolExecutor() as pool:
        texts = dict(zip(COMMANDS, pool.map(command_help, COMMANDS), strict=True))
    return "".join(f"\n## {name}\n\n```text\n{text}```\n" for name, text in texts.items())


def command_help(command: str) -> str:
    """Returns the help of a command."""
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


# Content security policy.


def script_hashes(built: Path) -> set[str]:
    """Returns the hashes of all inline scripts, as a content security policy lists them."""
    return {
        f"'sha256-{base64.b64encode(hashlib.sha256(found['body']).digest()).decode()}'"
        for page in built.rglob("*.html")
        for found in SCRIPT.finditer(page.read_bytes())
        if b"src=" not in found["kind"] and b"application/json" not in found["kind"]
    }


if __name__ == "__main__":
    build_site()

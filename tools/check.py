"""Runs every check of the project, one after the other, and says at the end how each went.

A check that fails does not keep the later ones from running: one run shows all there is to mend.
Name checks on the command line to run only those: `.venv/bin/python -m tools.check mypy pytest`.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tools.setup import PYTHON, ROOT, VENV, WEB, browser, node_path

# The rules are what everything else stands on: no branch of theirs goes untested.
ENGINE = (
    "src/jasstisch/errors.py",
    "src/jasstisch/cards.py",
    "src/jasstisch/tricks.py",
    "src/jasstisch/melds.py",
    "src/jasstisch/slate.py",
    "src/jasstisch/match.py",
    "src/jasstisch/games/*",
)


@dataclass(frozen=True)
class Check:
    """One tool run over the project; it holds when its exit status is 0."""

    name: str
    title: str
    command: tuple[str, ...]
    folder: Path = ROOT


CHECKS = (
    Check("ruff", "Lint (ruff check)", ("ruff", "check", "--output-format=concise", ".")),
    Check("format", "Format (ruff format --check)", ("ruff", "format", "--check", ".")),
    Check("mypy", "Types (mypy --strict)", ("mypy",)),
    Check("imports", "Imports point one way (import-linter)", ("lint-imports", "--no-logo")),
    Check(
        "pytest",
        "Python tests (pytest with hypothesis)",
        ("pytest", "--numprocesses=auto", "--cov", "--cov-report=", "--durations=10"),
    ),
    Check(
        "coverage",
        "Every branch of the rules is tested (coverage)",
        (
            "coverage",
            "report",
            "--show-missing",
            "--skip-covered",
            "--fail-under=100",
            f"--include={','.join(ENGINE)}",
        ),
    ),
    Check("vitest", "Web client: unit tests (vitest)", ("npm", "test"), WEB),
    Check("svelte", "Web client: types (svelte-check)", ("npm", "run", "check"), WEB),
    Check("e2e", "Whole matches in a browser (Playwright)", ("npm", "run", "e2e"), WEB),
)


def environment() -> dict[str, str]:
    """The environment of the checks: the project's own tools come first on the `PATH`."""
    path = f"{VENV / 'bin'}{os.pathsep}{node_path()}"
    return dict(os.environ, PATH=path, PYTHON=str(PYTHON), CHROMIUM=browser() or "")


def run(check: Check, surroundings: dict[str, str]) -> tuple[bool, float]:
    """Runs one check; returns whether it holds and how many seconds it took."""
    print(f"\n━━ {check.title} {'━' * (76 - len(check.title))}", flush=True)
    start = time.monotonic()
    done = subprocess.run(
        check.command,
        cwd=check.folder,
        env=surroundings,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode == 0, time.monotonic() - start


def main() -> None:
    """Runs the chosen checks (all by default); exits with 1 if one of them does not hold."""
    names = [check.name for check in CHECKS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("check", nargs="*", help=f"one of: {', '.join(names)}")
    chosen: list[str] = parser.parse_args().check or names
    if unknown := [name for name in chosen if name not in names]:
        parser.error(f"no such check: {', '.join(unknown)}; there are {', '.join(names)}")
    surroundings = environment()
    results = [(check, *run(check, surroundings)) for check in CHECKS if check.name in chosen]
    print(f"\n━━ Result {'━' * 70}")
    for check, holds, seconds in results:
        print(f"{'ok    ' if holds else 'FAILED'}  {seconds:6.1f} s  {check.title}")
    sys.exit(0 if all(holds for _, holds, _ in results) else 1)


if __name__ == "__main__":
    main()

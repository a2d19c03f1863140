"""Runs all checks of the project, then prints their results.

A failed check does not stop the later ones: one run shows everything that has to be fixed. Checks
that leave a core idle run two at a time. Name checks on the command line to run only those:
`.venv/bin/python -m tools.check mypy pytest`. `--quick` (`make check`) leaves out checks that need
a server, a browser or another process, and plays fewer random matches
(tests/support/example_counts.py).
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tools.setup import PYTHON, ROOT, VENV, WEB, find_browser, node_path

# Everything else depends on the rules, so every branch of them is tested.
ENGINE_FILES = (
    "src/jasstisch/engine/errors.py",
    "src/jasstisch/engine/cards.py",
    "src/jasstisch/engine/tricks.py",
    "src/jasstisch/engine/melds.py",
    "src/jasstisch/engine/slate.py",
    "src/jasstisch/match/match.py",
    "src/jasstisch/games/*.py",
)


# The tests by clause alone must reach every branch. Coverage takes half of their time, so tests
# that compare whole matches with a second implementation, or look for leaks, run without it.
CLAUSE_TESTS = (
    *(
        f"tests/games/test_{subject}.py"
        for subject in (
            *(
                "coiffeur",
                "common_rules",
                "contracts",
                "differenzler",
                "i_doubt_it",
                "i_doubt_it_claims",
            ),
            *("handjass", "metrics", "molotov", "molotow", "registry", "schieber", "sure_tricks"),
            *("i_doubt_it_claims", "undertrump", "weis"),
        )
    ),
    *(
        f"tests/match/test_{subject}.py"
        for subject in ("copy", "core_assumptions", "properties", "public_api", "types")
    ),
    "tests/engine/test_errors.py",
    "tests/fairness/test_verifier.py",
)

PYTEST_COMMAND = ("pytest", "--durations=10")
TWO_WORKERS = ("--numprocesses=2", "--dist=worksteal")


@dataclass(frozen=True)
class Check:
    """A tool run over the project; it passes if its exit status is 0.

    Attributes:
        name: its name on the command line.
        title: the heading of its output.
        command: the program and its arguments.
        folder: the working directory.
        two_cores: whether it keeps two cores busy; others run two at a time.
    """

    name: str
    title: str
    command: tuple[str, ...]
    folder: Path = ROOT
    two_cores: bool = False


@dataclass(frozen=True)
class CheckResult:
    """The result of a check, and its duration in seconds."""

    check: Check
    passed: bool
    seconds: float


QUICK = (
    Check("ruff", "Lint (ruff check)", ("ruff", "check", "--output-format=concise", ".")),
    Check("format", "Format (ruff format --check)", ("ruff", "format", "--check", ".")),
    Check("mypy", "Types (mypy --strict)", ("mypy",)),
    Check("imports", "Imports point one way (import-linter)", ("lint-imports", "--no-logo")),
    Check("prettier", "Web client: format (prettier)", ("npm", "run", "format:check"), WEB),
    Check("oxlint", "Web client: lint (oxlint)", ("npm", "run", "lint"), WEB),
    Check("svelte", "Web client: types (svelte-check)", ("npm", "run", "check"), WEB),
    Check("vitest", "Web client: unit tests (vitest)", ("npm", "test"), WEB),
)
QUICK_TESTS = Check(
    "quick",
    "Python tests that need no server and no other process (pytest with hypothesis)",
    (*PYTEST_COMMAND, *TWO_WORKERS, "-m", "not outside"),
    two_cores=True,
)

CHECKS = (
    *QUICK,
    Check(
        "package",
        "What is built can be installed and played with (pytest)",
        (*PYTEST_COMMAND, "tests/package"),
    ),
    Check(
        "rules",
        "Python tests of the rules, clause by clause (pytest with hypothesis)",
        (*PYTEST_COMMAND, *TWO_WORKERS, "--cov", "--cov-report=", *CLAUSE_TESTS),
        two_cores=True,
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
            f"--include={','.join(ENGINE_FILES)}",
        ),
    ),
    Check(
        "pytest",
        "All other Python tests (pytest with hypothesis)",
        (
            *PYTEST_COMMAND,
            *TWO_WORKERS,
            *(f"--ignore={path}" for path in (*CLAUSE_TESTS, "tests/package")),
        ),
    ),
    # Pages and servers mostly wait for each other; the tests before fill the gaps.
    Check(
        "e2e",
        "Whole matches in a browser (Playwright)",
        ("npm", "run", "e2e"),
        WEB,
    ),
)


def check_environment(*, quick: bool = False) -> dict[str, str]:
    """Returns the environment of the checks, with the project's own tools first on the `PATH`.

    With `--quick`, property tests try fewer examples.
    """
    path = f"{VENV / 'bin'}{os.pathsep}{node_path()}"
    # Without a cache every test process would compile everything again.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return dict(
        kept,
        PATH=path,
        PYTHON=str(PYTHON),
        CHROMIUM=find_browser() or "",
        TEST_EFFORT="quick" if quick else "",
    )


def run_all(checks: Sequence[Check], surroundings: dict[str, str]) -> list[CheckResult]:
    """Runs checks in order; neighbours that leave a core idle run two at a time."""
    outcomes: list[CheckResult] = []
    for two_cores, group in groupby(checks, lambda check: check.two_cores):
        if two_cores:
            outcomes += [run(check, surroundings) for check in group]
        else:
            outcomes += run_together(list(group), surroundings)
    return outcomes


def run(check: Check, surroundings: dict[str, str]) -> CheckResult:
    """Runs one check and shows its output as it comes."""
    print(section_line(check.title), flush=True)
    return run_process(check, surroundings)[0]


def run_together(checks: Sequence[Check], surroundings: dict[str, str]) -> Iterator[CheckResult]:
    """Runs checks two at a time; prints the output of each when it has ended, in order."""
    print(section_line("Two at a time"), flush=True)
    print(*(f"· {check.title}" for check in checks), sep="\n", flush=True)
    with ThreadPoolExecutor(2) as pool:
        for outcome, output in pool.map(
            lambda one: run_process(one, surroundings, heard=True), checks
        ):
            print(section_line(outcome.check.title), output, sep="\n", end="", flush=True)
            yield outcome


def run_process(
    check: Check, surroundings: dict[str, str], *, heard: bool = False
) -> tuple[CheckResult, str]:
    """Runs a check; returns its output too, unless it is shown at once."""
    start = time.monotonic()
    done = subprocess.run(
        check.command,
        cwd=check.folder,
        env=surroundings,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if heard else None,
        stderr=subprocess.STDOUT if heard else None,
        text=True,
        errors="replace",
    )
    return CheckResult(check, done.returncode == 0, time.monotonic() - start), done.stdout or ""


def section_line(title: str) -> str:
    """Returns a heading line across the terminal, after an empty line."""
    return f"\n━━ {title} {'━' * (76 - len(title))}"


# Command.


def select_checks(words: Sequence[str] | None = None) -> list[Check]:
    """Returns the checks named on the command line, all of them by default."""
    names = [check.name for check in CHECKS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("check", nargs="*", help=f"one of: {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="only what needs nothing outside")
    arguments = parser.parse_args(words)
    if unknown := [name for name in arguments.check if name not in names]:
        parser.error(f"no such check: {', '.join(unknown)}; there are {', '.join(names)}")
    if arguments.quick and arguments.check:
        parser.error("--quick has its own checks: name none beside it")
    if arguments.quick:
        return [*QUICK, QUICK_TESTS]
    return [check for check in CHECKS if not arguments.check or check.name in arguments.check]


def main() -> None:
    """Runs the selected checks; exits with 1 if one fails."""
    checks = select_checks()
    start = time.monotonic()
    outcomes = run_all(checks, check_environment(quick=QUICK_TESTS in checks))
    print(section_line("Result"))
    for one in outcomes:
        print(f"{'ok    ' if one.passed else 'FAILED'}  {one.seconds:6.1f} s  {one.check.title}")
    print(f"{'':6}  {time.monotonic() - start:6.1f} s  in all")
    sys.exit(0 if all(one.passed for one in outcomes) else 1)


if __name__ == "__main__":
    main()

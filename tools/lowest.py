"""Tests with the lowest versions that pyproject.toml allows, in `.venv-lowest`: `make lowest`.

A lower bound is a promise to whoever installs the package beside others; this is how it is kept.
The test tools have their locked versions, for nobody installs those beside anything. Words on the
command line are handed to pytest in place of its own.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tools.setup import ROOT, UV, digest, is_current, mark_current, print_progress, run_quietly

__all__ = ["main", "pins"]

VENV = ROOT / ".venv-lowest"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".stamp"
LOCK = ROOT / "requirements" / "test.txt"

PYTEST = ("--numprocesses=2", "--dist=worksteal", "--ignore=tests/package")
"""The package is tested in environments of its own, with the versions that are locked."""

FAILURE = "The lowest versions could not be installed; the lines above say why."


def pins(lock: str, group: list[str]) -> list[str]:
    """The lines of a lock file that pin a package of `group`, without their hashes.

    Args:
        lock: the text of the lock file.
        group: requirements, as in pyproject.toml.
    """
    names = {requirement.partition("[")[0].partition(">")[0].lower() for requirement in group}
    lines = [line.rstrip(" \\") for line in lock.splitlines() if "==" in line]
    return [line for line in lines if line.partition("==")[0] in names]


def install() -> None:
    """Makes `.venv-lowest` unless it is there and still what pyproject.toml asks for."""
    project = ROOT / "pyproject.toml"
    key = digest([project, LOCK], str(ROOT), sys.version)
    if is_current(STAMP, key):
        return
    print_progress("installing the lowest versions")
    run_quietly([sys.executable, "-m", "venv", "--clear", VENV], FAILURE)
    groups = tomllib.loads(project.read_text(encoding="utf-8"))["dependency-groups"]
    with tempfile.TemporaryDirectory() as folder:
        tools, chosen = Path(folder) / "tools.txt", Path(folder) / "chosen.txt"
        tools.write_text("\n".join(pins(LOCK.read_text(encoding="utf-8"), groups["test"])))
        asked = ["--group", "test", "--group", "build", "--all-extras", "pyproject.toml"]
        how: list[str | Path] = [
            "--resolution",
            "lowest-direct",
            "--python",
            PYTHON,
            "--constraint",
            tools,
        ]
        locking: list[str | Path] = [
            UV,
            "pip",
            "compile",
            "--quiet",
            *how,
            *asked,
            "--output-file",
            chosen,
        ]
        run_quietly(locking, FAILURE)
        pip: list[str | Path] = [UV, "pip", "install", "--quiet", "--python", PYTHON]
        run_quietly([*pip, "--no-deps", "--requirement", chosen], FAILURE)
    # What builds these is there now.
    from_source: list[str | Path] = [
        "--no-deps",
        "--no-build-isolation",
        *groups["peers"],
        "--editable",
        ROOT,
    ]
    run_quietly([*pip, *from_source], FAILURE)
    mark_current(STAMP, key)


def main() -> None:
    """Installs what is needed and runs the tests; exits as pytest does."""
    install()
    path = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        [PYTHON, "-m", "pytest", *(sys.argv[1:] or PYTEST)],
        cwd=ROOT,
        # Players compiled with another Numba would be thrown away, and these in turn.
        env=dict(os.environ, PATH=path, TEST_EFFORT="quick", JASSTISCH_CACHE=str(VENV / "players")),
        check=False,
    )
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()

"""Tests with the lowest versions that pyproject.toml allows, in `.venv-lowest`: `make lowest`.

A lower bound is a promise to everybody who installs the package beside others. Test tools have
their locked versions, because nobody installs them beside other packages. Arguments replace the
default arguments of pytest.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tools.setup import ROOT, UV, digest, is_current, mark_current, print_progress, run_quietly

VENV = ROOT / ".venv-lowest"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".stamp"
LOCK = ROOT / "requirements" / "test.txt"

PYTEST = ("--numprocesses=2", "--dist=worksteal", "--ignore=tests/package")
"""The default arguments: the package test has its own environments with locked versions."""

FAILURE = "The lowest versions could not be installed; see the lines above."


def pins(lock: str, group: list[str]) -> list[str]:
    """Returns the pinned versions in a lock file of the packages of a group, without hashes.

    Args:
        lock: the text of the lock file.
        group: requirements, as in pyproject.toml.
    """
    names = {requirement.partition("[")[0].partition(">")[0].lower() for requirement in group}
    lines = [line.rstrip(" \\") for line in lock.splitlines() if "==" in line]
    return [line for line in lines if line.partition("==")[0] in names]


def install() -> None:
    """Creates `.venv-lowest` unless it exists and matches pyproject.toml."""
    project = ROOT / "pyproject.toml"
    key = digest([project, LOCK, Path(__file__)], str(ROOT), sys.version)
    if is_current(STAMP, key):
        return
    print_progress("installing the lowest versions")
    run_quietly([sys.executable, "-m", "venv", "--clear", VENV], FAILURE)
    groups = tomllib.loads(project.read_text(encoding="utf-8"))["dependency-groups"]
    with tempfile.TemporaryDirectory() as folder:
        tools, chosen = Path(folder) / "tools.txt", Path(folder) / "chosen.txt"
        locked = pins(LOCK.read_text(encoding="utf-8"), groups["test"] + groups["dev"])
        tools.write_text("\n".join(locked))
        asked = [
            *("--group", "test", "--group", "build", "--group", "dev"),
            *("--all-extras", "pyproject.toml"),
        ]
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
    # Their build tools are installed by now.
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
    """Installs the versions and runs the tests; exits with the status of pytest."""
    install()
    path = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        [PYTHON, "-m", "pytest", *(sys.argv[1:] or PYTEST)],
        cwd=ROOT,
        # Otherwise each Numba version would discard the compiled code of the other.
        env=dict(os.environ, PATH=path, TEST_EFFORT="quick", JASSTISCH_CACHE=str(VENV / "players")),
        check=False,
    )
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()

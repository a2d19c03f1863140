"""Creates `.venv-bench`: Jasstisch together with the engines that `make bench` compares it with.

Those engines are not in `.venv`, because neither playing nor testing needs them. One that does not
exist for this machine or its Python is reported and left out. This script uses only the standard
library, since it runs before anything is installed.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.setup import ROOT, digest, print_progress, run_quietly

VENV = ROOT / ".venv-bench"
STAMP = VENV / ".stamp"
REQUIREMENTS = ROOT / "requirements"

OPTIONAL_LOCKS = {
    # Wheels only: some of these would build for an hour from source.
    "bench": "--only-binary=:all:",
    # Source only; `bench` contains their build tools, with hashes as well.
    "bench-sources": "--no-build-isolation",
}
"""The lock files of optional packages, in order of installation, with options of pip."""

ENTRY_PATTERN = re.compile(r"^[a-z0-9][a-z0-9.-]*==.*?(?=^[a-z0-9]|\Z)", re.MULTILINE | re.DOTALL)


def parse_lock(lock: Path) -> Iterator[tuple[str, str]]:
    """Yields the packages of a lock file: each name with all lines of its entry."""
    for entry in ENTRY_PATTERN.findall(lock.read_text(encoding="utf-8")):
        yield entry.partition("==")[0], entry


def pip_command(*words: str | Path) -> list[str | Path]:
    """Returns a pip command that installs into `.venv-bench`."""
    return [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", *words]


def can_install(*words: str | Path) -> bool:
    """Returns whether pip could install the packages."""
    done = subprocess.run(
        pip_command("--disable-pip-version-check", "--require-hashes", *words),
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return done.returncode == 0


def install_available(lock: Path, how: str) -> list[str]:
    """Installs the packages of a lock file; returns the names of those that cannot be installed."""
    if can_install(how, "-r", lock):
        return []
    missing = []
    for name, lines in parse_lock(lock):
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(lines)
            file.flush()
            if not can_install(how, "-r", file.name):
                missing.append(name)
    return missing


def main() -> None:
    """Creates the environment unless it exists and matches the lock files."""
    locks = [REQUIREMENTS / f"{name}.txt" for name in ("run", *OPTIONAL_LOCKS)]
    key = digest([*locks, ROOT / "pyproject.toml"], str(ROOT), sys.version)
    if STAMP.is_file() and STAMP.read_text() == key:
        return
    print_progress("making .venv-bench")
    run_quietly(
        [sys.executable, "-m", "venv", "--clear", VENV],
        "The virtual environment could not be made; see the lines above.",
    )
    print_progress("installing Python packages")
    run_quietly(
        pip_command("--require-hashes", "-r", locks[0]),
        "The packages of requirements/run.txt could not be installed; is this machine online?",
    )
    print_progress("installing other engines to compare with")
    missing = [
        name for lock in locks[1:] for name in install_available(lock, OPTIONAL_LOCKS[lock.stem])
    ]
    print_progress("installing Jasstisch")
    run_quietly(
        pip_command("--no-build-isolation", "--editable", ROOT),
        "Jasstisch itself could not be installed; see the lines above.",
    )
    if missing:  # without a stamp the next run retries them
        print_progress(f"not to be had for this machine and Python: {', '.join(missing)}")
    else:
        STAMP.write_text(key)


if __name__ == "__main__":
    main()

"""Sets up `.venv-bench`: Jasstisch beside the engines that `make bench` measures it against.

They stay out of `.venv`, for nobody needs them to play or to test. One of them may not exist for
this machine or its Python; it is named and left out, and the others are measured without it.
Only the standard library is used, since this runs before anything is installed.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.setup import ROOT, call, digest, say

__all__ = ["entries", "install_what_goes", "main"]

VENV = ROOT / ".venv-bench"
STAMP = VENV / ".stamp"
REQUIREMENTS = ROOT / "requirements"

OPTIONAL = {
    # A wheel or nothing: some of these would build for an hour from source.
    "bench": "--only-binary=:all:",
    # Source or nothing; `bench` holds what builds them, checked against a hash as well.
    "bench-sources": "--no-build-isolation",
}
"""The locks of what may be missing, in the order of their installation, and how pip takes them."""

ENTRY = re.compile(r"^[a-z0-9][a-z0-9.-]*==.*?(?=^[a-z0-9]|\Z)", re.MULTILINE | re.DOTALL)


def entries(lock: Path) -> Iterator[tuple[str, str]]:
    """Each package of a lock file: its name, and all lines that belong to it."""
    for entry in ENTRY.findall(lock.read_text(encoding="utf-8")):
        yield entry.partition("==")[0], entry


def pip(*words: str | Path) -> list[str | Path]:
    """A command that installs into `.venv-bench`."""
    return [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", *words]


def goes(*words: str | Path) -> bool:
    """Whether pip could install this."""
    done = subprocess.run(
        pip("--disable-pip-version-check", "--require-hashes", *words),
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return done.returncode == 0


def install_what_goes(lock: Path, how: str) -> list[str]:
    """Installs the packages of a lock, at once or one by one; the names of those that do not go."""
    if goes(how, "-r", lock):
        return []
    missing = []
    for name, lines in entries(lock):
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(lines)
            file.flush()
            if not goes(how, "-r", file.name):
                missing.append(name)
    return missing


def main() -> None:
    """Makes the environment unless it is there and still what the locks ask for."""
    locks = [REQUIREMENTS / f"{name}.txt" for name in ("run", *OPTIONAL)]
    key = digest([*locks, ROOT / "pyproject.toml"], str(ROOT), sys.version)
    if STAMP.is_file() and STAMP.read_text() == key:
        return
    say("making .venv-bench")
    call(
        [sys.executable, "-m", "venv", "--clear", VENV],
        "The virtual environment could not be made; the lines above say why.",
    )
    say("installing Python packages")
    call(
        pip("--require-hashes", "-r", locks[0]),
        "The packages of requirements/run.txt could not be installed; is this machine online?",
    )
    say("installing other engines to compare with")
    missing = [name for lock in locks[1:] for name in install_what_goes(lock, OPTIONAL[lock.stem])]
    say("installing Jasstisch")
    call(
        pip("--no-build-isolation", "--editable", ROOT),
        "Jasstisch itself could not be installed; the lines above say why.",
    )
    if missing:  # no stamp: the next run tries them again
        say(f"not to be had for this machine and Python: {', '.join(missing)}")
    else:
        STAMP.write_text(key)


if __name__ == "__main__":
    main()

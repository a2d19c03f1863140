"""Writes the lock files: which exact packages, by version and hash, a set-up installs.

Python's are compiled with uv for every platform and every supported Python at once; npm keeps its
own. Neither names a registry: where packages come from is the machine's business, what they must
be is ours. Run it as `make lock` after a change of dependencies, `make lock UPGRADE=1` to take the
newest that fits.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.setup import ROOT, node_path, say

REQUIREMENTS = ROOT / "requirements"
# name of the lock -> the dependency groups of pyproject.toml in it, and whether the project's own
# dependencies are in it
LOCKS: dict[str, tuple[tuple[str, ...], bool]] = {
    "run": (("build",), True),
    "test": (("build", "test"), True),
    "peers": (("peers",), False),
    "bench": (("build", "bench"), True),
    "bench-sources": (("bench-sources",), False),
    "node": (("node",), False),
    "lock": (("lock",), False),
}


def lock_python(name: str, *, upgrade: bool) -> None:
    """Compiles `requirements/<name>.txt` from the groups in pyproject.toml."""
    groups, with_project = LOCKS[name]
    target = REQUIREMENTS / f"{name}.txt"
    command = [sys.executable, "-m", "uv", "--no-config", "pip", "compile", "--quiet"]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-emit-index-url", "--no-emit-find-links", "--no-emit-build-options"]
    command += ["--custom-compile-command", "make lock", "--output-file", str(target)]
    if with_project:
        command.append("pyproject.toml")
    if with_project and name != "run":
        # What is tested or measured is what is played with.
        command += ["--constraint", "requirements/run.txt"]
    if name == "bench-sources":
        # What these need stands in the lock of `bench`.
        command.append("--no-deps")
    if upgrade:
        command.append("--upgrade")
    for group in groups:
        command += ["--group", group]
    say(f"requirements/{name}.txt")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    subprocess.run(command, cwd=ROOT, env=clean, check=True)


def lock_npm(*, upgrade: bool) -> None:
    """Brings `web/package-lock.json` in line with `web/package.json`."""
    say("web/package-lock.json")
    web = ROOT / "web"
    path = node_path()
    npm = shutil.which("npm", path=path) or "npm"
    verb = "update" if upgrade else "install"
    subprocess.run(
        [npm, verb, "--package-lock-only", "--no-audit", "--no-fund"],
        cwd=web,
        env=dict(os.environ, PATH=path),
        check=True,
    )


def main() -> None:
    """Writes every lock file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    upgrade: bool = parser.parse_args().upgrade
    Path(REQUIREMENTS).mkdir(exist_ok=True)
    for name in LOCKS:
        lock_python(name, upgrade=upgrade)
    lock_npm(upgrade=upgrade)


if __name__ == "__main__":
    main()

"""Writes the lock files: the exact packages, by version and hash, that a set-up installs.

uv compiles the Python lock files for all platforms and all supported Python versions; npm has its
own. No lock file names a registry: the machine decides where packages come from, the project
decides which ones. Run `make lock` after a change of dependencies, or `make lock UPGRADE=1` to take
the newest versions that fit.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tools.setup import ROOT, node_path, print_progress

REQUIREMENTS = ROOT / "requirements"


class LockSpec(NamedTuple):
    """The contents of a lock file.

    Attributes:
        groups: dependency groups of pyproject.toml.
        extras: extras of the project; with any of them its dependencies are included too.
        consistent_with: another lock file whose versions it shares.
    """

    groups: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    consistent_with: str = ""


RUNTIME_EXTRAS = ("search", "server")
LOCKS = {
    "run": LockSpec(("build",), RUNTIME_EXTRAS),
    # For a container, single or in a cluster (deploy/Dockerfile).
    "serve": LockSpec(extras=(*RUNTIME_EXTRAS, "cluster"), consistent_with="run"),
    # Tests and benchmarks use the same versions as players.
    "test": LockSpec(("build", "dev", "test"), ("all",), consistent_with="run"),
    "dev": LockSpec(("dev",), consistent_with="test"),
    # The documentation site is tested, too.
    "site": LockSpec(("site",), consistent_with="test"),
    # A subset: what a test needs to install the package in an environment of its own.
    "package": LockSpec(("build",), ("server",), consistent_with="run"),
    "peers": LockSpec(("peers",), consistent_with="run"),
    "bench": LockSpec(("build", "bench"), RUNTIME_EXTRAS, consistent_with="run"),
    "bench-sources": LockSpec(("bench-sources",)),
    "node": LockSpec(("node",)),
    "lock": LockSpec(("lock",)),
}


def lock_python(name: str, *, upgrade: bool) -> None:
    """Compiles `requirements/<name>.txt` from the groups and extras in pyproject.toml."""
    lock = LOCKS[name]
    target = REQUIREMENTS / f"{name}.txt"
    command = [sys.executable, "-m", "uv", "--no-config", "pip", "compile", "--quiet"]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-emit-index-url", "--no-emit-find-links", "--no-emit-build-options"]
    command += ["--custom-compile-command", "make lock", "--output-file", str(target)]
    if lock.extras:
        command.append("pyproject.toml")
    for extra in lock.extras:
        command += ["--extra", extra]
    if lock.consistent_with:
        command += ["--constraint", f"requirements/{lock.consistent_with}.txt"]
    if name == "bench-sources":
        # Their dependencies are in the lock file of `bench`.
        command.append("--no-deps")
    if upgrade:
        command.append("--upgrade")
    for group in lock.groups:
        command += ["--group", group]
    print_progress(f"requirements/{name}.txt")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    subprocess.run(command, cwd=ROOT, env=clean, check=True)


def lock_npm(*, upgrade: bool) -> None:
    """Updates `web/package-lock.json` to match `web/package.json`."""
    print_progress("web/package-lock.json")
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

"""The lock files match pyproject.toml, and every package has hashes."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from jasstisch.extras import PACKAGES as EXTRAS
from tools.lock_dependencies import LOCKS

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ENTRY = re.compile(r"^([a-z0-9.-]+)==(\S+)(.*?)(?=^[a-z0-9.-]+==|\Z)", re.MULTILINE | re.DOTALL)


def locked(name: str) -> dict[str, tuple[str, int]]:
    """Each package of a lock file with its version and number of hashes."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {
        package: (version, rest.count("--hash=sha256:"))
        for package, version, rest in ENTRY.findall(text)
    }


def asked(name: str) -> list[Requirement]:
    """The requirements in pyproject.toml for the lock called `name`."""
    lock, project = LOCKS[name], PYPROJECT["project"]
    extras = lock.extras if lock.extras != ("all",) else tuple(EXTRAS)
    lines = [line for group in lock.groups for line in PYPROJECT["dependency-groups"][group]]
    lines += [line for extra in extras for line in project["optional-dependencies"][extra]]
    if extras:
        lines += project["dependencies"]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("name", LOCKS)
def test_locks_satisfy_the_requirements(name: str) -> None:
    packages = locked(name)
    unmet = [
        str(requirement)
        for requirement in asked(name)
        if canonicalize_name(requirement.name) not in packages
        or packages[canonicalize_name(requirement.name)][0] not in requirement.specifier
    ]
    assert unmet == [], "run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_hashes(name: str) -> None:
    assert [package for package, (_, hashes) in locked(name).items() if hashes == 0] == []


def test_tests_and_production_lock_the_same_versions() -> None:
    assert locked("run").items() <= locked("test").items()
    assert locked("package").items() <= locked("run").items()


def test_the_npm_lock_is_complete_on_every_platform() -> None:
    """`npm ci` refuses a lock that misses a package of any platform."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    missing = [
        f"{asking} asks for {name}"
        for asking, package in packages.items()
        for group in ("dependencies", "devDependencies", "optionalDependencies")
        for name in package.get(group, {})
        if not any(place in packages for place in places(asking, name))
    ]
    assert missing == []


def places(asking: str, name: str) -> list[str]:
    """Where Node.js looks for the package `name` from the place `asking`, nearest first."""
    folders = asking.split("/node_modules/") if asking else []
    inner = ["/node_modules/".join(folders[:depth]) for depth in range(len(folders), 0, -1)]
    return [f"{folder}/node_modules/{name}" for folder in inner] + [f"node_modules/{name}"]

"""The number of connections that the limit of file descriptors allows."""

import subprocess
import sys

import pytest

from jasstisch.server.limits.file_descriptors import connection_budget


@pytest.mark.parametrize(
    ("most", "descriptors", "connections"),
    [(20_000, None, 20_000), (20_000, 1024, 896), (500, 1024, 500), (20_000, 64, 32)],
)
def test_some_descriptors_are_reserved_for_the_store(
    most: int, descriptors: int | None, connections: int
) -> None:
    assert connection_budget(most, descriptors) == connections


@pytest.mark.outside
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of descriptors")
def test_the_soft_limit_is_raised_to_the_hard_one() -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (50, 200))\n"
        "from jasstisch.server.limits.file_descriptors import raise_soft_limit\n"
        "print(raise_soft_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    words = [sys.executable, "-c", program]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert said == "200 200 200\n"

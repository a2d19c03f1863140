"""What all tests share: how hypothesis searches, and what keeps them apart from the world outside.

On a developer's machine every run looks at new examples; in CI the examples are always the same,
so that a red run means that the change is wrong; in `make check` there are few of them. No
deadline: a slow machine is not a failure.

A test that starts another process or opens a port bears the mark `outside`: `make check` leaves it
out. One that does so without the mark fails, except in `project/` and `tools/`, where the project
is looked at with its own tools, quickly.
"""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from hypothesis import settings

from tests.guests import BOCK, ELSTER, python_blocks, registered_game
from tests.support.example_counts import QUICK, examples

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", deadline=None, max_examples=examples(100, 15))
settings.load_profile("quick" if QUICK else "ci" if os.environ.get("CI") else "dev")

# Started in the background, or under nohup, a program ignores Ctrl-C, and so would all that it
# starts: the tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

EXTERNAL_EVENTS = {
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "socket.bind",
    "socket.connect",
    "subprocess.Popen",
}
"""What Python's audit calls the ways out."""

PROJECT_TESTS = {Path(__file__).parent / name for name in ("project", "tools")}

external_calls: set[str] = set()


def record_external_call(event: str, _: tuple[object, ...]) -> None:
    """Notes a way out that was taken."""
    if event in EXTERNAL_EVENTS:
        external_calls.add(event)


sys.addaudithook(record_external_call)

start_process = BaseProcess.start


def start_and_record(self: BaseProcess) -> None:
    """Notes a way out that Python's audit does not tell of."""
    external_calls.add("multiprocessing")
    start_process(self)


BaseProcess.start = start_and_record  # type: ignore[method-assign]


def pytest_collection_finish() -> None:
    """Forgets what was done while modules were imported, and lets garbage be: there is little."""
    external_calls.clear()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Fails a test that went out without saying so."""
    yield
    taken = ", ".join(sorted(external_calls))
    external_calls.clear()
    if (
        taken
        and item.get_closest_marker("outside") is None
        and PROJECT_TESTS.isdisjoint(item.path.parents)
    ):
        pytest.fail(f"this test goes outside ({taken}): mark it with pytest.mark.outside")


@pytest.fixture
def ramsch(tmp_path: Path) -> Iterator[str]:
    """The name of the game that docs/adding-a-game.md builds, a game while the test runs."""
    file = tmp_path / "ramsch.py"
    file.write_text(python_blocks()[0], encoding="utf-8")
    with registered_game(file) as name:
        yield name


@pytest.fixture
def steigern(tmp_path: Path) -> Iterator[str]:
    """The name of the game with an auction on that page, a game while the test runs."""
    file = tmp_path / "steigern.py"
    file.write_text(python_blocks()[2], encoding="utf-8")
    with registered_game(file) as name:
        yield name


@pytest.fixture
def bock() -> Iterator[str]:
    """The name of a game with a phase, an option and figures of its own, while the test runs."""
    with registered_game(BOCK) as name:
        yield name


@pytest.fixture
def elster() -> Iterator[str]:
    """The name of a game that calls its own as other games call theirs, while the test runs."""
    with registered_game(ELSTER) as name:
        yield name

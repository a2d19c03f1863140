"""`make dev` restarts the server when its sources change, on a port of its own."""

import sys
import time
from pathlib import Path

import pytest
from watchfiles import Change

from tools import dev

PACKAGE = dev.PACKAGE


@pytest.mark.parametrize(
    ("file", "restarts"),
    [
        (PACKAGE / "server" / "app.py", True),
        (PACKAGE / "analysis" / "texts" / "en.json", True),
        (PACKAGE / "cards.pyc", False),
        (PACKAGE / "server" / "static" / "previews.json", False),
        (PACKAGE / "server" / "site" / "docs" / "search.json", False),
    ],
)
def test_the_server_restarts_when_its_sources_change(file: Path, restarts: bool) -> None:
    assert dev.needs_restart(Change.modified, str(file)) is restarts


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ([], ["--data", str(dev.DATA)]),
        (["--data", "/srv/jass"], ["--data", "/srv/jass"]),
        (["--store=postgresql://db"], ["--store=postgresql://db"]),
        (["--port", "9000"], ["--data", str(dev.DATA), "--port", "9000"]),
    ],
)
def test_arguments_are_passed_on_and_the_port_is_the_one_the_page_calls(
    words: list[str], place: list[str]
) -> None:
    command = [str(word) for word in dev.serve_command(4711, words)]
    assert command[1:] == ["serve", *place, "--no-open", "--port", "4711"]


@pytest.mark.outside
def test_the_old_server_is_stopped_before_the_new_one_starts(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = (
        "import pathlib, signal, sys, time\n"
        f"log = pathlib.Path({str(log)!r}).open('a')\n"
        "def end(*_):\n"
        "    print('stopped', file=log, flush=True)\n"
        "    sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "print('started', file=log, flush=True)\n"
        "time.sleep(60)\n"
    )
    server = dev.Server([sys.executable, "-c", program])
    for restarts in range(2):
        server.restart()
        expected = ["started", "stopped"] * restarts + ["started"]
        end = time.monotonic() + 30
        while not log.exists() or log.read_text().split() != expected:
            assert time.monotonic() < end
            time.sleep(0.02)
    server.stop()
    assert log.read_text().split() == ["started", "stopped"] * 2

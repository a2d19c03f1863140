"""Starting and stopping the server as an operator does."""

import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import jasstisch.server
from jasstisch.server.data_location import default_data_dir
from tests.server.running_server import ServerProcess

pytestmark = pytest.mark.outside


def serve(data: Path, port: int = 0, host: str = "127.0.0.1") -> subprocess.CompletedProcess[str]:
    """Starts a server that must fail; returns the result."""
    program = (
        "import sys; from pathlib import Path; from jasstisch.server import serve; "
        "sys.exit(serve(sys.argv[3], int(sys.argv[2]), Path(sys.argv[1])))"
    )
    return subprocess.run(
        [sys.executable, "-c", program, str(data), str(port), host],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ({"public_url": "jass.example.org"}, "'jass.example.org' is no public address"),
        ({"public_url": "https://jass.example.org/table"}, "https://jass.example.org"),
        ({"trusted_proxies": ["10.0.0.1", "proxy"]}, "'proxy' is no address or network"),
        ({"trusted_proxies": ["10.0.0.1/8"]}, "'10.0.0.1/8' is no address or network"),
    ],
)
def test_an_invalid_public_url_or_proxy_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: dict[str, Any], named: str
) -> None:
    assert jasstisch.server.serve(port=0, data=tmp_path / "new", **words) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("jasstisch: ")
    assert named in said.err
    assert not (tmp_path / "new").exists()


def one_line(result: subprocess.CompletedProcess[str]) -> str:
    """Checks that a start failed with a single line; returns it."""
    assert (result.returncode, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("jasstisch: ")
    return line


def test_the_server_prints_its_address_and_exits_cleanly(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "new" / "folder")
    assert (tmp_path / "new" / "folder" / "tables.sqlite3").is_file()
    assert stat.S_IMODE((tmp_path / "new" / "folder").stat().st_mode) == 0o700
    server.process.send_signal(signal.SIGTERM)
    server.wait_exit()
    assert server.process.returncode in (0, -signal.SIGTERM)


def test_ctrl_c_raises_keyboard_interrupt(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.process.send_signal(signal.SIGINT)
    log = server.wait_exit()
    assert "KeyboardInterrupt" in log  # which the command line turns into status 130
    assert server.process.returncode == -signal.SIGINT


def test_a_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = one_line(serve(tmp_path, port))
    assert f"port {port}" in line
    assert "--port" in line


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 0), ("127.0.0.1", 70_000)])
def test_an_invalid_address_is_reported_in_one_line(tmp_path: Path, host: str, port: int) -> None:
    assert host in one_line(serve(tmp_path, port, host))


def test_an_unusable_data_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    line = one_line(serve(tmp_path / "file"))
    assert str(tmp_path / "file") in line
    assert "--data" in line
    assert "--data" in one_line(serve(tmp_path / "file" / "below"))


def test_a_store_file_is_locked_and_has_an_admin_socket_like_a_data_folder(
    tmp_path: Path,
) -> None:
    store = f"sqlite:{tmp_path / 'tables.sqlite3'}"
    server = ServerProcess(tmp_path, store=store)
    try:
        line = one_line(serve(tmp_path))
        assert f"in use by a server (process {server.process.pid}, since " in line
        words = [sys.executable, "-m", "jasstisch", "admin", "tables", "--store", store]
        asked = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert (asked.returncode, asked.stdout) == (0, "0 of 0 tables\n")
    finally:
        server.stop()


def test_data_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    ServerProcess(tmp_path).stop()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "newer Jasstisch" in one_line(serve(tmp_path))


def test_the_default_data_folder_follows_the_platform(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data_dir() == tmp_path / "jasstisch"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data_dir() == tmp_path / ".local" / "share" / "jasstisch"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_data_dir() == tmp_path / "Library" / "Application Support" / "jasstisch"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", os.fspath(tmp_path / "Local"))
    assert default_data_dir() == tmp_path / "Local" / "jasstisch"

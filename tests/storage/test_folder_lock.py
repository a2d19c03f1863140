"""The lock of a data folder: one server at a time, even after a crash."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jasstisch.storage import FolderLock, LockedError
from jasstisch.storage.folder_lock import LOCK_FILE

HOLD = (
    "import sys; from pathlib import Path; from jasstisch.storage import FolderLock; "
    "lock = FolderLock(Path(sys.argv[1]), 'a server'); print('held', flush=True); sys.stdin.read()"
)


def holder(folder: Path) -> "subprocess.Popen[str]":
    """Another process, once it holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_the_second_process_is_told_who_holds_the_lock_and_since_when(tmp_path: Path) -> None:
    with FolderLock(tmp_path, "a server"):
        with pytest.raises(LockedError) as caught:
            FolderLock(tmp_path, "a restore")
        said = str(caught.value)
        assert f"{tmp_path} is in use by a server (process {os.getpid()}, since 2" in said
    FolderLock(tmp_path, "a restore").release()


@pytest.mark.outside
def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    process = holder(tmp_path)
    try:
        with pytest.raises(LockedError, match=f"process {process.pid}"):
            FolderLock(tmp_path, "a server")
    finally:
        end(process)
    assert (tmp_path / LOCK_FILE).exists()
    FolderLock(tmp_path, "a server").release()


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b'{"pid":1}', b'{"pid":1,"since":1e99,"what":""}']
)
def test_the_content_of_the_lock_file_does_not_matter(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LOCK_FILE).write_bytes(content)
    with FolderLock(tmp_path, "a server"):
        (tmp_path / LOCK_FILE).write_bytes(content)
        with pytest.raises(LockedError, match="another process"):
            FolderLock(tmp_path, "a server")


def test_a_lock_is_private_and_released_once(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path, "a server")
    assert (tmp_path / LOCK_FILE).stat().st_mode & 0o077 == 0
    lock.release()
    lock.release()


def test_a_missing_folder_must_be_created_by_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FolderLock(tmp_path / "nowhere", "a server")

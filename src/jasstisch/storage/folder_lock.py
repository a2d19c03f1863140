"""A lock on the data folder: one server at a time, and no process replaces the file under it.

It is a lock of the operating system on a file in the folder, so that it ends with the process that
holds it, even after a crash. The file describes the holder for the error message. Only a server and
commands that replace the whole file take the lock; backups and checks do not.
"""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from jasstisch.file_lock import lock_file
from jasstisch.storage.errors import StoreError

LOCK_FILE = "lock"
"""The lock file in the data folder; it remains when the lock is released."""

_MAX_HOLDER_BYTES = 512
"""The most bytes read from the file."""


class LockedError(StoreError):
    """Another process holds the lock; the message names it, if it is known."""


class _Holder(msgspec.Struct, frozen=True):
    """The holder of the lock, and the time it was taken: seconds since 1970."""

    pid: int
    since: float
    what: str


class FolderLock:
    """Holds the lock of a folder until it is released, or the process ends.

    Args:
        folder: the data folder; it must exist.
        what: the description of this process for others, such as `a server`.

    Raises:
        LockedError: another process holds it.
        OSError: the folder cannot be written to.
    """

    def __init__(self, folder: Path, what: str) -> None:
        path = folder / LOCK_FILE
        # Not inherited: otherwise a worker process that outlives its server would keep the lock.
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock_file(self._file)
        except OSError as error:
            holder = _describe_holder(self._file)
            self.release()
            raise LockedError(f"the data folder {folder} is in use by {holder}") from error
        told = msgspec.json.encode(_Holder(os.getpid(), datetime.now(UTC).timestamp(), what))
        os.ftruncate(self._file, 0)
        os.write(self._file, told)

    def release(self) -> None:
        """Releases the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        """Returns the lock, which is already held."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Releases the lock."""
        self.release()


def _describe_holder(file: int) -> str:
    """The holder of the lock, in words."""
    with suppress(OSError, msgspec.MsgspecError, ValueError, OverflowError):
        os.lseek(file, 0, os.SEEK_SET)
        holder = msgspec.json.decode(os.read(file, _MAX_HOLDER_BYTES), type=_Holder)
        since = datetime.fromtimestamp(holder.since).astimezone().isoformat(" ", "seconds")
        return f"{holder.what} (process {holder.pid}, since {since})"
    # The lock was just taken, and the file is not written yet.
    return "another process"

"""A lock of the operating system on an open file, which ends with the process that holds it."""

import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_WINDOWS_LOCK_OFFSET = 1 << 40
"""The byte that is locked on Windows, where locked bytes cannot be read."""


def lock_file(file: int) -> None:
    """Locks an open file until it is closed.

    Raises:
        OSError: another process holds the lock, or this one does by another opening of the file.
    """
    if sys.platform == "win32":
        os.lseek(file, _WINDOWS_LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

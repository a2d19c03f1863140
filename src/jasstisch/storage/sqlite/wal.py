"""What a crash has left in the write-ahead log of a SQLite file, and whether all of it was read.

SQLite takes what it cannot read of the log for the end of it, and says nothing. Each commit is on
the disk before the next one is written, so of a power cut one commit at most can be half there: if
two or more stand behind the last one that was read, the log is damaged, and what they held is lost.
The format: https://www.sqlite.org/fileformat2.html#walformat
"""

import struct
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy2

__all__ = ["MAX_TORN_COMMITS", "commit_frames", "preserve_wal", "wal_path"]

HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
"""Bytes before the first frame, and of each frame before its page."""

MAX_TORN_COMMITS = 1
"""So many commits a power cut may leave half written; nobody was told that these were done."""

_PAGE_SIZE = struct.Struct(">H")
_SALTS = struct.Struct(">II")
_FRAME = struct.Struct(">IIII")  # the page, the pages of the file if it ends a commit, two salts


def wal_path(path: Path) -> Path:
    """The write-ahead log of a file."""
    return path.with_name(f"{path.name}-wal")


def commit_frames(path: Path) -> list[int]:
    """The frames, counted from 1, that end a commit in the log of a file; nothing is checked.

    Raises:
        OSError: the log cannot be read.
    """
    log = wal_path(path)
    if not log.exists() or log.stat().st_size <= HEADER_BYTES + FRAME_HEADER_BYTES:
        return []
    page = _page_size(path)
    with log.open("rb") as file:
        size = log.stat().st_size
        file.seek(16)
        salts = [_SALTS.unpack(file.read(_SALTS.size))]
        ends = []
        for number in range((size - HEADER_BYTES) // (FRAME_HEADER_BYTES + page)):
            file.seek(HEADER_BYTES + number * (FRAME_HEADER_BYTES + page))
            _, pages, *salt = _FRAME.unpack(file.read(_FRAME.size))
            salts.append(tuple(salt))
            ends.append(pages > 0)
    # Behind the frames of this log there may be some of an earlier one, of other salts. The header
    # and the first frames have those of this one, as long as only one of them is damaged.
    ((present, _),) = Counter(salts[:3]).most_common(1)
    known = zip(salts[1:], ends, strict=True)
    return [number for number, (salt, end) in enumerate(known, 1) if end and salt == present]


def _page_size(path: Path) -> int:
    with path.open("rb") as file:
        file.seek(16)
        told = file.read(_PAGE_SIZE.size)
    size = int(_PAGE_SIZE.unpack(told)[0]) if len(told) == _PAGE_SIZE.size else 0
    # 1 stands for a size that has no room in two bytes.
    return {0: 4096, 1: 65_536}.get(size, size)


def preserve_wal(path: Path) -> Path:
    """Copies a log before it is written over, for whoever may still read something in it.

    Raises:
        OSError: there is no room for it.
    """
    log = wal_path(path)
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    aside = log.with_name(f"{log.name}.damaged-{now}")
    copy2(log, aside)
    return aside

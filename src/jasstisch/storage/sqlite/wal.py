"""Detection of lost commits in the write-ahead log that a crash has left.

SQLite silently takes the first unreadable frame of the log for its end. Each commit is on the disk
before the next one is written, so a power cut can leave at most one incomplete commit. If two or
more commits follow the last one that was read, the log is damaged and they are lost.
The format: https://www.sqlite.org/fileformat2.html#walformat
"""

import struct
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy2

_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
"""The size in bytes of the header of the log, and of the header of each frame."""

MAX_TORN_COMMITS = 1
"""The most commits that a power cut may leave incomplete; these were never acknowledged."""

_PAGE_SIZE = struct.Struct(">H")
_SALTS = struct.Struct(">II")
_FRAME = struct.Struct(">IIII")  # the page, the pages of the file if it ends a commit, two salts


def wal_path(path: Path) -> Path:
    """The write-ahead log of a file."""
    return path.with_name(f"{path.name}-wal")


def commit_frame_numbers(path: Path) -> list[int]:
    """The numbers, from 1, of the frames that end a commit in the log; checksums are not verified.

    Raises:
        OSError: the log cannot be read.
    """
    log = wal_path(path)
    if not log.exists() or log.stat().st_size <= _HEADER_BYTES + _FRAME_HEADER_BYTES:
        return []
    page = _page_size(path)
    with log.open("rb") as file:
        size = log.stat().st_size
        file.seek(16)
        salts = [_SALTS.unpack(file.read(_SALTS.size))]
        ends = []
        for number in range((size - _HEADER_BYTES) // (_FRAME_HEADER_BYTES + page)):
            file.seek(_HEADER_BYTES + number * (_FRAME_HEADER_BYTES + page))
            _, pages, *salt = _FRAME.unpack(file.read(_FRAME.size))
            salts.append(tuple(salt))
            ends.append(pages > 0)
    # Frames of an earlier log, with other salts, may follow those of this one. The salts of this
    # log are in the header and the first frames, as long as only one of them is damaged.
    ((present, _),) = Counter(salts[:3]).most_common(1)
    known = zip(salts[1:], ends, strict=True)
    return [number for number, (salt, end) in enumerate(known, 1) if end and salt == present]


def _page_size(path: Path) -> int:
    with path.open("rb") as file:
        file.seek(16)
        told = file.read(_PAGE_SIZE.size)
    size = int(_PAGE_SIZE.unpack(told)[0]) if len(told) == _PAGE_SIZE.size else 0
    # 1 encodes the size 65536, which does not fit in two bytes.
    return {0: 4096, 1: 65_536}.get(size, size)


def preserve_wal(path: Path) -> Path:
    """Copies a log before it is overwritten, so that its data may still be recovered.

    Raises:
        OSError: the disk is full.
    """
    log = wal_path(path)
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    aside = log.with_name(f"{log.name}.damaged-{now}")
    copy2(log, aside)
    return aside

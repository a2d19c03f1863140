"""Files in which a client keeps what it has seen of matches with verifiable deals.

A file holds one match, as seen by one process at a time. It only grows: an entry a line, each with
a checksum over all lines so far. Its lock ends with the process. A file that cannot be read is set
aside, and one that cannot be written is deleted: a client that forgets begins with the next pack,
but one that remembers an earlier state could open a contribution for a second call. One that is
full stays, and says so: a server that tells much must not make a client forget.
"""

import os
import re
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Literal, Self

import msgspec

from jasstisch.client.seen_match import Ended, Entry, SeenMatch, Told
from jasstisch.fairness import MatchId
from jasstisch.file_lock import lock_file
from jasstisch.folder_sync import sync_folder

FORMAT: Literal["jasstisch-seen/1"] = "jasstisch-seen/1"

_MAX_BYTES = 4 * 2**20
"""The largest size of a file: several times what the longest plausible match needs."""

_LAST_BYTES = 1024
"""How many of these are left to say that the file is full."""

_MAX_FILES = 100
_MAX_AGE_S = 60 * 86400
"""The most files to keep, and for how long since their last change, in seconds."""

_FILE_NAME = re.compile(r"(?P<table>[0-9a-f]{64})-(?P<match>[1-9]\d{0,9})(?:\.[1-9]\d*)?\.seen")
_DAMAGED_SUFFIX = ".damaged"
_CHECKSUM_SIZE = len(b"01234567 ")


class DamagedMemoryError(ValueError):
    """A file that cannot be what a client has kept; the message says which and where."""


class _Header(msgspec.Struct, tag="match", frozen=True, forbid_unknown_fields=True):
    """The first line of a file.

    Attributes:
        format: the format.
        table: the id of the table.
        match: the number of the match at the table.
        seats: the number of seats.
    """

    format: Literal["jasstisch-seen/1"]
    table: str
    match: int
    seats: int


_read_line = msgspec.json.Decoder(_Header | Entry).decode
_write_line = msgspec.json.encode


class DealMemory:
    """What a client has seen of matches with verifiable deals, in a folder.

    Several processes may use the same folder, also at the same table.

    Args:
        folder: the folder; it is made when there is something to keep.

    Attributes:
        problems: what could not be read or kept, in words for the person; the reader may clear it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[str] = []

    def begin(self, seen: SeenMatch) -> SeenMatch:
        """Keeps a match from now on; returns it as it was kept, if it was kept before."""
        kept = self.claim(seen.table, seen.number)
        if kept is not None:
            return kept
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._delete_surplus()
            seen.journal = self._new_file(seen)
        except OSError as error:
            self.problems.append(f"{self.folder}: {error.strerror or error}")
        return seen

    def resume(self, table: str) -> SeenMatch | None:
        """What was seen of the latest match at a table; None if nothing was kept.

        What another process keeps is not taken from it.
        """
        for number in reversed(self.kept_matches(table)):
            if (seen := self.claim(table, number)) is not None:
                return seen
        return None

    def claim(self, table: str, number: int) -> SeenMatch | None:
        """The kept match of which most was seen, unless other processes keep it.

        One in which the server broke the protocol goes before. If one is damaged none is taken: it
        may have been that one.
        """
        paths = self.find(MatchId.of(table, number).table_hash, number)
        files = [file for path in paths if (file := _MatchFile.open(path, self)) is not None]
        found = {file: file.load(table, number) for file in files if not file.is_empty}
        whole = {file: seen for file, seen in found.items() if seen is not None}
        best: _MatchFile | None = None
        if len(whole) == len(found):
            best = max(whole, key=lambda file: whole[file].weight, default=None)
        for file in files:
            if file is not best:
                file.close()
        if best is None:
            return None
        whole[best].journal = best
        return whole[best]

    def kept_matches(self, table: str) -> list[int]:
        """The numbers of the matches at a table of which something is kept, ascending."""
        names = self._names(MatchId.of(table, 1).table_hash)
        return sorted({int(one["match"]) for one in names})

    def recall(self, match: MatchId) -> list[SeenMatch]:
        """What was seen of a match, by whichever process; it can be compared and not continued."""
        found = []
        for path in self.find(match.table_hash, match.number):
            try:
                found.append(read_seen_match(path))
            except DamagedMemoryError as error:
                self.problems.append(str(error))
            except OSError as error:
                self.problems.append(f"{path}: {error.strerror or error}")
        return found

    def find(self, table_hash: bytes, number: int) -> list[Path]:
        """The files that hold what was seen of a match, by whichever process."""
        names = [one for one in self._names(table_hash) if int(one["match"]) == number]
        return sorted(self.folder / one.string for one in names)

    def _new_file(self, seen: SeenMatch) -> "_MatchFile":
        """A new file for a match."""
        name = f"{MatchId.of(seen.table, 1).table_hash.hex()}-{seen.number}"
        for slot in count(1):
            path = self.folder / (f"{name}.seen" if slot == 1 else f"{name}.{slot}.seen")
            with suppress(FileExistsError, BlockingIOError, PermissionError):
                return _MatchFile.create(path, self, seen)
        raise AssertionError("numbers do not end")

    def _names(self, table_hash: bytes) -> Iterator[re.Match[str]]:
        """The names of the files of a table."""
        with suppress(OSError):
            for path in self.folder.iterdir():
                found = _FILE_NAME.fullmatch(path.name)
                if found is not None and found["table"] == table_hash.hex():
                    yield found

    def _delete_surplus(self) -> None:
        """Deletes the files that have not changed for long, and some of too many.

        The oldest one of the table with the most files goes first, so that a server that announces
        many matches does not make a client forget those at other tables.
        """
        changed = {path: path.stat().st_mtime for path in self.folder.glob("*.seen*")}
        old = [path for path, time_s in changed.items() if time_s < time.time() - _MAX_AGE_S]
        by_table: dict[str, list[Path]] = {}
        for path in sorted(changed.keys() - set(old), key=changed.__getitem__, reverse=True):
            by_table.setdefault(path.name.partition("-")[0], []).append(path)
        for _ in range(len(changed) - len(old) - _MAX_FILES):
            tables = filter(None, by_table.values())
            old.append(max(tables, key=lambda files: (len(files), -changed[files[-1]])).pop())
        for path in old:
            if (file := _MatchFile.open(path, self)) is not None:
                file.delete()


def read_seen_match(path: Path) -> SeenMatch:
    """Reads what was seen of a match.

    Raises:
        DamagedMemoryError: the file is not what a client has kept.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return _parse(file.read(_MAX_BYTES + 1), path)[0]


class _MatchFile:
    """A locked file with what is seen of a match."""

    def __init__(self, file: int, path: Path, memory: DealMemory) -> None:
        self._file: int | None = file
        self._path = path
        self._memory = memory
        self._size = 0
        self._checksum = 0

    @classmethod
    def open(cls, path: Path, memory: DealMemory) -> Self | None:
        """Opens and locks a file; None if it is gone, or another process keeps it."""
        try:
            return cls._locked(os.open(path, os.O_RDWR | os.O_APPEND), path, memory)
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path, memory: DealMemory, seen: SeenMatch) -> Self:
        """Creates a file that nobody else can read.

        Raises:
            OSError: it exists, or cannot be written.
        """
        new = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        file = cls._locked(new, path, memory)
        try:
            file.write(_Header(FORMAT, seen.table, seen.number, seen.seats), durable=True)
            sync_folder(path.parent)
        except OSError:
            file.delete()
            raise
        return file

    @classmethod
    def _locked(cls, file: int, path: Path, memory: DealMemory) -> Self:
        try:
            lock_file(file)
            if os.fstat(file).st_nlink == 0:
                raise FileNotFoundError(f"{path} was deleted")
        except OSError:
            os.close(file)
            raise
        return cls(file, path, memory)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was kept in it: another process is just making it, or has given it up."""
        return self._file is None or os.fstat(self._file).st_size == 0

    def load(self, table: str, number: int) -> SeenMatch | None:
        """What was kept of a match; None, and the file is set aside, if it is damaged."""
        assert self._file is not None
        try:
            with os.fdopen(os.dup(self._file), "rb") as file:
                content = file.read(_MAX_BYTES + 1)
            seen, self._size, self._checksum = _parse(content, self._path)
            if (seen.table, seen.number) != (table, number):
                raise DamagedMemoryError(f"{self._path}: it is of another match")
            os.ftruncate(self._file, self._size)
        except (DamagedMemoryError, OSError) as error:
            self._memory.problems.append(str(error))
            aside = self._path.with_name(self._path.name + _DAMAGED_SUFFIX)
            self._remove_name(lambda: self._path.replace(aside))
            return None
        return seen

    def append(self, entry: Entry) -> bool:
        """Keeps an entry; what was told is stored durably. False if the file is full.

        If that fails, the file is deleted: what it holds must not be taken for all that was seen.
        """
        if self._file is None:
            return True
        if isinstance(entry, Ended):
            text = f"larger than {_MAX_BYTES // 2**20} MiB; its match goes on without this client"
            self._memory.problems.append(f"{self._path}: {text}")
        elif not self._has_room(entry):
            return False
        try:
            self.write(entry, durable=isinstance(entry, Told | Ended))
        except OSError as error:
            self._memory.problems.append(f"{self._path}: {error.strerror or error}")
            self.delete()
        return True

    def _has_room(self, entry: Entry) -> bool:
        size = _CHECKSUM_SIZE + len(_write_line(entry)) + len(b"\n")
        return self._size + size + _LAST_BYTES <= _MAX_BYTES

    def delete(self) -> None:
        """Deletes the file."""
        with suppress(OSError):
            os.ftruncate(self._file if self._file is not None else -1, 0)
        self._remove_name(self._path.unlink)

    def _remove_name(self, remove: Callable[[], object]) -> None:
        """Deletes or renames the file, and closes it.

        Its lock ends afterwards, so that nobody opens it in between; Windows, however, neither
        deletes nor renames open files.
        """
        if os.name == "nt":
            self.close()
        with suppress(OSError):
            remove()
        self.close()

    def close(self) -> None:
        """Closes the file, which ends its lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def write(self, line: _Header | Entry, *, durable: bool) -> None:
        """Writes a line.

        Raises:
            OSError: the disk is full.
        """
        assert self._file is not None
        text = _write_line(line)
        self._checksum = zlib.crc32(text, self._checksum)
        data = b"%08x %s\n" % (self._checksum, text)
        self._size += len(data)
        while data:
            data = data[os.write(self._file, data) :]
        if durable:
            os.fsync(self._file)


def _parse(content: bytes, path: Path) -> tuple[SeenMatch, int, int]:
    """Reads a file: what was seen, the length of its whole lines, and its checksum.

    The last line may be half written, if the machine has stopped: nothing was sent because of it.

    Raises:
        DamagedMemoryError: it is not what a client has kept.
    """
    if len(content) > _MAX_BYTES:
        raise DamagedMemoryError(f"{path}: larger than {_MAX_BYTES // 2**20} MiB")
    *lines, torn = content.split(b"\n")
    seen: SeenMatch | None = None
    checksum = 0
    for number, line in enumerate(lines, start=1):
        before, text = line[:_CHECKSUM_SIZE], line[_CHECKSUM_SIZE:]
        checksum = zlib.crc32(text, checksum)
        try:
            if before != b"%08x " % checksum:
                raise ValueError("its checksum does not fit")
            seen = _restore(seen, _read_line(text))
        except (ValueError, RecursionError) as error:
            raise DamagedMemoryError(f"{path}: line {number}: {error}") from error
    if seen is None:
        raise DamagedMemoryError(f"{path}: its first line is missing")
    return seen, len(content) - len(torn), checksum


def _restore(seen: SeenMatch | None, line: _Header | Entry) -> SeenMatch:
    """What was seen after one more line.

    Raises:
        ValueError: the line does not belong there.
    """
    if isinstance(line, _Header):
        if seen is not None:
            raise ValueError("a second header")
        return SeenMatch(line.table, line.match, line.seats)
    if seen is None:
        raise ValueError("the header is missing")
    seen.restore(line)
    return seen

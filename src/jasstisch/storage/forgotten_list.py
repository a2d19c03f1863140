"""The list of what was forgotten, kept apart from backups and applied when one is restored.

A backup brings back whoever was forgotten or banned after it was made, and devices, recovery codes
and links that were revoked. The list tells `restore` what to forget again. It is a folder of files,
one for each month and process, so that several servers can write and their files be collected in
one folder. Each line holds a time, a kind, a hash and a checksum. The hashes are of another domain
than any other, so that a list tells nothing to whoever does not know the person, the token or the
table already. Lines come from the outbox of the store (`forgotten_outbox`).
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Literal

from jasstisch.folder_sync import sync_folder
from jasstisch.storage.errors import StoreError
from jasstisch.storage.failure_causes import classify_failure

Kind = Literal["person", "credential", "ban", "unban", "link"]
"""A person was forgotten, a credential revoked or used up, a person banned or no longer so, a link
revoked."""

_DOMAINS = {"person": "person", "credential": "credential", "ban": "ban", "unban": "ban"}
"""The domain of the hash of each kind, where it is not the kind itself."""

_SUFFIX = ".forgotten"

_FILE_NAME = re.compile(r"([0-9]{4}-[0-9]{2})-[0-9a-f]{8}\.forgotten")

_LINE = re.compile(
    rb"(?P<text>(?P<at>[0-9]{1,15}\.[0-9]{1,9}) (?P<kind>begin|person|credential|ban|unban|link) "
    rb"(?P<hash>[0-9a-f]{64}) (?P<until>-|[0-9]{1,15}\.[0-9]{1,9})) (?P<sum>[0-9a-f]{8})\n"
)
"""A line: seconds since 1970, kind, hash, the end of a ban or "-", checksum."""

_MAX_LINE_BYTES = 256

_NO_HASH = "0" * 64
"""The hash in the first line of a file, which tells only when the file begins."""

_SECONDS_PER_DAY = 24 * 3600


@dataclass(slots=True)
class Forgotten:
    """What a list says.

    Attributes:
        begins: when it begins, in seconds since 1970.
        persons: the hashes of the people.
        credentials: the hashes of the devices and codes.
        bans: for the hash of a person the beginning and the end of the last ban; None if it was
            lifted, and an end of None for a permanent ban.
        links: for the hash of a table when its link was last revoked.
        damage: the damaged lines, in words, each with file and line.
    """

    begins: float
    persons: set[str] = field(default_factory=set)
    credentials: set[str] = field(default_factory=set)
    bans: dict[str, tuple[float, float | None] | None] = field(default_factory=dict)
    links: dict[str, float] = field(default_factory=dict)
    damage: list[str] = field(default_factory=list)


def listed_hash(kind: Kind, value: str) -> str:
    """The hash under which a person, a credential or a table is listed."""
    return sha256(f"jasstisch forgotten {_DOMAINS.get(kind, kind)} {value}".encode()).hexdigest()


class ForgottenList:
    """The writer of a list; usable from any thread.

    Args:
        folder: the folder; it is created, with the beginning of the list, if there is none.
        keep_days: how long a file is kept after its month.
        now: seconds since 1970, by the clock of the store.

    Raises:
        StoreError: the folder cannot be written.
    """

    def __init__(self, folder: Path, keep_days: int, now: Callable[[], float]) -> None:
        self._folder = folder
        self._keep_days = keep_days
        self._now = now
        self._lock = Lock()
        self._path: Path | None = None
        self._file: int | None = None
        with self._disk_errors_as_store_errors(), self._lock:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _files(folder):
                self._open_file(self._now())

    def line(
        self, kind: Kind, value: str, until: float | None = None, at: float | None = None
    ) -> str:
        """A line to be added.

        Args:
            kind: what has happened.
            value: the person, the hash of the credential, or the table.
            until: the end of a ban in seconds since 1970; None for none.
            at: when it happened, in the same unit; None for now.
        """
        return _line(self._now() if at is None else at, kind, listed_hash(kind, value), until)

    def add_lines(self, lines: Sequence[str]) -> None:
        """Adds lines; once this returns they survive a crash.

        Without any it still opens the file of the month, as a test of whether it can be written.

        Raises:
            StoreError: the disk failed or is full.
        """
        with self._lock, self._disk_errors_as_store_errors():
            now = self._now()
            if self._file is None or self._path is None or _month(now) not in self._path.name:
                self._open_file(now)
            if lines:
                self._append("".join(lines))

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._close_file()

    def _disk_errors_as_store_errors(self) -> "_DiskErrors":
        return _DiskErrors(self._folder)

    def _open_file(self, now: float) -> None:
        """Begins a file of this process for the month, and deletes those that are too old."""
        self._close_file()
        self._path = self._folder / f"{_month(now)}-{token_hex(4)}{_SUFFIX}"
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        self._append(_line(now, "begin", _NO_HASH, None))
        sync_folder(self._folder)
        oldest = _month(now - (self._keep_days + 31) * _SECONDS_PER_DAY)
        for path in _files(self._folder):
            if path.name < oldest:
                path.unlink(missing_ok=True)

    def _append(self, lines: str) -> None:
        assert self._file is not None
        try:
            if os.write(self._file, lines.encode()) != len(lines):
                raise OSError(28, "No space left on device")
            os.fsync(self._file)
        except OSError:
            # A torn line may only be the last one of a file: the next goes to another file.
            self._close_file()
            raise

    def _close_file(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = self._path = None


class _DiskErrors:
    """Converts disk errors to store errors."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            reason = (error.strerror or str(error)).lower()
            text = f"the list of the forgotten in {self._folder} cannot be written: {reason}"
            raise StoreError(text, classify_failure(error)) from error


def read_forgotten(folder: Path) -> Forgotten | None:
    """Reads a list; None if there is none.

    A torn line at the end of a file is what a crash leaves; it is still in the outbox.

    Raises:
        StoreError: a file cannot be read.
    """
    lines: list[re.Match[bytes]] = []
    damage: list[str] = []
    try:
        for path in _files(folder):
            lines += _read_file(path, damage)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StoreError(f"the list in {folder} cannot be read: {reason}") from error
    if not lines and not damage:
        return None
    # Files of several processes overlap, and the lines of the outbox may be late.
    lines.sort(key=lambda line: float(line["at"]))
    # The beginning of a file is told by its first line: an earlier line may have come late.
    found = Forgotten(float(lines[-1]["at"]) if lines else 0.0, damage=damage)
    for line in lines:
        _add_line(found, line)
    return found


def _add_line(found: Forgotten, line: re.Match[bytes]) -> None:
    at, hashed = float(line["at"]), line["hash"].decode()
    match line["kind"]:
        case b"person":
            found.persons.add(hashed)
        case b"credential":
            found.credentials.add(hashed)
        case b"ban":
            found.bans[hashed] = at, None if line["until"] == b"-" else float(line["until"])
        case b"unban":
            found.bans[hashed] = None
        case b"link":
            found.links[hashed] = at
        case _:
            found.begins = min(found.begins, at)


def _read_file(path: Path, damage: list[str]) -> Iterator[re.Match[bytes]]:
    """The lines of a file; damaged ones are described in `damage`."""
    with path.open("rb") as file:
        number = 0
        while text := file.readline(_MAX_LINE_BYTES):
            number += 1
            line = _LINE.fullmatch(text)
            if line is not None and line["sum"] == _checksum(line["text"]):
                yield line
            elif text.endswith(b"\n") or len(text) == _MAX_LINE_BYTES:
                damage.append(f"{path}, line {number}")
                while not text.endswith(b"\n") and (text := file.readline(_MAX_LINE_BYTES)):
                    pass


def _files(folder: Path) -> list[Path]:
    """The files of a list, the oldest month first."""
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if _FILE_NAME.fullmatch(one.name))


def _line(at: float, kind: str, hashed: str, until: float | None) -> str:
    text = f"{float(at)!r} {kind} {hashed} {'-' if until is None else repr(float(until))}"
    return f"{text} {_checksum(text.encode()).decode()}\n"


def _checksum(text: bytes) -> bytes:
    return sha256(text).hexdigest()[:8].encode()


def _month(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m}"

"""Backups of a SQLite file of tables, while a server writes to it, and their way back.

Copying the file alone would lose what still stands in the write-ahead log beside it. Here the
database copies itself, from one view of what is committed: a server that goes on writing neither
waits for it nor changes what is copied. A copy is written under another name, checked, brought to
the disk and only then called what was asked for; nothing that was there is ever deleted.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy2
from time import sleep

from msgspec import Struct

from jasstisch.storage.event_store import StoreError
from jasstisch.storage.folder_lock import FolderLock
from jasstisch.storage.sqlite.event_store import SCHEMA_VERSION
from jasstisch.storage.sqlite.queries import (
    APPLICATION_ID,
    READ_ERRORS,
    connect,
    count_tables,
    to_store_error,
)

__all__ = [
    "BackupInfo",
    "RestoreInfo",
    "atomic_replace",
    "backup_file",
    "disable_wal",
    "ensure_target_free",
    "partial_file",
    "restore_file",
    "verify_copy",
]

PAGES_PER_STEP = 256
"""So many pages are copied at once: 1 MiB."""

PARTIAL_FILE = re.compile(r"\.([0-9]{1,9})\.part(-wal|-shm|-journal)?$")
"""How files end that are not complete: with the process that writes them."""

STEP_PAUSE_S = 0.001
"""Seconds between two steps, in which others have the disk."""

BackupProgress = Callable[[float], None]
"""Is told which part of the work is done, from 0 to 1."""


class BackupInfo(Struct, frozen=True):
    """What a backup holds.

    Attributes:
        tables: how many tables.
        events: how many events.
        size: bytes of the file.
    """

    tables: int
    events: int
    size: int


class RestoreInfo(Struct, frozen=True):
    """What has come back.

    Attributes:
        copied: what it holds.
        aside: the files that were there before, under the names that they have now.
    """

    copied: BackupInfo
    aside: list[Path]


def backup_file(
    source: Path, target: Path, told: BackupProgress, *, force: bool = False
) -> BackupInfo:
    """Writes a backup of a file of tables that may be in use.

    Args:
        source: the file of the tables.
        target: the file to be made.
        told: is told how far it is.
        force: whether a file that is there is replaced, once the new one is complete.

    Raises:
        StoreError: there is a file already, the source is damaged, or the disk failed; the message
            says what. The source, and what was there, are as they were.
    """
    ensure_target_free(target, force=force)
    if target.exists() and source.exists() and target.samefile(source):
        raise StoreError(f"{target} is the file of the tables itself; name another one")
    with partial_file(target) as part:
        _copy(source, part, told)
        found = verify_copy(part)
        ensure_target_free(target, force=force)
        atomic_replace(part, target)
    return found


def restore_file(
    source: Path, target: Path, told: BackupProgress, *, force: bool = False
) -> RestoreInfo:
    """Puts a backup where a server keeps its tables.

    Args:
        source: the backup; it stays as it is.
        target: the file of the tables; its folder is made if need be.
        told: is told how far it is.
        force: whether a file that is there is moved aside, with the log beside it.

    Raises:
        LockedError: a server runs there.
        StoreError: there are tables already, the backup is damaged, or the disk failed.
    """
    if not source.is_file():
        raise StoreError(f"there is no backup {source}")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{source} is the file of the tables itself; name a backup")
    with _disk_errors_as_store_errors(target.parent):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _disk_errors_as_store_errors(target.parent), FolderLock(target.parent, "a restore"):
        _ensure_no_tables(target, force=force)
        with partial_file(target) as part:
            _copy(source, part, told)
            found = verify_copy(part)
            aside = _move_aside(target)
            atomic_replace(part, target)
    return RestoreInfo(found, aside)


def ensure_target_free(target: Path, *, force: bool) -> None:
    """Makes sure that a backup may be written to a file.

    Raises:
        StoreError: there is something already, which is not to be replaced.
    """
    if target.is_dir():
        raise StoreError(f"{target} is a folder; name a file")
    if target.exists() and not force:
        raise StoreError(f"{target} is there already; --force replaces it, or name another file")


def _ensure_no_tables(target: Path, *, force: bool) -> None:
    if not force and any(one.exists() for one in _database_files(target)):
        raise StoreError(
            f"there are tables in {target.parent} already; --force moves them aside, or choose "
            "another folder with --data"
        )


def _database_files(target: Path) -> list[Path]:
    """A database, and what SQLite keeps beside it."""
    ends = ("-wal", "-shm", "-journal")
    return [target, *(target.with_name(f"{target.name}{end}") for end in ends)]


@contextmanager
def _disk_errors_as_store_errors(where: Path) -> Iterator[None]:
    """Tells a failure of the disk as one of the store."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{where}: {(error.strerror or str(error)).lower()}") from error


@contextmanager
def partial_file(target: Path) -> Iterator[Path]:
    """A file of our own beside the target, for its owner only; gone afterwards if not renamed."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with _disk_errors_as_store_errors(target.parent):
        for one in target.parent.iterdir():
            stale = one.name.startswith(f"{target.name}.") and PARTIAL_FILE.search(one.name)
            if stale and not _is_writer_alive(int(stale[1])):
                one.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            yield part
        finally:
            for one in _database_files(part):
                one.unlink(missing_ok=True)


def _is_writer_alive(process: int) -> bool:
    """Whether the process that writes a part is there; what a killed one has left is of no use."""
    if os.name == "nt":  # where to ask would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return process != os.getpid()


def _copy(source: Path, part: Path, told: BackupProgress) -> None:
    """Copies what is committed now, in small steps."""

    def step(_: int, left: int, pages: int) -> None:
        told(1 - left / pages if pages else 1.0)
        sleep(STEP_PAUSE_S)

    try:
        with closing(connect(source, only_read=True)) as reader, closing(connect(part)) as writer:
            if reader.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreError(f"{source} is no file of tables of Jasstisch")
            # One view for all steps: otherwise each commit of a server would begin it anew.
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            # Until it has its name nobody needs it, so nothing has to be undone in it.
            writer.execute("PRAGMA journal_mode = OFF")
            writer.execute("PRAGMA synchronous = OFF")
            reader.backup(writer, pages=PAGES_PER_STEP, progress=step)
            reader.execute("ROLLBACK")
            disable_wal(writer)
    except READ_ERRORS as error:
        raise to_store_error(source, "it cannot be copied", error) from error


def disable_wal(connection: sqlite3.Connection) -> None:
    """Has a database do without a log beside it, to be taken anywhere; a server makes one again."""
    connection.execute("PRAGMA journal_mode = DELETE")


def verify_copy(part: Path) -> BackupInfo:
    """What a copy holds.

    Raises:
        DamagedError: it is not as a database should be.
    """
    try:
        with closing(connect(part, only_read=True)) as reader:
            first = reader.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if first != "ok":
                raise StoreError(
                    f"what was copied is damaged ({first}): so is the file it comes from; "
                    "jasstisch check says which tables"
                )
            layout = reader.execute("PRAGMA user_version").fetchone()[0]
            if layout > SCHEMA_VERSION:
                raise StoreError(
                    f"it was written by a newer Jasstisch (layout {layout}, this one knows "
                    f"{SCHEMA_VERSION}); update Jasstisch first"
                )
            events = reader.execute("SELECT count(*) FROM event").fetchone()[0]
            return BackupInfo(count_tables(reader), events, part.stat().st_size)
    except READ_ERRORS as error:
        raise to_store_error(part, "it cannot be checked", error) from error


def _move_aside(target: Path) -> list[Path]:
    """Gives a database that is there another name, with what belongs to it."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    aside = target.with_name(f"{target.name}.before-{now}")
    number = 1
    while any(one.exists() for one in _database_files(aside)):
        number += 1
        aside = target.with_name(f"{target.name}.before-{now}-{number}")
    _checkpoint(target)
    moved = []
    with _disk_errors_as_store_errors(target.parent):
        # By another name first, and away from its place last: whenever this is cut off, it is whole
        # under one name or the other, and no log lies beside a database that is not its own.
        for old, new in zip(_database_files(target), _database_files(aside), strict=True):
            if old.exists():
                _link_or_copy(old, new)
                moved.append(new)
        for log in _database_files(target)[1:]:
            log.unlink(missing_ok=True)
    return moved


def _checkpoint(target: Path) -> None:
    """Has a database take in the log beside it, where it is sound; nobody else uses it."""
    if not target.exists():
        return
    with suppress(*READ_ERRORS), closing(connect(target)) as writer:
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _link_or_copy(old: Path, new: Path) -> None:
    """Gives a file a second name, or copies it where files have only one."""
    try:
        os.link(old, new)
    except OSError:
        copy2(old, new)


def atomic_replace(part: Path, target: Path) -> None:
    """Gives a complete file its name, for good."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(target)
    if os.name != "nt":  # where folders cannot be opened
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

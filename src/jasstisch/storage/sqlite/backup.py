"""Online backup of a SQLite store, and its restoration.

A plain copy of the file would miss the write-ahead log beside it. SQLite's backup API copies one
snapshot of the committed data instead: a server that goes on writing neither waits nor changes the
copy. The copy is written to a temporary file, verified, flushed to disk and then renamed. Existing
files are never deleted.
"""

import asyncio
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy2
from time import sleep, time

from msgspec import Struct

from jasstisch.folder_sync import sync_folder
from jasstisch.storage.errors import StoreError
from jasstisch.storage.folder_lock import FolderLock
from jasstisch.storage.forget_again import ForgottenAgain, forget_again
from jasstisch.storage.forgotten_list import Forgotten
from jasstisch.storage.sqlite.event_store import SCHEMA_VERSION
from jasstisch.storage.sqlite.queries import (
    APPLICATION_ID,
    READ_ERRORS,
    connect,
    count_tables,
    to_store_error,
)
from jasstisch.storage.sqlite.row_transfer import exclusive_file
from jasstisch.storage.sqlite.vacuum import remove_traces_from_copy

_PAGES_PER_STEP = 256
"""The number of pages copied at once: 1 MiB."""

_PARTIAL_FILE = re.compile(r"\.([0-9]{1,9})\.part(-wal|-shm|-journal)?$")
"""The ending of incomplete files, with the id of the process that writes them."""

_STEP_PAUSE_S = 0.001
"""Seconds between two steps, in which other processes can use the disk."""

_BackupProgress = Callable[[float], None]
"""A callback for the progress, from 0 to 1."""


class BackupInfo(Struct, frozen=True):
    """The contents of a backup.

    Attributes:
        table_count: the number of tables.
        event_count: the number of events.
        size: the size of the file in bytes.
    """

    table_count: int
    event_count: int
    size: int


class RestoreInfo(Struct, frozen=True):
    """The result of a restoration.

    Attributes:
        restored_contents: the contents restored.
        previous_files: the previous files, under their new names.
        forgotten_again: what was forgotten again; None without a list.
    """

    restored_contents: BackupInfo
    previous_files: list[Path]
    forgotten_again: ForgottenAgain | None


def backup_file(
    source: Path, target: Path, on_progress: _BackupProgress, *, force: bool = False
) -> BackupInfo:
    """Writes a backup of a file of tables that may be in use.

    Args:
        source: the file of the tables.
        target: the file to create.
        on_progress: a callback for the progress.
        force: whether to replace an existing file, once the new one is complete.

    Raises:
        StoreError: the file exists, the source is damaged, or the disk failed; the message says
            what. The source and an existing target are unchanged.
    """
    ensure_target_free(target, force=force)
    if target.exists() and source.exists() and target.samefile(source):
        raise StoreError(f"{target} is the file of the tables itself; name another one")
    with partial_file(target) as part:
        _copy(source, part, on_progress)
        found = verify_copy(part)
        ensure_target_free(target, force=force)
        atomic_replace(part, target)
    return found


def restore_file(
    source: Path,
    target: Path,
    on_progress: _BackupProgress,
    *,
    force: bool = False,
    listed: Forgotten | None = None,
) -> RestoreInfo:
    """Restores a backup to the data folder of a server.

    Args:
        source: the backup; it stays unchanged.
        target: the file of the tables; a missing folder is created.
        on_progress: a callback for the progress.
        force: whether to move an existing file aside, with its write-ahead log.
        listed: what was forgotten since the backup, and is forgotten again.

    Raises:
        LockedError: a server uses the folder.
        StoreError: the file exists, the backup is damaged, or the disk failed.
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
            _copy(source, part, on_progress)
            again = None if listed is None else asyncio.run(_forget_again_in(part, listed))
            found = verify_copy(part)
            aside = _move_aside(target)
            atomic_replace(part, target)
    return RestoreInfo(found, aside, again)


async def _forget_again_in(part: Path, listed: Forgotten) -> ForgottenAgain:
    """Applies a list to a copy, which gets the current schema."""
    async with exclusive_file(part) as copied:
        again = await forget_again(copied, listed, time())
    with closing(connect(part)) as writer:
        disable_wal(writer)
    return again


def ensure_target_free(target: Path, *, force: bool) -> None:
    """Checks that a backup may be written to a file.

    Raises:
        StoreError: the file exists and must not be replaced.
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
    """The files of a database: the main file and those that SQLite keeps beside it."""
    ends = ("-wal", "-shm", "-journal")
    return [target, *(target.with_name(f"{target.name}{end}") for end in ends)]


@contextmanager
def _disk_errors_as_store_errors(where: Path) -> Iterator[None]:
    """Converts disk errors to store errors."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{where}: {(error.strerror or str(error)).lower()}") from error


@contextmanager
def partial_file(target: Path) -> Iterator[Path]:
    """A temporary file beside the target, private to its owner; deleted unless renamed."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with _disk_errors_as_store_errors(target.parent):
        for one in target.parent.iterdir():
            stale = one.name.startswith(f"{target.name}.") and _PARTIAL_FILE.search(one.name)
            if stale and not _is_writer_alive(int(stale[1])):
                one.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            yield part
        finally:
            for one in _database_files(part):
                one.unlink(missing_ok=True)


def _is_writer_alive(process: int) -> bool:
    """Whether the process that writes a partial file is alive; else the file is useless."""
    if os.name == "nt":  # where `os.kill` would end the process
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return process != os.getpid()


def _copy(source: Path, part: Path, on_progress: _BackupProgress) -> None:
    """Copies a snapshot of the committed data, in small steps."""

    def step(_: int, left: int, pages: int) -> None:
        on_progress(1 - left / pages if pages else 1.0)
        sleep(_STEP_PAUSE_S)

    try:
        with closing(connect(source, only_read=True)) as reader, closing(connect(part)) as writer:
            if reader.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreError(f"{source} is no file of tables of Jasstisch")
            # One snapshot for all steps: otherwise each commit of a server would restart the copy.
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            # Until it is renamed nobody needs the copy, so it needs no rollback journal.
            writer.execute("PRAGMA journal_mode = OFF")
            writer.execute("PRAGMA synchronous = OFF")
            reader.backup(writer, pages=_PAGES_PER_STEP, progress=step)
            reader.execute("ROLLBACK")
            disable_wal(writer)
            remove_traces_from_copy(writer)
    except READ_ERRORS as error:
        raise to_store_error(source, "it cannot be copied", error) from error


def disable_wal(connection: sqlite3.Connection) -> None:
    """Switches a database to a single file without a write-ahead log, for transport."""
    connection.execute("PRAGMA journal_mode = DELETE")


def verify_copy(part: Path) -> BackupInfo:
    """Verifies a copy and returns its contents.

    Raises:
        CorruptionError: the database is damaged.
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
    """Renames an existing database together with its files."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    aside = target.with_name(f"{target.name}.before-{now}")
    number = 1
    while any(one.exists() for one in _database_files(aside)):
        number += 1
        aside = target.with_name(f"{target.name}.before-{now}-{number}")
    _checkpoint(target)
    moved = []
    with _disk_errors_as_store_errors(target.parent):
        # The new names are linked first and the old ones removed last: after an interruption the
        # database is complete under one of its names, and no log is beside a foreign database.
        for old, new in zip(_database_files(target), _database_files(aside), strict=True):
            if old.exists():
                _link_or_copy(old, new)
                moved.append(new)
        for log in _database_files(target)[1:]:
            log.unlink(missing_ok=True)
    return moved


def _checkpoint(target: Path) -> None:
    """Writes the log of an intact, unused database back to its main file."""
    if not target.exists():
        return
    with suppress(*READ_ERRORS), closing(connect(target)) as writer:
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _link_or_copy(old: Path, new: Path) -> None:
    """Hard-links a file, or copies it where links are not supported."""
    try:
        os.link(old, new)
    except OSError:
        copy2(old, new)


def atomic_replace(part: Path, target: Path) -> None:
    """Renames a complete file to its target, durably."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(target)
    sync_folder(target.parent)

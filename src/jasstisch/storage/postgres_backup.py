"""Backups of a Postgres store in a SQLite file, as those of a folder are, and their way back.

What stood in the database at one moment is read in one transaction, while servers go on, and
carried over as by a move (`moving`). A host may restore it into a folder or into an empty database.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from jasstisch.extras import require
from jasstisch.storage.event_store import StoreError
from jasstisch.storage.migration import MigrationInfo, MigrationProgress, copy_all
from jasstisch.storage.sqlite.backup import (
    BackupInfo,
    atomic_replace,
    disable_wal,
    ensure_target_free,
    partial_file,
    verify_copy,
)
from jasstisch.storage.sqlite.row_transfer import exclusive_file, snapshot_file

__all__ = ["backup_database", "restore_database"]


async def backup_database(
    url: str, target: Path, tell: MigrationProgress, *, force: bool = False
) -> BackupInfo:
    """Writes a backup of a database that may be in use.

    Args:
        url: where the database is.
        target: the file to be made.
        tell: is told how far it is.
        force: whether a file that is there is replaced, once the new one is complete.

    Raises:
        StoreError: there is a file already, the database cannot be read, or the disk failed; what
            was there is as it was.
        MissingExtraError: it needs packages that are not installed.
    """
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.row_transfer import snapshot_database  # noqa: PLC0415 - needs the extra

    ensure_target_free(target, force=force)
    with partial_file(target) as part:
        async with snapshot_database(url) as there, exclusive_file(part) as here:
            await copy_all(there, here, tell)
        with closing(sqlite3.connect(part)) as connection:
            disable_wal(connection)
        found = verify_copy(part)
        ensure_target_free(target, force=force)
        atomic_replace(part, target)
    return found


async def restore_database(source: Path, url: str, tell: MigrationProgress) -> MigrationInfo:
    """Puts a backup into an empty database that no server uses.

    Args:
        source: the backup; it stays as it is.
        url: where the database is.
        tell: is told how far it is.

    Raises:
        StoreError: the backup is damaged or of an older layout, the database is in use or not
            empty, or one of them failed; then the database is as it was.
        MissingExtraError: it needs packages that are not installed.
    """
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.row_transfer import exclusive_database  # noqa: PLC0415 - needs the extra

    await asyncio.to_thread(_verify_backup, source)
    async with snapshot_file(source) as there, exclusive_database(url) as here:
        return await copy_all(there, here, tell)


def _verify_backup(source: Path) -> None:
    if not source.is_file():
        raise StoreError(f"there is no backup {source}")
    verify_copy(source)

"""Backup of a Postgres store to a SQLite file, and its restoration.

A snapshot of the database is read in one transaction while servers go on, and copied as by
`migration`. The file has the format of a SQLite backup, so that operators can restore it into a
folder or into an empty database.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from time import time

from jasstisch.extras import require
from jasstisch.storage.errors import StoreError
from jasstisch.storage.forget_again import ForgottenAgain, forget_again
from jasstisch.storage.forgotten_list import Forgotten
from jasstisch.storage.migration import MigrationInfo, MigrationProgress, copy_all
from jasstisch.storage.sqlite.backup import (
    BackupInfo,
    atomic_replace,
    disable_wal,
    ensure_target_free,
    partial_file,
    verify_copy,
)
from jasstisch.storage.sqlite.row_transfer import exclusive_file, open_snapshot


async def backup_database(
    url: str, target: Path, on_progress: MigrationProgress, *, force: bool = False
) -> BackupInfo:
    """Writes a backup of a database that may be in use.

    Args:
        url: the URL of the database.
        target: the file to create.
        on_progress: a callback for the progress.
        force: whether to replace an existing file, once the new one is complete.

    Raises:
        StoreError: the file exists, the database cannot be read, or the disk failed; an existing
            file is unchanged.
        MissingExtraError: the required packages are not installed.
    """
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.row_transfer import snapshot_database  # noqa: PLC0415 - needs the extra

    ensure_target_free(target, force=force)
    with partial_file(target) as part:
        async with snapshot_database(url) as there, exclusive_file(part) as here:
            await copy_all(there, here, on_progress)
        with closing(sqlite3.connect(part)) as connection:
            disable_wal(connection)
        found = verify_copy(part)
        ensure_target_free(target, force=force)
        atomic_replace(part, target)
    return found


async def restore_database(
    source: Path, url: str, on_progress: MigrationProgress, listed: Forgotten | None = None
) -> tuple[MigrationInfo, ForgottenAgain | None]:
    """Restores a backup into an empty database that no server uses.

    Args:
        source: the backup; it stays unchanged.
        url: the URL of the database.
        on_progress: a callback for the progress.
        listed: what was forgotten since the backup, and is forgotten again.

    Returns:
        What was restored, and what was forgotten again; None without a list.

    Raises:
        StoreError: the backup is damaged or has an older schema, the database is in use or not
            empty, or one of them failed; then the database is unchanged.
        MissingExtraError: the required packages are not installed.
    """
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.row_transfer import exclusive_database  # noqa: PLC0415 - needs the extra

    await asyncio.to_thread(_verify_backup, source)
    async with open_snapshot(source) as there, exclusive_database(url) as here:
        info = await copy_all(there, here, on_progress)
        return info, None if listed is None else await forget_again(here, listed, time())


def _verify_backup(source: Path) -> None:
    if not source.is_file():
        raise StoreError(f"there is no backup {source}")
    verify_copy(source)

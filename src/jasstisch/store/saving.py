"""Backups of a Postgres store in a SQLite file, as those of a folder are, and their way back.

What stood in the database at one moment is read in one transaction, while servers go on, and
carried over as by a move (`moving`). A host may restore it into a folder or into an empty database.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from jasstisch.extras import require
from jasstisch.store.copying import Copied, check_free, checked, finish, in_one_file, part_of
from jasstisch.store.event_store import StoreError
from jasstisch.store.moving import Moved, Told, carry
from jasstisch.store.sqlite_parts import held_file, seen_file

__all__ = ["bring_back", "save"]


async def save(url: str, target: Path, tell: Told, *, force: bool = False) -> Copied:
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
    from jasstisch.store.postgres_parts import seen_database  # noqa: PLC0415 - needs the extra

    check_free(target, force=force)
    with part_of(target) as part:
        async with seen_database(url) as there, held_file(part) as here:
            await carry(there, here, tell)
        with closing(sqlite3.connect(part)) as connection:
            in_one_file(connection)
        found = checked(part)
        check_free(target, force=force)
        finish(part, target)
    return found


async def bring_back(source: Path, url: str, tell: Told) -> Moved:
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
    from jasstisch.store.postgres_parts import held_database  # noqa: PLC0415 - needs the extra

    await asyncio.to_thread(_check, source)
    async with seen_file(source) as there, held_database(url) as here:
        return await carry(there, here, tell)


def _check(source: Path) -> None:
    if not source.is_file():
        raise StoreError(f"there is no backup {source}")
    checked(source)

"""Carries all that a store keeps over to another one, which must be empty.

Both are held meanwhile, and so are the folders of files, so that no server uses either. All is
written in one transaction: it is there as a whole once it has ended, and where it is cut off the
other store is as empty as before.
At the end what the other store holds is read again and compared. What is deleted stays behind.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, aclosing, contextmanager
from hashlib import sha256

import msgspec
from msgspec import Struct

from jasstisch.extras import require
from jasstisch.storage.event_store import StoreError
from jasstisch.storage.folder_lock import FolderLock, LockedError
from jasstisch.storage.sql_tables import SQL_TABLES, Rows, SqlTable, StoreTransaction
from jasstisch.storage.sqlite.row_transfer import exclusive_file
from jasstisch.storage.store_url import ensure_folder, is_postgres, sqlite_path

__all__ = ["MigrationInfo", "MigrationProgress", "copy_all", "migrate"]

MigrationProgress = Callable[[str, int], None]
"""Is told again and again what is being carried over or compared, and how many rows so far."""


class MigrationInfo(Struct, frozen=True):
    """What was carried over.

    Attributes:
        tables: how many tables.
        events: how many events in their logs.
        credentials: how many secrets that lead to people.
        digest: the SHA-256 of all of it, row by row, alike on both sides.
    """

    tables: int
    events: int
    credentials: int
    digest: str


class _RunningDigest:
    """How much there is, and a digest of it."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys((part.name for part in SQL_TABLES), 0)
        self._hash = sha256()
        self._encode = msgspec.msgpack.Encoder().encode

    def add(self, part: SqlTable, rows: Rows) -> None:
        self.counts[part.name] += len(rows)
        for row in rows:
            self._hash.update(self._encode(tuple(row)))

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


async def migrate(source: str, target: str, tell: MigrationProgress) -> MigrationInfo:
    """Carries all that a store keeps over to an empty one; the first one stays as it is.

    Args:
        source: where it is kept, as `jasstisch.storage.store_url` reads it.
        target: where it is to be kept.
        tell: is told how far it is.

    Raises:
        StoreError: a server uses one of them, the second one is not empty, one cannot be read or
            written, or they were not alike in the end; then nothing has been carried over.
        MissingExtraError: it needs packages that are not installed.
    """
    if not is_postgres(source) and not sqlite_path(source).is_file():
        raise StoreError(f"there is no store at {sqlite_path(source)}")
    if not is_postgres(source) and not is_postgres(target) and _same_file(source, target):
        raise StoreError("both are the same store")
    with _lock_folders(source, target):
        async with _open_exclusively(source) as there, _open_exclusively(target) as here:
            return await copy_all(there, here, tell)


async def copy_all(
    there: StoreTransaction, here: StoreTransaction, tell: MigrationProgress
) -> MigrationInfo:
    """Carries all that one store holds over to another, within their transactions.

    Args:
        there: what is read.
        here: what is written; it must be empty.
        tell: is told how far it is.

    Raises:
        StoreError: the second one is not empty, or they were not alike in the end.
    """
    if not await here.is_empty():
        raise StoreError("the store that it is to be moved to is not empty")
    read, written = _RunningDigest(), _RunningDigest()
    for part in SQL_TABLES:
        async with aclosing(there.rows(part)) as batches:
            async for rows in batches:
                await here.add(part, rows)
                read.add(part, rows)
                tell(f"Moving {part.name}", read.counts[part.name])
    for part in SQL_TABLES:
        await _digest_rows(here.rows(part), part, written, tell)
    if (read.counts, read.digest) != (written.counts, written.digest):
        raise StoreError("what was written is not what was read; nothing has been moved")
    counts = read.counts
    return MigrationInfo(counts["kept"], counts["event"], counts["credential"], read.digest)


async def _digest_rows(
    batches: AsyncGenerator[Rows, None],
    part: SqlTable,
    written: _RunningDigest,
    tell: MigrationProgress,
) -> None:
    async with aclosing(batches):
        async for rows in batches:
            written.add(part, rows)
            tell(f"Comparing {part.name}", written.counts[part.name])


def _same_file(source: str, target: str) -> bool:
    return sqlite_path(source).resolve() == sqlite_path(target).resolve()


@contextmanager
def _lock_folders(*stores: str) -> Iterator[None]:
    """Keeps servers out of the folders in which stores lie, each of which is made if need be."""
    files = [sqlite_path(text) for text in stores if not is_postgres(text)]
    with ExitStack() as locks:
        for file in files:
            ensure_folder(file)
        # Two files may lie in one folder.
        for folder in sorted({file.parent.resolve() for file in files}):
            try:
                locks.enter_context(FolderLock(folder, "a move"))
            except LockedError as error:
                raise LockedError(f"{error}; stop it first") from error
            except OSError as error:
                reason = error.strerror or str(error)
                raise StoreError(f"the data folder {folder} cannot be used: {reason}") from error
        yield


def _open_exclusively(text: str) -> AbstractAsyncContextManager[StoreTransaction]:
    if not is_postgres(text):
        return exclusive_file(sqlite_path(text))
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.row_transfer import exclusive_database  # noqa: PLC0415 - needs the extra

    return exclusive_database(text)
